#include "gui/model/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text.h"
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

std::string fault_of_sizes(const std::string& sizes) {
  try {
    parse_sizes(sizes);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

std::string fault_of_topology(const ComparisonRequest& request) {
  try {
    const auto places = resolve_topology(request.topology).endpoints().size();
    if (request.ranks > 0 && static_cast<std::size_t>(request.ranks) > places) {
      return fmt::format("the topology has {} places, not {}", places, request.ranks);
    }
    return "";
  } catch (const Error& error) {
    return error.what();
  }
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
  const Json schema = json.is_object() && json.contains("schema") ? json["schema"] : Json();
  if (schema == "reducelab.error/1" && json.contains("error")) {
    throw Error::from_json(json["error"].dump());
  }
  if (schema != "reducelab.compare/1") {
    throw run_error("the reducelab command did not answer with a comparison");
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

Comparison comparison_of(const ProcessEnd& end) {
  const bool answered = !trim(end.out).empty();
  if (answered && !end.crashed) return parse_comparison(end.out);
  Error error =
      end.crashed
          ? run_error("the reducelab command crashed (signal {})", end.code)
          : run_error("the reducelab command ended with exit code {} and no result", end.code);
  std::string_view last;
  for (const std::string_view line : split(end.err, '\n')) {
    if (!trim(line).empty()) last = trim(line);
  }
  if (!last.empty()) error.note(fmt::format("it printed: {}", last));
  throw error;
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
