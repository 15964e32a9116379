// SPDX-License-Identifier: MIT
#include "bellwether/core/nearest.hpp"

#include <algorithm>

namespace bellwether::core {
namespace {

/// Whether `word` is `whole` with letters left out: of equals, the likelier slip.
bool leaves_out(std::string_view word, std::string_view whole) {
  std::size_t at = 0;
  for (const char c : whole)
    if (at < word.size() && word[at] == c) ++at;
  return at == word.size();
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min(
          {d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> known) {
  // Dashes are forgotten first: "cel2" means "cel-2", not "cel".
  const auto bare = [](std::string text) {
    std::erase(text, '-');
    return text;
  };
  for (const std::string& each : known)
    if (bare(each) == bare(std::string(word))) return each;
  const std::string* best = nullptr;
  std::size_t least = std::max<std::size_t>(word.size() / 3, 1) + 1;
  for (const std::string& each : known) {
    const std::size_t distance = edit_distance(word, each);
    const bool better = distance < least || (best && distance == least &&
                                             !leaves_out(word, *best) && leaves_out(word, each));
    if (!better) continue;
    least = distance;
    best = &each;
  }
  // A prefix is a good guess, too: "chang" means "chang-roberts".
  if (best == nullptr && word.size() >= 3) {
    for (const std::string& each : known)
      if (each.starts_with(word)) return each;
  }
  return best ? std::optional(*best) : std::nullopt;
}

std::string unknown_name(std::string_view kind, std::string_view word,
                         std::span<const std::string> known) {
  std::string out = "unknown " + std::string(kind) + " \"" + std::string(word) + "\"";
  if (const auto near = nearest(word, known)) return out + "; did you mean \"" + *near + "\"?";
  if (known.empty()) return out + "; there are none";
  out += "; known are ";
  for (std::size_t i = 0; i < known.size(); ++i) out += (i ? ", " : "") + known[i];
  return out;
}

}  // namespace bellwether::core
