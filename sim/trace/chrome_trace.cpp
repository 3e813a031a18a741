#include "sim/trace/chrome_trace.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <queue>
#include <string_view>
#include <unordered_map>

#include "core/error.h"
#include "sim/trace/link_load.h"

namespace reducelab {
namespace {

/// Whole picoseconds: spans that touch in the run touch in the file, whatever rounding does.
struct Picoseconds {
  std::int64_t count = 0;
};

Picoseconds picoseconds(double seconds) {
  return {std::llround(seconds * 1e12)};
}

struct Span {
  std::int64_t begin_ps = 0;
  std::int64_t end_ps = 0;
  std::uint32_t record = 0;  ///< index into the messages or locals of the trace
  bool local = false;
  std::uint32_t lane = 0;
};

/// Sorts the spans by time, puts each in the lowest lane that is free then, and gives the number of
/// lanes: viewers draw overlapping spans of one thread wrongly.
std::uint32_t assign_lanes(std::vector<Span>& spans) {
  std::stable_sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
    return a.begin_ps != b.begin_ps ? a.begin_ps < b.begin_ps : a.end_ps < b.end_ps;
  });
  using Busy = std::pair<std::int64_t, std::uint32_t>;  // until when, which lane
  std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free;
  std::uint32_t lanes = 0;
  for (Span& span : spans) {
    for (; !busy.empty() && busy.top().first <= span.begin_ps; busy.pop()) {
      free.push(busy.top().second);
    }
    if (free.empty()) free.push(lanes++);
    span.lane = free.top();
    free.pop();
    busy.emplace(span.end_ps, span.lane);
  }
  return lanes;
}

/// The inside of a JSON string.
std::string escaped(const std::string& text) {
  using Json = nlohmann::json;
  const std::string quoted = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  return quoted.substr(1, quoted.size() - 2);
}

}  // namespace
}  // namespace reducelab

/// Microseconds with all six digits after the point.
template <>
struct fmt::formatter<reducelab::Picoseconds> {
  constexpr auto parse(format_parse_context& context) { return context.begin(); }
  template <class Context>
  auto format(reducelab::Picoseconds time, Context& context) const {
    constexpr std::int64_t kPerMicrosecond = 1'000'000;
    return fmt::format_to(context.out(), FMT_COMPILE("{}.{:06}"), time.count / kPerMicrosecond,
                          time.count % kPerMicrosecond);
  }
};

namespace reducelab {
namespace {

class ChromeWriter {
 public:
  explicit ChromeWriter(const Trace& trace);
  std::string write();

 private:
  /// Record indices of one participant.
  using Indices = std::vector<std::uint32_t>;

  void number_channels();
  void write_participant(int id);
  void write_channel(int id, std::uint32_t channel, std::vector<Span>& sends,
                     std::vector<Span>& recvs);
  void write_links();
  void begin_process(int pid, std::string_view name);

  /// Opens a thread per lane of `spans` and calls `write(span, tid)` for each span in time order.
  template <class Write>
  void write_lanes(int pid, std::string_view name, std::vector<Span>& spans, Write write);
  void write_send(const Span& span, int pid, std::uint32_t tid);
  void write_recv(const Span& span, int pid, std::uint32_t tid);
  void write_wait(const Span& span, int pid, std::uint32_t tid);
  void write_work(const Span& span, int pid, std::uint32_t tid);

  template <class Format, class... Args>
  void event(const Format& format, const Args&... args) {
    out_ += first_ ? "\n" : ",\n";
    first_ = false;
    fmt::format_to(std::back_inserter(out_), format, args...);
  }

  const std::string& name(int participant) const {
    return names_[static_cast<std::size_t>(participant)];
  }

