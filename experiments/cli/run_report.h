#pragma once

#include <string>
#include <vector>

#include "experiments/cli/simulated_point.h"
#include "experiments/report/nccl_tests_table.h"

namespace reducelab {

/// A result as a row of the table in nccl-tests' columns.
ResultRow result_row(const RunResult& result);

/// The table with lines above it that say what was simulated, how, and what was checked; `more` are
/// further such lines.
std::string run_report(const RunResult& result, const std::vector<std::string>& more = {});

/// `full: 262144 elements on each of 32 ranks checked on cpu, ...`: how far data was moved and what
/// came of it.
std::string data_line(const RunResult& result);

/// Name of the engine with its network model and seed.
std::string engine_line(const RunResult& result);

/// One line for each thing that misbehaves in the spec's scenario.
std::vector<std::string> scenario_lines(const RunSpec& spec);

/// What `--explain` prints under the table: the closed form, where the time went, links, path.
std::string explain_report(const RunResult& result);

/// One CSV line for the names of the columns, and one for each result.
std::string csv_header();
std::string csv_row(const SimulatedPoint& point);

}  // namespace reducelab
