#pragma once

#include <string>

#include "sim/trace/trace.h"

namespace reducelab {

/// The trace as Chrome trace-event JSON (times in us), which Perfetto and chrome://tracing open: a
/// process per participant with lanes per channel for sends, receives and waits, one for
/// reductions; flow arrows from send to receive; a counter per used link with its load in percent
/// (LinkLoads). Throws an `unsupported` Error for runs over 9e6 s, too long for its picoseconds.
std::string chrome_trace(const Trace& trace);

}  // namespace reducelab
