// A planted fault is found among the random cases and shown in its smallest form.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "engine_pair.h"
#include "shrink.h"
#include "sim/flow/flow_network.h"

namespace reducelab {
namespace {

using testing::HasSubstr;
using testing::Not;

enum class Fault : std::uint8_t { none, long_paths_carry_more, no_caps, links_stay_up };

/// The flow network with something wrong.
class FaultyNetwork final : public Network {
 public:
  FaultyNetwork(Fault fault, const Job& job, NetworkEvents& events)
      : fault_(fault), network_(make_flow_network(job, events)) {}

  double now() const override { return network_->now(); }
  void at(double time_s, std::uint64_t token) override { network_->at(time_s, token); }
  PathId open_path(DeviceId from, DeviceId to, const Route& route,
                   double cap_bytes_per_s) override {
    hops_.push_back(route.links.size());
    const bool capped = fault_ != Fault::no_caps;
    return network_->open_path(from, to, route,
                               capped ? cap_bytes_per_s : std::numeric_limits<double>::infinity());
  }
  void start_flow(PathId path, double wire_bytes, std::uint64_t token) override {
    const bool more = fault_ == Fault::long_paths_carry_more && hops_[path] > 1;
    network_->start_flow(path, more ? wire_bytes * 1.0001 : wire_bytes, token);
  }
  void set_link(LinkId link, double bytes_per_s, bool up) override {
    network_->set_link(link, bytes_per_s, up || fault_ == Fault::links_stay_up);
  }
  void cancel_flows(std::uint64_t token_tag) override { network_->cancel_flows(token_tag); }
  void run() override { network_->run(); }

 private:
  Fault fault_;
  std::unique_ptr<Network> network_;
  std::vector<std::size_t> hops_;
};

EnginePair with_fault(Fault fault) {
  return {make_flow_network, [fault](const Job& job, NetworkEvents& events) {
            return std::make_unique<FaultyNetwork>(fault, job, events);
          }};
}

std::optional<Case> first_that_shows(const EnginePair& engines) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Case source = random_case(seed);
    if (engines.difference_on(source)) return source;
  }
  return std::nullopt;
}

Case smallest_that_shows(Fault fault) {
  const EnginePair engines = with_fault(fault);
  const auto failing = first_that_shows(engines);
  if (!failing) throw std::runtime_error("no case shows the fault");
  return shrink(*failing,
                [&](const Case& smaller) { return engines.difference_on(smaller).has_value(); });
}

TEST(Shrink, a_network_without_a_fault_never_differs) {
  EXPECT_FALSE(first_that_shows(with_fault(Fault::none)).has_value());
}

TEST(Shrink, a_fault_of_long_paths_becomes_one_message_over_two_cables) {
  const Case smallest = smallest_that_shows(Fault::long_paths_carry_more);
  EXPECT_EQ(smallest.lines.size(), 1u);
  EXPECT_EQ(smallest.hosts_of_ranks.size(), 2u);
  EXPECT_EQ(smallest.cables.size(), 2u);
  EXPECT_EQ(smallest.hosts + smallest.switches, 3);
  EXPECT_EQ(smallest.channels, 1);
  EXPECT_TRUE(smallest.scenario.empty());
  EXPECT_EQ(smallest.profile.protocols.front().channel_cap_bytes_per_s,
            std::numeric_limits<double>::infinity());
}

TEST(Shrink, a_missing_cap_becomes_one_message_over_one_cable_and_the_cap) {
  const Case smallest = smallest_that_shows(Fault::no_caps);
  EXPECT_EQ(smallest.lines.size(), 1u);
  EXPECT_EQ(smallest.cables.size(), 1u);
  EXPECT_TRUE(smallest.scenario.empty());
  const Protocol& protocol = smallest.profile.protocols.front();
  EXPECT_TRUE(std::isfinite(protocol.channel_cap_bytes_per_s) ||
              protocol.rank_cap_bytes_per_s != Protocol::unbounded());
}

TEST(Shrink, a_link_that_does_not_go_down_becomes_one_message_and_one_disturbance) {
  const Case smallest = smallest_that_shows(Fault::links_stay_up);
  EXPECT_EQ(smallest.lines.size(), 1u);
  EXPECT_EQ(smallest.scenario.links_down.size() + smallest.scenario.flapping_links.size(), 1u);
  EXPECT_TRUE(smallest.scenario.traffic.empty());
  EXPECT_TRUE(smallest.scenario.slow_ranks.empty());
}

TEST(Shrink, the_explanation_is_text_that_says_all_of_the_case) {
  const EnginePair engines = with_fault(Fault::long_paths_carry_more);
  const auto failing = first_that_shows(engines);
  ASSERT_TRUE(failing.has_value());
  const std::string text = engines.explain(*failing);
  EXPECT_THAT(text, HasSubstr("2 ranks, 1 channels"));
  EXPECT_THAT(text, HasSubstr("1000000000 B/s, 0 s, network"));
  EXPECT_THAT(text, HasSubstr("sends [0, 1000) to rank"));
  EXPECT_THAT(text, HasSubstr("difference: "));
  EXPECT_THAT(text, Not(HasSubstr("[[")));  // no disturbance
}

}  // namespace
}  // namespace reducelab
