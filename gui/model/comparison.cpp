#include "gui/model/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/units.h"
#include "topologies/catalogue.h"

namespace reducelab {
namespace {

using Json = nlohmann::json;

std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_of(" \t\"'$&|;<>()*?\\`") == word.npos;
  if (plain) return word;
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

template <class T>
void add_once(std::vector<T>& values, const T& value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

}  // namespace

std::string fault_of(const ComparisonRequest& request) {
  try {
    parse_sizes(request.sizes);
    const auto places = resolve_topology(request.topology).endpoints().size();
    if (request.ranks > static_cast<int>(places)) {
      return fmt::format("the topology has {} places, not {}", places, request.ranks);
    }
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::vector<std::string> compare_arguments(const ComparisonRequest& request) {
  std::vector<std::string> words{"compare",     "--topology",    request.topology,
                                 "--profile",   request.profile, "--sizes",
                                 request.sizes, "--dtype",       request.type};
  if (request.ranks > 0) words.insert(words.end(), {"--ranks", std::to_string(request.ranks)});
  if (!request.algorithms.empty()) {
    words.insert(words.end(),
                 {"--algorithms", fmt::format("{}", fmt::join(request.algorithms, ","))});
  }
  return words;
}

std::string command_line(const ComparisonRequest& request) {
  std::string line = "reducelab";
  for (const std::string& word : compare_arguments(request)) line += " " + quoted(word);
  return line;
}

Comparison parse_comparison(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_object() && json.value("schema", "") == "reducelab.error/1") {
    throw Error::from_json(json.at("error").dump());
  }
  if (!json.is_object() || json.value("schema", "") != "reducelab.compare/1") {
    throw run_error("the simulation did not answer with a comparison");
  }
  try {
    Comparison comparison;
    for (const Json& row : json.at("rows")) {
      const auto bytes = row.at("bytes").get<std::int64_t>();
      const auto algorithm = row.at("algorithm").get<std::string>();
      add_once(comparison.sizes, bytes);
      add_once(comparison.algorithms, algorithm);
      comparison.cells[{bytes, algorithm}] = {row.at("time_s").get<double>(),
                                              row.at("busbw_GBps").get<double>(), false};
    }
    std::sort(comparison.sizes.begin(), comparison.sizes.end());
    for (const Json& best : json.at("best")) {
      comparison.cells[{best.at("bytes").get<std::int64_t>(), best.at("algorithm")}].fastest = true;
    }
    for (const Json& point : json.at("skipped")) {
      comparison.remarks.push_back(fmt::format("{} skipped: {}",
                                               point.at("algorithm").get<std::string>(),
                                               point.at("reason").get<std::string>()));
    }
    for (const Json& point : json.at("failed")) {
      comparison.remarks.push_back(fmt::format("{} failed: {}",
                                               point.at("algorithm").get<std::string>(),
                                               Error::from_json(point.at("error").dump()).what()));
    }
    return comparison;
  } catch (const Json::exception& exception) {
    throw run_error("the comparison cannot be read: {}", exception.what());
  }
}

std::string to_csv(const Comparison& comparison) {
  std::string csv = "bytes,algorithm,time_s,busbw_GBps,fastest\n";
  for (const auto& [key, cell] : comparison.cells) {
    csv += fmt::format("{},{},{:.9g},{:.6g},{}\n", key.first, key.second, cell.time_s,
                       cell.busbw_GBps, cell.fastest ? "yes" : "no");
  }
  return csv;
}

}  // namespace reducelab
