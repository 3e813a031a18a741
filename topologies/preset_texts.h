#pragma once

#include <span>

#include "core/embedded_text.h"

namespace reducelab {

/// The files of topologies/clusters, sorted by name.
std::span<const EmbeddedText> preset_texts();

}  // namespace reducelab
