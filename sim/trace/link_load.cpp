#include "sim/trace/link_load.h"

#include <algorithm>

namespace reducelab {
namespace {

struct Change {
  double time_s;
  double load;  ///< added from then on
  int flows;    ///< likewise
};

}  // namespace

LinkLoads::LinkLoads(const Trace& trace) : trace_(trace) {
  const std::size_t links = trace.links.size();
  first_.assign(links + 1, 0);
  std::vector<double> payload(links, 0);
  const auto for_each_use = [&trace](auto&& use) {
    for (std::uint32_t i = 0; i < trace.messages.size(); ++i) {
      const TraceMessage& message = trace.messages[i];
      if (message.route >= trace.routes.size()) continue;
      for (const LinkId link : trace.routes[message.route]) use(static_cast<std::size_t>(link), i);
    }
  };
  for_each_use([&](std::size_t link, std::uint32_t i) {
    ++first_[link + 1];
    payload[link] += static_cast<double>(trace.messages[i].bytes);
  });
  for (std::size_t link = 0; link < links; ++link) first_[link + 1] += first_[link];
  messages_.resize(first_[links]);
  std::vector<std::size_t> next = first_;
  for_each_use([&](std::size_t link, std::uint32_t i) { messages_[next[link]++] = i; });
  wire_per_payload_.assign(links, 1);
  for (std::size_t link = 0; link < links; ++link) {
    if (payload[link] > 0) wire_per_payload_[link] = trace.link_bytes[link] / payload[link];
  }
}

std::vector<LoadStep> LinkLoads::of(LinkId id) const {
  const auto link = static_cast<std::size_t>(id);
  std::vector<Change> changes;
  changes.reserve(2 * (first_[link + 1] - first_[link]));
  for (std::size_t i = first_[link]; i < first_[link + 1]; ++i) {
    const TraceMessage& message = trace_.messages[messages_[i]];
    const double begin_s = message.timing.overhead_end_s;
    const double end_s = message.timing.sent_s;
    if (!(end_s > begin_s)) continue;
    const double wire_bytes = static_cast<double>(message.bytes) * wire_per_payload_[link];
    const double load = wire_bytes / ((end_s - begin_s) * trace_.links[link].bandwidth_bytes_per_s);
    changes.push_back({begin_s, load, 1});
    changes.push_back({end_s, -load, -1});
  }
  std::ranges::sort(changes, {}, &Change::time_s);

  std::vector<LoadStep> steps;
  double load = 0;
  int flows = 0;
  for (std::size_t i = 0; i < changes.size();) {
    const double time_s = changes[i].time_s;
    for (; i < changes.size() && changes[i].time_s == time_s; ++i) {
      load += changes[i].load;
      flows += changes[i].flows;
    }
    if (flows == 0) load = 0;  // and not what rounding left over
    const double shown = std::clamp(load, 0.0, 1.0);
    if (shown != (steps.empty() ? 0 : steps.back().load)) steps.push_back({time_s, shown});
  }
  return steps;
}

}  // namespace reducelab
