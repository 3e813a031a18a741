#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "core/rng.h"
#include "random_case.h"

namespace reducelab {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kMostElements = 100'000;

/// Draws one number after the other.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : stream_(seed, RandomPurpose::test, 7) {}

  double uniform(double low, double high) { return low + (high - low) * stream_.uniform(drawn_++); }
  /// Every order of magnitude is as likely.
  double magnitude(double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
  }
  /// From `low` to `high`, both included.
  int whole(int low, int high) {
    return std::min(high, static_cast<int>(std::floor(uniform(low, high + 1.0))));
  }
  bool chance(double probability) { return uniform(0, 1) < probability; }
  /// Mostly a magnitude, sometimes `other`.
  double magnitude_or(double other, double probability, double low, double high) {
    return chance(probability) ? other : magnitude(low, high);
  }

 private:
  RandomStream stream_;
  std::uint64_t drawn_ = 0;
};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : draw_(seed) { case_.seed = seed; }

  Case make() {
    make_topology();
    make_profile();
    make_program();
    if (draw_.chance(0.4)) make_scenario();
    return case_;
  }

 private:
  void make_topology() {
    case_.hosts = draw_.whole(2, 7);
    case_.switches = draw_.whole(0, 3);
    const int devices = case_.hosts + case_.switches;
    std::set<std::pair<int, int>> joined;
    const auto join = [&](int a, int b) {
      if (a == b || !joined.insert(std::minmax(a, b)).second) return;
      CaseCable cable{a, b};
      cable.bytes_per_s = draw_.magnitude(1e8, 2e11);
      cable.latency_s = draw_.magnitude_or(0, 0.1, 1e-8, 1e-5);
      cable.kind = all_link_kinds()[static_cast<std::size_t>(draw_.whole(0, 2))];
      cable.half_duplex = draw_.chance(0.15);
      case_.cables.push_back(cable);
    };
    // Switches first, so that hosts are mostly at the edge.
    std::vector<int> order(static_cast<std::size_t>(devices));
    std::iota(order.begin(), order.end(), 0);
    std::rotate(order.begin(), order.begin() + case_.hosts, order.end());
    for (int i = 1; i < devices; ++i) {
      const int most = case_.switches > 0 ? std::min(i, case_.switches) - 1 : i - 1;
      join(order[static_cast<std::size_t>(i)],
           order[static_cast<std::size_t>(draw_.whole(0, most))]);
    }
    for (int extra = draw_.whole(0, 4); extra > 0; --extra) {
      join(draw_.whole(0, devices - 1), draw_.whole(0, devices - 1));
    }
    const bool may_share = draw_.chance(0.15);
    std::vector<int> hosts(static_cast<std::size_t>(case_.hosts));
    std::iota(hosts.begin(), hosts.end(), 0);
    const int ranks = draw_.whole(2, case_.hosts);
    for (int i = 0; i < ranks; ++i) {
      std::swap(hosts[static_cast<std::size_t>(i)],
                hosts[static_cast<std::size_t>(draw_.whole(i, case_.hosts - 1))]);
      const auto place = static_cast<std::size_t>(may_share ? draw_.whole(0, i) : i);
      case_.hosts_of_ranks.push_back(hosts[place]);
    }
    case_.channels = draw_.whole(1, 4);
  }

  void make_profile() {
    Profile& profile = case_.profile;
    Protocol& protocol = profile.protocols.front();
    profile.window = static_cast<std::uint32_t>(draw_.whole(1, 8));
    case_.unlike_ranks = true;
    if (draw_.chance(0.6)) {
      profile.send_overhead_s = draw_.magnitude_or(0, 0.2, 1e-8, 5e-6);
      profile.receive_overhead_s = draw_.magnitude_or(0, 0.2, 1e-8, 5e-6);
    }
    if (draw_.chance(0.5)) {
      profile.eager_bytes = static_cast<std::int64_t>(draw_.magnitude_or(0, 0.1, 10, 4e5));
      profile.handshake_latencies = draw_.whole(0, 3);
    }
    profile.reduction_launch_s = draw_.magnitude_or(0, 0.3, 1e-8, 5e-6);
    profile.reduction_bytes_per_s = draw_.magnitude_or(kInfinity, 0.2, 1e9, 1e12);
    profile.concurrent_reductions = draw_.whole(1, 4);
    profile.copy_bytes_per_s = draw_.magnitude_or(kInfinity, 0.2, 1e9, 1e12);
    if (draw_.chance(0.5)) {
      for (std::size_t kind = 0; kind < 3; ++kind) {
        protocol.latency_s[kind] = draw_.magnitude(1e-8, 1e-5);
        protocol.efficiency[kind] = draw_.uniform(0.3, 1);
      }
    }
    if (draw_.chance(0.4)) {
      for (double& cap : protocol.rank_cap_bytes_per_s) {
        cap = draw_.magnitude_or(kInfinity, 0.3, 1e9, 2e11);
      }
    }
    if (draw_.chance(0.4)) protocol.channel_cap_bytes_per_s = draw_.magnitude(1e8, 1e11);
  }

  int ranks() const { return static_cast<int>(case_.hosts_of_ranks.size()); }

  CaseLine line(CaseLine::Kind kind) {
    CaseLine line;
    line.kind = kind;
    line.rank = draw_.whole(0, ranks() - 1);
    line.channel = draw_.whole(0, case_.channels - 1);
    set_ranges(line, kMostElements);
    return line;
  }
  void set_ranges(CaseLine& line, std::int64_t most_elements) {
    line.elements =
        static_cast<std::int64_t>(draw_.magnitude(1, static_cast<double>(most_elements)));
    line.offset = draw_.whole(0, kMostElements);
    line.target_offset = draw_.whole(0, kMostElements);
  }
  void send(CaseLine line, int from, int to, std::int64_t most_elements) {
    line.kind = CaseLine::Kind::message;
    line.rank = from;
    line.peer = to;
    set_ranges(line, most_elements);
    case_.lines.push_back(line);
  }

  void make_program() {
    const auto size = static_cast<std::size_t>(draw_.magnitude(1, 80));
    while (case_.lines.size() < size) {
      switch (draw_.whole(0, 9)) {
        case 0:
          case_.lines.push_back(line(CaseLine::Kind::copy));
          break;
        case 1:
          case_.lines.push_back(line(CaseLine::Kind::reduce));
          break;
        case 2:
          case_.lines.push_back(line(CaseLine::Kind::compute));
          case_.lines.back().cost_s = draw_.magnitude(1e-7, 1e-4);
          break;
        case 3:
          case_.lines.push_back(line(CaseLine::Kind::fence));
          break;
        case 4:
          add_ring();
          break;
        case 5:
          add_tree();
          break;
        default:
          add_burst();
      }
    }
  }
  /// Some messages from one rank to another.
  void add_burst() {
    CaseLine message = line(CaseLine::Kind::message);
    const int to = (message.rank + draw_.whole(1, ranks() - 1)) % ranks();
    message.reduces = draw_.chance(0.5);
    const auto most = static_cast<std::int64_t>(draw_.magnitude(1, kMostElements));
    for (int count = draw_.whole(1, 6); count > 0; --count) send(message, message.rank, to, most);
  }
  /// Everyone to the next, some times.
  void add_ring() {
    CaseLine message = line(CaseLine::Kind::message);
    for (int step = draw_.whole(1, 3); step > 0; --step) {
      message.reduces = draw_.chance(0.5);
      const auto most = static_cast<std::int64_t>(draw_.magnitude(1, kMostElements));
      for (int rank = 0; rank < ranks(); ++rank) send(message, rank, (rank + 1) % ranks(), most);
    }
  }
  /// Up a binomial tree and down again.
  void add_tree() {
    CaseLine message = line(CaseLine::Kind::message);
    std::vector<std::pair<int, int>> edges;  // child, parent
    for (int distance = 1; distance < ranks(); distance *= 2) {
      for (int rank = distance; rank < ranks(); rank += 2 * distance) {
        edges.emplace_back(rank, rank - distance);
      }
    }
    message.reduces = true;
    for (const auto& [child, parent] : edges) send(message, child, parent, kMostElements);
    message.reduces = false;
    std::reverse(edges.begin(), edges.end());
    for (const auto& [child, parent] : edges) send(message, parent, child, kMostElements);
  }

  RankSet some_rank() { return one_rank(draw_.whole(0, ranks() - 1)); }
  double some_time_s() { return draw_.magnitude(1e-7, 1e-3); }
  Window some_window() {
    if (draw_.chance(0.4)) return {};
    const double from_s = draw_.chance(0.3) ? 0 : some_time_s();
    return {from_s, draw_.chance(0.3) ? kForever : from_s + some_time_s()};
  }
  std::vector<std::string> some_link() {
    const CaseCable& cable = case_.cables[static_cast<std::size_t>(
        draw_.whole(0, static_cast<int>(case_.cables.size()) - 1))];
    return {fmt::format("{}{}{}", name(cable.a), cable.half_duplex ? "--" : "->", name(cable.b))};
  }
  std::string name(int device) const {
    return device < case_.hosts ? fmt::format("h{}", device)
                                : fmt::format("s{}", device - case_.hosts);
  }

  void make_scenario() {
    Scenario& scenario = case_.scenario;
    for (int count = draw_.whole(1, 4); count > 0; --count) {
      switch (draw_.whole(0, 7)) {
        case 0:
          scenario.slow_ranks.push_back(
              {some_rank(), draw_.magnitude(0.5, 10), {}, some_window(), {}});
          break;
        case 1:
          scenario.delays.push_back({some_rank(), some_time_s(), some_time_s(), {}, {}});
          break;
        case 2: {
          if (!scenario.noises.empty()) break;  // two might take all of a rank's time
          const double period_s = draw_.magnitude(1e-5, 1e-3);
          scenario.noises.push_back(
              {{}, period_s, period_s * draw_.uniform(0.01, 0.5), draw_.chance(0.5), {}, {}});
          break;
        }
        case 3:
          scenario.arrivals.push_back({{}, {}, Distribution::uniform(0, some_time_s()), {}});
          break;
        case 4:
          scenario.slow_links.push_back({some_link(),
                                         draw_.magnitude(0.05, 1),
                                         {},
                                         draw_.magnitude_or(0, 0.5, 1e-7, 1e-5),
                                         some_window(),
                                         {}});
          break;
        case 5: {
          const double at_s = some_time_s();
          scenario.links_down.push_back({some_link(), at_s, at_s + some_time_s(), {}});
          break;
        }
        case 6: {
          const double period_s = some_time_s();
          const double first_s = some_time_s();
          scenario.flapping_links.push_back({some_link(),
                                             first_s,
                                             period_s,
                                             period_s * draw_.uniform(0.05, 0.9),
                                             first_s + 20 * period_s,
                                             {}});
          break;
        }
        default: {
          BackgroundTraffic traffic;
          traffic.pattern = TrafficPattern::uniform;
          traffic.flows_per_s = draw_.magnitude(1e3, 1e6);
          traffic.bytes = Distribution::uniform(1, std::floor(draw_.magnitude(10, 1e6)));
          traffic.window = some_window();
          traffic.max_flows = draw_.whole(1, 6);
          scenario.traffic.push_back(traffic);
        }
      }
    }
  }

  Draw draw_;
  Case case_;
};

}  // namespace

Case random_case(std::uint64_t seed) {
  return Generator(seed).make();
}

}  // namespace reducelab
