#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "observed.h"
#include "sim/scenario/scenario.h"

namespace reducelab {

/// A cable between two devices of a case.
struct CaseCable {
  int a = 0;
  int b = 0;
  double bytes_per_s = 1e9;
  double latency_s = 0;
  LinkKind kind = LinkKind::network;
  bool half_duplex = false;
};

/// One line of a case's program. All ranks go through the lines in order, each doing its part, in
/// the strand of the line's channel: whoever is first to be stuck waits for nobody's later line, so
/// no case can deadlock.
struct CaseLine {
  enum class Kind : std::uint8_t { message, copy, reduce, compute, fence };
  Kind kind = Kind::message;
  int rank = 0;   ///< the sender of a message
  int peer = -1;  ///< its receiver
  int channel = 0;
  std::int64_t elements = 1;
  std::int64_t offset = 0;         ///< read from there
  std::int64_t target_offset = 0;  ///< written there
  bool reduces = false;
  double cost_s = 0;
};

/// A random topology, program, profile and scenario.
struct Case {
  std::uint64_t seed = 0;
  int hosts = 0;     ///< devices 0 ... hosts - 1
  int switches = 0;  ///< the devices after them
  std::vector<CaseCable> cables;
  std::vector<int> hosts_of_ranks;  ///< rank -> host; several may share one
  int channels = 1;                 ///< strands of each rank
  bool unlike_ranks = false;        ///< no two ranks work at quite the same speed
  Profile profile;                  ///< with one protocol
  Scenario scenario;
  std::vector<CaseLine> lines;
};

/// All of it as text for a person.
std::string describe(const Case& described);

/// The job of a case; its programs are not those of an algorithm, but of `case_programs`.
Job case_job(const Case& source);
/// `source` must outlive what is made.
ProgramMaker case_programs(const Case& source, const Job& job);

/// Draws a case.
Case random_case(std::uint64_t seed);

}  // namespace reducelab
