#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace reducelab {

/// Something that is wrong with a program, in one line.
struct Finding {
  enum class Severity { error, warning };
  std::string id;  ///< the invariant that does not hold: `V2` is "exactly once", see verify.h
  Severity severity = Severity::error;
  int participant = -1;  ///< whose program it is about; -1: several
  std::string message;   ///< names rank, step, peer and range
};

/// Collects findings, and keeps only the first few of each kind: one mistake in a program usually
/// shows at every rank.
class FindingList {
 public:
  explicit FindingList(int most_of_a_kind) : most_(most_of_a_kind) {}

  void error(std::string_view id, int participant, std::string message) {
    add({std::string(id), Finding::Severity::error, participant, std::move(message)});
  }
  void warning(std::string_view id, int participant, std::string message) {
    add({std::string(id), Finding::Severity::warning, participant, std::move(message)});
  }

  bool has_errors() const { return has_errors_; }
  std::vector<Finding> take() { return std::move(findings_); }
  /// How many findings of each id there were, kept or not.
  const std::map<std::string, int>& counts() const { return counts_; }

 private:
  void add(Finding finding) {
    has_errors_ = has_errors_ || finding.severity == Finding::Severity::error;
    if (++counts_[finding.id] <= most_) findings_.push_back(std::move(finding));
  }

  int most_;
  bool has_errors_ = false;
  std::vector<Finding> findings_;
  std::map<std::string, int> counts_;
};

}  // namespace reducelab
