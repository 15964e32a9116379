// SPDX-License-Identifier: MIT
// "Did you mean ...?": the known name nearest to a misspelt one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bellwether::core {

/// Insertions, deletions, replacements and swaps of neighbours that lead from a to b.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known name within a third of the word's length, the nearest one; none when all are far.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> known);

/// `unknown KIND "word"; did you mean "near"?` or `...; known are a, b, c`.
std::string unknown_name(std::string_view kind, std::string_view word,
                         std::span<const std::string> known);

}  // namespace bellwether::core
