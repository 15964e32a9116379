// SPDX-License-Identifier: MIT
// For tests: networks of many families, drawn at random.
#pragma once

#include <cmath>
#include <numeric>
#include <vector>

#include "bellwether/core/prng.hpp"
#include "bellwether/graph/graph.hpp"

namespace bellwether::graph::drawn {

struct Network {
  NodeIndex nodes = 0;
  std::vector<Edge> links;
};

inline NodeIndex any(NodeIndex nodes, core::Prng& prng) {
  return static_cast<NodeIndex>(prng.below(nodes));
}

/// A path where `wide` is 1; the larger it is, the bushier the tree.
inline Network tree(NodeIndex nodes, core::Prng& prng) {
  Network out{nodes, {}};
  const NodeIndex wide = 1 + any(nodes, prng);
  for (NodeIndex u = 1; u < nodes; ++u) {
    const NodeIndex first = u > wide ? u - wide : 0;
    out.links.push_back({first + any(u - first, prng), u});
  }
  return out;
}

inline Network ring(NodeIndex nodes) {
  Network out{nodes, {}};
  for (NodeIndex u = 0; u < nodes; ++u) out.links.push_back({u, (u + 1) % nodes});
  return out;
}

inline Network grid(NodeIndex nodes, core::Prng& prng) {
  const NodeIndex width =
      1 + any(static_cast<NodeIndex>(2 * std::sqrt(static_cast<double>(nodes))), prng);
  Network out{nodes, {}};
  for (NodeIndex u = 0; u < nodes; ++u) {
    if ((u + 1) % width != 0 && u + 1 < nodes) out.links.push_back({u, u + 1});
    if (u + width < nodes) out.links.push_back({u, u + width});
  }
  return out;
}

/// With `links` per node on the average; it may fall into parts.
inline Network random(NodeIndex nodes, double links, core::Prng& prng) {
  Network out{nodes, {}};
  for (double i = 0; i < links * nodes; ++i)
    out.links.push_back({any(nodes, prng), any(nodes, prng)});
  return out;
}

inline Network unit_disk(NodeIndex nodes, core::Prng& prng) {
  Network out{nodes, {}};
  std::vector<double> x(nodes), y(nodes);
  for (NodeIndex u = 0; u < nodes; ++u) x[u] = prng.unit(), y[u] = prng.unit();
  const double range = (0.7 + prng.unit()) * std::sqrt(1.5 / nodes);
  for (NodeIndex u = 0; u < nodes; ++u)
    for (NodeIndex v = 0; v < u; ++v)
      if (std::hypot(x[u] - x[v], y[u] - y[v]) <= range) out.links.push_back({u, v});
  return out;
}

/// Each node of a smaller network twice or more, with the same links: whole groups are tied.
inline Network twins(NodeIndex nodes, core::Prng& prng) {
  const Network half = tree((nodes + 1) / 2, prng);
  Network out{nodes, half.links};
  const bool linked = prng.chance(0.5);
  for (NodeIndex u = half.nodes; u < nodes; ++u) {
    const NodeIndex of = any(half.nodes, prng);
    for (const auto& [a, b] : half.links) {
      if (a == of) out.links.push_back({u, b});
      if (b == of) out.links.push_back({a, u});
    }
    if (linked || half.links.empty()) out.links.push_back({of, u});
  }
  return out;
}

inline Network one_piece(NodeIndex nodes, core::Prng& prng) {
  switch (prng.below(7)) {
    case 0:
      return tree(nodes, prng);
    case 1:
      return ring(nodes);
    case 2:
      return grid(nodes, prng);
    case 3:
      return random(nodes, 0.5 + prng.unit(), prng);
    case 4:
      return random(nodes, 1.5 + 2 * prng.unit(), prng);
    case 5:
      return unit_disk(nodes, prng);
    default:
      return twins(nodes, prng);
  }
}

/// Any family; sometimes two side by side, sometimes with loops and parallel links; numbers dealt.
inline Network network(NodeIndex nodes, core::Prng& prng) {
  Network out = one_piece(nodes, prng);
  if (nodes > 1 && prng.chance(0.2)) {
    const NodeIndex first = 1 + any(nodes - 1, prng);
    out = one_piece(first, prng);
    for (const auto& [a, b] : one_piece(nodes - first, prng).links)
      out.links.push_back({first + a, first + b});
    out.nodes = nodes;
  }
  if (prng.chance(0.2)) {
    const std::size_t before = out.links.size();
    for (std::size_t i = 0; i < before; ++i)
      if (prng.chance(0.3)) out.links.push_back({out.links[i].b, out.links[i].a});
    for (NodeIndex u = 0; u < nodes; ++u)
      if (prng.chance(0.2)) out.links.push_back({u, u});
  }
  std::vector<NodeIndex> number(nodes);
  std::iota(number.begin(), number.end(), NodeIndex{0});
  core::shuffle(number, prng);
  for (auto& [a, b] : out.links) a = number[a], b = number[b];
  core::shuffle(out.links, prng);
  return out;
}

/// Mostly small ones, so that many can be tried.
inline NodeIndex size(core::Prng& prng, NodeIndex small, NodeIndex large) {
  return 1 + any(prng.chance(0.15) ? large : small, prng);
}

}  // namespace bellwether::graph::drawn
