#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "algorithms/registry.h"
#include "core/text.h"
#include "core/units.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/output.h"
#include "experiments/report/table.h"

namespace reducelab {
namespace {

using Json = nlohmann::ordered_json;

std::string_view name_of(ParamSpec::Kind kind) {
  switch (kind) {
    case ParamSpec::Kind::integer:
      return "integer";
    case ParamSpec::Kind::bytes:
      return "size";
    case ParamSpec::Kind::choice:
      return "choice";
  }
  throw Error(ErrorCode::bug, "a parameter of no kind");
}

std::string values_of(const ParamSpec& param) {
  if (param.kind == ParamSpec::Kind::choice)
    return fmt::format("{}", fmt::join(param.choices, "|"));
  if (param.kind == ParamSpec::Kind::integer) {
    return fmt::format("{} to {}", param.least, param.most);
  }
  return fmt::format("{} to {}", format_bytes(param.least), format_bytes(param.most));
}

/// The first small job that an algorithm turns down with its default parameters, asked of the code
/// that will decide when it runs.
std::string constraint_of(const Algorithm& algorithm) {
  constexpr int kMostRanks = 33;
  const Params params = complete_params(algorithm);
  for (int ranks = 1; algorithm.refusal != nullptr && ranks <= kMostRanks; ++ranks) {
    World world;
    world.ranks = ranks;
    world.count = 1;
    world.params = params;
    if (const std::string reason = algorithm.refusal(world); !reason.empty()) return reason;
  }
  return "any number of ranks, any size";
}

bool has_closed_form(const Algorithm& algorithm) {
  return algorithm.cost != nullptr;
}

std::string describe(const Algorithm& algorithm) {
  std::string text = fmt::format("{}: {}\n", algorithm.name, algorithm.sentence);
  text += fmt::format("source         {}\n", algorithm.source);
  if (!algorithm.also_known_as.empty()) {
    text += fmt::format("also known as  {}\n", algorithm.also_known_as);
  }
  text += fmt::format("handles        {}\n", constraint_of(algorithm));
  text += fmt::format("closed form    {}\n", has_closed_form(algorithm) ? "yes" : "no");
  text += fmt::format("same bits on   {}\n",
                      algorithm.identical_ranks ? "all ranks" : "no two ranks for certain");
  if (algorithm.params.empty()) return text + "parameters     none\n";
  TextTable table({{"parameter", Align::left},
                   {"default", Align::left},
                   {"values", Align::left},
                   {"meaning", Align::left}});
  for (const ParamSpec& param : algorithm.params) {
    table.add_row({std::string(param.name), std::string(param.default_value), values_of(param),
                   std::string(param.sentence)});
  }
  return text + "\n" + table.to_text();
}

std::string list_all() {
  TextTable table({{"algorithm", Align::left},
                   {"closed form", Align::left},
                   {"parameters", Align::left},
                   {"what it does", Align::left}});
  for (const Algorithm& algorithm : all_algorithms()) {
    std::vector<std::string> params;
    for (const ParamSpec& param : algorithm.params) {
      params.push_back(fmt::format("{}={}", param.name, param.default_value));
    }
    table.add_row({std::string(algorithm.name), has_closed_form(algorithm) ? "yes" : "no",
                   fmt::format("{}", fmt::join(params, " ")), std::string(algorithm.sentence)});
  }
  return table.to_text() + "\nmore about one: reducelab algorithms NAME\n";
}

Json to_object(const Algorithm& algorithm) {
  Json params = Json::array();
  for (const ParamSpec& param : algorithm.params) {
    Json object{{"name", param.name},
                {"kind", name_of(param.kind)},
                {"default", param.default_value},
                {"sentence", param.sentence}};
    if (param.kind == ParamSpec::Kind::choice) {
      object["choices"] = std::vector<std::string>(param.choices.begin(), param.choices.end());
    } else {
      object["least"] = param.least;
      object["most"] = param.most;
    }
    params.push_back(std::move(object));
  }
  return {{"name", algorithm.name},
          {"sentence", algorithm.sentence},
          {"source", algorithm.source},
          {"also_known_as", algorithm.also_known_as},
          {"params", params},
          {"constraint", constraint_of(algorithm)},
          {"closed_form", has_closed_form(algorithm)},
          {"needs_commutative", algorithm.needs_commutative},
          {"identical_ranks", algorithm.identical_ranks}};
}

}  // namespace

int command_algorithms(Arguments arguments) {
  CLI::App app("List the all-reduce algorithms, or tell all about one.", "reducelab algorithms");
  std::string name;
  bool json = false;
  app.add_option("name", name, "an algorithm")->type_name("NAME");
  app.add_flag("--json", json, "print one JSON object");
  if (!parse_arguments(app, arguments)) return 0;

  const Algorithm* one = name.empty() ? nullptr : &find_algorithm(name);
  if (!json) {
    print(one != nullptr ? describe(*one) : list_all());
    return 0;
  }
  Json list = Json::array();
  for (const Algorithm& algorithm : all_algorithms()) {
    if (one == nullptr || one == &algorithm) list.push_back(to_object(algorithm));
  }
  print(Json{{"schema", "reducelab.algorithms/1"}, {"algorithms", list}}.dump(2) + "\n");
  return 0;
}

}  // namespace reducelab
