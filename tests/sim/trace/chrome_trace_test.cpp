#include "sim/trace/chrome_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <locale>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "core/error.h"
#include "tests/sim/trace/built_trace.h"

namespace reducelab {
namespace {

using nlohmann::json;
using test::BuiltTrace;
using test::Phases;
using testing::ElementsAre;
constexpr double us = test::kMicrosecond;

using Thread = std::pair<int, int>;  // pid, tid

std::int64_t ps(const json& microseconds) {
  return std::llround(microseconds.get<double>() * 1e6);
}

struct DrawnSpan {
  std::string process, thread, name;
  std::int64_t begin_ps = 0, end_ps = 0;
  bool operator==(const DrawnSpan&) const = default;
};
void PrintTo(const DrawnSpan& span, std::ostream* out) {
  *out << span.process << " | " << span.thread << " | " << span.name << " | " << span.begin_ps
       << ".." << span.end_ps;
}

/// The file as a viewer takes it in.
struct Drawing {
  std::map<int, std::string> processes;
  std::map<Thread, std::string> threads;
  std::map<Thread, std::vector<json>> spans;
  std::map<std::uint64_t, json> starts, finishes;
  std::map<std::string, std::vector<std::pair<std::int64_t, double>>> counters;
  std::set<int> sorted_processes;
  std::set<Thread> sorted_threads;

  explicit Drawing(const Trace& trace) {
    const json file = json::parse(chrome_trace(trace));
    EXPECT_EQ(file.at("displayTimeUnit"), "ns");
    EXPECT_EQ(file.at("otherData").at("messages"), trace.messages.size());
    for (const json& event : file.at("traceEvents")) take(event);
  }

  std::vector<DrawnSpan> all() const {
    std::vector<DrawnSpan> result;
    for (const auto& [thread, events] : spans) {
      for (const json& event : events) {
        result.push_back({processes.at(thread.first), threads.at(thread), event.at("name"),
                          ps(event.at("ts")), ps(event.at("ts")) + ps(event.at("dur"))});
      }
    }
    return result;
  }

  std::vector<std::string> thread_names() const {
    std::vector<std::string> names;
    for (const auto& [thread, name] : threads) names.push_back(name);
    return names;
  }

