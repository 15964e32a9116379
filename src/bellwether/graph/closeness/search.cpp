// SPDX-License-Identifier: MIT
#include "bellwether/graph/closeness/search.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace bellwether::graph {

Pulls::Pulls(const LocalGraph& graph, const std::vector<std::uint8_t>& kept)
    : begins(std::size_t{graph.size()} + 1),
      entries(graph.targets.size() + 4 * std::size_t{graph.size()}),
      kind(graph.size()) {
  std::uint32_t end = 0;
  for (std::uint32_t u = 0; u < graph.size(); ++u) {
    begins[u] = end;
    entries[end++] = u;
    for (const std::uint32_t v : graph.neighbours(u)) {
      entries[end] = v;
      end += kept[v];
    }
    // Pads with the node itself, to an even number of two or more: that changes nothing.
    if (end == begins[u] + 1) entries[end++] = u;
    if ((end - begins[u]) % 2 == 0) entries[end++] = u;
    const std::uint32_t many = end - begins[u] - 1;
    kind[u] = static_cast<std::uint8_t>(std::min(kinds - 1, many / 2 - 1));
    if (kept[u] == 0) folded.push_back(u);
  }
  begins[graph.size()] = end;
}

template <class Distance>
std::uint64_t Searcher<Distance>::run(std::uint32_t from, std::vector<Distance>& distances) {
  constexpr Distance unseen = std::numeric_limits<Distance>::max();
  distances.assign(pulls_.kind.size(), unseen);
  std::uint32_t* const queue = queue_.data();
  Distance* const distance = distances.data();
  std::size_t tail = 1;
  queue[0] = from;
  distance[from] = 0;
  for (std::size_t head = 0; head < tail; ++head) {
    const auto farther = static_cast<Distance>(distance[queue[head]] + 1);
    // Without an unpredictable branch: a node that was seen before is overwritten by the next.
    const auto reach = [&](std::uint32_t v) {
      const Distance before = distance[v];
      queue[tail] = v;
      distance[v] = std::min(before, farther);
      tail += static_cast<std::size_t>(before == unseen);
    };
    const auto next = pulls_.of(queue[head]);
    for (auto v = next.begin(); v != next.end(); v += 2) {
      reach(v[0]);
      reach(v[1]);
    }
  }
  // No search goes on through a node that folds: it comes last.
  for (const std::uint32_t u : pulls_.folded) {
    Distance nearest = unseen;
    for (const std::uint32_t v : pulls_.of(u)) nearest = std::min(nearest, distance[v]);
    distance[u] = static_cast<Distance>(nearest + 1);
  }
  distance[from] = 0;
  return std::accumulate(distances.begin(), distances.end(), std::uint64_t{0});
}

template class Searcher<std::uint16_t>;
template class Searcher<std::uint32_t>;

std::vector<std::uint32_t> around(const LocalGraph& graph, std::uint32_t from,
                                  const std::vector<std::uint8_t>& allowed, std::size_t enough) {
  std::vector<std::uint8_t> seen(graph.size(), 0);
  std::vector<std::uint32_t> found{from};
  std::vector<std::uint32_t> out;
  seen[from] = 1;
  for (std::size_t i = 0; i < found.size() && out.size() < enough; ++i) {
    const std::uint32_t u = found[i];
    if (allowed[u] != 0) out.push_back(u);
    for (const std::uint32_t v : graph.neighbours(u)) {
      if (seen[v] == 0) found.push_back(v);
      seen[v] = 1;
    }
  }
  return out;
}

}  // namespace bellwether::graph
