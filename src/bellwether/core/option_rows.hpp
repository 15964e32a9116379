// SPDX-License-Identifier: MIT
// The options of an algorithm as texts and as rows of `describe`.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bellwether::core {

/// By name, as they were written.
using OptionTexts = std::map<std::string, std::string, std::less<>>;

/// One row of `describe`.
struct OptionRow {
  std::string name;
  std::string default_text;  // the default
  std::string kind;
  std::string description;
  bool is_duration = false;
};

/// Options that contradict each other.
struct OptionConflict {
  std::vector<std::string_view> options;  // their names
  std::string sentence;                   // what is wrong; what to do
};

enum class OptionOutcome { set, unknown_name, wrong_kind };

}  // namespace bellwether::core
