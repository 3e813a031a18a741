#include "sim/flow/flow_network.h"

#include <limits>

#include "sim/flow/event_queue.h"
#include "sim/flow/sharing.h"

namespace reducelab {
namespace {

class FlowNetwork final : public Network {
 public:
  FlowNetwork(const Job& job, NetworkEvents& events)
      : events_(events), sharing_(job.topology.links()) {}

  double now() const override { return now_s_; }

  void at(double time_s, std::uint64_t token) override { queue_.push(time_s, {token, kTimer}); }

  PathId open_path(DeviceId, DeviceId, const Route& route, double cap_bytes_per_s) override {
    return sharing_.open_path(route.links, cap_bytes_per_s);
  }

  void start_flow(PathId path, double wire_bytes, std::uint64_t token) override {
    const FlowId id = sharing_.start(path);
    Flow& flow = sharing_[id];
    flow.left_bytes = wire_bytes;
    flow.since_s = now_s_;
    flow.event_s = kNever;
    flow.token = token;
    flow.event_tag = next_tag();
  }

  void set_link(LinkId link, double bytes_per_s, bool up) override {
    sharing_.set_bandwidth(link, up ? bytes_per_s : 0);
  }

  void cancel_flows(std::uint64_t token_tag) override {
    std::vector<FlowId> cancelled;
    sharing_.for_each([&](FlowId id) {
      if ((sharing_[id].token & kTokenTagMask) == token_tag) cancelled.push_back(id);
    });
    for (const FlowId id : cancelled) {
      sharing_[id].event_tag = kTimer;
      sharing_.end(id);
    }
  }

  void run() override {
    settle();
    while (!queue_.empty()) {
      now_s_ = queue_.next_s();
      std::size_t fetched = 0;
      do {
        if (fetched == 0 && queue_.at_hand() >= kAhead) {
          fetch_ahead();
          fetched = kAhead;
        }
        if (fetched > 0) --fetched;
        handle(queue_.pop());
      } while (queue_.next_s() == now_s_);
      settle();
    }
  }

 private:
  static constexpr std::uint32_t kTimer = 0;
  static constexpr double kNothing_bytes = 1e-6;
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  // With thousands of ranks the state of a run outgrows the caches, but the order in which it will
  // be used is known: events of one instant wait side by side.
  static constexpr std::size_t kAhead = 16;

  void fetch_ahead() {
    soon_.clear();
    for (std::size_t i = 0; i < kAhead; ++i) {
      const EventQueue::Event event = queue_.peek(i);
      if (event.tag != kTimer) sharing_.prefetch(static_cast<FlowId>(event.what));
    }
    for (std::size_t i = 0; i < kAhead; ++i) {
      const EventQueue::Event event = queue_.peek(i);
      if (event.tag == kTimer) {
        soon_.push_back(event.what);
        continue;
      }
      const auto flow = static_cast<FlowId>(event.what);
      sharing_.prefetch_hops(flow);
      if (sharing_[flow].event_tag == event.tag) soon_.push_back(sharing_[flow].token);
    }
    events_.come_soon(soon_);
  }

  std::uint32_t next_tag() {
    if (++last_tag_ == kTimer) ++last_tag_;
    return last_tag_;
  }

  void settle() {
    sharing_.settle([this](FlowId id, double rate) { set_rate(id, rate); });
  }

  void set_rate(FlowId id, double rate_bytes_per_s) {
    Flow& flow = sharing_[id];
    flow.left_bytes -= flow.rate_bytes_per_s * (now_s_ - flow.since_s);
    if (flow.left_bytes < 0) flow.left_bytes = 0;
    flow.since_s = now_s_;
    flow.rate_bytes_per_s = rate_bytes_per_s;
    if (rate_bytes_per_s > 0) {
      flow.due_s = now_s_ + flow.left_bytes / rate_bytes_per_s;
    } else {
      // Only rounding kept it from its end, or it stands still until its links change again.
      flow.due_s = flow.left_bytes < kNothing_bytes ? now_s_ : kNever;
    }
    // An event that comes too early is put off when it fires; only one that would come too late
    // needs another in its place.
    if (flow.event_s > flow.due_s) {
      flow.event_tag = next_tag();
      schedule(id, flow);
    }
  }

  void schedule(FlowId id, Flow& flow) {
    flow.event_s = flow.due_s;
    queue_.push(flow.due_s, {id, flow.event_tag});
  }

  void handle(EventQueue::Event event) {
    if (event.tag == kTimer) return events_.timer_fired(event.what);
    const auto id = static_cast<FlowId>(event.what);
    Flow& flow = sharing_[id];
    if (flow.event_tag != event.tag) return;
    if (flow.due_s > now_s_) {
      flow.event_s = kNever;
      if (flow.due_s < kNever) schedule(id, flow);
      return;
    }
    const std::uint64_t token = flow.token;
    flow.event_tag = kTimer;
    sharing_.end(id);
    events_.flow_finished(token);
  }

  NetworkEvents& events_;
  Sharing sharing_;
  EventQueue queue_;
  std::vector<std::uint64_t> soon_;
  double now_s_ = 0;
  std::uint32_t last_tag_ = kTimer;
};

}  // namespace

std::unique_ptr<Network> make_flow_network(const Job& job, NetworkEvents& events) {
  return std::make_unique<FlowNetwork>(job, events);
}

std::string flow_model_name() {
  return "flow, max-min fair";
}

}  // namespace reducelab
