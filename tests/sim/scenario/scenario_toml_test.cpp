#include "sim/scenario/scenario_toml.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "core/rng.h"
#include "tests/sim/scenario/scenario_support.h"

namespace reducelab {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// Random possible scenarios, with numbers that have no short decimal form.
class ScenarioMaker {
 public:
  explicit ScenarioMaker(std::uint64_t number) : stream_(number, RandomPurpose::test, 0) {}

  Scenario make() {
    Scenario made;
    made.name = some(2) == 0 ? "" : "odd \"name\" \\ with\ttab";
    for (auto i = some(3); i > 0; --i) {
      made.slow_ranks.push_back({ranks(), positive(), resources(), window(), {}});
    }
    for (auto i = some(3); i > 0; --i) {
      made.delays.push_back({ranks(), positive(), positive(), resources(), {}});
    }
    for (auto i = some(3); i > 0; --i) {
      const double period_s = positive() + 1e-8;
      made.noises.push_back(
          {ranks(), period_s, period_s * 0.9 * uniform() + 1e-12, some(2) == 0, resources(), {}});
    }
    for (auto i = some(3); i > 0; --i) made.arrivals.push_back(arrival());
    for (auto i = some(3); i > 0; --i) {
      SlowLink slow{links(), positive(), {}, (some(2) == 0 ? 0 : positive()), window(), {}};
      if (some(2) == 0) slow.bandwidth_bytes_per_s = 1e9 * positive();
      made.slow_links.push_back(slow);
    }
    for (auto i = some(3); i > 0; --i) {
      const Window down = window();
      made.links_down.push_back({links(), down.from_s, down.until_s, {}});
    }
    for (auto i = some(3); i > 0; --i) {
      const double period_s = positive() + 1e-8;
      const Window when = window();
      made.flapping_links.push_back(
          {links(), when.from_s, period_s, period_s * 0.5, when.until_s, {}});
    }
    for (auto i = some(3); i > 0; --i) {
      const FailureKind kind = all_failure_kinds()[some(3)];
      if (kind == FailureKind::device) {
        made.failures.push_back({kind, 0, "leaf0", positive(), {}});
      } else {
        made.failures.push_back({kind, static_cast<int>(some(9)), "", positive(), {}});
      }
    }
    for (auto i = some(3); i > 0; --i) made.traffic.push_back(traffic());
    if (some(2) == 0) {
      made.failure_policy = {all_failure_responses()[some(4)], positive(), positive(), {}};
    }
    return made;
  }

 private:
  double uniform() { return stream_.uniform(index_++); }
  std::uint64_t some(std::uint64_t below) { return stream_.bits(index_++) % below; }
  double positive() { return std::exp(12 * uniform() - 9); }
  RankSet ranks() { return some(3) == 0 ? RankSet{} : parse_rank_set("0-3,5,9-12"); }
  ResourceSet resources() {
    return some(2) == 0 ? ResourceSet{} : parse_resource_set("compute+overhead");
  }
  Window window() {
    Window made{(some(2) == 0 ? 0 : positive()), kForever};
    if (some(2) == 0) made.until_s = made.from_s + positive();
    return made;
  }
  std::vector<std::string> links() {
    if (some(2) == 0) return {"rank 3"};
    return {"h0->leaf0", "odd \"link\"*"};
  }
  Distribution distribution(double scale) {
    const double first = std::round(scale * (1 + uniform()));
    switch (all_distribution_kinds()[some(6)]) {
      case DistributionKind::fixed:
        return Distribution::fixed(first);
      case DistributionKind::uniform:
        return Distribution::uniform(first, 2 * first);
      case DistributionKind::normal:
        return Distribution::normal(first, std::round(first / 2));
      case DistributionKind::log_normal:
        return Distribution::log_normal(first, uniform());
      case DistributionKind::exponential:
        return Distribution::exponential(first, some(2) == 0 ? 0 : first);
      default:
        return Distribution::pareto(first, 1 + uniform());
    }
  }
  Arrival arrival() {
    Arrival made;
    made.ranks = ranks();
    if (some(2) == 0) {
      made.times_s = {0, positive(), positive()};
    } else {
      made.distribution = distribution(10);
      made.distribution.first *= 1e-3;
      if (parameters_of(made.distribution.kind).back().is_quantity) {
        made.distribution.second *= 1e-3;
      }
    }
    return made;
  }
  BackgroundTraffic traffic() {
    BackgroundTraffic made;
    made.pattern = all_traffic_patterns()[some(4)];
    if (made.pattern == TrafficPattern::fixed) {
      made.from_device = "h0";
    } else if (some(2) == 0) {
      made.places = {"h1*", "h2"};
    }
    if (made.pattern == TrafficPattern::fixed || made.pattern == TrafficPattern::incast) {
      made.to_device = "h9";
    }
    if (some(2) == 0) {
      made.flows_per_s = positive();
    } else {
      made.load_bytes_per_s = 1e9 * positive();
    }
    made.bytes = distribution(1e6);
    made.window = window();
    if (some(2) == 0) made.max_flows = 1 + static_cast<std::int64_t>(some(1000));
    return made;
  }

