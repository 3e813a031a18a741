#include "algorithms/operation.h"

#include <array>

namespace reducelab {

std::string_view name_of(OpKind kind) {
  constexpr std::array<std::string_view, 12> names{
      "send", "recv", "recv_reduce", "copy", "reduce", "compute", "fence", "spawn", "join",
      "recv_any", "sleep", "now"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace reducelab
