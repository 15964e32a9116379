// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "bellwether/core/fields.hpp"
#include "bellwether/core/nearest.hpp"
#include "bellwether/core/problem.hpp"

namespace bellwether::cli {

/// What was written behind a flag that takes one of several words; throws Problem. `what`: as which
/// an unknown word is refused.
template <core::NamedEnum E>
E value_of_flag(const char* flag, std::string_view what, const std::string& word) {
  if (const auto value = core::value_named<E>(word)) return *value;
  constexpr auto names = names_of(E{});
  const std::vector<std::string> known(names.begin(), names.end());
  throw core::Problem(flag, {}, core::unknown_name(what, word, known));
}

}  // namespace bellwether::cli
