// SPDX-License-Identifier: MIT
// Rows that have a bound. A bound that is only printed rots unseen: whatever lies beyond its bound
// is repeated in one sentence at the end, and the program's status says so.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

namespace bench {

enum class Side { at_most, at_least };

class Bounds {
 public:
  /// Prints one row of a table. What could not be measured (not a number) is beyond every bound.
  void row(const std::string& what, double measured, Side side, double bound,
           const std::string& unit);
  /// For tables of another shape: the sentence is printed at the end if the bound was not kept.
  void check(bool kept, const std::string& sentence);
  /// Prints one sentence for each row beyond its bound, to stderr; 0 when there is none, else 1.
  int status() const;

 private:
  std::vector<std::string> beyond_;
};

/// Not a number where a case did not run.
inline double value_of(const std::map<std::string, double>& of, const std::string& name) {
  const auto found = of.find(name);
  return found == of.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
}

}  // namespace bench