 private:
  void take(const json& event) {
    const std::string phase = event.at("ph");
    const int pid = event.at("pid");
    const auto thread = [&] { return Thread{pid, event.at("tid")}; };
    if (phase == "M") {
      const std::string what = event.at("name");
      const json& args = event.at("args");
      if (what == "process_name") processes[pid] = args.at("name");
      if (what == "process_sort_index") sorted_processes.insert(pid);
      if (what == "thread_name") threads[thread()] = args.at("name");
      if (what == "thread_sort_index") sorted_threads.insert(thread());
    } else if (phase == "X") {
      spans[thread()].push_back(event);
    } else if (phase == "s") {
      EXPECT_TRUE(starts.emplace(event.at("id"), event).second);
    } else if (phase == "f") {
      EXPECT_EQ(event.at("bp"), "e");
      EXPECT_TRUE(finishes.emplace(event.at("id"), event).second);
    } else if (phase == "C") {
      EXPECT_TRUE(processes.contains(pid));
      counters[event.at("name")].emplace_back(ps(event.at("ts")), event.at("args").at("load"));
    } else {
      ADD_FAILURE() << "unknown event " << event;
    }
  }
};

/// True if one span of the arrow's thread, of the right message, holds the arrow's end.
bool held(const Drawing& drawing, const json& arrow, const char* category) {
  const std::int64_t at = ps(arrow.at("ts"));
  for (const json& span : drawing.spans.at({arrow.at("pid"), arrow.at("tid")})) {
    if (span.at("args").at("message") != arrow.at("id")) continue;
    const std::int64_t begin = ps(span.at("ts"));
    return span.at("cat") == category && begin <= at && at <= begin + ps(span.at("dur"));
  }
  return false;
}

void expect_drawable(const Trace& trace) {
  const Drawing drawing(trace);
  const std::int64_t end_ps = std::llround(trace.end_s * 1e12);
  for (const auto& [thread, events] : drawing.spans) {
    EXPECT_TRUE(drawing.processes.contains(thread.first));
    EXPECT_TRUE(drawing.threads.contains(thread));
    std::vector<std::pair<std::int64_t, std::int64_t>> times;
    for (const json& event : events) {
      const std::int64_t begin = ps(event.at("ts"));
      const std::int64_t length = ps(event.at("dur"));
      EXPECT_GE(begin, 0);
      EXPECT_GE(length, 0);
      EXPECT_LE(begin + length, end_ps);
      times.emplace_back(begin, begin + length);
    }
    std::ranges::sort(times);
    for (std::size_t i = 1; i < times.size(); ++i) EXPECT_LE(times[i - 1].second, times[i].first);
  }
  for (const auto& [thread, name] : drawing.threads) {
    EXPECT_TRUE(drawing.processes.contains(thread.first));
    EXPECT_TRUE(drawing.sorted_threads.contains(thread));
  }
  for (const auto& [pid, name] : drawing.processes) {
    EXPECT_TRUE(drawing.sorted_processes.contains(pid));
  }
  EXPECT_EQ(drawing.starts.size(), trace.messages.size());
  EXPECT_EQ(drawing.finishes.size(), trace.messages.size());
  for (const auto& [id, start] : drawing.starts) {
    const json& finish = drawing.finishes.at(id);
    EXPECT_EQ(start.at("cat"), finish.at("cat"));
    EXPECT_EQ(start.at("name"), finish.at("name"));
    EXPECT_LE(ps(start.at("ts")), ps(finish.at("ts")));
    EXPECT_TRUE(held(drawing, start, "send")) << start;
    EXPECT_TRUE(held(drawing, finish, "recv")) << finish;
  }
  for (const auto& [link, values] : drawing.counters) {
    EXPECT_EQ(values.front().first, 0);
    EXPECT_EQ(values.back().second, 0);
    for (std::size_t i = 1; i < values.size(); ++i) {
      EXPECT_LT(values[i - 1].first, values[i].first);
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_LE(values[i].first, end_ps);
      EXPECT_GE(values[i].second, 0);
      EXPECT_LE(values[i].second, 100);
    }
  }
}

TEST(ChromeTrace, MessageIsASendAReceiveAWaitAndAReduction) {
  BuiltTrace built(2, 0, 1e9);
  built.message(0, 1, 1000,
                {.send_overhead_s = 1 * us,
                 .handshake_s = 2 * us,
                 .full_rate_s = 4 * us,
                 .latency_s = 0.5 * us,
                 .receive_overhead_s = 0.25 * us,
                 .reduce_queue_s = 1 * us,
                 .reduce_s = 3 * us});
  expect_drawable(built.trace);
  const Drawing drawing(built.trace);
  EXPECT_THAT(
      drawing.all(),
      ElementsAre(DrawnSpan{"rank 0", "send 0", "send to rank 1", 0, 7'000'000},
                  DrawnSpan{"rank 1", "recv 0", "receive from rank 0", 3'000'000, 7'750'000},
                  DrawnSpan{"rank 1", "wait 0", "wait for rank 0", 0, 3'000'000},
                  DrawnSpan{"rank 1", "reduce", "reduce", 8'750'000, 11'750'000}));
  const json args = drawing.spans.begin()->second.front().at("args");
  EXPECT_EQ(args.at("bytes"), 1000);
  EXPECT_EQ(args.at("to"), "rank 1");
  EXPECT_EQ(args.at("overhead_us"), 1);
  EXPECT_EQ(args.at("handshake_us"), 2);
  EXPECT_EQ(args.at("bytes_us"), 4);
  ASSERT_EQ(drawing.counters.size(), 2U);
  EXPECT_THAT(
      drawing.counters.at("up 0"),
      ElementsAre(std::pair(0, 0.0), std::pair(3'000'000, 25.0), std::pair(7'000'000, 0.0)));
}

TEST(ChromeTrace, OverlappingSpansGetLanesOfTheirOwnAndTouchingOnesShareOne) {
  BuiltTrace built(4);
  built.message(0, 1, 1, {.full_rate_s = 4 * us});
  built.message(0, 2, 1, {.full_rate_s = 2 * us});
  const OpSerial second = built.operations() - 1;
  built.message(0, 3, 1, {.full_rate_s = 1 * us}, second);
  expect_drawable(built.trace);
  std::map<std::string, std::vector<std::string>> sends;
  for (const DrawnSpan& span : Drawing(built.trace).all()) {
    if (span.process == "rank 0") sends[span.thread].push_back(span.name);
  }
  ASSERT_EQ(sends.size(), 2U);
  EXPECT_THAT(sends["send 0"], ElementsAre("send to rank 2", "send to rank 3"));
  EXPECT_THAT(sends["send 0 (2)"], ElementsAre("send to rank 1"));
}

TEST(ChromeTrace, ReceiveWaitsFromItsPostingOrTheEndOfTheOneBefore) {
  BuiltTrace built(2);
  const OpSerial first = built.message(0, 1, 1, {.full_rate_s = 2 * us}).send;
  const OpSerial idle = built.local(0, OpKind::compute, 0, 0, 3 * us, first);
  const OpSerial third = built.message(0, 1, 1, {.full_rate_s = 1 * us}, idle).send;  // 5..6 us
  built.message(0, 1, 1, {.send_overhead_s = 2 * us, .full_rate_s = 1 * us}, third);  // 8..9 us
  built.trace.messages[2].recv_posted_s = 7 * us;
  expect_drawable(built.trace);
  std::vector<std::pair<std::int64_t, std::int64_t>> waits;
  for (const DrawnSpan& span : Drawing(built.trace).all()) {
    if (span.thread == "wait 0") waits.emplace_back(span.begin_ps, span.end_ps);
  }
  EXPECT_THAT(waits, ElementsAre(std::pair(2'000'000, 5'000'000), std::pair(7'000'000, 8'000'000)));
}

TEST(ChromeTrace, ChannelsAreNumberedInOrderOfAppearance) {
  BuiltTrace built(2);
  built.message(0, 1, 1, {}, 0, 0, 1ULL << 60);
  built.message(0, 1, 1, {}, 0, 0, 7);
  built.message(0, 1, 1, {}, 2, 0, 1ULL << 60);
  expect_drawable(built.trace);
  EXPECT_THAT(Drawing(built.trace).thread_names(),
              ElementsAre("send 0", "send 1", "recv 0", "recv 1"));
}

TEST(ChromeTrace, LocalOperationsHaveLanesByKind) {
  BuiltTrace built(1);
  built.local(0, OpKind::copy, 64, 0, 1 * us);
  built.local(0, OpKind::reduce, 64, 0, 2 * us);
  built.local(0, OpKind::reduce, 64, 1 * us, 2 * us);
  built.local(0, OpKind::compute, 0, 0, 5 * us);
  expect_drawable(built.trace);
  EXPECT_THAT(Drawing(built.trace).thread_names(),
              ElementsAre("reduce", "reduce (2)", "copy", "compute"));
}

TEST(ChromeTrace, EmptyTraceIsAValidFileWithItsParticipants) {
  expect_drawable(Trace{});
  const BuiltTrace built(3, 6 * us);
  expect_drawable(built.trace);
  EXPECT_EQ(Drawing(built.trace).processes.size(), 3U);
}

TEST(ChromeTrace, SpansOfNoLengthAreDrawnWithTheirArrows) {
  BuiltTrace built(2);
  OpSerial last = 0;
  for (int i = 0; i < 3; ++i) last = built.message(0, 1, 0, {.full_rate_s = 0}, last).recv;
  built.local(0, OpKind::copy, 0, 0, 0, last);
  expect_drawable(built.trace);
  EXPECT_THAT(Drawing(built.trace).thread_names(), ElementsAre("send 0", "copy", "recv 0"));
}

TEST(ChromeTrace, TimesKeepTheirPicosecondsAfterASecond) {
  BuiltTrace built(2, 1 + 3e-12);
  built.message(0, 1, 1, {.full_rate_s = 2e-12});
  const std::string text = chrome_trace(built.trace);
  EXPECT_THAT(text, testing::HasSubstr(R"("ts":1000000.000003,"dur":0.000002,)"));
}

TEST(ChromeTrace, NamesThatNeedEscapesSurvive) {
  BuiltTrace built(2);
  built.trace.participants[1] = "rank \"1\"\\\n";
  built.trace.links[0].name = "a\"b";
  built.message(0, 1, 1000, {});
  expect_drawable(built.trace);
  const Drawing drawing(built.trace);
  EXPECT_EQ(drawing.processes.at(2), "rank \"1\"\\\n");
  EXPECT_TRUE(drawing.counters.contains("a\"b"));
}

TEST(ChromeTrace, NumbersDoNotFollowTheLocale) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  BuiltTrace built(2, 1);
  built.message(0, 1, 123456, {.full_rate_s = 1234.5});
  const std::string text = chrome_trace(built.trace);
  const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
  const std::string again = chrome_trace(built.trace);
  std::locale::global(before);
  EXPECT_EQ(text, again);
  EXPECT_THAT(text, testing::HasSubstr(R"("dur":1234500000.000000)"));
}

TEST(ChromeTrace, RunTooLongForPicosecondsIsRefused) {
  const BuiltTrace built(1, 1e7);
  EXPECT_THROW(chrome_trace(built.trace), Error);
}

TEST(ChromeTrace, RandomRunsAreDrawable) {
  std::mt19937 random(11);
  const auto below = [&](int limit) { return static_cast<int>(random() % limit); };
  // Odd fractions of a picosecond, so that rounding has something to break.
  const auto time_s = [&] { return below(3) == 0 ? 0.0 : below(3000) * 0.37e-12; };
  for (int run = 0; run < 60; ++run) {
    BuiltTrace built(4, time_s(), 1e12);
    for (int i = 0; i < 80; ++i) {
      const auto made = static_cast<int>(built.operations());
      const auto cause = static_cast<OpSerial>(below(made + 1));
      if (below(4) == 0) {
        const OpKind kind = below(2) == 0 ? OpKind::copy : OpKind::reduce;
        built.local(below(4), kind, 100, time_s(), time_s(), cause);
        continue;
      }
      const Phases phases{time_s(), time_s(), time_s(), time_s(), time_s(), time_s(),
                          time_s(), time_s(), 0,        time_s(), time_s()};
      const auto channel = static_cast<std::uint64_t>(below(3));
      built.message(below(4), below(4), 100, phases, cause, 0, channel);
      built.trace.messages.back().recv_posted_s += time_s();
    }
    expect_drawable(built.trace);
  }
}

}  // namespace
}  // namespace reducelab
