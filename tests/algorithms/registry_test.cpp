#include "algorithms/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/error.h"

namespace reducelab {
namespace {

using testing::HasSubstr;

/// The text of the usage Error that `act` throws.
template <class Act>
std::string refusal_of(Act act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "nothing was refused";
}

std::string params_refusal(std::string_view algorithm,
                           const std::map<std::string, std::string>& given) {
  return refusal_of([&] { complete_params(find_algorithm(algorithm), given); });
}

TEST(Registry, RowsAreCompleteAndNamesUnique) {
  std::set<std::string_view> names;
  for (const Algorithm& algorithm : all_algorithms()) {
    EXPECT_TRUE(names.insert(algorithm.name).second) << algorithm.name;
    EXPECT_EQ(&find_algorithm(algorithm.name), &algorithm);
    EXPECT_FALSE(algorithm.sentence.empty()) << algorithm.name;
    EXPECT_FALSE(algorithm.source.empty()) << algorithm.name;
    EXPECT_TRUE(algorithm.rank_program) << algorithm.name;
    EXPECT_TRUE(algorithm.cost) << algorithm.name;
    EXPECT_EQ(algorithm.extras == nullptr, algorithm.extra_program == nullptr) << algorithm.name;
    std::set<std::string_view> params;
    for (const ParamSpec& spec : algorithm.params) {
      EXPECT_TRUE(params.insert(spec.name).second) << algorithm.name << " " << spec.name;
      EXPECT_FALSE(spec.sentence.empty()) << algorithm.name << " " << spec.name;
      EXPECT_EQ(spec.kind == ParamSpec::Kind::choice, !spec.choices.empty()) << spec.name;
    }
  }
}

TEST(Registry, EveryDefaultPassesItsOwnCheck) {
  for (const Algorithm& algorithm : all_algorithms()) {
    std::map<std::string, std::string> given;
    for (const ParamSpec& spec : algorithm.params) {
      given.emplace(spec.name, spec.default_value);
    }
    EXPECT_EQ(complete_params(algorithm, given), complete_params(algorithm)) << algorithm.name;
  }
}

TEST(Registry, SuggestsTheNameThatWasMeant) {
  EXPECT_THAT(refusal_of([] { find_algorithm("rign"); }),
              HasSubstr("unknown algorithm \"rign\"; did you mean \"ring\"?"));
}

TEST(Registry, HierarchicalTakesEveryOtherAlgorithmThatNeedsNoServers) {
  std::set<std::string_view> expected;
  for (const Algorithm& algorithm : all_algorithms()) {
    if (!algorithm.extras && algorithm.name != "hierarchical") expected.insert(algorithm.name);
  }
  for (const ParamSpec& spec : find_algorithm("hierarchical").params) {
    if (spec.name != "inner") continue;
    EXPECT_EQ(std::set<std::string_view>(spec.choices.begin(), spec.choices.end()), expected);
  }
}

TEST(CompleteParams, KeepsWhatIsGivenAndFillsInTheRest) {
  const Params params = complete_params(find_algorithm("ring"), {{"slice_bytes", "64KiB"}});
  EXPECT_EQ(params.bytes("slice_bytes"), 65536);
  EXPECT_EQ(params.integer("channels"), 1);
}

TEST(CompleteParams, OfHierarchicalIncludeThoseOfTheInnerAlgorithm) {
  const Params params = complete_params(find_algorithm("hierarchical"),
                                        {{"inner", "rabenseifner"}, {"order", "far-first"}});
  EXPECT_EQ(params.text("order"), "far-first");
  EXPECT_FALSE(params.has("channels"));
  EXPECT_THAT(params_refusal("hierarchical", {{"inner", "one-shot"}, {"order", "far-first"}}),
              HasSubstr("unknown parameter of hierarchical \"order\""));
}

TEST(CompleteParams, RefusesUnknownNamesWithASuggestion) {
  EXPECT_THAT(params_refusal("ring", {{"chanels", "2"}}),
              HasSubstr("unknown parameter of ring \"chanels\"; did you mean \"channels\"?"));
  EXPECT_THAT(params_refusal("circulant", {{"root", "2"}}),
              HasSubstr("unknown parameter \"root\"; circulant has none"));
}

TEST(CompleteParams, RefusesValuesOutOfRange) {
  EXPECT_THAT(params_refusal("ring", {{"channels", "0"}}),
              HasSubstr("parameter \"channels\" is 0; it must be from 1 to 64"));
  EXPECT_THAT(params_refusal("ring", {{"channels", "65"}}), HasSubstr("from 1 to 64"));
  EXPECT_THAT(params_refusal("segmented-ring", {{"segment_bytes", "0"}}),
              HasSubstr("parameter \"segment_bytes\" is 0"));
}

TEST(CompleteParams, RefusesTextThatIsNoNumberOrSize) {
  for (const char* text : {"", "two", "2x", "2.5", "99999999999999999999"}) {
    EXPECT_THAT(params_refusal("ring", {{"channels", text}}),
                HasSubstr("it must be a whole number"))
        << text;
  }
  EXPECT_THAT(params_refusal("ring", {{"slice_bytes", "64KiX"}}),
              HasSubstr("in parameter \"slice_bytes\""));
}

TEST(CompleteParams, RefusesChoicesThatDoNotExist) {
  EXPECT_THAT(params_refusal("rabenseifner", {{"order", "far-frist"}}),
              HasSubstr("did you mean \"far-first\"?"));
  EXPECT_THAT(params_refusal("hierarchical", {{"inner", "hierarchical"}}),
              HasSubstr("value of parameter \"inner\""));
}

World world_of(std::string_view algorithm, int ranks,
               const std::map<std::string, std::string>& given = {}) {
  World world;
  world.ranks = ranks;
  world.count = 100;
  world.params = complete_params(find_algorithm(algorithm), given);
  return world;
}

std::string world_refusal(std::string_view algorithm, World world) {
  return refusal_of([&] { prepare_world(find_algorithm(algorithm), world); });
}

TEST(PrepareWorld, CountsTheServers) {
  const World world = world_of("parameter-server", 4, {{"servers", "3"}});
  EXPECT_EQ(prepare_world(find_algorithm("parameter-server"), world).extras, 3);
  EXPECT_EQ(prepare_world(find_algorithm("ring"), world_of("ring", 4)).extras, 0);
}

TEST(PrepareWorld, RefusesARootThatIsNoRank) {
  EXPECT_EQ(world_refusal("binomial", world_of("binomial", 4, {{"root", "4"}})),
            "binomial: root 4 is not a rank; the ranks are 0 to 3");
  World two_nodes = world_of("hierarchical", 4, {{"inner", "linear"}, {"root", "2"}});
  two_nodes.nodes = {{0, 1}, {2, 3}};
  EXPECT_EQ(world_refusal("hierarchical", two_nodes),
            "hierarchical: between the nodes: root 2 is not a rank; the ranks are 0 to 1");
}

TEST(PrepareWorld, RefusesMoreColocatedServersThanRanks) {
  EXPECT_THAT(
      world_refusal("parameter-server", world_of("parameter-server", 4,
                                                 {{"servers", "5"}, {"placement", "colocated"}})),
      HasSubstr("5 colocated servers need 5 ranks, there are 4"));
}

TEST(PrepareWorld, PutsServersOnRanksWhereTheClusterHasNoPlaceLeft) {
  const Algorithm& algorithm = find_algorithm("parameter-server");
  World world = world_of("parameter-server", 4, {{"servers", "2"}});
  EXPECT_FALSE(algorithm.extras(world).colocated);
  world.places = 6;
  EXPECT_FALSE(algorithm.extras(world).colocated);
  world.places = 5;
  EXPECT_TRUE(algorithm.extras(world).colocated);
}

TEST(PrepareWorld, RefusesWorldsThatAreNone) {
  EXPECT_THAT(world_refusal("ring", world_of("ring", 0)), HasSubstr("at least 1"));
  World world = world_of("ring", 3);
  world.count = -1;
  EXPECT_THAT(world_refusal("ring", world), HasSubstr("fewer than 0"));
}

TEST(PrepareWorld, RefusesNodesThatDoNotHoldEveryRankOnce) {
  World world = world_of("ring", 3);
  world.nodes = {{0, 1}};
  EXPECT_THAT(world_refusal("ring", world), HasSubstr("rank 2 is on no node"));
  world.nodes = {{0, 1}, {1, 2}};
  EXPECT_THAT(world_refusal("ring", world), HasSubstr("rank 1 is on two nodes"));
  world.nodes = {{0, 1}, {2, 3}};
  EXPECT_THAT(world_refusal("ring", world), HasSubstr("a node holds rank 3"));
  world.nodes = {{0, 1, 2}, {}};
  EXPECT_THAT(world_refusal("ring", world), HasSubstr("a node without ranks"));
}

}  // namespace
}  // namespace reducelab
