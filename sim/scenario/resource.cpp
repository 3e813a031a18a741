#include "sim/scenario/resource.h"

#include "core/text.h"

namespace reducelab {

std::string_view name_of(Resource resource) {
  switch (resource) {
    case Resource::compute:
      return "compute";
    case Resource::reduction:
      return "reductions";
    case Resource::overhead:
      return "overhead";
  }
  return {};
}

ResourceSet parse_resource_set(std::string_view text) {
  std::vector<std::string_view> names;
  for (const Resource resource : kResources) names.push_back(name_of(resource));
  ResourceSet set = ResourceSet::none();
  for (const std::string_view part : split(text, '+')) {
    bool known = false;
    for (const Resource resource : kResources) {
      if (name_of(resource) != trim(part)) continue;
      set.add(resource);
      known = true;
    }
    if (!known) throw unknown_name("resource", trim(part), names);
  }
  if (set.empty()) throw unknown_name("resource", text, names);
  return set;
}

std::string format_resource_set(ResourceSet set) {
  std::string text;
  for (const Resource resource : kResources) {
    if (!set.contains(resource)) continue;
    if (!text.empty()) text += '+';
    text += name_of(resource);
  }
  return text;
}

}  // namespace reducelab