  RandomStream stream_;
  std::uint64_t index_ = 0;
};

TEST(ScenarioToml, WhatIsWrittenReadsBackEqual) {
  for (std::uint64_t number = 0; number < 500; ++number) {
    const Scenario scenario = ScenarioMaker(number).make();
    const std::string text = write_scenario_toml(scenario);
    const Scenario back = read_scenario_toml(text, "copy.toml");
    EXPECT_EQ(back, scenario) << text;
    EXPECT_EQ(write_scenario_toml(back), text);
  }
}

TEST(ScenarioToml, AnEmptyFileMisbehavesInNothing) {
  EXPECT_TRUE(read_scenario_toml("", "empty.toml").empty());
  EXPECT_EQ(read_scenario_toml("", "empty.toml"), Scenario{});
}

TEST(ScenarioToml, EveryTableOfTheDescriptionIsRead) {
  const Scenario scenario = read_scenario_toml(R"(
[[slow_rank]]
ranks = "0-3,7"
factor = 2
applies_to = ["compute", "overhead"]
from = "1ms"
until = "2ms"
[[arrival]]
kind = "exponential"
mean = "1ms"
[[slow_link]]
links = ["a->b", "rank 3"]
bandwidth = "25Gbps"
[[traffic]]
pattern = "incast"
to_device = "h0"
load = "10Gbps"
sizes = { kind = "pareto", scale = "64KiB", shape = 1.5 }
[failure_policy]
response = "spare"
)",
                                               "x.toml");
  EXPECT_EQ(
      scenario.slow_ranks.at(0),
      (SlowRank{
          parse_rank_set("0-3,7"), 2, parse_resource_set("compute+overhead"), {1e-3, 2e-3}, {}}));
  EXPECT_EQ(scenario.arrivals.at(0).distribution, Distribution::exponential(1e-3));
  EXPECT_EQ(scenario.slow_links.at(0), (SlowLink{{"a->b", "rank 3"}, 1, 3.125e9, 0, {}, {}}));
  EXPECT_EQ(scenario.traffic.at(0).bytes, Distribution::pareto(65536, 1.5));
  EXPECT_EQ(scenario.failure_policy.response, FailureResponse::spare);
  EXPECT_EQ(scenario.failure_policy.timeout_s, 10);
}

struct BadInput {
  const char* text;
  const char* place;
  const char* why;
};

