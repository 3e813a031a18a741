// Every algorithm on every kind of topology: both engines give the same run.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "observed.h"
#include "sim/flow/flow_network.h"
#include "sim/simgrid/simgrid_network.h"
#include "topologies.h"
#include "topologies/placement.h"

namespace reducelab {
namespace {

struct Variant {
  const char* profile;
  std::int64_t bytes;
  std::map<std::string, std::string> params;
  const char* placement = "block";
};

/// Sizes that do not divide evenly, and parameters that reach channels, slices and windows.
const std::vector<Variant>& variants() {
  static const std::vector<Variant> variants{
      {"ideal", 1'000'004, {}},
      {"ideal", 333'336, {{"channels", "3"}, {"slice_bytes", "8KiB"}}, "cyclic"},
      {"mpi-rdma", 100'000, {{"slice_bytes", "4KiB"}, {"segment_bytes", "3000"}}},
      {"mpi-rdma", 5'000, {{"servers", "2"}, {"order", "far-first"}, {"root", "1"}}, "cyclic"},
      {"nccl", 200'000, {{"inner", "double-tree"}, {"intra", "direct"}}},
      {"nccl", 2'000'000, {{"channels", "2"}, {"slice_bytes", "64KiB"}}},
  };
  return variants;
}

/// Those of the parameters that the algorithm knows.
std::map<std::string, std::string> known(const Algorithm& algorithm,
                                         const std::map<std::string, std::string>& params) {
  std::map<std::string, std::string> result;
  for (const ParamSpec& spec : algorithm.params) {
    const auto found = params.find(std::string(spec.name));
    if (found != params.end()) result.insert(*found);
  }
  return result;
}

class Conformance : public testing::TestWithParam<const Algorithm*> {};

std::vector<const Algorithm*> algorithms() {
  std::vector<const Algorithm*> result;
  for (const Algorithm& algorithm : all_algorithms()) result.push_back(&algorithm);
  return result;
}

INSTANTIATE_TEST_SUITE_P(Algorithms, Conformance, testing::ValuesIn(algorithms()),
                         [](const auto& instance) {
                           std::string name(instance.param->name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(Conformance, the_engines_agree_on_twelve_topologies) {
  const Algorithm& algorithm = *GetParam();
  int compared = 0;
  for (const ConformanceTopology& topology : conformance_topologies()) {
    for (const Variant& variant : variants()) {
      Job job;
      try {
        job = conformance_job(topology, algorithm, variant.profile, variant.bytes,
                              variant.placement, known(algorithm, variant.params));
      } catch (const Error&) {
        continue;  // the algorithm refuses this world, and says so
      }
      const ProgramMaker programs = [&](int participant, ScratchSizes* scratch) {
        return make_program(algorithm, job.world, participant, scratch);
      };
      const Observed simgrid = observe_in_child(job, programs, make_simgrid_network);
      const Observed flow = observe(job, programs, make_flow_network);
      const auto differs = difference(simgrid, flow);
      EXPECT_FALSE(differs.has_value())
          << algorithm.name << " on " << topology.name << ", profile " << variant.profile << ", "
          << variant.bytes << " bytes, placement " << variant.placement << ": flow gives "
          << *differs;
      ++compared;
    }
  }
  EXPECT_GE(compared, 24);
}

}  // namespace
}  // namespace reducelab
