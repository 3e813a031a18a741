#include "sim/transport/profile.h"

#include <gtest/gtest.h>

#include "core/error.h"

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

}  // namespace
}  // namespace reducelab
