#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiments/importers/measured_run.h"

namespace reducelab {

/// Reads the text output of nccl-tests, rccl-tests and their forks (every layout since 2017, behind
/// any launcher's line prefixes, with noise between the rows); a test becomes one run, a test
/// without a single row only a warning. Checks every row against algbw = size/time and busbw =
/// algbw x factor, and the footer against the mean of the busbw cells; what does not fit is a
/// warning. Text without any table is a usage Error that names `file_name`.
std::vector<MeasuredRun> parse_nccl_tests_log(std::string_view text, std::string file_name);

}  // namespace reducelab
