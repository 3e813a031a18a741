#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reducelab {

/// Parses a size such as `4096`, `64KiB`, `1.5MB` or `1GiB` into bytes; binary and decimal
/// prefixes are kept apart (KiB = 1024, KB = 1000). Throws a usage Error on anything else,
/// including values that do not fit 63 bits or are not a whole number of bytes.
std::int64_t parse_bytes(std::string_view text);

/// Parses a rate such as `400Gbps` (bits) or `50GBps` / `50GiBps` (bytes) into bytes per second.
double parse_bandwidth(std::string_view text);

/// Parses a duration such as `1.5us`, `100ns`, `2ms`, `1s` into seconds; a bare `0` is accepted.
double parse_duration(std::string_view text);

/// Parses `1KiB:1GiB:x4` (geometric), `0:64KiB:+16KiB` (arithmetic) or a list `1KiB,1MiB` into
/// bytes.
std::vector<std::int64_t> parse_sizes(std::string_view text);

/// Formats bytes with the largest exact binary unit: 65536 -> `64KiB`, 1000 -> `1000B`.
std::string format_bytes(std::int64_t bytes);
/// Formats a rate in bytes per second as bits per second: 5e10 -> `400Gbps`.
std::string format_bandwidth(double bytes_per_s);
/// Formats seconds with a readable unit: 1.5e-6 -> `1.5us`.
std::string format_duration(double seconds);

}  // namespace reducelab
