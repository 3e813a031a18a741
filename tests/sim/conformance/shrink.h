#pragma once

#include <functional>

#include "random_case.h"

namespace reducelab {

/// The smallest case like `failing` that `fails` can be brought to: without program lines, ranks,
/// cables, devices, disturbances and profile features that do not matter, with plain numbers where
/// they do. Asks `fails` at most `most_tries` times.
Case shrink(Case failing, const std::function<bool(const Case&)>& fails, int most_tries = 600);

}  // namespace reducelab
