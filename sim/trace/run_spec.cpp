#include "sim/trace/run_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/error.h"
#include "core/text.h"

namespace reducelab {
namespace {

using Json = nlohmann::ordered_json;

struct NamedMode {
  DataMode mode;
  std::string_view name;
};
constexpr std::array<NamedMode, 4> kDataModes{{{DataMode::automatic, "auto"},
                                               {DataMode::full, "full"},
                                               {DataMode::sampled, "sampled"},
                                               {DataMode::none, "none"}}};

Error wrong_type(std::string_view key, std::string_view expected, const Json& value) {
  return usage_error("job: \"{}\" must be {}, not {}", key, expected, value.dump());
}

void read(std::string_view key, const Json& value, std::string& out) {
  if (!value.is_string()) throw wrong_type(key, "a text", value);
  out = value.get<std::string>();
}

void read(std::string_view key, const Json& value, bool& out) {
  if (!value.is_boolean()) throw wrong_type(key, "true or false", value);
  out = value.get<bool>();
}

void read(std::string_view key, const Json& value, std::uint64_t& out) {
  if (!value.is_number_unsigned()) throw wrong_type(key, "a whole number of at least 0", value);
  out = value.get<std::uint64_t>();
}

/// A whole number from 0 to the most that the field holds.
template <class Integer>
void read_count(std::string_view key, const Json& value, Integer& out) {
  std::uint64_t number = 0;
  read(key, value, number);
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<Integer>::max());
  if (number > kMost)
    throw usage_error("job: \"{}\" must be at most {}, not {}", key, kMost, number);
  out = static_cast<Integer>(number);
}
void read(std::string_view key, const Json& value, int& out) {
  read_count(key, value, out);
}
void read(std::string_view key, const Json& value, std::int64_t& out) {
  read_count(key, value, out);
}

void read(std::string_view key, const Json& value, std::map<std::string, std::string>& out) {
  if (!value.is_object()) throw wrong_type(key, "an object", value);
  out.clear();
  for (const auto& [name, text] : value.items()) {
    read(fmt::format("{}.{}", key, name), text, out[name]);
  }
}

/// A field whose text one of our own parsers understands.
template <class Value, class Parse>
void read_parsed(std::string_view key, const Json& value, Value& out, Parse parse) {
  std::string text;
  read(key, value, text);
  out = parse(text);
}

using Reader = std::function<void(std::string_view, const Json&, RunSpec&)>;

template <class Member>
Reader field(Member RunSpec::*member) {
  return [member](std::string_view key, const Json& value, RunSpec& spec) {
    read(key, value, spec.*member);
  };
}

struct Field {
  std::string_view key;
  Reader read;
};

const std::array<Field, 19>& fields() {
  static const std::array<Field, 19> all{{
      {"topology", field(&RunSpec::topology)},
      {"ranks", field(&RunSpec::ranks)},
      {"placement", field(&RunSpec::placement)},
      {"collective", field(&RunSpec::collective)},
      {"algorithm", field(&RunSpec::algorithm)},
      {"params", field(&RunSpec::params)},
      {"bytes", field(&RunSpec::bytes)},
      {"dtype", [](std::string_view key, const Json& value,
                   RunSpec& spec) { read_parsed(key, value, spec.type, parse_data_type); }},
      {"op", [](std::string_view key, const Json& value,
                RunSpec& spec) { read_parsed(key, value, spec.op, parse_reduce_op); }},
      {"engine", field(&RunSpec::engine)},
      {"profile", field(&RunSpec::profile)},
      {"protocol", field(&RunSpec::protocol)},
      {"data", [](std::string_view key, const Json& value,
                  RunSpec& spec) { read_parsed(key, value, spec.data, parse_data_mode); }},
      {"reducer", field(&RunSpec::reducer)},
      {"scenario", field(&RunSpec::scenario)},
      {"symmetry", [](std::string_view key, const Json& value,
                      RunSpec& spec) { read_parsed(key, value, spec.symmetry, parse_symmetry); }},
      {"seed", field(&RunSpec::seed)},
      {"explain", field(&RunSpec::explain)},
      {"trace_file", field(&RunSpec::trace_file)},
  }};
  return all;
}

/// The parser's complaint with the place it names, without the library's own prefix.
Error syntax_error(const std::string& text, const nlohmann::json::parse_error& error) {
  SourceLocation where{"job", 1, 1};
  const std::size_t end = std::min(text.size(), error.byte == 0 ? 0 : error.byte - 1);
  for (const char c : std::string_view(text).substr(0, end)) {
    where.column = c == '\n' ? 1 : where.column + 1;
    if (c == '\n') ++where.line;
  }
  std::string_view reason = error.what();
  if (const auto dash = reason.find(" - "); dash != reason.npos) reason.remove_prefix(dash + 3);
  if (trim(text).empty()) reason = "it is empty";
  return {ErrorCode::usage, fmt::format("not a JSON object: {}", reason), std::move(where)};
}

}  // namespace

std::string_view name_of(DataMode mode) {
  for (const NamedMode& entry : kDataModes) {
    if (entry.mode == mode) return entry.name;
  }
  throw Error(ErrorCode::bug, fmt::format("data mode {} has no name", static_cast<int>(mode)));
}

DataMode parse_data_mode(std::string_view text) {
  std::vector<std::string_view> names;
  for (const NamedMode& entry : kDataModes) {
    if (entry.name == text) return entry.mode;
    names.push_back(entry.name);
  }
  throw unknown_name("data mode", text, names);
}

std::string_view name_of(Symmetry symmetry) {
  return symmetry == Symmetry::off ? "off" : "auto";
}

Symmetry parse_symmetry(std::string_view text) {
  for (const Symmetry symmetry : {Symmetry::automatic, Symmetry::off}) {
    if (text == name_of(symmetry)) return symmetry;
  }
  throw unknown_name("symmetry", text, {name_of(Symmetry::automatic), name_of(Symmetry::off)});
}

std::string to_json(const RunSpec& spec) {
  Json params = Json::object();
  for (const auto& [name, value] : spec.params) params[name] = value;
  const Json json{{"topology", spec.topology},
                  {"ranks", spec.ranks},
                  {"placement", spec.placement},
                  {"collective", spec.collective},
                  {"algorithm", spec.algorithm},
                  {"params", params},
                  {"bytes", spec.bytes},
                  {"dtype", name_of(spec.type)},
                  {"op", name_of(spec.op)},
                  {"engine", spec.engine},
                  {"profile", spec.profile},
                  {"protocol", spec.protocol},
                  {"data", name_of(spec.data)},
                  {"reducer", spec.reducer},
                  {"symmetry", name_of(spec.symmetry)},
                  {"scenario", spec.scenario},
                  {"seed", spec.seed},
                  {"explain", spec.explain},
                  {"trace_file", spec.trace_file}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

RunSpec run_spec_from_json(const std::string& text) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    throw syntax_error(text, error);
  }
  if (!json.is_object()) throw usage_error("job: must be a JSON object, not {}", json.dump());
  RunSpec spec;
  std::vector<std::string_view> keys;
  for (const Field& known : fields()) keys.push_back(known.key);
  for (const auto& [key, value] : json.items()) {
    const auto known = std::ranges::find(fields(), key, &Field::key);
    if (known == fields().end()) throw unknown_name("key", key, keys, {"job", 0, 0});
    known->read(key, value, spec);
  }
  return spec;
}

}  // namespace reducelab
