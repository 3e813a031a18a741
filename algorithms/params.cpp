#include "algorithms/params.h"

#include "core/error.h"
#include "core/units.h"

namespace reducelab {

const std::string& Params::text(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) {
    throw Error(ErrorCode::bug, fmt::format("parameter \"{}\" was never declared", name));
  }
  return found->second;
}

std::int64_t Params::integer(std::string_view name) const {
  return std::stoll(text(name));
}
std::int64_t Params::bytes(std::string_view name) const {
  return parse_bytes(text(name));
}

}  // namespace reducelab
