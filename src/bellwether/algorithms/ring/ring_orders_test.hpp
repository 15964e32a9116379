// SPDX-License-Identifier: MIT
// Orders of ids that are bad for elections by phases on rings, and how many phases an order takes:
// written down apart from the elections, to be compared with them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "bellwether/core/ids.hpp"

namespace bellwether::algorithms::ring_orders {

using Ids = std::vector<core::NodeId>;

/// Phases of Franklin's election when all start: those stay who are larger than both neighbours.
inline std::uint64_t franklin_phases(Ids ring) {
  std::uint64_t phase = 1;
  for (; ring.size() > 1; ++phase) {
    Ids stay;
    for (std::size_t i = 0, n = ring.size(); i < n; ++i)
      if (ring[i] > ring[(i + 1) % n] && ring[i] > ring[(i + n - 1) % n]) stay.push_back(ring[i]);
    ring = std::move(stay);
  }
  return phase;
}

/// As many phases as there can be, floor(log2 n) + 1: every other one stays, floor(k/2) of k.
inline Ids franklin_worst(core::NodeIndex n) {
  Ids ids(n);
  std::vector<core::NodeIndex> left(n);
  std::iota(left.begin(), left.end(), core::NodeIndex{0});
  for (std::uint64_t id = 1; !left.empty();) {
    std::vector<core::NodeIndex> stay;
    for (std::size_t i = 0; i < left.size(); ++i)
      if (i % 2 == 1)
        stay.push_back(left[i]);
      else
        ids[left[i]] = core::NodeId{id++};
    left = std::move(stay);
  }
  return ids;
}

/// In which direction lies the node whose bid arrives in this phase of the alternating election:
/// behind in odd phases, where bids go clockwise, and ahead in even ones.
inline std::size_t bidder(std::size_t i, std::size_t n, std::uint64_t phase) {
  return (i + (phase % 2 == 1 ? n - 1 : 1)) % n;
}

/// Phases of the alternating election when all start.
inline std::uint64_t alternate_phases(Ids ring) {
  std::uint64_t phase = 1;
  for (; ring.size() > 1; ++phase) {
    Ids stay;
    for (std::size_t i = 0; i < ring.size(); ++i)
      if (ring[i] > ring[bidder(i, ring.size(), phase)]) stay.push_back(ring[i]);
    ring = std::move(stay);
  }
  return phase;
}

/// Takes `phases` phases, with as few nodes as possible and then `n` in all. Made from the last
/// phase to the first: a node that survives a phase had another node between itself and its bidder
/// in the phase before, which lost then. Ranks fall with each node that is inserted.
inline Ids alternate_worst(core::NodeIndex n, std::uint64_t phases) {
  std::vector<std::int64_t> ring{0};
  std::int64_t lowest = 0;
  for (std::uint64_t phase = phases; phase > 1; --phase) {
    std::vector<std::int64_t> before;
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const bool survives = ring.size() == 1 || ring[i] > ring[bidder(i, ring.size(), phase)];
      if (survives && phase % 2 == 1) before.push_back(--lowest);
      before.push_back(ring[i]);
      if (survives && phase % 2 == 0) before.push_back(--lowest);
    }
    ring = std::move(before);
  }
  while (ring.size() < n) ring.push_back(--lowest);  // each loses in the first phase
  Ids ids;
  for (const std::int64_t rank : ring)
    ids.push_back(core::NodeId{static_cast<std::uint64_t>(rank - lowest) + 1});
  return ids;
}

/// Bad for Hirschberg and Sinclair: 2^m peaks that are 2^j + 1 apart, of which every other one is
/// beaten in each phase after the j-th, when probes go nearly twice as far as the next peak.
inline Ids far_peaks(core::NodeIndex m, core::NodeIndex j) {
  const Ids peaks = franklin_worst(core::NodeIndex{1} << m);
  const core::NodeIndex gap = (core::NodeIndex{1} << j) + 1;
  Ids ids;
  std::uint64_t low = 0;
  for (const core::NodeId peak : peaks) {
    ids.push_back(core::NodeId{raw(peak) + peaks.size() * gap});
    for (core::NodeIndex i = 1; i < gap; ++i) ids.push_back(core::NodeId{++low});
  }
  return ids;
}

/// The ids 1..n that have the same order as these.
inline Ids ranked(const std::vector<std::int64_t>& values) {
  auto sorted = values;
  std::sort(sorted.begin(), sorted.end());
  Ids ids;
  for (const std::int64_t value : values) {
    const auto rank = std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin();
    ids.push_back(core::NodeId{static_cast<std::uint64_t>(rank) + 1});
  }
  return ids;
}

/// F(k + 2) ids in k phases of Peterson's, each of which drops as few as possible. It is found
/// backwards: before an odd phase every node had a smaller left neighbour, before an even one a
/// smaller right one, so the smaller ones that are missing are put in.
inline Ids fibonacci_order(unsigned k) {
  std::vector<std::int64_t> values{0};
  std::int64_t smaller = 0;
  for (unsigned phase = k; phase >= 1; --phase) {
    std::vector<std::int64_t> before;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::int64_t next = values[(i + 1) % values.size()];
      before.push_back(values[i]);
      const bool missing = phase % 2 == 1 ? values[i] > next : values[i] < next;
      if (missing || values.size() == 1) before.push_back(--smaller);
    }
    values = std::move(before);
  }
  return ranked(values);
}

/// 2^k ids in which every second one is a local maximum, and so on among these.
inline Ids bit_reversed_order(unsigned k) {
  std::vector<std::int64_t> values{0};
  for (unsigned bit = 0; bit < k; ++bit) {
    const std::size_t half = values.size();
    for (auto& value : values) value *= 2;
    for (std::size_t i = 0; i < half; ++i) values.push_back(values[i] + 1);
  }
  return ranked(values);
}

}  // namespace bellwether::algorithms::ring_orders
