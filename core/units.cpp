#include "core/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "core/error.h"

namespace reducelab {
namespace {

/// One of the unit is `factor / divisor` of the base unit; two exact numbers, because 1e-6 is not.
struct Unit {
  std::string_view name;
  double factor;
  double divisor = 1;
};

constexpr double kKi = 1024.0;
constexpr std::array<Unit, 10> kByteUnits{{{"", 1},
                                           {"B", 1},
                                           {"KiB", kKi},
                                           {"MiB", kKi* kKi},
                                           {"GiB", kKi* kKi* kKi},
                                           {"TiB", kKi* kKi* kKi* kKi},
                                           {"KB", 1e3},
                                           {"MB", 1e6},
                                           {"GB", 1e9},
                                           {"TB", 1e12}}};
constexpr std::array<Unit, 15> kBandwidthUnits{{{"bps", 1. / 8},
                                                {"Kbps", 1e3 / 8},
                                                {"Mbps", 1e6 / 8},
                                                {"Gbps", 1e9 / 8},
                                                {"Tbps", 1e12 / 8},
                                                {"kbps", 1e3 / 8},
                                                {"Bps", 1},
                                                {"KBps", 1e3},
                                                {"MBps", 1e6},
                                                {"GBps", 1e9},
                                                {"TBps", 1e12},
                                                {"KiBps", kKi},
                                                {"MiBps", kKi* kKi},
                                                {"GiBps", kKi* kKi* kKi},
                                                {"TiBps", kKi* kKi* kKi* kKi}}};
constexpr std::array<Unit, 7> kDurationUnits{{{"h", 3600},
                                              {"min", 60},
                                              {"s", 1},
                                              {"ms", 1, 1e3},
                                              {"us", 1, 1e6},
                                              {"ns", 1, 1e9},
                                              {"ps", 1, 1e12}}};

/// Reads a size without a fraction in whole numbers, for doubles are exact to 2^53 only; nullopt if
/// it is not such a size or does not fit.
std::optional<std::int64_t> whole_number_of_bytes(std::string_view text) {
  std::int64_t count = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (code != std::errc{} || count < 0) return std::nullopt;
  const std::string_view name = text.substr(static_cast<std::size_t>(end - text.data()));
  for (const Unit& unit : kByteUnits) {
    std::int64_t bytes = 0;
    if (unit.name != name) continue;
    if (__builtin_mul_overflow(count, static_cast<std::int64_t>(unit.factor), &bytes)) break;
    return bytes;
  }
  return std::nullopt;
}

/// Splits "12.5GBps" into its number and its unit; no number means nullopt.
std::optional<std::pair<double, std::string_view>> split(std::string_view text) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || !std::isfinite(value)) return std::nullopt;
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  return std::pair{value, unit};
}

template <class Units>
double parse(std::string_view text, const Units& units, std::string_view what,
             std::string_view examples) {
  if (const auto parts = split(text)) {
    for (const Unit& unit : units) {
      if (unit.name != parts->second) continue;
      if (parts->first < 0) throw usage_error("{} must not be negative: \"{}\"", what, text);
      const double result = parts->first * unit.factor / unit.divisor;
      if (!std::isfinite(result)) throw usage_error("{} is too large: \"{}\"", what, text);
      return result;
    }
  }
  throw usage_error("cannot read \"{}\" as a {}; write it like {}", text, what, examples);
}

std::string trimmed(double value, std::string_view unit) {
  return fmt::format("{:.6g}{}", value, unit);
}

}  // namespace

std::int64_t parse_bytes(std::string_view text) {
  if (const auto whole = whole_number_of_bytes(text)) return *whole;
  const double bytes = parse(text, kByteUnits, "size", "4096, 64KiB or 1GiB");
  const double whole = std::round(bytes);
  if (whole >= 0x1p63) throw usage_error("size \"{}\" does not fit 63 bits", text);
  // 1.001KB is 1001 bytes although 1.001 has no exact double.
  if (std::abs(bytes - whole) > bytes * 1e-15) {
    throw usage_error("size \"{}\" is not a whole number of bytes", text);
  }
  return static_cast<std::int64_t>(whole);
}

