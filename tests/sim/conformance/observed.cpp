#include "observed.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include "algorithms/execution/execution.h"
#include "core/error.h"
#include "sim/run/disturbances.h"
#include "sim/transport/timed_fabric.h"

namespace reducelab {
namespace {

constexpr std::uint64_t kStartTag = std::uint64_t{1} << 56;
constexpr std::uint64_t kDisturbanceTag = std::uint64_t{2} << 56;

class ObservedRun final : NetworkEvents, ExecutionObserver, Disturbances::Listener {
 public:
  ObservedRun(const Job& job, const ProgramMaker& make_program, const NetworkMaker& network)
      : job_(job),
        make_program_(make_program),
        network_(network(job, *this)),
        router_(job.topology),
        fabric_(job, router_, *network_),
        execution_(job.world,
                   {.window = job.profile.window, .eager_bytes = job.profile.eager_bytes}, fabric_),
        disturbances_(job, *network_, kDisturbanceTag, *this) {
    fabric_.attach(execution_);
    execution_.observe(*this);
    if (ExecutionObserver* participants = network_->participants()) {
      execution_.observe(*participants);
    }
  }

  Observed run() {
    for (std::uint64_t i = 0; i < job_.placement.size(); ++i) {
      network_->at(job_.scenario.arrival_s.empty() ? 0 : job_.scenario.arrival_s[i], kStartTag | i);
    }
    disturbances_.begin();
    network_->run();
    execution_.require_complete();
    observed_.time_s = fabric_.end_s();
    observed_.messages = execution_.messages();
    const auto& sent = execution_.bytes_sent();
    observed_.bytes = std::accumulate(sent.begin(), sent.end(), std::int64_t{0});
    observed_.steps = execution_.steps();
    return std::move(observed_);
  }

 private:
  void timer_fired(std::uint64_t token) override {
    if ((token & kTokenTagMask) == kDisturbanceTag) return disturbances_.timer_fired(token);
    if ((token & kTokenTagMask) == kStartTag) {
      const int participant = static_cast<int>(token & ~kTokenTagMask);
      ++programs_started_;
      execution_.start(participant,
                       make_program_(participant, execution_.scratch_counter(participant)));
    } else {
      fabric_.timer_fired(token);
    }
    stop_when_done();
  }
  void flow_finished(std::uint64_t token) override {
    if ((token & kTokenTagMask) == kDisturbanceTag) return disturbances_.flow_finished(token);
    fabric_.flow_finished(token);
    stop_when_done();
  }
  void stop_when_done() {
    if (programs_started_ == job_.placement.size() && execution_.done()) disturbances_.stop();
  }

  void message_started(MessageId, const Message& message) override {
    observed_.started.push_back({message.from, message.to,
                                 execution_.connection(message.connection).channel,
                                 message.count * job_.world.element_bytes, network_->now()});
  }

  void failure_detected(const ResolvedFailure&) override { throw run_error("a device failed"); }
  void links_given_up() override { throw run_error("links stayed down"); }

