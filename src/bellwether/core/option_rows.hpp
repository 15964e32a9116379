// SPDX-License-Identifier: MIT
// The options of an algorithm as texts and as rows of `describe`.
#pragma once

#include <functional>
#include <map>
#include <string>

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

enum class OptionOutcome { set, unknown_name, wrong_kind };

}  // namespace bellwether::core
