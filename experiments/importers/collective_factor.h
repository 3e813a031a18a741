#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "experiments/importers/nccl_row.h"

namespace reducelab {

/// The values that busbw/algbw can have, given what rounding may have hidden.
struct FactorRange {
  double low = 0;
  double high = 0;
  bool contains(double factor) const;
};

/// busbw/algbw of a collective over `ranks` ranks as nccl-tests defines it (doc/PERFORMANCE.md of
/// nccl-tests); nothing for a collective that is not known.
std::optional<double> bus_factor(std::string_view collective, int ranks);

/// The known collective that a word such as `/opt/bin/all_reduce_perf` names, or "".
std::string collective_named_in(std::string_view text);

/// busbw/algbw of one half.
FactorRange factor_of(const PrintedHalf& half);
/// What all halves together leave possible, the precisest first; halves that contradict it are left
/// out. Nothing if no half has a rate above its rounding.
std::optional<FactorRange> common_factor(std::span<const ParsedRow> rows);

/// The only rank count with which `collective` has a factor in the range, or 0.
int ranks_from_factor(std::string_view collective, const FactorRange& factor);

/// The collective that fits the factor, the rank count (0: unknown) and the columns of `row`, or ""
/// if none or more than one does; of collectives that print the same lines the commonest.
std::string collective_from_factor(const FactorRange& factor, int ranks, const MeasuredRow& row);

}  // namespace reducelab
