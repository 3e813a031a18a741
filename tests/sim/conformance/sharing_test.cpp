#include "sim/flow/sharing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "core/rng.h"

namespace reducelab {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Way {
  std::vector<LinkId> links;
  double cap = kInfinity;
};

/// Water-filling by the book: all rates rise together; a flow stops at its cap or with a full link.
std::vector<double> water_filling(const std::vector<double>& capacity,
                                  const std::vector<const Way*>& flows) {
  std::vector<double> rates(flows.size(), 0);
  std::vector<bool> stopped(flows.size(), false);
  const auto crosses = [&](std::size_t flow, std::size_t link) {
    return std::ranges::find(flows[flow]->links, static_cast<LinkId>(link)) !=
           flows[flow]->links.end();
  };
  for (;;) {
    double level = kInfinity;
    std::vector<double> full_at(capacity.size(), kInfinity);
    for (std::size_t link = 0; link < capacity.size(); ++link) {
      double left = capacity[link];
      int rising = 0;
      for (std::size_t flow = 0; flow < flows.size(); ++flow) {
        if (!crosses(flow, link)) continue;
        if (stopped[flow]) {
          left -= rates[flow];
        } else {
          ++rising;
        }
      }
      if (rising > 0) full_at[link] = std::max(left, 0.0) / rising;
      level = std::min(level, full_at[link]);
    }
    bool any = false;
    for (std::size_t flow = 0; flow < flows.size(); ++flow) {
      if (stopped[flow]) continue;
      any = true;
      level = std::min(level, flows[flow]->cap);
    }
    if (!any) return rates;
    for (std::size_t flow = 0; flow < flows.size(); ++flow) {
      if (stopped[flow]) continue;
      bool stops = flows[flow]->cap <= level;
      for (const LinkId link : flows[flow]->links) {
        stops = stops || full_at[static_cast<std::size_t>(link)] <= level * (1 + 1e-12);
      }
      if (!stops) continue;
      rates[flow] = level;
      stopped[flow] = true;
    }
  }
}

/// Random links, and ways over them. With `round` numbers many shares and caps are equal.
class RandomSharing {
 public:
  RandomSharing(std::uint64_t seed, bool round)
      : stream_(seed, RandomPurpose::test, 0), round_(round) {
    std::vector<Link> links(static_cast<std::size_t>(whole(1, 12)));
    for (Link& link : links) link.bandwidth_bytes_per_s = number();
    for (const Link& link : links) capacity_.push_back(link.bandwidth_bytes_per_s);
    sharing_.emplace(links);
    for (int count = whole(1, 20); count > 0; --count) {
      std::set<LinkId> chosen;
      for (int hops = whole(1, 4); hops > 0; --hops) {
        chosen.insert(whole(0, static_cast<int>(links.size()) - 1));
      }
      ways_.push_back({{chosen.begin(), chosen.end()}, chance(0.5) ? number() : kInfinity});
      sharing_->open_path(ways_.back().links, ways_.back().cap);
    }
  }

  /// Some flows start, some end, some links change, all at once.
  void disturb() {
    for (int count = whole(0, 6); count > 0; --count) {
      const auto way = static_cast<PathId>(whole(0, static_cast<int>(ways_.size()) - 1));
      flows_[sharing_->start(way)] = way;
    }
    for (int count = whole(0, 4); count > 0 && !flows_.empty(); --count) {
      const auto flow = std::next(flows_.begin(), whole(0, static_cast<int>(flows_.size()) - 1));
      sharing_->end(flow->first);
      flows_.erase(flow);
    }
    if (chance(0.2)) {
      const int link = whole(0, static_cast<int>(capacity_.size()) - 1);
      capacity_[static_cast<std::size_t>(link)] = chance(0.3) ? 0 : number();
      sharing_->set_bandwidth(link, capacity_[static_cast<std::size_t>(link)]);
    }
    settle();
  }

  void settle() {
    sharing_->settle([this](FlowId id, double rate) {
      EXPECT_TRUE(flows_.contains(id));
      EXPECT_NE((*sharing_)[id].rate_bytes_per_s, rate) << "told of no change";
      (*sharing_)[id].rate_bytes_per_s = rate;
    });
  }

  void expect_fair() {
    std::vector<const Way*> flows;
    for (const auto& [id, way] : flows_) flows.push_back(&ways_[way]);
    const std::vector<double> expected = water_filling(capacity_, flows);
    std::size_t index = 0;
    for (const auto& [id, way] : flows_) {
      const double rate = (*sharing_)[id].rate_bytes_per_s;
      EXPECT_NEAR(rate, expected[index], 1e-9 * expected[index]) << "flow " << index;
      ++index;
    }
  }

  std::size_t flows() const { return flows_.size(); }

 private:
  double uniform() { return stream_.uniform(drawn_++); }
  bool chance(double probability) { return uniform() < probability; }
  int whole(int low, int high) {
    return low + static_cast<int>(std::floor(uniform() * (high - low + 1)));
  }
  double number() {
    return round_ ? 12.0 * whole(1, 4) : std::exp(std::log(1e8) + uniform() * std::log(1e4));
  }

  RandomStream stream_;
  std::uint64_t drawn_ = 0;
  bool round_;
  std::vector<double> capacity_;
  std::optional<Sharing> sharing_;
  std::vector<Way> ways_;
  std::map<FlowId, PathId> flows_;
};

TEST(Sharing, rates_are_those_of_water_filling_after_any_starts_ends_and_changes) {
  std::size_t most = 0;
  for (const bool round : {false, true}) {
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
      RandomSharing sharing(seed, round);
      for (int step = 0; step < 25; ++step) {
        sharing.disturb();
        sharing.expect_fair();
        if (testing::Test::HasFailure()) FAIL() << "seed " << seed << ", step " << step;
        most = std::max(most, sharing.flows());
      }
    }
  }
  EXPECT_GE(most, 20u);  // it was no small change each time
}

TEST(Sharing, a_long_flow_gets_the_share_of_its_narrowest_link) {
  // One long flow among short ones, as in Bertsekas and Gallager, Data Networks, 6.5.2.
  std::vector<Link> links(3);
  for (Link& link : links) link.bandwidth_bytes_per_s = 1;
  links[1].bandwidth_bytes_per_s = 2;
  Sharing sharing(links);
  const std::vector<Way> ways{{{0, 1, 2}}, {{0}}, {{0}}, {{1}}, {{2}, 0.25}};
  std::vector<FlowId> flows;
  for (const Way& way : ways) flows.push_back(sharing.start(sharing.open_path(way.links, way.cap)));
  sharing.settle([&](FlowId id, double rate) { sharing[id].rate_bytes_per_s = rate; });
  const std::vector<double> expected{1.0 / 3, 1.0 / 3, 1.0 / 3, 2 - 1.0 / 3, 0.25};
  for (std::size_t i = 0; i < flows.size(); ++i) {
    EXPECT_NEAR(sharing[flows[i]].rate_bytes_per_s, expected[i], 1e-12) << i;
  }
}

}  // namespace
}  // namespace reducelab