  const Trace& trace_;
  std::vector<std::string> names_;               ///< escaped
  std::vector<std::uint32_t> channel_;           ///< message -> channel in order of appearance
  std::vector<Indices> sends_, recvs_, locals_;  ///< by participant
  std::uint32_t next_tid_;
  std::string out_;
  bool first_ = true;
};

// Thread numbers are unique over the whole file and above all process numbers, so that no viewer
// can mix up lanes of two processes, or take a lane for the main thread of its process.
ChromeWriter::ChromeWriter(const Trace& trace)
    : trace_(trace),
      sends_(trace.participants.size()),
      recvs_(trace.participants.size()),
      locals_(trace.participants.size()),
      next_tid_(static_cast<std::uint32_t>(trace.participants.size()) + 2) {
  constexpr double kMost_s = 9e6;
  if (!(trace.end_s < kMost_s)) {
    throw Error(ErrorCode::unsupported,
                fmt::format("a run of {:.3g} s is too long for a Chrome trace (at most {:.0f} s)",
                            trace.end_s, kMost_s));
  }
  for (const std::string& participant : trace.participants) names_.push_back(escaped(participant));
  number_channels();
  for (std::uint32_t i = 0; i < trace.messages.size(); ++i) {
    sends_[static_cast<std::size_t>(trace.messages[i].from)].push_back(i);
    recvs_[static_cast<std::size_t>(trace.messages[i].to)].push_back(i);
  }
  for (std::uint32_t i = 0; i < trace.locals.size(); ++i) {
    locals_[static_cast<std::size_t>(trace.locals[i].participant)].push_back(i);
  }
}

void ChromeWriter::number_channels() {
  std::unordered_map<std::uint64_t, std::uint32_t> numbers;
  channel_.reserve(trace_.messages.size());
  for (const TraceMessage& message : trace_.messages) {
    const auto number = static_cast<std::uint32_t>(numbers.size());
    channel_.push_back(numbers.try_emplace(message.channel, number).first->second);
  }
}

std::string ChromeWriter::write() {
  constexpr std::size_t kPerMessage = 1152, kPerLocal = 160;  // seen, rounded up
  out_.reserve(4096 + trace_.messages.size() * kPerMessage + trace_.locals.size() * kPerLocal);
  out_ += R"({"displayTimeUnit":"ns","traceEvents":[)";
  for (int id = 0; id < static_cast<int>(names_.size()); ++id) write_participant(id);
  write_links();
  fmt::format_to(std::back_inserter(out_),
                 R"(
],"otherData":{{"participants":{},"messages":{},"local_operations":{},"start_us":{},"end_us":{}}}}}
)",
                 trace_.participants.size(), trace_.messages.size(), trace_.locals.size(),
                 picoseconds(trace_.floor_s), picoseconds(trace_.end_s));
  return std::move(out_);
}

void ChromeWriter::begin_process(int pid, std::string_view name) {
  event(FMT_COMPILE(R"({{"ph":"M","pid":{},"name":"process_name","args":{{"name":"{}"}}}})"), pid,
        name);
  event(FMT_COMPILE(
            R"({{"ph":"M","pid":{},"name":"process_sort_index","args":{{"sort_index":{}}}}})"),
        pid, pid);
}

template <class Write>
void ChromeWriter::write_lanes(int pid, std::string_view name, std::vector<Span>& spans,
                               Write write) {
  const std::uint32_t lanes = assign_lanes(spans);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const std::uint32_t tid = next_tid_ + lane;
    const std::string suffix = lane == 0 ? std::string() : fmt::format(" ({})", lane + 1);
    event(FMT_COMPILE(
              R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":"{}{}"}}}})"),
          pid, tid, name, suffix);
    event(
        FMT_COMPILE(
            R"({{"ph":"M","pid":{},"tid":{},"name":"thread_sort_index","args":{{"sort_index":{}}}}})"),
        pid, tid, tid);
  }
  for (const Span& span : spans) write(span, next_tid_ + span.lane);
  next_tid_ += lanes;
}

