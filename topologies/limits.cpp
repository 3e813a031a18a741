#include "topologies/limits.h"

#include "core/error.h"
#include "core/units.h"

namespace reducelab {

double read_link_bandwidth(std::string_view text) {
  const double bytes_per_s = parse_bandwidth(text);
  if (!(bytes_per_s > 0)) throw usage_error("bandwidth must be above zero: \"{}\"", text);
  if (bytes_per_s > kMostBandwidthBytesPerS) {
    throw usage_error("bandwidth \"{}\" is beyond 1000Tbps; is the unit right?", text);
  }
  return bytes_per_s;
}

double read_link_latency(std::string_view text) {
  const double seconds = parse_duration(text);
  if (seconds > kMostLatencyS) {
    throw usage_error("latency \"{}\" is beyond 10s; is the unit right?", text);
  }
  return seconds;
}

}  // namespace reducelab