TEST(ScenarioToml, EachFaultShowsItsLine) {
  const std::vector<BadInput> inputs{
      {"[[slow_rnak]]\n", "x.toml:1:3", "unknown key \"slow_rnak\"; did you mean \"slow_rank\"?"},
      {"[slow_rank]\nfactor = 2\n", "x.toml:1:1", "must be written as [[slow_rank]] tables"},
      {"[[slow_rank]]\nranks = 3\n", "x.toml:1:1", "\"factor\" is missing"},
      {"[[slow_rank]]\nranks = 3\nfactor = 0\n", "x.toml:3:10", "factor must be above 0, not 0"},
      {"[[slow_rank]]\nfactor = -1.5\n", "x.toml:2:10", "must be above 0, not -1.5"},
      {"[[slow_rank]]\nfactor = nan\n", "x.toml:2:10", "factor must be"},
      {"[[slow_rank]]\nfactor = inf\n", "x.toml:2:10", "must be above 0, not inf"},
      {"[[slow_rank]]\nfactor = 2\nranks = \"3-1\"\n", "x.toml:3:9", "ends before it starts"},
      {"[[slow_rank]]\nfactor = 2\nfrom = \"2ms\"\nuntil = \"1ms\"\n", "x.toml:4:9",
       "until is 0.001s, not after the start"},
      {"[[slow_rank]]\nfactor = 2\napplies_to = [\"overheat\"]\n", "x.toml:3:15",
       "did you mean \"overhead\"?"},
      {"[[delay]]\nat = \"-1ms\"\nduration = \"1ms\"\n", "x.toml:2:6", "must not be negative"},
      {"[[delay]]\nat = \"1ms\"\nduration = \"0s\"\n", "x.toml:3:12", "must be above 0"},
      {"[[noise]]\nperiod = \"1ms\"\nduration = \"1ms\"\n", "x.toml:3:12",
       "must be less than the period"},
      {"[[noise]]\nperiod = \"0s\"\nduration = \"1ms\"\n", "x.toml:2:10", "at least 1ns"},
      {"[[arrival]]\nkind = \"paretto\"\n", "x.toml:2:8", "did you mean \"pareto\"?"},
      {"[[arrival]]\nkind = \"pareto\"\nscale = \"1ms\"\nshape = 0\n", "x.toml:4:9",
       "shape must be above 0"},
      {"[[arrival]]\nkind = \"exponential\"\nmean = \"0s\"\n", "x.toml:3:8",
       "mean must be above 0"},
      {"[[arrival]]\nkind = \"uniform\"\nlow = \"2ms\"\nhigh = \"1ms\"\n", "x.toml:4:8",
       "below low"},
      {"[[arrival]]\nkind = \"uniform\"\nlow = \"1ms\"\n", "x.toml:1:1", "\"high\" is missing"},
      {"[[arrival]]\nkind = \"uniform\"\nmean = \"1ms\"\n", "x.toml:3:8",
       "mean is no parameter of uniform"},
      {"[[arrival]]\ntimes = [\"0s\",\n\"soon\"]\n", "x.toml:3:1", "cannot read \"soon\""},
      {"[[arrival]]\ntimes = [\"0s\"]\nmean = \"1ms\"\n", "x.toml:3:8", "of which there is none"},
      {"[[arrival]]\n", "x.toml:1:1", "one of kind, times and file"},
      {"[[arrival]]\nfile = \"no-such-times.txt\"\n", "x.toml:2:8", "does not exist"},
      {"[[slow_link]]\nlinks = \"a->b\"\n", "x.toml:2:9", "keep their speed"},
      {"[[slow_link]]\nlinks = \"a->b\"\nbandwidth_factor = 0\n", "x.toml:3:20", "above 0"},
      {"[[slow_link]]\nlinks = []\nbandwidth_factor = 0.5\n", "x.toml:2:9", "names nothing"},
      {"[[link_down]]\nlinks = \"a\"\nat = \"2ms\"\nup = \"2ms\"\n", "x.toml:4:6",
       "not after the start"},
      {"[[flapping_link]]\nlinks = \"a\"\nperiod = \"1ms\"\ndown = \"2ms\"\n", "x.toml:4:8",
       "less than the period"},
      {"[[failure]]\nat = \"2ms\"\n", "x.toml:1:1", "one of rank, node and device"},
      {"[[failure]]\nrank = -1\nat = \"2ms\"\n", "x.toml:2:8", "must be between 0"},
      {"[[traffic]]\npattern = \"incats\"\n", "x.toml:2:11", "did you mean \"incast\"?"},
      {"[[traffic]]\npattern = \"incast\"\n", "x.toml:1:1", "to_device is missing"},
      {"[[traffic]]\npattern = \"uniform\"\nload = \"1Gbps\"\nflows_per_s = 3\n", "x.toml:4:15",
       "exclude each other"},
      {"[[traffic]]\npattern = \"uniform\"\nload = \"1Gbps\"\n"
       "sizes = { kind = \"pareto\", scale = \"1KiB\", shape = 1 }\n",
       "x.toml:3:8", "finite mean"},
      {"[[traffic]]\npattern = \"uniform\"\nbytes = \"0\"\n", "x.toml:3:9", "must not be 0"},
      {"[failure_policy]\nresponse = \"shrnk\"\n", "x.toml:2:12", "did you mean \"shrink\"?"},
      {"[failure_policy]\ntimeout = \"0s\"\n", "x.toml:2:11", "must be above 0"},
  };
  for (const auto& [text, place, why] : inputs) {
    const std::string error = error_of([text] { read_scenario_toml(text, "x.toml"); });
    EXPECT_THAT(error, StartsWith(place)) << text;
    EXPECT_THAT(error, HasSubstr(why)) << text;
  }
}

TEST(ArrivalTimes, AreReadOneALine) {
  EXPECT_EQ(read_arrival_times("# per process\n1.5ms\n\n  2us # rank 1\r\n0\n", "t"),
            (std::vector<double>{1.5e-3, 2e-6, 0}));
  EXPECT_THAT(error_of([] { read_arrival_times("1ms\n 3 parsecs\n", "t.txt"); }),
              StartsWith("t.txt:2:2: cannot read \"3 parsecs\""));
  EXPECT_THAT(error_of([] { read_arrival_times("# none\n", "t.txt"); }),
              HasSubstr("no arrival times"));
}

TEST(ArrivalTimes, AFileIsFoundBesideTheScenario) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "reducelab-arrivals";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "times.txt") << "1ms\n2ms\n";
  std::ofstream(folder / "late.toml") << "[[arrival]]\nfile = \"times.txt\"\n";
  const Scenario scenario = load_scenario((folder / "late.toml").string());
  std::filesystem::remove_all(folder);
  EXPECT_EQ(scenario.arrivals.at(0).times_s, (std::vector<double>{1e-3, 2e-3}));
  EXPECT_EQ(read_scenario_toml(write_scenario_toml(scenario), "elsewhere"), scenario);
}

}  // namespace
}  // namespace reducelab
