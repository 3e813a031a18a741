#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sim/scenario/origin.h"

namespace reducelab {

enum class FailureKind : std::uint8_t { rank, node, device };

/// A rank's device, a whole chassis, or any device such as a switch fails and stays failed: its
/// links carry nothing from then on, and the ranks on it do nothing.
struct Failure {
  FailureKind kind = FailureKind::rank;
  int number = 0;      ///< of the rank or node
  std::string device;  ///< name, for FailureKind::device
  double at_s = 0;
  Origin origin;
  bool operator==(const Failure&) const = default;
};

/// What is done about failed ranks: give up; run again once the failed ones are back; run again
/// among the survivors; or run again with unused places for the failed ones.
enum class FailureResponse : std::uint8_t { abort, restart, shrink, spare };

struct FailurePolicy {
  FailureResponse response = FailureResponse::abort;
  /// From a failure to its detection. The default is Open MPI's (ULFM parameter
  /// mpi_ft_detector_timeout, 10 s; PyTorch's watchdog over NCCL waits 10 minutes).
  double timeout_s = 10;
  double restart_cost_s = 0;  ///< from detection to the start of the new run
  Origin origin;
  bool operator==(const FailurePolicy&) const = default;
};

/// `rank`, `node`, `device`.
std::string_view name_of(FailureKind kind);
/// `abort`, `restart`, `shrink`, `spare`.
std::string_view name_of(FailureResponse response);
std::span<const FailureKind> all_failure_kinds();
std::span<const FailureResponse> all_failure_responses();

}  // namespace reducelab