double parse_bandwidth(std::string_view text) {
  return parse(text, kBandwidthUnits, "bandwidth", "400Gbps (bits) or 50GBps (bytes)");
}

double parse_duration(std::string_view text) {
  if (text == "0") return 0;
  return parse(text, kDurationUnits, "duration", "1.5us, 100ns or 2ms");
}

std::vector<std::int64_t> parse_sizes(std::string_view text) {
  std::vector<std::int64_t> sizes;
  const auto first = text.find(':');
  if (first == std::string_view::npos) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      sizes.push_back(parse_bytes(text.substr(begin, end - begin)));
      begin = end + 1;
    }
    return sizes;
  }
  const auto second = text.find(':', first + 1);
  const std::int64_t low = parse_bytes(text.substr(0, first));
  const std::int64_t high = parse_bytes(
      text.substr(first + 1, second == std::string_view::npos ? second : second - first - 1));
  const std::string_view step =
      second == std::string_view::npos ? std::string_view("x2") : text.substr(second + 1);
  if (high < low) throw usage_error("size range \"{}\" ends below its start", text);
  constexpr std::size_t kMost = 100'000;
  if (step.size() > 1 && step.front() == 'x') {
    const auto factor = split(step.substr(1));
    if (!factor || !factor->second.empty() || factor->first <= 1 || low <= 0) {
      throw usage_error("size range \"{}\": a factor must be over 1 and the start over 0", text);
    }
    const double last = static_cast<double>(high) * (1 + 1e-12);
    double size = static_cast<double>(low);
    for (std::size_t points = 0; size <= last; ++points, size *= factor->first) {
      if (points == kMost) throw usage_error("size range \"{}\" has too many points", text);
      const std::int64_t bytes =
          size < static_cast<double>(high) ? static_cast<std::int64_t>(std::round(size)) : high;
      // A factor near 1 visits a small size more than once.
      if (sizes.empty() || sizes.back() != bytes) sizes.push_back(bytes);
    }
  } else if (step.size() > 1 && step.front() == '+') {
    const std::int64_t increment = parse_bytes(step.substr(1));
    if (increment == 0) throw usage_error("size range \"{}\" has a step of 0", text);
    if (static_cast<std::size_t>((high - low) / increment) > kMost) {
      throw usage_error("size range \"{}\" has too many points", text);
    }
    for (std::int64_t step_count = (high - low) / increment, i = 0; i <= step_count; ++i) {
      sizes.push_back(low + i * increment);
    }
  } else {
    throw usage_error("size range \"{}\": the step is written x4 or +16KiB", text);
  }
  return sizes;
}

std::string format_bytes(std::int64_t bytes) {
  constexpr std::array<std::string_view, 5> names{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (bytes != 0 && bytes % 1024 == 0 && unit + 1 < names.size()) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{}{}", bytes, names[unit]);
}

std::string format_bandwidth(double bytes_per_s) {
  const double bits = bytes_per_s * 8;
  if (bits >= 1e12) return trimmed(bits / 1e12, "Tbps");
  if (bits >= 1e9) return trimmed(bits / 1e9, "Gbps");
  if (bits >= 1e6) return trimmed(bits / 1e6, "Mbps");
  return trimmed(bits, "bps");
}

std::string format_duration(double seconds) {
  if (seconds == 0) return "0s";
  if (seconds >= 1) return trimmed(seconds, "s");
  if (seconds >= 1e-3) return trimmed(seconds * 1e3, "ms");
  if (seconds >= 1e-6) return trimmed(seconds * 1e6, "us");
  return trimmed(seconds * 1e9, "ns");
}

}  // namespace reducelab
