#include "sim/scenario/scenario_flags.h"

#include <algorithm>
#include <charconv>

#include "core/text.h"
#include "core/units.h"
#include "sim/scenario/check.h"

namespace reducelab {
namespace {

Error misspelled(std::string_view form, std::string_view example) {
  return usage_error("write it like {}, for example {}", form, example);
}

/// `a<mark>b` cut at the last mark, for names may hold it too.
std::pair<std::string_view, std::string_view> cut_at_last(std::string_view text, char mark,
                                                          const Error& otherwise) {
  const auto place = text.rfind(mark);
  if (place == std::string_view::npos || place == 0 || place + 1 == text.size()) throw otherwise;
  return {text.substr(0, place), text.substr(place + 1)};
}

std::optional<double> plain_number(std::string_view text) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Reads a flag's value; faults of any kind then show the flag as it was written.
template <class Read>
auto read_flag(std::string_view flag, std::string_view text, Read read) {
  const SourceLocation place{fmt::format("{} {}", flag, text), 0, 0};
  try {
    auto disturbance = read();
    disturbance.origin = place;
    if (const auto fault = fault_of(disturbance)) {
      throw usage_error("{} {}", fault->key, fault->why);
    }
    return disturbance;
  } catch (const Error& error) {
    Error placed(error.code(), error.message(), place);
    for (const std::string& note : error.notes()) placed.note(note);
    throw placed;
  }
}

LinkDown read_link(std::string_view name, std::string_view when) {
  LinkDown down;
  down.links = {std::string(name)};
  const auto dash = when.find('-');
  down.at_s = parse_duration(when.substr(0, dash));
  if (dash != std::string_view::npos) down.up_s = parse_duration(when.substr(dash + 1));
  return down;
}

Failure read_failure(std::string_view kind, std::string_view name, std::string_view when) {
  std::vector<std::string_view> kinds;
  for (const FailureKind known : all_failure_kinds()) kinds.push_back(name_of(known));
  const auto found = std::ranges::find(kinds, kind);
  if (found == kinds.end()) {
    kinds.push_back("link");
    throw unknown_name("thing that fails", kind, kinds);
  }
  Failure failure;
  failure.kind = all_failure_kinds()[static_cast<std::size_t>(found - kinds.begin())];
  failure.at_s = parse_duration(when);
  if (failure.kind == FailureKind::device) {
    failure.device = std::string(name);
    return failure;
  }
  const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), failure.number);
  if (code != std::errc{} || end != name.data() + name.size()) {
    throw usage_error("cannot read \"{}\" as the number of a {}", name, kind);
  }
  return failure;
}

}  // namespace

SlowRank parse_slow_rank_flag(std::string_view text) {
  return read_flag("--slow-rank", text, [text] {
    const auto parts = split(text, ':');
    const auto factor = parts.size() < 2 ? std::nullopt : plain_number(parts[1]);
    if (!factor || parts.size() > 3) {
      throw misspelled("RANKS:FACTOR or RANKS:FACTOR:RESOURCES", "3:1.5 or 0-3:2:overhead");
    }
    SlowRank slow;
    slow.ranks = parse_rank_set(parts[0]);
    slow.factor = *factor;
    if (parts.size() == 3) slow.resources = parse_resource_set(parts[2]);
    return slow;
  });
}

SlowLink parse_slow_link_flag(std::string_view text) {
  return read_flag("--slow-link", text, [text] {
    const auto [name, change] =
        cut_at_last(text, ':',
                    misspelled("LINK:FACTOR, LINK:BANDWIDTH or LINK:+LATENCY",
                               "h0->leaf0:0.5, leaf0->*:25Gbps or \"rank 3:+5us\""));
    SlowLink slow;
    slow.links = {std::string(name)};
    if (change.front() == '+') {
      slow.extra_latency_s = parse_duration(change.substr(1));
    } else if (const auto factor = plain_number(change)) {
      slow.bandwidth_factor = *factor;
    } else {
      slow.bandwidth_bytes_per_s = parse_bandwidth(change);
    }
    return slow;
  });
}

std::variant<Failure, LinkDown> parse_fail_flag(std::string_view text) {
  const auto parts = [text] {
    const Error otherwise =
        misspelled("KIND:NAME@TIME", "rank:3@2ms, device:leaf0@1ms or link:h0->leaf0@1ms-2ms");
    const auto [what, when] = cut_at_last(text, '@', otherwise);
    const auto colon = what.find(':');
    if (colon == std::string_view::npos || colon + 1 == what.size()) throw otherwise;
    return std::tuple{what.substr(0, colon), what.substr(colon + 1), when};
  };
  if (text.starts_with("link:")) {
    return read_flag("--fail", text, [&parts] {
      const auto [kind, name, when] = parts();
      return read_link(name, when);
    });
  }
  return read_flag("--fail", text, [&parts] {
    const auto [kind, name, when] = parts();
    return read_failure(kind, name, when);
  });
}

}  // namespace reducelab
