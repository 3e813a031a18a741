#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "sim/scenario/link_selector.h"
#include "sim/scenario/scenario_flags.h"
#include "sim/scenario/scenario_toml.h"
#include "tests/sim/scenario/scenario_support.h"

namespace reducelab {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

Scenario read(const std::string& text) {
  return read_scenario_toml(text, "x.toml");
}

std::vector<std::string> selected(std::string_view selector, const Topology& topology) {
  std::vector<std::string> names;
  for (const LinkId link : select_links(selector, topology, place_ranks(topology, 8, "block"), 8)) {
    names.push_back(topology.link(link).name);
  }
  return names;
}

TEST(Resolve, AnEmptyScenarioDisturbsNothing) {
  const ResolvedScenario resolved = resolve_on({}, four_by_eight());
  EXPECT_TRUE(resolved.empty());
  EXPECT_TRUE(resolved.timeline(31).plain());
  EXPECT_EQ(resolved.links.next_change_after(0), kForever);
}

TEST(Resolve, SlowRanksAreThoseNamed) {
  const ResolvedScenario resolved =
      resolve_on(read("[[slow_rank]]\nranks = \"2-3\"\nfactor = 2\n"), four_by_eight());
  EXPECT_TRUE(resolved.timeline(1).plain());
  EXPECT_EQ(resolved.timeline(2).finish(Resource::reduction, 1, 2), 5);
  EXPECT_EQ(resolved.timeline(2), resolved.timeline(3));
}

TEST(Resolve, FurtherParticipantsAreInNoRankSet) {
  const Topology topology = four_by_eight();
  const auto scenario =
      read("[[slow_rank]]\nfactor = 2\n[[arrival]]\nkind = \"fixed\"\nvalue = \"1ms\"\n");
  const ResolvedScenario resolved =
      resolve(scenario, topology, place_ranks(topology, 4, "block", 2), 4, 1);
  EXPECT_FALSE(resolved.timeline(3).plain());
  EXPECT_TRUE(resolved.timeline(5).plain());
  EXPECT_THAT(resolved.arrival_s, ElementsAre(1e-3, 1e-3, 1e-3, 1e-3, 0, 0));
}

TEST(Resolve, ExpectedLastOfExponentialArrivalsIsTheHarmonicNumberTimesTheMean) {
  const auto scenario = read("[[arrival]]\nkind = \"exponential\"\nmean = \"1ms\"\n");
  const Topology topology = four_by_eight();
  for (const int ranks : {1, 4, 32}) {
    double harmonic = 0;
    double squares = 0;  // the variance of the maximum is the sum of 1/k^2
    for (int k = 1; k <= ranks; ++k) {
      harmonic += 1.0 / k;
      squares += 1.0 / (static_cast<double>(k) * k);
    }
    constexpr int kTrials = 4000;
    double sum = 0;
    for (int seed = 0; seed < kTrials; ++seed) {
      const auto resolved = resolve_on(scenario, topology, ranks, static_cast<std::uint64_t>(seed));
      sum += *std::ranges::max_element(resolved.arrival_s);
    }
    EXPECT_NEAR(sum / kTrials, harmonic * 1e-3, 4e-3 * std::sqrt(squares / kTrials)) << ranks;
  }
}

TEST(Resolve, DrawsOfARankDependOnNothingElse) {
  const auto scenario = read(
      "[[arrival]]\nkind = \"exponential\"\nmean = \"1ms\"\n"
      "[[noise]]\nperiod = \"1ms\"\nduration = \"25us\"\n");
  Scenario more = scenario;
  more.arrivals.push_back({one_rank(0), {}, Distribution::exponential(1), {}});
  more.noises.push_back({one_rank(0), 3e-3, 1e-5, false, {}, {}});
  more.slow_ranks.push_back({one_rank(0), 2, {}, {}, {}});
  const Topology topology = four_by_eight();
  const auto few = resolve_on(scenario, topology, 8);
  const auto many = resolve_on(scenario, topology, 32);
  const auto beside = resolve_on(more, topology, 8);
  const auto other_seed = resolve_on(scenario, topology, 8, 2);
  for (int rank = 0; rank < 8; ++rank) {
    const auto at = static_cast<std::size_t>(rank);
    EXPECT_EQ(few.arrival_s[at], many.arrival_s[at]);
    EXPECT_EQ(few.timeline(rank), many.timeline(rank));
    EXPECT_NE(few.arrival_s[at], other_seed.arrival_s[at]);
    EXPECT_FALSE(few.timeline(rank) == other_seed.timeline(rank));
    if (rank == 0) continue;
    EXPECT_EQ(few.arrival_s[at], beside.arrival_s[at]);
    EXPECT_EQ(few.timeline(rank), beside.timeline(rank));
    EXPECT_FALSE(few.timeline(rank) == few.timeline(0));  // phases differ
  }
}

TEST(Resolve, SynchronisedNoiseHasOnePhase) {
  const auto resolved =
      resolve_on(read("[[noise]]\nperiod = \"1s\"\nduration = \"250ms\"\nsynchronised = true\n"),
                 four_by_eight());
  EXPECT_EQ(resolved.timeline(0), resolved.timeline(31));
  EXPECT_EQ(resolved.timeline(7).finish(Resource::compute, 0, 0.5), 0.75);
}

TEST(Resolve, TwoNoisesOfOneRankAreOutOfStepWithEachOther) {
  const auto resolved = resolve_on(read("[[noise]]\nperiod = \"1s\"\nduration = \"200ms\"\n"
                                        "[[noise]]\nperiod = \"1s\"\nduration = \"200ms\"\n"),
                                   four_by_eight());
  // In step they would take 0.2 of the time together: 1000 s of work would end by 1250.2 s.
  int out_of_step = 0;
  for (int rank = 0; rank < 32; ++rank) {
    if (resolved.timeline(rank).finish(Resource::compute, 0, 1000) > 1251) ++out_of_step;
  }
  EXPECT_GE(out_of_step, 30);
}

TEST(Resolve, ListedArrivalsGoToTheirRanksAndAddUp) {
  const auto resolved =
      resolve_on(read("[[arrival]]\nranks = \"1,3\"\ntimes = [\"1s\", \"2s\", \"9s\"]\n"
                      "[[arrival]]\nranks = 3\nkind = \"fixed\"\nvalue = \"4s\"\n"),
                 four_by_eight(), 4);
  EXPECT_THAT(resolved.arrival_s, ElementsAre(0, 1, 0, 6));
}

TEST(Resolve, LinkSelectors) {
  const Topology topology = four_by_eight();
  EXPECT_THAT(selected("h0->leaf0", topology), ElementsAre("h0->leaf0"));
  EXPECT_THAT(selected("leaf0 -> spine1", topology), ElementsAre("leaf0->spine1"));
  EXPECT_THAT(selected("spine0->*", topology),
              ElementsAre("spine0->leaf0", "spine0->leaf1", "spine0->leaf2", "spine0->leaf3"));
  EXPECT_THAT(selected("rank 3", topology), ElementsAre("h3->leaf0", "leaf0->h3"));

  Topology half("half");
  const DeviceId a = half.add_device({"a", DeviceKind::host, 0, 0});
  const DeviceId b = half.add_device({"b", DeviceKind::host, 1, 0});
  half.add_link({"", a, b, 1e9, 0, LinkKind::network, true});
  half.add_link({"up", a, b, 1e9, 0, LinkKind::network, false});
  const std::vector<DeviceId> placement{a, b};
  EXPECT_THAT(select_links("a->b", half, placement, 2), ElementsAre(0, 1));
  EXPECT_THAT(select_links("b->a", half, placement, 2), ElementsAre(0));
}

TEST(Resolve, LinksChangeAsAsked) {
  const Topology topology = four_by_eight();
  const auto resolved = resolve_on(
      read("[[slow_link]]\nlinks = \"rank 0\"\nbandwidth = \"25Gbps\"\nextra_latency = \"5us\"\n"
           "[[link_down]]\nlinks = \"h0->leaf0\"\nat = \"1ms\"\nup = \"2ms\"\n"
           "[[flapping_link]]\nlinks = \"h1->leaf0\"\nfirst = \"1ms\"\nperiod = \"2ms\"\n"
           "down = \"500us\"\n"),
      topology);
  const LinkId h0 = select_links("h0->leaf0", topology, {}, 0).front();
  EXPECT_EQ(resolved.links.links().size(), 3u);
  EXPECT_EQ(resolved.links.at(h0, 0), (LinkState{3.125e9, 5e-6, true}));
  EXPECT_FALSE(resolved.links.at(h0, 1.5e-3).up);
  EXPECT_TRUE(resolved.links.at(h0, 2e-3).up);
  EXPECT_EQ(resolved.links.next_change_after(0), 1e-3);
  EXPECT_EQ(resolved.links.next_change_after(1e-3), 1.5e-3);
}

TEST(Resolve, FailuresComeInTimeOrderAndTakeTheirLinksDown) {
  const Topology topology = resolve_topology("dgx-h100:nodes=4");
  const auto resolved = resolve_on(read("[[failure]]\nnode = 1\nat = \"3ms\"\n"
                                        "[[failure]]\nrank = 9\nat = \"1ms\"\n"
                                        "[[failure]]\nrank = 9\nat = \"4ms\"\n"
                                        "[[failure]]\ndevice = \"leaf0\"\nat = \"2ms\"\n"),
                                   topology);
  ASSERT_EQ(resolved.failures.size(), 3u);  // the second end of rank 9 is none
  EXPECT_THAT(resolved.failures[0].participants, ElementsAre(9));
  EXPECT_THAT(resolved.failures[1].participants, IsEmpty());
  EXPECT_THAT(resolved.failures[2].participants, ElementsAre(8, 10, 11, 12, 13, 14, 15));
  for (const ResolvedFailure& failure : resolved.failures) {
    for (const DeviceId device : failure.devices) {
      for (const LinkId link : links_at(topology, device)) {
        EXPECT_THAT(failure.links, Contains(link));
      }
    }
  }
  EXPECT_TRUE(resolved.links.empty());
}

TEST(Resolve, SparesAreThePlacesThatNoRankUsesAndThatStayUp) {
  const Topology topology = four_by_eight();
  const auto scenario = read(
      "[[failure]]\nrank = 3\nat = \"1ms\"\n[[failure]]\ndevice = \"h30\"\nat = \"1ms\"\n"
      "[failure_policy]\nresponse = \"spare\"\n");
  const auto resolved = resolve_on(scenario, topology, 28);
  std::vector<std::string> names;
  for (const DeviceId device : resolved.spares) names.push_back(topology.device(device).name);
  EXPECT_THAT(names, ElementsAre("h28", "h29", "h31"));
  EXPECT_THAT(error_of([&] { resolve_on(scenario, topology, 32); }),
              AllOf(StartsWith("x.toml:7:1"), HasSubstr("0 spare places")));
}

struct Impossible {
  const char* text;
  const char* place;
  const char* why;
};

TEST(Resolve, WhatThisClusterCannotHaveShowsItsLine) {
  const std::vector<Impossible> inputs{
      {"\n[[slow_rank]]\nranks = 9\nfactor = 2\n", "x.toml:2:1",
       "there is no rank 9: this run has 8 ranks, 0 to 7"},
      {"[[delay]]\nranks = \"0-8\"\nat = \"1s\"\nduration = \"1s\"\n", "x.toml:1:1", "no rank 8"},
      {"[[failure]]\nrank = 8\nat = \"1s\"\n", "x.toml:1:1", "no rank 8"},
      {"[[failure]]\nnode = 99\nat = \"1s\"\n", "x.toml:1:1", "no node 99"},
      {"[[failure]]\ndevice = \"spine7\"\nat = \"1s\"\n", "x.toml:1:1", "did you mean \"spine"},
      {"[[arrival]]\ntimes = [\"1s\"]\n", "x.toml:1:1", "1 arrival times for 8 ranks"},
      {"[[link_down]]\nlinks = \"h0->laef0\"\nat = \"1s\"\n", "x.toml:1:1",
       "unknown link \"h0->laef0\"; did you mean \"h0->leaf0\"?"},
      {"[[link_down]]\nlinks = \"x*\"\nat = \"1s\"\n", "x.toml:1:1", "no link matches \"x*\""},
      {"[[link_down]]\nlinks = \"rank 9\"\nat = \"1s\"\n", "x.toml:1:1", "no rank 9"},
      {"[[noise]]\nperiod = \"2s\"\nduration = \"1s\"\n"
       "[[noise]]\nperiod = \"4s\"\nduration = \"2s\"\n",
       "x.toml:4:1", "nothing would be left"},
      {"[[failure]]\ndevice = \"leaf0\"\nat = \"1s\"\n[[traffic]]\npattern = \"fixed\"\n"
       "from_device = \"h0\"\nto_device = \"h0\"\n",
       "x.toml:4:1", "to itself"},
  };
  for (const auto& [text, place, why] : inputs) {
    const std::string error = error_of([text] { resolve_on(read(text), four_by_eight(), 8); });
    EXPECT_THAT(error, StartsWith(place)) << text;
    EXPECT_THAT(error, HasSubstr(why)) << text;
  }
}

TEST(Resolve, ShrinkNeedsASurvivor) {
  const auto scenario = read(
      "[[failure]]\nrank = 0\nat = \"1s\"\n[[failure]]\nrank = 1\nat = \"2s\"\n"
      "[failure_policy]\nresponse = \"shrink\"\n");
  EXPECT_THAT(error_of([&] { resolve_on(scenario, four_by_eight(), 2); }),
              HasSubstr("no survivor"));
  EXPECT_EQ(resolve_on(scenario, four_by_eight(), 3).failures.size(), 2u);
}

TEST(Resolve, FaultsOfAFlagShowTheFlag) {
  Scenario scenario;
  scenario.slow_ranks = {parse_slow_rank_flag("9:1.5")};
  EXPECT_THAT(error_of([&] { resolve_on(scenario, four_by_eight(), 8); }),
              StartsWith("--slow-rank 9:1.5: there is no rank 9"));
}

TEST(Resolve, ChecksValuesThatNoFileHasChecked) {
  Scenario scenario;
  scenario.slow_ranks = {SlowRank{{}, std::nan(""), {}, {}, {}}};
  EXPECT_THAT(error_of([&] { resolve_on(scenario, four_by_eight()); }), HasSubstr("not nan"));
  scenario = {};
  scenario.links_down = {LinkDown{{"h0->leaf0"}, -1, kForever, {}}};
  EXPECT_THAT(error_of([&] { resolve_on(scenario, four_by_eight()); }), HasSubstr("not -1"));
}

}  // namespace
}  // namespace reducelab
