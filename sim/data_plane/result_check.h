#pragma once

#include "cuda_exec/reducer.h"
#include "sim/data_plane/value_store.h"
#include "sim/trace/run_result.h"

namespace reducelab {

/// Compares the vector of every rank with the float64 reference, tile by tile, and fills
/// `verified`, `checked_elements`, `wrong`, the errors and `ranks_identical`. Ends `avg`: divides
/// every rank's vector by the number of ranks.
void check_vectors(const DataSetup& setup, ValueStore& store, Reducer& reducer, RunResult& result);

}  // namespace reducelab