void ChromeWriter::write_participant(int id) {
  const int pid = id + 1;
  begin_process(pid, name(id));

  struct Channel {
    std::vector<Span> sends, recvs;
  };
  std::vector<std::pair<std::uint32_t, Channel>> channels;  // few per participant
  std::unordered_map<std::uint32_t, std::size_t> place;
  const auto channel = [&](std::uint32_t message) -> Channel& {
    const auto [found, is_new] = place.try_emplace(channel_[message], channels.size());
    if (is_new) channels.push_back({channel_[message], {}});
    return channels[found->second].second;
  };
  std::vector<Span> reduces, copies, computes;
  for (const std::uint32_t i : sends_[static_cast<std::size_t>(id)]) {
    const MessageTiming& timing = trace_.messages[i].timing;
    channel(i).sends.push_back(
        {picoseconds(timing.started_s).count, picoseconds(timing.sent_s).count, i});
  }
  for (const std::uint32_t i : recvs_[static_cast<std::size_t>(id)]) {
    const MessageTiming& timing = trace_.messages[i].timing;
    channel(i).recvs.push_back(
        {picoseconds(timing.overhead_end_s).count, picoseconds(timing.arrived_s).count, i});
    if (!trace_.messages[i].reduces) continue;
    reduces.push_back(
        {picoseconds(timing.reduce_begin_s).count, picoseconds(timing.reduce_end_s).count, i});
  }
  for (const std::uint32_t i : locals_[static_cast<std::size_t>(id)]) {
    const TraceLocal& local = trace_.locals[i];
    std::vector<Span>& spans = local.kind == OpKind::reduce ? reduces
                               : local.kind == OpKind::copy ? copies
                                                            : computes;
    spans.push_back(
        {picoseconds(local.timing.begin_s).count, picoseconds(local.timing.end_s).count, i, true});
  }

  std::ranges::sort(channels, {}, &std::pair<std::uint32_t, Channel>::first);
  for (auto& [number, spans] : channels) write_channel(id, number, spans.sends, spans.recvs);
  const auto write = [&](const Span& span, std::uint32_t tid) { write_work(span, pid, tid); };
  write_lanes(pid, "reduce", reduces, write);
  write_lanes(pid, "copy", copies, write);
  write_lanes(pid, "compute", computes, write);
}

void ChromeWriter::write_channel(int id, std::uint32_t channel, std::vector<Span>& sends,
                                 std::vector<Span>& recvs) {
  const int pid = id + 1;
  write_lanes(pid, fmt::format("send {}", channel), sends,
              [&](const Span& span, std::uint32_t tid) { write_send(span, pid, tid); });

  // A receive waits from when it is posted and its lane is idle until its bytes begin to move.
  std::vector<Span> waits;
  std::vector<std::int64_t> idle_since_ps;
  write_lanes(pid, fmt::format("recv {}", channel), recvs,
              [&](const Span& span, std::uint32_t tid) {
                write_recv(span, pid, tid);
                if (idle_since_ps.size() <= span.lane) idle_since_ps.resize(span.lane + 1, 0);
                std::int64_t& idle_ps = idle_since_ps[span.lane];
                const std::int64_t posted_ps =
                    picoseconds(trace_.messages[span.record].recv_posted_s).count;
                const std::int64_t begin_ps = std::max(posted_ps, idle_ps);
                if (begin_ps < span.begin_ps)
                  waits.push_back({begin_ps, span.begin_ps, span.record});
                idle_ps = span.end_ps;
              });
  write_lanes(pid, fmt::format("wait {}", channel), waits,
              [&](const Span& span, std::uint32_t tid) { write_wait(span, pid, tid); });
}

/// Where an arrow touches a span: inside, so that it cannot be taken for a neighbour's.
Picoseconds middle(const Span& span) {
  return {span.begin_ps + (span.end_ps - span.begin_ps) / 2};
}

void ChromeWriter::write_send(const Span& span, int pid, std::uint32_t tid) {
  const TraceMessage& message = trace_.messages[span.record];
  const MessageTiming& timing = message.timing;
  const double overhead_s =
      std::max(0.0, timing.overhead_end_s - timing.started_s - timing.handshake_s);
  event(FMT_COMPILE(R"({{"ph":"X","cat":"send","pid":{},"tid":{},"ts":{},"dur":{},)"
                    R"("name":"send to {}","args":{{"message":{},"bytes":{},"to":"{}",)"
                    R"("overhead_us":{},"handshake_us":{},"bytes_us":{}}}}})"),
        pid, tid, Picoseconds{span.begin_ps}, Picoseconds{span.end_ps - span.begin_ps},
        name(message.to), span.record + 1, message.bytes, name(message.to), picoseconds(overhead_s),
        picoseconds(timing.handshake_s), picoseconds(timing.sent_s - timing.overhead_end_s));
  event(FMT_COMPILE(R"({{"ph":"s","cat":"message","name":"message","id":{},"pid":{},"tid":{},)"
                    R"("ts":{}}})"),
        span.record + 1, pid, tid, middle(span));
}

