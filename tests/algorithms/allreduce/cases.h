#pragma once

#include <map>
#include <string>
#include <vector>

#include "algorithms/registry.h"

namespace reducelab {

/// An algorithm with parameters and a way to put ranks on nodes.
struct AlgorithmCase {
  std::string name;
  std::map<std::string, std::string> params;
  std::string nodes = "none";  // none, pairs, uneven, round-robin
};

inline std::vector<std::vector<int>> nodes_for(const std::string& layout, int ranks) {
  std::vector<std::vector<int>> nodes;
  if (layout == "pairs") {
    for (int rank = 0; rank < ranks; rank += 2) nodes.push_back({rank});
    for (int rank = 1; rank < ranks; rank += 2) nodes[rank / 2].push_back(rank);
  } else if (layout == "uneven") {
    for (int rank = 0, size = 1; rank < ranks; size = size % 3 + 1) {
      nodes.emplace_back();
      for (int i = 0; i < size && rank < ranks; ++i) nodes.back().push_back(rank++);
    }
  } else if (layout == "round-robin") {
    const int count = ranks < 4 ? 1 : (ranks % 4 == 0 ? 4 : 3);
    nodes.resize(count);
    for (int rank = 0; rank < ranks; ++rank) nodes[rank % count].push_back(rank);
  }
  return nodes;
}

inline World world_for(const AlgorithmCase& the_case, int ranks, std::int64_t count) {
  const Algorithm& algorithm = find_algorithm(the_case.name);
  World world;
  world.ranks = ranks;
  world.count = count;
  world.nodes = nodes_for(the_case.nodes, ranks);
  world.params = complete_params(algorithm, the_case.params);
  return prepare_world(algorithm, std::move(world));
}

/// Every algorithm with its defaults, and every parameter and node layout that changes a program.
inline std::vector<AlgorithmCase> all_cases() {
  std::vector<AlgorithmCase> cases;
  for (const Algorithm& algorithm : all_algorithms()) {
    cases.push_back({std::string(algorithm.name), {}, "none"});
  }
  cases.push_back({"rabenseifner", {{"order", "far-first"}}});
  cases.push_back({"bidirectional-ring", {{"slice_bytes", "28"}}});
  cases.push_back({"segmented-ring", {{"segment_bytes", "28"}}});
  cases.push_back({"parameter-server", {{"servers", "3"}}});
  cases.push_back({"parameter-server", {{"servers", "40"}, {"slice_bytes", "16"}}});
  cases.push_back({"parameter-server", {{"slice_bytes", "28"}}});
  for (const char* nodes : {"none", "pairs", "uneven", "round-robin"}) {
    cases.push_back({"ring", {{"channels", "3"}, {"slice_bytes", "8"}}, nodes});
    cases.push_back({"double-tree", {{"channels", "2"}, {"slice_bytes", "12"}}, nodes});
    cases.push_back({"hierarchical", {{"intra", "direct"}}, nodes});
    cases.push_back({"hierarchical", {{"channels", "3"}, {"slice_bytes", "8"}}, nodes});
    for (const ParamSpec& spec : find_algorithm("hierarchical").params) {
      if (spec.name != "inner") continue;
      for (const std::string_view inner : spec.choices) {
        cases.push_back({"hierarchical", {{"inner", std::string(inner)}}, nodes});
      }
    }
  }
  return cases;
}

inline std::string text_of(const AlgorithmCase& the_case, int ranks, std::int64_t count) {
  std::string text = the_case.name;
  for (const auto& [name, value] : the_case.params) text += " " + name + "=" + value;
  return text + " nodes=" + the_case.nodes + " ranks=" + std::to_string(ranks) +
         " count=" + std::to_string(count);
}

}  // namespace reducelab
