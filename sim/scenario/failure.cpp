#include "sim/scenario/failure.h"

#include <array>

namespace reducelab {
namespace {

constexpr std::array<FailureKind, 3> kKinds{FailureKind::rank, FailureKind::node,
                                            FailureKind::device};
constexpr std::array<FailureResponse, 4> kResponses{
    FailureResponse::abort, FailureResponse::restart, FailureResponse::shrink,
    FailureResponse::spare};

}  // namespace

std::string_view name_of(FailureKind kind) {
  switch (kind) {
    case FailureKind::rank:
      return "rank";
    case FailureKind::node:
      return "node";
    case FailureKind::device:
      return "device";
  }
  return {};
}

std::string_view name_of(FailureResponse response) {
  switch (response) {
    case FailureResponse::abort:
      return "abort";
    case FailureResponse::restart:
      return "restart";
    case FailureResponse::shrink:
      return "shrink";
    case FailureResponse::spare:
      return "spare";
  }
  return {};
}

std::span<const FailureKind> all_failure_kinds() {
  return kKinds;
}

std::span<const FailureResponse> all_failure_responses() {
  return kResponses;
}

}  // namespace reducelab
