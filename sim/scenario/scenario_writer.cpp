#include "core/toml_text.h"
#include "core/units.h"
#include "sim/scenario/scenario_toml.h"

namespace reducelab {
namespace {

// Readable if that is exact, otherwise the shortest digits that are.
std::string duration_text(double seconds) {
  const std::string readable = format_duration(seconds);
  return toml_quoted(parse_duration(readable) == seconds ? readable : fmt::format("{}s", seconds));
}

std::string bandwidth_text(double bytes_per_s) {
  const std::string readable = format_bandwidth(bytes_per_s);
  return toml_quoted(parse_bandwidth(readable) == bytes_per_s ? readable
                                                              : fmt::format("{}Bps", bytes_per_s));
}

std::string bytes_text(double bytes) {
  return toml_quoted(format_bytes(static_cast<std::int64_t>(bytes)));
}

std::string names_text(const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const std::string& name : names) all.push_back(toml_quoted(name));
  return fmt::format("[{}]", fmt::join(all, ", "));
}

/// One table: keys whose value is the default are left out.
class TableText {
 public:
  explicit TableText(std::string_view head) : text_(fmt::format("\n{}\n", head)) {}

  TableText& add(std::string_view key, const std::string& value) {
    text_ += fmt::format("{} = {}\n", key, value);
    return *this;
  }
  TableText& add_unless(bool is_default, std::string_view key, const std::string& value) {
    return is_default ? *this : add(key, value);
  }
  TableText& add_number(std::string_view key, double value) {
    return add(key, fmt::format("{}", value));
  }
  TableText& add_ranks(const RankSet& ranks) {
    return add_unless(ranks.all, "ranks", toml_quoted(format_rank_set(ranks)));
  }
  TableText& add_resources(ResourceSet resources) {
    if (resources.all()) return *this;
    std::vector<std::string> names;
    for (const Resource resource : kResources) {
      if (resources.contains(resource)) names.emplace_back(name_of(resource));
    }
    return add("applies_to", names_text(names));
  }
  TableText& add_start(std::string_view key, double seconds) {
    return add_unless(seconds == 0, key, duration_text(seconds));
  }
  TableText& add_end(std::string_view key, double seconds) {
    return seconds == kForever ? *this : add(key, duration_text(seconds));
  }
  TableText& add_window(const Window& window) {
    return add_start("from", window.from_s).add_end("until", window.until_s);
  }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// `key = value` of the kind and each parameter.
std::vector<std::string> distribution_entries(const Distribution& distribution,
                                              std::string (*quantity)(double)) {
  std::vector<std::string> entries{fmt::format("kind = \"{}\"", name_of(distribution.kind))};
  const auto parameters = parameters_of(distribution.kind);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const double value = i == 0 ? distribution.first : distribution.second;
    entries.push_back(
        fmt::format("{} = {}", parameters[i].name,
                    parameters[i].is_quantity ? quantity(value) : fmt::format("{}", value)));
  }
  return entries;
}

std::string text_of(const SlowRank& slow) {
  return TableText("[[slow_rank]]")
      .add_ranks(slow.ranks)
      .add_number("factor", slow.factor)
      .add_resources(slow.resources)
      .add_window(slow.window)
      .text();
}

std::string text_of(const Delay& delay) {
  return TableText("[[delay]]")
      .add_ranks(delay.ranks)
      .add("at", duration_text(delay.at_s))
      .add("duration", duration_text(delay.duration_s))
      .add_resources(delay.resources)
      .text();
}

std::string text_of(const Noise& noise) {
  return TableText("[[noise]]")
      .add_ranks(noise.ranks)
      .add("period", duration_text(noise.period_s))
      .add("duration", duration_text(noise.duration_s))
      .add_unless(!noise.synchronised, "synchronised", "true")
      .add_resources(noise.resources)
      .text();
}

std::string text_of(const Arrival& arrival) {
  TableText table("[[arrival]]");
  table.add_ranks(arrival.ranks);
  if (arrival.times_s.empty()) {
    std::string text = table.text();
    for (const auto& entry : distribution_entries(arrival.distribution, duration_text)) {
      text += entry + "\n";
    }
    return text;
  }
  std::vector<std::string> times;
  for (const double time_s : arrival.times_s) times.push_back(duration_text(time_s));
  return table.add("times", fmt::format("[{}]", fmt::join(times, ", "))).text();
}

std::string text_of(const SlowLink& slow) {
  TableText table("[[slow_link]]");
  table.add("links", names_text(slow.links));
  if (slow.bandwidth_factor != 1) table.add_number("bandwidth_factor", slow.bandwidth_factor);
  if (slow.bandwidth_bytes_per_s) {
    table.add("bandwidth", bandwidth_text(*slow.bandwidth_bytes_per_s));
  }
  return table.add_start("extra_latency", slow.extra_latency_s).add_window(slow.window).text();
}

std::string text_of(const LinkDown& down) {
  return TableText("[[link_down]]")
      .add("links", names_text(down.links))
      .add("at", duration_text(down.at_s))
      .add_end("up", down.up_s)
      .text();
}

std::string text_of(const FlappingLink& flapping) {
  return TableText("[[flapping_link]]")
      .add("links", names_text(flapping.links))
      .add_start("first", flapping.first_s)
      .add("period", duration_text(flapping.period_s))
      .add("down", duration_text(flapping.down_s))
      .add_end("until", flapping.until_s)
      .text();
}

std::string text_of(const Failure& failure) {
  return TableText("[[failure]]")
      .add(name_of(failure.kind), failure.kind == FailureKind::device
                                      ? toml_quoted(failure.device)
                                      : fmt::format("{}", failure.number))
      .add("at", duration_text(failure.at_s))
      .text();
}

std::string text_of(const BackgroundTraffic& traffic) {
  TableText table("[[traffic]]");
  table.add("pattern", toml_quoted(name_of(traffic.pattern)))
      .add_unless(traffic.places.empty(), "places", names_text(traffic.places))
      .add_unless(traffic.from_device.empty(), "from_device", toml_quoted(traffic.from_device))
      .add_unless(traffic.to_device.empty(), "to_device", toml_quoted(traffic.to_device));
  if (traffic.load_bytes_per_s) table.add("load", bandwidth_text(*traffic.load_bytes_per_s));
  if (traffic.flows_per_s) table.add_number("flows_per_s", *traffic.flows_per_s);
  if (traffic.bytes.kind == DistributionKind::fixed) {
    table.add("bytes", bytes_text(traffic.bytes.first));
  } else {
    table.add(
        "sizes",
        fmt::format("{{ {} }}", fmt::join(distribution_entries(traffic.bytes, bytes_text), ", ")));
  }
  if (traffic.max_flows) table.add("max_flows", fmt::format("{}", *traffic.max_flows));
  return table.add_window(traffic.window).text();
}

std::string text_of(const FailurePolicy& policy) {
  return TableText("[failure_policy]")
      .add("response", toml_quoted(name_of(policy.response)))
      .add("timeout", duration_text(policy.timeout_s))
      .add("restart_cost", duration_text(policy.restart_cost_s))
      .text();
}

template <class Disturbance>
void write_all(const std::vector<Disturbance>& entries, std::string& out) {
  for (const Disturbance& entry : entries) out += text_of(entry);
}

}  // namespace

std::string write_scenario_toml(const Scenario& scenario) {
  std::string out = fmt::format("name = {}\ndescription = {}\n", toml_quoted(scenario.name),
                                toml_quoted(scenario.description));
  write_all(scenario.slow_ranks, out);
  write_all(scenario.delays, out);
  write_all(scenario.noises, out);
  write_all(scenario.arrivals, out);
  write_all(scenario.slow_links, out);
  write_all(scenario.links_down, out);
  write_all(scenario.flapping_links, out);
  write_all(scenario.failures, out);
  write_all(scenario.traffic, out);
  if (scenario.failure_policy != FailurePolicy{}) out += text_of(scenario.failure_policy);
  return out;
}

}  // namespace reducelab
