#include "sim/scenario/background_traffic.h"

namespace reducelab {
namespace {

constexpr std::array<TrafficPattern, 4> kPatterns{TrafficPattern::permutation,
                                                  TrafficPattern::incast, TrafficPattern::uniform,
                                                  TrafficPattern::fixed};

}  // namespace

std::string_view name_of(TrafficPattern pattern) {
  switch (pattern) {
    case TrafficPattern::permutation:
      return "permutation";
    case TrafficPattern::incast:
      return "incast";
    case TrafficPattern::uniform:
      return "uniform";
    case TrafficPattern::fixed:
      return "fixed";
  }
  return {};
}

std::span<const TrafficPattern> all_traffic_patterns() {
  return kPatterns;
}

}  // namespace reducelab
