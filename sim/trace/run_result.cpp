#include "sim/trace/run_result.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace reducelab {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "reducelab.run/1";
constexpr double kBytesPerGB = 1e9;

struct SplitPart {
  const char* key;
  double TimeSplit::*seconds;
};
constexpr std::array<SplitPart, 11> kSplitParts{{{"floor_s", &TimeSplit::floor_s},
                                                 {"overhead_s", &TimeSplit::overhead_s},
                                                 {"latency_s", &TimeSplit::latency_s},
                                                 {"bytes_s", &TimeSplit::bytes_s},
                                                 {"sharing_s", &TimeSplit::sharing_s},
                                                 {"reduction_s", &TimeSplit::reduction_s},
                                                 {"queueing_s", &TimeSplit::queueing_s},
                                                 {"slow_rank_s", &TimeSplit::slow_rank_s},
                                                 {"slow_link_s", &TimeSplit::slow_link_s},
                                                 {"late_start_s", &TimeSplit::late_start_s},
                                                 {"recovery_s", &TimeSplit::recovery_s}}};

/// JSON has no infinity: null stands for it (an error beyond all measure).
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

double read_number(const Json& value) {
  return value.is_null() ? std::numeric_limits<double>::infinity() : value.get<double>();
}

Json symmetry_json(const RunResult& result) {
  if (!result.ranks_simulated) return nullptr;
  return {{"ranks_simulated", *result.ranks_simulated}, {"of", result.ranks}};
}

Json explanation_json(const Explanation& explanation) {
  Json split = Json::object();
  for (const SplitPart& part : kSplitParts) split[part.key] = explanation.split.*part.seconds;
  Json links = Json::array();
  for (const LinkUse& use : explanation.busiest_links) {
    links.push_back({{"link", use.link}, {"bytes", use.bytes}, {"load", use.load}});
  }
  Json path = Json::array();
  for (const PathStep& step : explanation.path) {
    path.push_back({{"what", step.what},
                    {"resource", step.resource},
                    {"begin_s", step.begin_s},
                    {"end_s", step.end_s}});
  }
  Json stragglers = Json::array();
  for (const Straggler& straggler : explanation.stragglers) {
    stragglers.push_back(
        {{"who", straggler.who}, {"slow_s", straggler.slow_s}, {"late_s", straggler.late_s}});
  }
  return {{"split", split}, {"busiest_links", links}, {"stragglers", stragglers}, {"path", path}};
}

Json recoveries_json(const std::vector<Recovery>& recoveries) {
  Json all = Json::array();
  for (const Recovery& recovery : recoveries) {
    all.push_back({{"response", recovery.response},
                   {"failed", recovery.failed},
                   {"failed_at_s", recovery.failed_at_s},
                   {"detected_at_s", recovery.detected_at_s},
                   {"resumed_at_s", recovery.resumed_at_s},
                   {"ranks", recovery.ranks}});
  }
  return all;
}

std::vector<Recovery> read_recoveries(const Json& json) {
  std::vector<Recovery> all;
  for (const Json& one : json) {
    all.push_back({one.at("response").get<std::string>(),
                   one.at("failed").get<std::vector<std::string>>(),
                   one.at("failed_at_s").get<double>(), one.at("detected_at_s").get<double>(),
                   one.at("resumed_at_s").get<double>(), one.at("ranks").get<int>()});
  }
  return all;
}

Explanation read_explanation(const Json& json) {
  Explanation explanation;
  for (const SplitPart& part : kSplitParts) {
    explanation.split.*part.seconds = json.at("split").at(part.key).get<double>();
  }
  for (const Json& use : json.at("busiest_links")) {
    explanation.busiest_links.push_back({use.at("link").get<std::string>(),
                                         use.at("bytes").get<double>(),
                                         use.at("load").get<double>()});
  }
  for (const Json& step : json.at("path")) {
    explanation.path.push_back({step.at("what").get<std::string>(),
                                step.at("resource").get<std::string>(),
                                step.at("begin_s").get<double>(), step.at("end_s").get<double>()});
  }
  for (const Json& one : json.at("stragglers")) {
    explanation.stragglers.push_back({one.at("who").get<std::string>(),
                                      one.at("slow_s").get<double>(),
                                      one.at("late_s").get<double>()});
  }
  return explanation;
}

}  // namespace

