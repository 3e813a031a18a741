#include "sim/transport/profile.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "sim/job.h"

namespace reducelab {
namespace {

std::string fault(const std::string& toml) {
  try {
    read_profile_toml(toml, "p.toml");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Profile, every_built_in_profile_reads) {
  for (const EmbeddedText& entry : builtin_profiles()) {
    const Profile profile = load_profile(entry.name);
    EXPECT_EQ(profile.name, entry.name);
    EXPECT_FALSE(profile.description.empty());
  }
}

TEST(Profile, an_unknown_key_is_named_with_its_place_and_a_suggestion) {
  const std::string text = fault("name = \"x\"\nwindwo = 8\n");
  EXPECT_NE(text.find("p.toml:2:1"), std::string::npos) << text;
  EXPECT_NE(text.find("did you mean \"window\""), std::string::npos) << text;
}

TEST(Profile, values_out_of_range_are_refused_in_their_place) {
  EXPECT_NE(fault("name = \"x\"\nwindow = 0\n").find("p.toml:2:"), std::string::npos);
  EXPECT_NE(fault("name = \"x\"\n[reduction]\nbandwidth = \"0GBps\"\n").find("p.toml:3:"),
            std::string::npos);
  EXPECT_NE(fault("name = \"x\"\n[[protocol]]\nname = \"a\"\nefficiency = { network = 1.5 }\n")
                .find("p.toml:4:"),
            std::string::npos);
  EXPECT_NE(fault("name = \"x\"\n[overheads]\nsend = \"-1us\"\n").find("p.toml:3:"),
            std::string::npos);
}

TEST(Profile, a_protocol_latency_adds_to_the_path_or_contains_it) {
  Profile profile;
  Protocol protocol;
  protocol.latency_s = {0, 0, 5e-6};
  Route route;
  route.kind = LinkKind::network;
  route.latency_s = 2e-6;
  EXPECT_DOUBLE_EQ(message_latency_s(profile, protocol, route), 7e-6);
  profile.latency_includes_path = true;
  EXPECT_DOUBLE_EQ(message_latency_s(profile, protocol, route), 5e-6);
  route.latency_s = 9e-6;
  EXPECT_DOUBLE_EQ(message_latency_s(profile, protocol, route), 9e-6);
}

TEST(Profile, a_split_channel_keeps_what_it_does_not_change) {
  const Profile profile = read_profile_toml(
      "name = \"x\"\n[[protocol]]\nname = \"a\"\nreach = \"pcie\"\nchannel_cap = \"8GBps\"\n"
      "latency = { nvlink = \"1us\", network = \"3us\" }\n"
      "split = { latency = { network = \"5us\" } }\n",
      "p.toml");
  const Protocol& protocol = profile.protocols.at(0);
  EXPECT_EQ(protocol.reach, LinkKind::pcie);
  ASSERT_TRUE(protocol.split);
  EXPECT_EQ(protocol.split->latency_s, (std::array<double, 3>{1e-6, 0, 5e-6}));
  EXPECT_DOUBLE_EQ(protocol.split->channel_cap_bytes_per_s, 8e9);
}

RunSpec nccl_job(const char* topology, const char* algorithm, std::int64_t bytes) {
  RunSpec spec;
  spec.topology = topology;
  spec.algorithm = algorithm;
  spec.profile = "nccl";
  spec.bytes = bytes;
  return spec;
}

TEST(Profile, ll128_stays_within_a_node) {
  EXPECT_EQ(make_job(nccl_job("hgx-h100-8", "ring", 4 << 20)).protocol.name, "LL128");
  for (std::int64_t bytes = 1 << 10; bytes <= 1 << 30; bytes *= 4) {
    EXPECT_NE(make_job(nccl_job("dgx-h100:nodes=2", "ring", bytes)).protocol.name, "LL128");
  }
}

TEST(Profile, small_messages_use_fewer_channels_unless_told_how_many) {
  RunSpec spec = nccl_job("hgx-h100-8", "ring", 8 << 10);
  EXPECT_EQ(make_job(spec).world.params.integer("channels"), 2);
  spec.params["channels"] = "5";
  EXPECT_EQ(make_job(spec).world.params.integer("channels"), 5);
}

// NCCL 2.26, src/enqueue.cc: 4 nodes of 8 make a pipeline of 9 hops; 16 MiB in 16 channels are 16
// slices of 64 KiB each, as 8 of 128 KiB would be fewer than 4 for a hop.
TEST(Profile, a_tree_cuts_slices_by_the_depth_of_its_pipeline) {
  RunSpec spec = nccl_job("dgx-h100:nodes=4", "double-tree", 16 << 20);
  spec.protocol = "Simple";
  EXPECT_EQ(make_job(spec).world.params.bytes("slice_bytes"), 64 << 10);
}

}  // namespace
}  // namespace reducelab
