#include "algorithms/verify/symbolic_buffer.h"

#include <algorithm>

namespace reducelab {

/// The segment that holds an element; the number of segments if it lies behind the end.
std::size_t SymbolicBuffer::find(std::int64_t element) const {
  const auto found = std::upper_bound(
      segments_.begin(), segments_.end(), element,
      [](std::int64_t place, const Segment& segment) { return place < segment.end; });
  return static_cast<std::size_t>(found - segments_.begin());
}

std::vector<Segment> SymbolicBuffer::read(const Range& range) const {
  std::vector<Segment> result;
  for (std::size_t i = find(range.first); i < segments_.size(); ++i) {
    Segment part = segments_[i];
    if (part.first >= range.end()) break;
    part.first = std::max(part.first, range.first) - range.first;
    part.end = std::min(part.end, range.end()) - range.first;
    if (part.expression > Expressions::kBroken) part.shift += range.first;
    result.push_back(part);
  }
  return result;
}

void SymbolicBuffer::write(const Range& range, const std::vector<Segment>& contents) {
  const std::size_t from = find(range.first);
  std::size_t to = from;
  while (to < segments_.size() && segments_[to].first < range.end()) ++to;

  std::vector<Segment> parts;
  parts.reserve(contents.size() + 2);
  const auto append = [&parts](const Segment& part) {
    if (part.first >= part.end) return;
    if (!parts.empty() && parts.back().same_value(part)) {
      parts.back().end = part.end;
    } else {
      parts.push_back(part);
    }
  };
  Segment head = segments_[from];
  head.end = range.first;
  Segment tail = segments_[to - 1];
  tail.first = range.end();
  append(head);
  for (Segment part : contents) {
    part.first += range.first;
    part.end += range.first;
    if (part.expression > Expressions::kBroken) part.shift -= range.first;
    append(part);
  }
  append(tail);

  const std::size_t common = std::min(parts.size(), to - from);
  const auto place = segments_.begin() + static_cast<std::ptrdiff_t>(from);
  std::copy_n(parts.begin(), common, place);
  const auto after = place + static_cast<std::ptrdiff_t>(common);
  if (common < parts.size()) {
    segments_.insert(after, parts.begin() + static_cast<std::ptrdiff_t>(common), parts.end());
  } else {
    segments_.erase(after, segments_.begin() + static_cast<std::ptrdiff_t>(to));
  }
}

}  // namespace reducelab