  const Job& job_;
  const ProgramMaker& make_program_;
  std::unique_ptr<Network> network_;
  Router router_;
  TimedFabric fabric_;
  Execution execution_;
  Disturbances disturbances_;
  std::size_t programs_started_ = 0;
  Observed observed_;
};

template <class T>
void put(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

template <class T>
T take(std::string_view& bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  bytes.remove_prefix(sizeof(T));
  return value;
}

std::string packed(const Observed& run) {
  std::string bytes;
  put(bytes, run.time_s);
  put(bytes, run.messages);
  put(bytes, run.bytes);
  put(bytes, run.steps);
  put(bytes, run.started.size());
  for (const StartedMessage& message : run.started) put(bytes, message);
  return bytes + run.failure;
}

Observed unpacked(std::string_view bytes) {
  Observed run;
  run.time_s = take<double>(bytes);
  run.messages = take<std::uint64_t>(bytes);
  run.bytes = take<std::int64_t>(bytes);
  run.steps = take<std::uint32_t>(bytes);
  run.started.resize(take<std::size_t>(bytes));
  for (StartedMessage& message : run.started) message = take<StartedMessage>(bytes);
  run.failure = bytes;
  return run;
}

void write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written <= 0) _exit(1);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string name(const StartedMessage& message) {
  return fmt::format("{} -> {} on channel {}, {} bytes", message.from, message.to, message.channel,
                     message.bytes);
}

bool agree(double a, double b, double tolerance) {
  constexpr double kClock_s = 1e-12;  // what rounding leaves of a clock that runs for seconds
  return std::abs(a - b) <= tolerance * std::max(a, b) + kClock_s;
}

using Connection = std::tuple<std::int32_t, std::int32_t, std::uint64_t>;

std::map<Connection, std::vector<const StartedMessage*>> by_connection(const Observed& run) {
  std::map<Connection, std::vector<const StartedMessage*>> result;
  for (const StartedMessage& message : run.started) {
    result[{message.from, message.to, message.channel}].push_back(&message);
  }
  return result;
}

std::optional<std::string> difference_of_order(const Observed& expected, const Observed& actual,
                                               double tolerance) {
  const auto actual_messages = by_connection(actual);
  std::map<Connection, std::size_t> seen;
  const StartedMessage* latest = nullptr;
  for (const StartedMessage& message : expected.started) {
    const Connection connection{message.from, message.to, message.channel};
    const std::size_t number = seen[connection]++;
    const auto found = actual_messages.find(connection);
    if (found == actual_messages.end() || found->second.size() <= number) {
      return fmt::format("message {} is missing", name(message));
    }
    const StartedMessage& other = *found->second[number];
    if (other.bytes != message.bytes) {
      return fmt::format("number {} of its connection is {}, not {}", number, name(other),
                         name(message));
    }
    if (!agree(message.start_s, other.start_s, tolerance)) {
      return fmt::format(
          "message {} (number {} of its connection) starts at {:.12g} s, not {:.12g}",
          name(message), number, other.start_s, message.start_s);
    }
    if (latest && other.start_s < latest->start_s &&
        !agree(other.start_s, latest->start_s, 2 * tolerance)) {
      return fmt::format("message {} starts before {}", name(other), name(*latest));
    }
    if (!latest || other.start_s > latest->start_s) latest = &other;
  }
  return std::nullopt;
}

}  // namespace

Observed observe(const Job& job, const ProgramMaker& make_program, const NetworkMaker& network) {
  try {
    return ObservedRun(job, make_program, network).run();
  } catch (const std::exception& error) {
    Observed failed;
    failed.failure = error.what();
    return failed;
  }
}

Observed observe_in_child(const Job& job, const ProgramMaker& make_program,
                          const NetworkMaker& network) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no child");
  if (child == 0) {
    close(ends[0]);
    write_all(ends[1], packed(observe(job, make_program, network)));
    _exit(0);
  }
  close(ends[1]);
  std::string bytes;
  char buffer[1 << 16];
  ssize_t count = 0;
  while ((count = read(ends[0], buffer, sizeof buffer)) > 0) {
    bytes.append(buffer, static_cast<std::size_t>(count));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return unpacked(bytes);
  Observed died;
  died.failure = fmt::format("the child died (status {:#x})", status);
  return died;
}

std::optional<std::string> difference(const Observed& expected, const Observed& actual,
                                      double tolerance) {
  if (expected.failure != actual.failure) {
    return fmt::format("failure \"{}\", not \"{}\"", actual.failure, expected.failure);
  }
  if (const auto order = difference_of_order(expected, actual, tolerance)) return order;
  if (expected.messages != actual.messages) {
    return fmt::format("{} messages, not {}", actual.messages, expected.messages);
  }
  if (expected.bytes != actual.bytes) {
    return fmt::format("{} bytes, not {}", actual.bytes, expected.bytes);
  }
  if (expected.steps != actual.steps) {
    return fmt::format("{} steps, not {}", actual.steps, expected.steps);
  }
  if (!agree(expected.time_s, actual.time_s, tolerance)) {
    return fmt::format("{:.12g} s, not {:.12g} ({:+.3g})", actual.time_s, expected.time_s,
                       actual.time_s / expected.time_s - 1);
  }
  return std::nullopt;
}

}  // namespace reducelab
