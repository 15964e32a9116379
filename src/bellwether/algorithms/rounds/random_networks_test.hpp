// SPDX-License-Identifier: MIT
// Random networks, and how far their nodes are apart, for unit tests in any network.
#pragma once

#include <set>

#include "bellwether/algorithms/rounds/hand_rounds_test.hpp"

namespace bellwether::algorithms {

/// A random tree and some links besides, each once.
inline Arcs any_links(std::uint32_t n, core::Prng& prng) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> links;
  for (std::uint32_t i = 1; i < n; ++i)
    links.insert({static_cast<std::uint32_t>(i - 1 - prng.below(std::min(i, 3u))), i});
  for (std::uint64_t more = prng.below(n); more > 0; --more) {
    const auto a = static_cast<std::uint32_t>(prng.below(n));
    const auto b = static_cast<std::uint32_t>(prng.below(n));
    if (a != b) links.insert({std::min(a, b), std::max(a, b)});
  }
  return Arcs(links.begin(), links.end());
}

/// Of every node from one; n where there is no way.
inline std::vector<std::uint32_t> distances(std::uint32_t n, const Arcs& arcs, std::uint32_t from) {
  std::vector<std::uint32_t> far(n, n);
  far[from] = 0;
  for (std::uint32_t round = 0; round < n; ++round)
    for (const auto& [a, b] : arcs) far[b] = std::min(far[b], far[a] + 1);
  return far;
}

}  // namespace bellwether::algorithms
