#include "sim/transport/profile.h"

#include <algorithm>
#include <filesystem>

#include "core/files.h"
#include "core/toml_table.h"
#include "core/units.h"

namespace reducelab {
namespace {

constexpr std::array<std::string_view, 3> kKinds{"nvlink", "pcie", "network"};

double positive_rate(std::string_view text) {
  const double bytes_per_s = parse_bandwidth(text);
  if (!(bytes_per_s > 0)) throw usage_error("a rate must be over 0, not \"{}\"", text);
  return bytes_per_s;
}

template <class Value, class Read>
void read_if_there(const TomlTable& table, std::string_view key, Value& value, Read read) {
  if (table.has(key)) value = table.parsed(key, read);
}

/// `{ nvlink = ..., pcie = ..., network = ... }`; a kind that is absent keeps its value.
template <class Read>
void read_by_kind(const TomlTable& table, std::string_view key, std::array<double, 3>& values,
                  Read read) {
  const std::optional<TomlTable> entries = table.optional_table(key);
  if (!entries) return;
  entries->allow_only({kKinds[0], kKinds[1], kKinds[2]});
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    if (entries->has(kKinds[kind])) values[kind] = read(*entries, kKinds[kind]);
  }
}

void read_latency(const TomlTable& table, std::array<double, 3>& latency_s) {
  read_by_kind(table, "latency", latency_s, [](const TomlTable& entries, std::string_view kind) {
    return entries.parsed(kind, parse_duration);
  });
}

/// Keys that are absent keep the values of the whole channel.
SplitChannel read_split(const TomlTable& table, const Protocol& whole) {
  table.allow_only({"latency", "channel_cap"});
  SplitChannel split{whole.latency_s, whole.channel_cap_bytes_per_s};
  read_latency(table, split.latency_s);
  read_if_there(table, "channel_cap", split.channel_cap_bytes_per_s, positive_rate);
  return split;
}

SliceRule read_slice_rule(const TomlTable& table) {
  table.allow_only({"slices_per_hop", "least"});
  return {table.optional_number("slices_per_hop", 1e-3, 1e6).value_or(1),
          table.parsed("least", parse_bytes)};
}

Protocol read_protocol(const TomlTable& table) {
  table.allow_only({"name", "floor", "latency", "efficiency", "slot", "slice", "rank_cap",
                    "channel_cap", "split", "slice_rule", "reach", "channel_bytes"});
  Protocol protocol;
  protocol.name = table.text("name");
  read_if_there(table, "reach", protocol.reach, [](std::string_view text) {
    const auto kind = std::find(kKinds.begin(), kKinds.end(), text);
    if (kind == kKinds.end()) throw unknown_name("link kind", text, {kKinds.begin(), kKinds.end()});
    return static_cast<LinkKind>(kind - kKinds.begin());
  });
  read_if_there(table, "floor", protocol.floor_s, parse_duration);
  read_if_there(table, "channel_bytes", protocol.channel_bytes, parse_bytes);
  read_if_there(table, "slot", protocol.slot_bytes, parse_bytes);
  read_if_there(table, "slice", protocol.slice_bytes, parse_bytes);
  read_if_there(table, "channel_cap", protocol.channel_cap_bytes_per_s, positive_rate);
  read_latency(table, protocol.latency_s);
  read_by_kind(table, "rank_cap", protocol.rank_cap_bytes_per_s,
               [](const TomlTable& entries, std::string_view kind) {
                 return entries.parsed(kind, positive_rate);
               });
  read_by_kind(table, "efficiency", protocol.efficiency,
               [](const TomlTable& entries, std::string_view kind) {
                 return *entries.optional_number(kind, 1e-6, 1);
               });
  for (const TomlTable& rule : table.tables("slice_rule")) {
    protocol.slice_rules.push_back(read_slice_rule(rule));
  }
  if (const auto split = table.optional_table("split"))
    protocol.split = read_split(*split, protocol);
  return protocol;
}

void read_reduction(const TomlTable& table, Profile& profile) {
  table.allow_only({"launch", "bandwidth", "concurrent", "copy_bandwidth"});
  read_if_there(table, "launch", profile.reduction_launch_s, parse_duration);
  read_if_there(table, "bandwidth", profile.reduction_bytes_per_s, positive_rate);
  read_if_there(table, "copy_bandwidth", profile.copy_bytes_per_s, positive_rate);
  profile.concurrent_reductions =
      static_cast<int>(table.optional_whole("concurrent", 1, 4096).value_or(1));
}

}  // namespace

Profile read_profile_toml(std::string_view text, const std::string& file_name) {
  const TomlTable table = TomlTable::parse(text, file_name);
  table.allow_only({"name", "description", "eager", "handshake_latencies", "window", "channels",
                    "latency_includes_path", "overheads", "reduction", "protocol"});
  Profile profile;
  profile.name = table.text("name");
  profile.description = table.optional_text("description").value_or("");
  read_if_there(table, "eager", profile.eager_bytes, parse_bytes);
  profile.handshake_latencies = table.optional_number("handshake_latencies", 0, 1000).value_or(0);
  profile.latency_includes_path = table.optional_flag("latency_includes_path").value_or(false);
  profile.window = static_cast<std::uint32_t>(table.optional_whole("window", 1, 65536).value_or(8));
  profile.default_channels = table.optional_whole("channels", 1, 1000).value_or(0);
  if (const auto overheads = table.optional_table("overheads")) {
    overheads->allow_only({"send", "receive"});
    read_if_there(*overheads, "send", profile.send_overhead_s, parse_duration);
    read_if_there(*overheads, "receive", profile.receive_overhead_s, parse_duration);
  }
  if (const auto reduction = table.optional_table("reduction")) read_reduction(*reduction, profile);
  const std::vector<TomlTable> protocols = table.tables("protocol");
  if (!protocols.empty()) profile.protocols.clear();
  for (const TomlTable& protocol : protocols) profile.protocols.push_back(read_protocol(protocol));
  return profile;
}

double message_latency_s(const Profile& profile, const Protocol& protocol, const Route& route) {
  const double protocol_s = protocol.latency_s[static_cast<std::size_t>(route.kind)];
  return profile.latency_includes_path ? std::max(route.latency_s, protocol_s)
                                       : route.latency_s + protocol_s;
}

Profile load_profile(std::string_view name_or_path) {
  std::vector<std::string_view> names;
  for (const EmbeddedText& entry : builtin_profiles()) {
    if (entry.name == name_or_path) {
      return read_profile_toml(entry.text, std::string(entry.file_name));
    }
    names.push_back(entry.name);
  }
  const bool is_path = name_or_path.find('/') != std::string_view::npos ||
                       name_or_path.ends_with(".toml") || std::filesystem::exists(name_or_path);
  if (!is_path) throw unknown_name("profile", name_or_path, names);
  return read_profile_toml(read_text_file(name_or_path), std::string(name_or_path));
}

}  // namespace reducelab
