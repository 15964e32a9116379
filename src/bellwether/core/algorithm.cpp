// SPDX-License-Identifier: MIT
#include "bellwether/core/algorithm.hpp"

#include <algorithm>

#include "bellwether/core/nearest.hpp"
#include "bellwether/core/problem.hpp"

namespace bellwether::core {

bool Algorithm::has_option(std::string_view option) const {
  return std::any_of(options.begin(), options.end(),
                     [&](const OptionRow& row) { return row.name == option; });
}

void refuse_option(std::string_view algorithm, const std::string& name, const std::string& text,
                   const std::vector<OptionRow>& rows, OptionOutcome outcome) {
  const std::string key = "options." + name;
  if (outcome == OptionOutcome::unknown_name) {
    std::vector<std::string> known;
    for (const OptionRow& row : rows) known.push_back(row.name);
    if (known.empty()) throw Problem(key, std::string(algorithm) + " has no options");
    throw Problem(key, unknown_name("option of " + std::string(algorithm), name, known));
  }
  for (const OptionRow& row : rows)
    if (row.name == name) throw Problem(key, "must be " + row.kind + ", not \"" + text + "\"");
  throw Problem(key, "\"" + text + "\" does not fit");
}

void refuse_conflict(const OptionConflict& conflict, const OptionTexts& given) {
  const auto blamed =
      std::find_if(conflict.options.begin(), conflict.options.end(),
                   [&](std::string_view name) { return given.find(name) != given.end(); });
  const std::string_view name =
      blamed == conflict.options.end() ? conflict.options.front() : *blamed;
  throw Problem("options." + std::string(name), conflict.sentence);
}

bool left_open(const Algorithm& algorithm, std::string_view option, const OptionTexts& options) {
  if (!algorithm.has_option(option)) return false;
  const auto given = options.find(option);
  return given == options.end() ||
         (!given->second.empty() && given->second.find_first_not_of('0') == std::string::npos);
}

void fill_in(const Algorithm& algorithm, std::string_view option, std::uint64_t value,
             OptionTexts& options) {
  if (left_open(algorithm, option, options))
    options.insert_or_assign(std::string(option), std::to_string(value));
}

}  // namespace bellwether::core
