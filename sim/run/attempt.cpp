#include "sim/run/attempt.h"

namespace reducelab {
namespace {

// A start's token; the fabric's have a smaller phase.
constexpr std::uint64_t kStart = std::uint64_t{0xff} << 32;
constexpr std::uint32_t kEverybody = kNone;

}  // namespace

Attempt::Attempt(const Job& job, Network& network, std::uint64_t token_tag, DataMode mode,
                 bool recorded)
    : job_(job),
      network_(network),
      token_tag_(token_tag),
      router_(job_.topology),
      fabric_(job_, router_, network, token_tag),
      execution_(job_.world,
                 {.window = job_.profile.window, .eager_bytes = job_.profile.eager_bytes}, fabric_),
      data_(make_data_plane(job_, mode)) {
  fabric_.attach(execution_);
  if (ExecutionObserver* participants = network.participants()) execution_.observe(*participants);
  if (data_) execution_.observe(*data_);
  if (recorded) execution_.observe(recorder_.emplace(job_, execution_, fabric_, network));
}

void Attempt::begin(double at_s) {
  begin_s_ = at_s;
  start_s_ = at_s + job_.protocol.floor_s;
  const std::vector<double>& arrival_s = job_.scenario.arrival_s;
  if (arrival_s.empty()) {
    network_.at(start_s_, token_tag_ | kStart | kEverybody);
    return;
  }
  for (std::uint32_t i = 0; i < job_.placement.size(); ++i) {
    network_.at(start_s_ + arrival_s[i], token_tag_ | kStart | i);
  }
}

void Attempt::start(int participant) {
  ++started_;
  execution_.start(participant, make_program(*job_.algorithm, job_.world, participant,
                                             execution_.scratch_counter(participant)));
}

void Attempt::timer_fired(std::uint64_t token) {
  if ((token & kStart) != kStart) return fabric_.timer_fired(token);
  const auto who = static_cast<std::uint32_t>(token);
  if (who != kEverybody) return start(static_cast<int>(who));
  for (int id = 0; id < static_cast<int>(job_.placement.size()); ++id) start(id);
}

}  // namespace reducelab
