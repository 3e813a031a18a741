#include "sim/simgrid/simgrid_network.h"

// First: SimGrid's other headers do not stand alone.
#include <simgrid/s4u.hpp>
//
#include <fmt/format.h>
#include <simgrid/version.h>
#include <xbt/log.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <simgrid/kernel/Timer.hpp>

#include "algorithms/execution/execution.h"
#include "core/error.h"
#include "sim/transport/rate_cap.h"

namespace reducelab {
namespace {

namespace sg = simgrid::s4u;
using simgrid::kernel::timer::Timer;

/// SimGrid counts whole bytes; ours may be fractions of wire bytes. All sizes and rates are given
/// to it in units of 2^-20 byte, which leaves times as they are.
constexpr double kUnitsPerByte = 1 << 20;

class SimgridNetwork final : public Network, private ExecutionObserver {
 public:
  SimgridNetwork(const Job& job, NetworkEvents& events)
      : events_(events), engine_(make_engine()), keeps_flows_(job.scenario.changes_links()) {
    zone_ = sg::create_full_zone("cluster");
    for (const Link& link : job.topology.links()) {
      links_.push_back(zone_->create_link(std::to_string(links_.size()),
                                          link.bandwidth_bytes_per_s * kUnitsPerByte));
      links_.back()->seal();  // latency 0: the fabric pays it after the bytes
    }
    add_hosts(job);
    zone_->seal();
    // An actor stands for its participant: it is there as long as the participant has work to do,
    // so SimGrid's own tools see who is alive, and a failing host takes its participants with it.
    for (std::size_t i = 0; i < job.placement.size(); ++i) {
      sg::Host* host = caps_.begin()->second.hosts[static_cast<std::size_t>(job.placement[i])];
      actors_.push_back(sg::Actor::create(participant_name(job.world, static_cast<int>(i)), host,
                                          [] { sg::this_actor::suspend(); }));
    }
    sg::Activity::on_completion_cb([this](const sg::Activity& activity) { completed(activity); });
  }

  double now() const override { return timer_s_ ? *timer_s_ : sg::Engine::get_clock(); }

  void at(double time_s, std::uint64_t token) override {
    const auto [instant, is_new] = timers_.try_emplace(time_s);
    instant->second.push_back(token);
    // SimGrid calls its timers of one instant in any order.
    if (is_new) Timer::set(time_s, [this, time_s] { fire(time_s); });
  }

  PathId open_path(DeviceId from, DeviceId to, const Route& route,
                   double cap_bytes_per_s) override {
    const Cap& cap = caps_.at(cap_bytes_per_s);
    sg::Host* source = cap.hosts[static_cast<std::size_t>(from)];
    sg::Host* target = caps_.begin()->second.hosts[static_cast<std::size_t>(to)];
    if (routed_.insert({source, target}).second) {
      std::vector<sg::LinkInRoute> links;
      for (const LinkId link : route.links) {
        links.emplace_back(links_[static_cast<std::size_t>(link)]);
      }
      if (cap.link) links.emplace_back(cap.link);
      zone_->add_route(source->get_netpoint(), target->get_netpoint(), nullptr, nullptr, links,
                       false);
    }
    paths_.push_back({source, target, route.links});
    return static_cast<PathId>(paths_.size() - 1);
  }

  void start_flow(PathId path, double wire_bytes, std::uint64_t token) override {
    Flow flow{nullptr, path, wire_bytes * kUnitsPerByte};
    if (!is_down(path)) go(flow, token);
    if (keeps_flows_) flows_.insert_or_assign(token, flow);
  }

  /// SimGrid bounds a flow for its whole life by the bandwidth that its links had when it started,
  /// would fail it on a link that is off, lets it pass where there is no bandwidth at all, and
  /// (3.32) suspends it but once. So what is left of the flows becomes new ones.
  void set_link(LinkId link, double bytes_per_s, bool up) override {
    links_[static_cast<std::size_t>(link)]->set_bandwidth(bytes_per_s * kUnitsPerByte);
    if (up) {
      down_.erase(link);
    } else {
      down_.insert(link);
    }
    for (auto& [token, flow] : flows_) {
      const std::vector<LinkId>& links = paths_[flow.path].links;
      if (std::ranges::find(links, link) == links.end()) continue;
      if (flow.comm && flow.comm->get_remaining() < 1) continue;  // it ends at this very time
      stop(flow);
      if (!is_down(flow.path)) go(flow, token);
    }
  }

  void cancel_flows(std::uint64_t token_tag) override {
    const auto first = flows_.lower_bound(token_tag);
    const auto last = flows_.upper_bound(token_tag | ~kTokenTagMask);
    for (auto flow = first; flow != last; flow = flows_.erase(flow)) stop(flow->second);
  }

  ExecutionObserver* participants() override { return this; }

