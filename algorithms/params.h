#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace reducelab {

/// The values of an algorithm's own parameters, complete and checked: the registry fills in every
/// default, so a program may ask for any parameter that its registry row declares.
class Params {
 public:
  void set(std::string name, std::string value) { values_[std::move(name)] = std::move(value); }

  /// The value of a parameter; asking for one that was never declared is a bug of ours.
  const std::string& text(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  /// A parameter given as a size (`64KiB`), in bytes.
  std::int64_t bytes(std::string_view name) const;
  bool has(std::string_view name) const { return values_.find(name) != values_.end(); }

  const std::map<std::string, std::string, std::less<>>& values() const { return values_; }
  bool operator==(const Params&) const = default;

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace reducelab
