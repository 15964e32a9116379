// SPDX-License-Identifier: MIT
// For tests: networks of many families, drawn at random.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include "bellwether/core/prng.hpp"
#include "bellwether/graph/graph.hpp"
#include "bellwether/graph/weighted.hpp"

namespace bellwether::graph::drawn {

struct Network {
  NodeIndex nodes = 0;
  std::vector<Edge> links;
  Direction direction = Direction::both_ways;

  Graph graph() const { return Graph(nodes, links, direction); }
};

inline NodeIndex any(NodeIndex nodes, core::Prng& prng) {
  return static_cast<NodeIndex>(prng.below(nodes));
}

inline Network path(NodeIndex nodes, core::Prng&) {
  Network out{nodes, {}};
  for (NodeIndex u = 1; u < nodes; ++u) out.links.push_back({u - 1, u});
  return out;
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

inline Network star(NodeIndex nodes, core::Prng&) {
  Network out{nodes, {}};
  for (NodeIndex u = 1; u < nodes; ++u) out.links.push_back({0, u});
  return out;
}

/// A path, with all other nodes attached to it.
inline Network caterpillar(NodeIndex nodes, core::Prng& prng) {
  Network out = path(1 + any(nodes, prng), prng);
  for (NodeIndex u = out.nodes; u < nodes; ++u) out.links.push_back({any(out.nodes, prng), u});
  out.nodes = nodes;
  return out;
}

inline Network ring(NodeIndex nodes, core::Prng&) {
  Network out{nodes, {}};
  for (NodeIndex u = 0; u < nodes; ++u) out.links.push_back({u, (u + 1) % nodes});
  return out;
}

inline Network ring_with_trees(NodeIndex nodes, core::Prng& prng) {
  Network out = ring(1 + any(nodes, prng), prng);
  // Anywhere, or all on a few nodes that then outweigh the others.
  const NodeIndex wide = prng.chance(0.5) ? nodes : 1 + any(out.nodes, prng);
  for (NodeIndex u = out.nodes; u < nodes; ++u)
    out.links.push_back({any(std::min(u, wide), prng), u});
  out.nodes = nodes;
  return out;
}

/// Pieces that meet in single nodes: cycles, or cliques.
inline Network pieces(NodeIndex nodes, bool cliques, core::Prng& prng) {
  Network out{nodes, {}};
  const NodeIndex largest = 1 + any(cliques ? 12 : nodes, prng);
  const bool in_a_row = prng.chance(0.5);
  for (NodeIndex next = 1; next < nodes;) {
    const NodeIndex size = std::min(nodes - next, 1 + any(largest, prng));
    std::vector<NodeIndex> piece{in_a_row ? next - 1 : any(next, prng)};
    for (NodeIndex i = 0; i < size; ++i) piece.push_back(next++);
    for (std::size_t i = 1; i < piece.size(); ++i)
      for (std::size_t j = cliques ? 0 : i - 1; j < i; ++j)
        out.links.push_back({piece[j], piece[i]});
    if (!cliques && piece.size() > 2) out.links.push_back({piece.back(), piece.front()});
  }
  return out;
}
inline Network cactus(NodeIndex nodes, core::Prng& prng) {
  return pieces(nodes, false, prng);
}
inline Network cliques(NodeIndex nodes, core::Prng& prng) {
  return pieces(nodes, true, prng);
}

inline Network lattice(NodeIndex nodes, NodeIndex width) {
  Network out{nodes, {}};
  for (NodeIndex u = 0; u < nodes; ++u) {
    if ((u + 1) % width != 0 && u + 1 < nodes) out.links.push_back({u, u + 1});
    if (u + width < nodes) out.links.push_back({u, u + width});
  }
  return out;
}
inline NodeIndex any_width(NodeIndex nodes, core::Prng& prng) {
  return 1 + any(static_cast<NodeIndex>(2 * std::sqrt(static_cast<double>(nodes))), prng);
}
inline Network grid(NodeIndex nodes, core::Prng& prng) {
  return lattice(nodes, any_width(nodes, prng));
}
inline Network ladder(NodeIndex nodes, core::Prng&) {
  return lattice(nodes, 2);
}

/// All are tied where it is full.
inline Network torus(NodeIndex nodes, core::Prng& prng) {
  const NodeIndex width = any_width(nodes, prng);
  Network out{nodes, {}};
  for (NodeIndex u = 0; u < nodes; ++u) {
    const NodeIndex first = u - u % width;
    out.links.push_back({u, first + (u - first + 1) % std::min(width, nodes - first)});
    out.links.push_back({u, u + width < nodes ? u + width : u % width});
  }
  return out;
}

inline Network complete(NodeIndex nodes, core::Prng&) {
  Network out{nodes, {}};
  for (NodeIndex u = 0; u < nodes; ++u)
    for (NodeIndex v = 0; v < u; ++v) out.links.push_back({u, v});
  return out;
}

inline Network bipartite(NodeIndex nodes, core::Prng& prng) {
  Network out{nodes, {}};
  const NodeIndex left = prng.chance(0.3) ? nodes / 2 : any(nodes, prng);
  for (NodeIndex u = 0; u < left; ++u)
    for (NodeIndex v = left; v < nodes; ++v) out.links.push_back({u, v});
  return out;
}

/// With `links` per node on the average; it may fall into parts.
inline Network random(NodeIndex nodes, double links, core::Prng& prng) {
  Network out{nodes, {}};
  for (double i = 0; i < links * nodes; ++i)
    out.links.push_back({any(nodes, prng), any(nodes, prng)});
  return out;
}
/// Each pair is as likely as any other (Erdős and Rényi).
inline Network sparse_random(NodeIndex nodes, core::Prng& prng) {
  return random(nodes, 0.5 + prng.unit(), prng);
}
inline Network dense_random(NodeIndex nodes, core::Prng& prng) {
  return random(nodes, 1.5 + 2 * prng.unit() + (prng.chance(0.3) ? 20 * prng.unit() : 0), prng);
}

/// Who has many links gets more of them (Barabási and Albert).
inline Network preferential(NodeIndex nodes, core::Prng& prng) {
  Network out{nodes, {}};
  const NodeIndex each = 1 + any(4, prng);
  for (NodeIndex u = 1; u < nodes; ++u)
    for (NodeIndex i = 0; i < std::min(u, each); ++i) {
      NodeIndex to = any(u, prng);
      if (!out.links.empty() && prng.chance(0.9)) {
        const Edge& link = out.links[prng.below(out.links.size())];
        to = prng.chance(0.5) ? link.a : link.b;
      }
      if (to != u) out.links.push_back({to, u});
    }
  return out;
}

/// A ring of neighbours and their neighbours, some links thrown elsewhere (Watts and Strogatz).
inline Network small_world(NodeIndex nodes, core::Prng& prng) {
  Network out{nodes, {}};
  const NodeIndex near = 1 + any(4, prng);
  const double thrown = 0.3 * prng.unit();
  for (NodeIndex u = 0; u < nodes; ++u)
    for (NodeIndex i = 1; i <= near; ++i)
      out.links.push_back({u, prng.chance(thrown) ? any(nodes, prng) : (u + i) % nodes});
  return out;
}

/// Who is near in the unit square is linked; from a few links per node to many.
inline Network unit_disk(NodeIndex nodes, core::Prng& prng) {
  Network out{nodes, {}};
  std::vector<double> x(nodes), y(nodes);
  for (NodeIndex u = 0; u < nodes; ++u) x[u] = prng.unit(), y[u] = prng.unit();
  const double denser = prng.chance(0.2) ? 2 : 1;
  const double range = denser * (0.7 + prng.unit()) * std::sqrt(1.5 / nodes);
  // Along x, so that few pairs are looked at.
  std::vector<NodeIndex> order(nodes);
  std::iota(order.begin(), order.end(), NodeIndex{0});
  std::sort(order.begin(), order.end(), [&](NodeIndex u, NodeIndex v) { return x[u] < x[v]; });
  for (NodeIndex i = 0; i < nodes; ++i)
    for (NodeIndex j = i + 1; j < nodes && x[order[j]] - x[order[i]] <= range; ++j)
      if (std::hypot(x[order[i]] - x[order[j]], y[order[i]] - y[order[j]]) <= range)
        out.links.push_back({order[i], order[j]});
  return out;
}

/// Each node of a smaller network twice or more, with the same links: whole groups are tied.
inline Network twins(NodeIndex nodes, core::Prng& prng) {
  const Network half = tree((nodes + 1) / 2, prng);
  Network out{nodes, half.links};
  std::vector<std::vector<NodeIndex>> around(half.nodes);
  for (const auto& [a, b] : half.links) around[a].push_back(b), around[b].push_back(a);
  const bool linked = prng.chance(0.5);
  for (NodeIndex u = half.nodes; u < nodes; ++u) {
    const NodeIndex of = any(half.nodes, prng);
    for (const NodeIndex v : around[of]) out.links.push_back({u, v});
    if (linked || half.links.empty()) out.links.push_back({of, u});
  }
  return out;
}

/// Two dense parts, often equals, and a bridge of some length.
inline Network barbell(NodeIndex nodes, core::Prng& prng) {
  const NodeIndex bridge = any(nodes / 4 + 1, prng);
  const NodeIndex ends = nodes - bridge;
  const NodeIndex first = prng.chance(0.6) ? ends / 2 : any(ends, prng);
  Network out{nodes, {}};
  const bool full = ends < 100 && prng.chance(0.5);
  const auto part = [&](NodeIndex from, NodeIndex size) {
    for (NodeIndex u = 1; u < size; ++u)
      for (NodeIndex v = full ? 0 : u - u / 2; v <= u - 1; v += full ? 1 : 1 + any(5, prng))
        out.links.push_back({from + u, from + v});
    for (NodeIndex u = 1; u < size && !full; ++u) out.links.push_back({from, from + u});
  };
  part(0, first);
  part(first + bridge, ends - first);
  for (NodeIndex u = first; u <= first + bridge && u < nodes; ++u)
    if (u > 0) out.links.push_back({u == first ? 0 : u - 1, u});
  return out;
}

inline Network one_piece(NodeIndex nodes, core::Prng& prng);

/// Some side by side, of any families; or the same one several times.
inline Network side_by_side(NodeIndex nodes, core::Prng& prng) {
  Network out{nodes, {}};
  const bool equal = prng.chance(0.3);
  const NodeIndex largest = 1 + any(nodes, prng);
  const Network model = one_piece(largest, prng);
  for (NodeIndex first = 0; first < nodes;) {
    const NodeIndex size = std::min(nodes - first, equal ? largest : 1 + any(largest, prng));
    const Network piece = equal && size == largest ? model : one_piece(size, prng);
    for (const auto& [a, b] : piece.links) out.links.push_back({first + a, first + b});
    first += size;
  }
  return out;
}

inline Network arrows(NodeIndex nodes, core::Prng& prng) {
  Network out = random(nodes, 0.3 + 3 * prng.unit(), prng);
  out.direction = Direction::one_way;
  return out;
}
/// Strongly connected.
inline Network strong_arrows(NodeIndex nodes, core::Prng& prng) {
  Network out = ring(nodes, prng);
  const Network more = random(nodes, 2 * prng.unit(), prng);
  out.links.insert(out.links.end(), more.links.begin(), more.links.end());
  out.direction = Direction::one_way;
  return out;
}
/// The links of any family, each one way.
inline Network any_arrows(NodeIndex nodes, core::Prng& prng) {
  Network out = one_piece(nodes, prng);
  out.direction = Direction::one_way;
  for (auto& [a, b] : out.links)
    if (prng.chance(0.5)) std::swap(a, b);
  return out;
}

struct Family {
  std::string_view name;
  Network (*draw)(NodeIndex, core::Prng&);
  NodeIndex most = 20'000;  // nodes: beyond, there are too many links or it takes too long
};

inline std::span<const Family> families() {
  static constexpr std::array all{
      Family{"path", path},
      Family{"tree", tree},
      Family{"star", star},
      Family{"caterpillar", caterpillar},
      Family{"ring", ring},
      Family{"ring-with-trees", ring_with_trees},
      Family{"cactus", cactus},
      Family{"cliques", cliques},
      Family{"grid", grid},
      Family{"ladder", ladder},
      Family{"torus", torus},
      Family{"complete", complete, 1100},
      Family{"bipartite", bipartite, 1100},
      Family{"sparse-random", sparse_random},
      Family{"dense-random", dense_random},
      Family{"preferential", preferential},
      Family{"small-world", small_world},
      Family{"unit-disk", unit_disk},
      Family{"twins", twins},
      Family{"barbell", barbell, 1100},
      // The last four are made of those above.
      Family{"side-by-side", side_by_side, 5000},
      Family{"arrows", arrows, 3000},
      Family{"strong-arrows", strong_arrows, 3000},
      Family{"any-arrows", any_arrows, 1200},
  };
  return all;
}

inline Network one_piece(NodeIndex nodes, core::Prng& prng) {
  const auto pieces_only = families().first(families().size() - 4);
  for (;;) {
    const Family& family = pieces_only[prng.below(pieces_only.size())];
    if (nodes <= family.most) return family.draw(nodes, prng);
  }
}

/// Sometimes with loops and parallel links; numbers dealt, so that ties are real.
inline Network dressed(Network out, core::Prng& prng) {
  if (prng.chance(0.2)) {
    const bool both = out.direction == Direction::both_ways;
    const std::size_t before = out.links.size();
    for (std::size_t i = 0; i < before; ++i) {
      const auto [a, b] = out.links[i];
      if (prng.chance(0.3)) out.links.push_back(both ? Edge{b, a} : Edge{a, b});
    }
    for (NodeIndex u = 0; u < out.nodes; ++u)
      if (prng.chance(0.2)) out.links.push_back({u, u});
  }
  std::vector<NodeIndex> number(out.nodes);
  std::iota(number.begin(), number.end(), NodeIndex{0});
  core::shuffle(number, prng);
  for (auto& [a, b] : out.links) {
    a = number[a];
    b = number[b];
    if (out.direction == Direction::both_ways && prng.chance(0.5)) std::swap(a, b);
  }
  core::shuffle(out.links, prng);
  return out;
}

/// Any family of links that go both ways; often side by side with others.
inline Network network(NodeIndex nodes, core::Prng& prng) {
  return dressed(prng.chance(0.2) ? side_by_side(nodes, prng) : one_piece(nodes, prng), prng);
}

/// Weights of several kinds: all equal, few different ones (many ties), any, or hops and leaps.
inline std::vector<WeightedEdge> weigh(const std::vector<Edge>& links, core::Prng& prng) {
  const std::uint64_t kind = prng.below(4);
  const std::uint64_t one = 1 + prng.below(1000);
  std::vector<WeightedEdge> out;
  for (const auto& [a, b] : links) {
    std::uint64_t weight = one;
    if (kind == 1) weight = 1 + prng.below(3);
    if (kind == 2) weight = 1 + prng.below(0xFFFF'FFFF);
    if (kind == 3) weight = prng.chance(0.1) ? 1'000'000 : 1 + prng.below(10);
    out.push_back({a, b, static_cast<std::uint32_t>(weight)});
  }
  return out;
}

/// Mostly small ones, so that many can be tried.
inline NodeIndex size(core::Prng& prng, NodeIndex small, NodeIndex large) {
  return 1 + any(prng.chance(0.15) ? large : small, prng);
}

}  // namespace bellwether::graph::drawn