  void run() override {
    engine_.run();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  struct Flow {
    sg::Comm* comm;  ///< null while it stands still
    PathId path;
    double units;  ///< that were left when it last started or stopped
  };

  void go(Flow& flow, std::uint64_t token) {
    sg::CommPtr comm = sg::Comm::sendto_init(paths_[flow.path].source, paths_[flow.path].target);
    comm->set_payload_size(static_cast<std::uint64_t>(std::max(std::llround(flow.units), 1LL)));
    comm->set_data(reinterpret_cast<void*>(static_cast<std::uintptr_t>(token + 1)));
    comm->add_ref();  // given back in completed()
    comm->start();
    flow.comm = comm.get();
  }

  void stop(Flow& flow) {
    if (!flow.comm) return;
    flow.units = flow.comm->get_remaining();
    flow.comm->set_data(nullptr);  // its end is nobody's business any more
    cancelled_.emplace_back(flow.comm, false);
    flow.comm->cancel();
    flow.comm = nullptr;
  }

  void fire(double time_s) {
    const auto instant = timers_.extract(time_s);
    // SimGrid adds up its clock from steps, so that it is not quite that time.
    timer_s_ = time_s;
    for (const std::uint64_t token : instant.mapped()) {
      guarded([&] { events_.timer_fired(token); });
    }
    timer_s_.reset();
  }

  bool is_down(PathId path) const {
    return std::ranges::any_of(paths_[path].links,
                               [this](LinkId link) { return down_.contains(link); });
  }

  /// SimGrid 3.32 ignores the rate of a host-to-host Comm. A FATPIPE link bounds each of its flows
  /// by itself and shares nothing, which is what a cap means. A pair of hosts has one route, so
  /// each cap has hosts of its own for flows to come from; they all go to those of the first.
  void add_hosts(const Job& job) {
    std::set<DeviceId> devices(job.placement.begin(), job.placement.end());
    devices.insert(job.scenario.spares.begin(), job.scenario.spares.end());
    for (const LinkKind kind : all_link_kinds()) {
      const RateCap cap = rate_cap(job, job.protocol, kind);
      caps_[cap.whole_rank_bytes_per_s];
      caps_[cap.channel_bytes_per_s];
    }
    if (!job.scenario.traffic.empty()) {
      const auto endpoints = job.topology.endpoints();
      devices.insert(endpoints.begin(), endpoints.end());
      caps_[std::numeric_limits<double>::infinity()];
    }
    for (auto& [bytes_per_s, cap] : caps_) {
      const std::string number = std::to_string(&cap == &caps_.begin()->second ? 0 : ++last_cap_);
      cap.hosts.resize(job.topology.devices().size(), nullptr);
      for (const DeviceId device : devices) {
        sg::Host* host = zone_->create_host(number + "." + std::to_string(device), 1e9);
        host->seal();
        cap.hosts[static_cast<std::size_t>(device)] = host;
      }
      if (!std::isfinite(bytes_per_s)) continue;
      cap.link = zone_->create_link("cap" + number, bytes_per_s * kUnitsPerByte);
      cap.link->set_sharing_policy(sg::Link::SharingPolicy::FATPIPE);
      cap.link->seal();
    }
  }

  void participant_done(int participant) override {
    actors_[static_cast<std::size_t>(participant)]->resume();
  }

  static sg::Engine& make_engine() {
    static bool used = false;
    if (used) {
      throw Error(ErrorCode::bug, "a second SimGrid simulation was started in one process");
    }
    used = true;
    int count = 1;
    char name[] = "reducelab";
    char* arguments[] = {name, nullptr};
    xbt_log_control_set("root.threshold:critical");
    xbt_log_control_set("ker_engine.threshold:critical");
    static sg::Engine engine(&count, arguments);
    sg::Engine::set_config("network/model:CM02");
    sg::Engine::set_config("network/crosstraffic:0");
    sg::Engine::set_config("network/TCP-gamma:0");
    sg::Engine::set_config("network/loopback-lat:0");
    // SimGrid takes for simultaneous what ends within 1 ns, which is a lot on NVLink. Our clocks
    // run for seconds, where rounding leaves less than this.
#if SIMGRID_VERSION >= 33400
    sg::Engine::set_config("precision/timing:1e-13");
#else
    sg::Engine::set_config("surf/precision:1e-13");
#endif
    if (sg::Engine::get_clock() != 0) {
      throw Error(ErrorCode::bug, "SimGrid's clock does not start at 0");
    }
    return engine;
  }

  void completed(const sg::Activity& activity) {
    const auto data = reinterpret_cast<std::uintptr_t>(activity.get_data<void>());
    if (data == 0) return;  // not one of our flows
    const sg::ActivityPtr ours(const_cast<sg::Activity*>(&activity), false);
    if (keeps_flows_) flows_.erase(data - 1);
    guarded([&] { events_.flow_finished(data - 1); });
  }

  /// Exceptions must not cross SimGrid's kernel: the first is kept, what follows is ignored.
  template <class Handler>
  void guarded(Handler handler) {
    if (failure_) return;
    try {
      handler();
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  NetworkEvents& events_;
  sg::Engine& engine_;
  sg::NetZone* zone_ = nullptr;
  std::vector<sg::Link*> links_;
  struct Cap {
    sg::Link* link = nullptr;      ///< null: unbounded
    std::vector<sg::Host*> hosts;  ///< by device; null where nothing is sent
  };
  std::map<double, Cap> caps_;  ///< by bytes per second
  int last_cap_ = 0;
  std::vector<sg::ActorPtr> actors_;
  std::map<double, std::vector<std::uint64_t>> timers_;  ///< tokens by time, in order
  std::optional<double> timer_s_;                        ///< time of the timers that are firing
  std::map<std::uint64_t, Flow> flows_;  ///< in progress, by token; kept only if links change
  std::set<LinkId> down_;
  std::vector<sg::CommPtr> cancelled_;  ///< the kernel still refers to them
  bool keeps_flows_ = false;
  std::set<std::pair<sg::Host*, sg::Host*>> routed_;
  struct Path {
    sg::Host* source;
    sg::Host* target;
    std::vector<LinkId> links;
  };
  std::vector<Path> paths_;
  std::exception_ptr failure_;
};

}  // namespace

std::unique_ptr<Network> make_simgrid_network(const Job& job, NetworkEvents& events) {
  return std::make_unique<SimgridNetwork>(job, events);
}

std::string simgrid_model_name() {
  int major = 0;
  int minor = 0;
  int patch = 0;
  sg_version_get(&major, &minor, &patch);
  return fmt::format("simgrid {}.{} CM02, equal sharing", major, minor);
}

}  // namespace reducelab