void ChromeWriter::write_recv(const Span& span, int pid, std::uint32_t tid) {
  const TraceMessage& message = trace_.messages[span.record];
  event(FMT_COMPILE(R"({{"ph":"X","cat":"recv","pid":{},"tid":{},"ts":{},"dur":{},)"
                    R"("name":"receive from {}","args":{{"message":{},"bytes":{},"from":"{}"}}}})"),
        pid, tid, Picoseconds{span.begin_ps}, Picoseconds{span.end_ps - span.begin_ps},
        name(message.from), span.record + 1, message.bytes, name(message.from));
  event(FMT_COMPILE(R"({{"ph":"f","bp":"e","cat":"message","name":"message","id":{},"pid":{},)"
                    R"("tid":{},"ts":{}}})"),
        span.record + 1, pid, tid, middle(span));
}

void ChromeWriter::write_wait(const Span& span, int pid, std::uint32_t tid) {
  const TraceMessage& message = trace_.messages[span.record];
  event(FMT_COMPILE(R"({{"ph":"X","cat":"wait","pid":{},"tid":{},"ts":{},"dur":{},)"
                    R"("name":"wait for {}","args":{{"message":{}}}}})"),
        pid, tid, Picoseconds{span.begin_ps}, Picoseconds{span.end_ps - span.begin_ps},
        name(message.from), span.record + 1);
}

/// A reduction of a message, or a local operation.
void ChromeWriter::write_work(const Span& span, int pid, std::uint32_t tid) {
  const std::string_view what =
      span.local ? name_of(trace_.locals[span.record].kind) : std::string_view("reduce");
  const std::int64_t bytes =
      span.local ? trace_.locals[span.record].bytes : trace_.messages[span.record].bytes;
  event(FMT_COMPILE(R"({{"ph":"X","cat":"{}","pid":{},"tid":{},"ts":{},"dur":{},"name":"{}",)"
                    R"("args":{{"bytes":{})"),
        what, pid, tid, Picoseconds{span.begin_ps}, Picoseconds{span.end_ps - span.begin_ps}, what,
        bytes);
  if (!span.local) fmt::format_to(std::back_inserter(out_), R"(,"message":{})", span.record + 1);
  out_ += "}}";
}

void ChromeWriter::write_links() {
  const int pid = static_cast<int>(names_.size()) + 1;
  const LinkLoads loads(trace_);
  bool opened = false;
  for (LinkId link = 0; link < static_cast<LinkId>(trace_.links.size()); ++link) {
    const std::vector<LoadStep> steps = loads.of(link);
    if (steps.empty()) continue;
    if (!opened) begin_process(pid, "links: load in %");
    opened = true;
    const std::string label = escaped(trace_.links[static_cast<std::size_t>(link)].name);
    // Steps closer than the resolution of the file become one, the last of them.
    const auto step = [&](Picoseconds time, double load) {
      event(FMT_COMPILE(R"({{"ph":"C","pid":{},"ts":{},"name":"{}","args":{{"load":{:.3f}}}}})"),
            pid, time, label, load * 100);
    };
    if (picoseconds(steps.front().time_s).count > 0) step({0}, 0);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Picoseconds time = picoseconds(steps[i].time_s);
      if (i + 1 < steps.size() && picoseconds(steps[i + 1].time_s).count == time.count) continue;
      step(time, steps[i].load);
    }
  }
}

}  // namespace

std::string chrome_trace(const Trace& trace) {
  return ChromeWriter(trace).write();
}

}  // namespace reducelab
