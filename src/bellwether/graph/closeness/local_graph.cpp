// SPDX-License-Identifier: MIT
#include "bellwether/graph/closeness/local_graph.hpp"

#include <algorithm>
#include <utility>

#include "bellwether/core/invariant.hpp"

namespace bellwether::graph {

LocalGraph::LocalGraph(const Graph& graph) {
  const NodeIndex n = graph.size();
  core::invariant(graph.arcs() + 4 * std::size_t{n} < 0xFFFF'FFFF, "places fit into 32 bits");
  constexpr std::uint32_t unseen = 0xFFFF'FFFF;
  std::vector<std::uint32_t> number(n, unseen);
  names.resize(std::size_t{n} + 1);  // one more for what has been seen already
  names[0] = 0;
  number[0] = 0;
  std::uint32_t found = 1;
  for (std::uint32_t i = 0, level = 0; i < found; ++level) {
    first_eccentricity = level;
    first_sum += std::uint64_t{level} * (found - i);
    // Without an unpredictable branch: a node that was seen before is overwritten by the next.
    for (const std::uint32_t end = found; i < end; ++i)
      for (const NodeIndex v : graph.neighbours(names[i])) {
        const std::uint32_t before = number[v];
        names[found] = v;
        number[v] = std::min(before, found);
        found += static_cast<std::uint32_t>(before == unseen);
      }
  }
  names.resize(found);
  offsets.resize(std::size_t{found} + 1);
  std::size_t arcs = 0;
  for (std::uint32_t u = 0; u < found; ++u) {
    offsets[u] = static_cast<std::uint32_t>(arcs);
    arcs += graph.neighbours(names[u]).size();
  }
  offsets[found] = static_cast<std::uint32_t>(arcs);
  targets.resize(arcs);
  // Each node writes itself to its neighbours, so that all lists ascend.
  std::vector<std::uint32_t> next(offsets.begin(), offsets.end() - 1);
  for (std::uint32_t u = 0; u < found; ++u)
    for (const NodeIndex v : graph.neighbours(names[u])) targets[next[number[v]]++] = u;
  drop_repeated();
}

/// Loops and parallel links.
void LocalGraph::drop_repeated() {
  bool any = false;
  for (std::uint32_t u = 0; u < size(); ++u)
    for (std::size_t i = offsets[u]; i < offsets[u + 1]; ++i)
      any |= targets[i] == u || (i > offsets[u] && targets[i] == targets[i - 1]);
  if (!any) return;
  std::uint32_t end = 0;
  for (std::uint32_t u = 0; u < size(); ++u) {
    const std::uint32_t begin = end;
    for (std::size_t i = std::exchange(offsets[u], begin); i < offsets[u + 1]; ++i)
      if (targets[i] != u && (end == begin || targets[end - 1] != targets[i]))
        targets[end++] = targets[i];
  }
  offsets[size()] = end;
  targets.resize(end);
}

namespace {

/// Whether u's neighbours and u itself are among w and its neighbours. Both are neighbours.
bool within(const LocalGraph& graph, std::uint32_t u, std::uint32_t w) {
  const auto more = graph.neighbours(w);
  auto at = more.begin();
  for (const std::uint32_t x : graph.neighbours(u)) {
    if (x == w) continue;
    while (at != more.end() && *at < x) ++at;
    if (at == more.end() || *at != x) return false;
  }
  return true;
}

}  // namespace

std::vector<std::uint8_t> unfolded(const LocalGraph& graph) {
  const std::uint32_t n = graph.size();
  // Two words of bits that stand for a node's neighbours tell most pairs apart.
  struct Signature {
    std::uint64_t a = 0, b = 0;
    void add(std::uint32_t v) {
      const std::uint32_t hash = v * 0x9E37'79B9u;
      a |= std::uint64_t{1} << (hash >> 26);
      b |= std::uint64_t{1} << (hash >> 20 & 63);
    }
  };
  std::vector<Signature> signatures(n);
  for (std::uint32_t u = 0; u < n; ++u) {
    signatures[u].add(u);
    for (const std::uint32_t v : graph.neighbours(u)) signatures[u].add(v);
  }
  std::vector<std::uint8_t> out(n, 1);
  for (std::uint32_t u = 0; u < n; ++u) {
    const Signature own = signatures[u];
    const std::size_t degree = graph.neighbours(u).size();
    for (const std::uint32_t w : graph.neighbours(u)) {
      if (((own.a & ~signatures[w].a) | (own.b & ~signatures[w].b)) != 0 ||
          graph.neighbours(w).size() < degree || !within(graph, u, w))
        continue;
      // Equals fold into the highest of them.
      if (graph.names[w] > graph.names[u] || graph.neighbours(w).size() > degree) {
        out[u] = 0;
        break;
      }
    }
  }
  return out;
}

}  // namespace bellwether::graph