double RunResult::algbw_GBps() const {
  // One rank may need no time at all; a rate would then say nothing.
  if (time_s <= 0) return 0;
  const auto bytes = static_cast<double>(count() * size_of(spec.type));
  return bytes / time_s / kBytesPerGB;
}

double RunResult::busbw_GBps() const {
  if (ranks < 1) return 0;
  return algbw_GBps() * 2 * (ranks - 1) / ranks;
}

std::string to_json(const RunResult& result) {
  const RunSpec& spec = result.spec;
  Json params = Json::object();
  for (const auto& [name, value] : spec.params) params[name] = value;
  const Json json{
      {"schema", kSchema},
      {"algorithm", spec.algorithm},
      {"params", params},
      {"collective", spec.collective},
      {"ranks", result.ranks},
      {"bytes", spec.bytes},
      {"count", result.count()},
      {"dtype", name_of(spec.type)},
      {"op", name_of(spec.op)},
      {"topology", spec.topology},
      {"placement", spec.placement},
      {"engine", spec.engine},
      {"network_model", result.network_model},
      {"profile", spec.profile},
      {"protocol", spec.protocol},
      {"channels", result.channels},
      {"slice_bytes", result.slice_bytes},
      {"seed", spec.seed},
      {"symmetry", symmetry_json(result)},
      {"time_s", result.time_s},
      {"algbw_GBps", result.algbw_GBps()},
      {"busbw_GBps", result.busbw_GBps()},
      {"closed_form_s", result.closed_form_s ? number(*result.closed_form_s) : Json(nullptr)},
      {"closed_form_exact", result.closed_form_exact},
      {"messages", result.messages},
      {"bytes_sent", result.bytes_sent},
      {"steps", result.steps},
      {"verified", result.verified ? Json(*result.verified) : Json(nullptr)},
      {"data", result.data},
      {"reducer", result.reducer},
      {"checked_elements", result.checked_elements},
      {"wrong", result.wrong},
      {"max_abs_error", number(result.max_abs_error)},
      {"max_rel_error", number(result.max_rel_error)},
      {"max_ulps", number(result.max_ulps)},
      {"ranks_identical", result.ranks_identical},
      {"reduce_wall_s", result.reduce_wall_s},
      {"wall_s", result.wall_s},
      {"recoveries", recoveries_json(result.recoveries)},
      {"explain", result.explanation ? explanation_json(*result.explanation) : Json(nullptr)},
      {"spec", Json::parse(to_json(spec))}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

RunResult run_result_from_json(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    if (json.at("schema").get<std::string>() != kSchema) {
      throw usage_error("not a run result: schema {} instead of {}", json.at("schema").dump(),
                        kSchema);
    }
    RunResult result;
    result.spec = run_spec_from_json(json.at("spec").dump());
    json.at("ranks").get_to(result.ranks);
    if (const Json& symmetry = json.at("symmetry"); !symmetry.is_null()) {
      result.ranks_simulated = symmetry.at("ranks_simulated").get<int>();
    }
    json.at("network_model").get_to(result.network_model);
    json.at("channels").get_to(result.channels);
    json.at("slice_bytes").get_to(result.slice_bytes);
    json.at("time_s").get_to(result.time_s);
    if (!json.at("closed_form_s").is_null()) {
      result.closed_form_s = json.at("closed_form_s").get<double>();
    }
    json.at("closed_form_exact").get_to(result.closed_form_exact);
    json.at("messages").get_to(result.messages);
    json.at("bytes_sent").get_to(result.bytes_sent);
    json.at("steps").get_to(result.steps);
    if (!json.at("verified").is_null()) result.verified = json.at("verified").get<bool>();
    json.at("data").get_to(result.data);
    json.at("reducer").get_to(result.reducer);
    json.at("checked_elements").get_to(result.checked_elements);
    json.at("wrong").get_to(result.wrong);
    result.max_abs_error = read_number(json.at("max_abs_error"));
    result.max_rel_error = read_number(json.at("max_rel_error"));
    result.max_ulps = read_number(json.at("max_ulps"));
    json.at("ranks_identical").get_to(result.ranks_identical);
    json.at("reduce_wall_s").get_to(result.reduce_wall_s);
    json.at("wall_s").get_to(result.wall_s);
    result.recoveries = read_recoveries(json.at("recoveries"));
    if (!json.at("explain").is_null()) result.explanation = read_explanation(json.at("explain"));
    return result;
  } catch (const nlohmann::json::exception& error) {
    throw usage_error("not a run result: {}", error.what());
  }
}

}  // namespace reducelab
