#pragma once

#include <string_view>
#include <variant>

#include "sim/scenario/scenario.h"

namespace reducelab {

/// Reads the value of `--slow-rank`: `RANKS:FACTOR` or `RANKS:FACTOR:RESOURCES`, such as `3:1.5`,
/// `0-3,7:2`, `all:1.2:compute+reductions`. A fault is a usage Error that shows the flag.
SlowRank parse_slow_rank_flag(std::string_view text);

/// Reads the value of `--slow-link`: `LINK:FACTOR`, `LINK:BANDWIDTH` or `LINK:+LATENCY`, such as
/// `h0->leaf0:0.5`, `leaf0->*:25Gbps`, `rank 3:+5us`.
SlowLink parse_slow_link_flag(std::string_view text);

/// Reads the value of `--fail`: `rank:3@2ms`, `node:1@2ms`, `device:leaf0@2ms`; or a link, for ever
/// or for a while: `link:h0->leaf0@1ms`, `link:h0->leaf0@1ms-2ms`.
std::variant<Failure, LinkDown> parse_fail_flag(std::string_view text);

}  // namespace reducelab
