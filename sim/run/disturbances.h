#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/job.h"
#include "sim/transport/network.h"

namespace reducelab {

/// Makes a network misbehave as a scenario says: links that change, devices that fail, and the
/// traffic of others.
class Disturbances {
 public:
  /// What its owner is told.
  class Listener {
   public:
    virtual ~Listener() = default;
    /// The ranks have found out that `failure` happened.
    virtual void failure_detected(const ResolvedFailure& failure) = 0;
    /// Links have been down for as long as it takes to give up on them.
    virtual void links_given_up() = 0;
  };

  /// All must outlive it; its tokens carry `token_tag`.
  Disturbances(const Job& job, Network& network, std::uint64_t token_tag, Listener& listener);

  /// Brings the network into its state at time 0 and plans what follows.
  void begin();
  void timer_fired(std::uint64_t token);
  void flow_finished(std::uint64_t) {}
  /// Starts nothing any more.
  void stop() { stopped_ = true; }
  /// The failed devices are replaced or repaired.
  void repair(const std::vector<LinkId>& links);

  /// Bytes of others' traffic that crossed each link; empty if there is none.
  const std::vector<double>& link_bytes() const { return link_bytes_; }

 private:
  enum class Kind : std::uint8_t { change, traffic, failure, detection, link_timeout };

  void plan(double time_s, Kind kind, std::uint32_t index = 0);
  void plan_change(double after_s);
  void plan_traffic(std::uint32_t source);
  void apply(LinkId link);
  void start_traffic(std::uint32_t source);

  const Job& job_;
  const ResolvedScenario& scenario_;
  Network& network_;
  std::uint64_t token_tag_;
  Listener& listener_;
  std::optional<Router> router_;  ///< for the traffic, if there is any
  bool stopped_ = false;
  std::set<LinkId> dead_;                  ///< links of failed devices
  std::map<LinkId, double> down_since_s_;  ///< links that are down for another reason
  std::vector<BackgroundSource> sources_;
  std::vector<std::uint64_t> next_flow_;  ///< by source
  std::map<std::pair<DeviceId, DeviceId>, PathId> paths_;
  std::vector<double> link_bytes_;
  std::uint64_t flows_started_ = 0;
};

}  // namespace reducelab
