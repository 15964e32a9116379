// SPDX-License-Identifier: MIT
// Topologies drawn at random, each in time linear in nodes and links.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "bellwether/core/problem.hpp"
#include "bellwether/world/topology_parts.hpp"

namespace bellwether::world {

namespace {

using parts::text;

void require_degree(const NetworkSpec& spec) {
  parts::require_nodes(spec.nodes);
  const double most = spec.nodes - 1.0;
  if (!(spec.degree >= 0 && spec.degree <= most))  // refuses a NaN, too
    throw core::Problem("degree", "degree is the mean number of neighbours: with " +
                                      text(spec.nodes) + (spec.nodes == 1 ? " node" : " nodes") +
                                      " it must be from 0 to " + text(most) + ", not " +
                                      text(spec.degree));
  require_room(spec.nodes, 0.5 * spec.nodes * spec.degree, "degree");
}

/// Nodes sorted into square cells no smaller than the reach: a near node is in one of the
/// nine cells around, and the three of a row are one stretch of the array.
class Cells {
 public:
  Cells(std::span<const Point> places, double reach) {
    const double most = std::ceil(std::sqrt(static_cast<double>(places.size())));
    // A little below 1, so that rounding cannot make a cell smaller than the reach.
    const double fit = std::floor(0.999999 / reach);
    side_ = static_cast<std::size_t>(std::clamp(fit, 1.0, std::max(most, 1.0)));
    begin_.assign(side_ * side_ + 1, 0);
    for (const Point& p : places) ++begin_[cell(p) + 1];
    for (std::size_t c = 0; c + 1 < begin_.size(); ++c) begin_[c + 1] += begin_[c];
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    nodes_.resize(places.size());
    for (NodeIndex u = 0; u < places.size(); ++u) nodes_[next[cell(places[u])]++] = u;
  }

  template <class Visit>
  void around(Point p, const Visit& visit) const {
    const std::size_t column = coordinate(p.x);
    const std::size_t row = coordinate(p.y);
    const std::size_t left = column - (column > 0 ? 1 : 0);
    const std::size_t right = std::min(column + 1, side_ - 1);
    for (std::size_t r = row - (row > 0 ? 1 : 0); r <= std::min(row + 1, side_ - 1); ++r)
      for (std::size_t i = begin_[r * side_ + left]; i < begin_[r * side_ + right + 1]; ++i)
        visit(nodes_[i]);
  }

 private:
  /// A node outside the square belongs to its border, which keeps near ones near.
  std::size_t coordinate(double x) const {
    const double most = static_cast<double>(side_ - 1);
    return static_cast<std::size_t>(std::clamp(x * static_cast<double>(side_), 0.0, most));
  }
  std::size_t cell(Point p) const { return coordinate(p.y) * side_ + coordinate(p.x); }

  std::size_t side_;
  std::vector<std::size_t> begin_;
  std::vector<NodeIndex> nodes_;
};

}  // namespace

double reach_for_degree(NodeIndex nodes, double degree) {
  return nodes < 2 ? 0 : std::sqrt(degree / (std::numbers::pi * (nodes - 1.0)));
}

std::vector<graph::Edge> links_within(std::span<const Point> places, double reach) {
  std::vector<graph::Edge> links;
  if (!(reach > 0)) return links;
  const Cells cells(places, reach);
  for (NodeIndex u = 0; u < places.size(); ++u) {
    const Point p = places[u];
    const std::size_t first = links.size();
    cells.around(p, [&](NodeIndex v) {
      if (v <= u) return;
      const double dx = places[v].x - p.x;
      const double dy = places[v].y - p.y;
      if (dx * dx + dy * dy <= reach * reach) links.push_back({u, v});
    });
    std::sort(links.begin() + static_cast<std::ptrdiff_t>(first), links.end());
  }
  return links;
}

namespace parts {

/// Instead of one draw per pair, one per link: how many pairs to skip until the next one (Batagelj
/// and Brandes 2005). Pairs (w, v) with w < v in the order of v.
Network erdos_renyi(const NetworkSpec& spec, core::Prng& prng) {
  require_degree(spec);
  Network network;
  network.nodes = spec.nodes;
  if (spec.degree <= 0) return network;
  const double p = spec.degree / (spec.nodes - 1.0);
  network.links.reserve(static_cast<std::size_t>(0.5 * spec.nodes * spec.degree * 1.01));
  std::uint64_t left = std::uint64_t{spec.nodes} * (spec.nodes - 1) / 2;
  std::uint64_t v = 1;
  std::uint64_t w = 0;
  while (true) {
    const std::uint64_t skipped = prng.geometric(p);
    if (skipped >= left) return network;
    left -= skipped + 1;
    for (w += skipped; w >= v; ++v) w -= v;
    network.links.push_back({static_cast<NodeIndex>(w), static_cast<NodeIndex>(v)});
    ++w;
  }
}

Network geometric(const NetworkSpec& spec, core::Prng& prng) {
  require_degree(spec);
  Network network;
  network.nodes = spec.nodes;
  network.places.resize(spec.nodes);
  for (Point& p : network.places) {
    p.x = prng.unit();
    p.y = prng.unit();
  }
  network.links = links_within(network.places, reach_for_degree(spec.nodes, spec.degree));
  return network;
}

/// Newcomer v links to `attach` different nodes, each with a probability in proportion to its
/// links: to the end of a link that is drawn evenly. The first newcomer links to all before it.
Network barabasi_albert(const NetworkSpec& spec, core::Prng& prng) {
  require_nodes(spec.nodes);
  if (spec.attach == 0 || spec.attach >= spec.nodes)
    throw core::Problem("attach", "must be at least 1 and less than the number of nodes, " +
                                      text(spec.nodes) + ", not " + text(spec.attach));
  const double newcomers = spec.nodes - spec.attach;
  require_room(spec.nodes, newcomers * spec.attach, "attach");
  Network network;
  network.nodes = spec.nodes;
  auto& links = network.links;
  links.reserve(std::size_t{spec.nodes - spec.attach} * spec.attach);
  for (NodeIndex u = 0; u < spec.attach; ++u) links.push_back({u, spec.attach});
  std::vector<NodeIndex> chosen_by(spec.nodes, 0);
  for (NodeIndex v = spec.attach + 1; v < spec.nodes; ++v) {
    const std::size_t ends = 2 * links.size();  // before v came
    for (NodeIndex missing = spec.attach; missing > 0;) {
      const std::uint64_t end = prng.below(ends);
      const graph::Edge& e = links[end / 2];
      const NodeIndex u = end % 2 == 0 ? e.a : e.b;
      if (chosen_by[u] == v) continue;
      chosen_by[u] = v;
      links.push_back({u, v});
      --missing;
    }
  }
  return network;
}

namespace {

/// A node that is not known yet, drawn evenly; there must be one.
NodeIndex stranger(const std::vector<NodeIndex>& known, NodeIndex nodes, core::Prng& prng) {
  auto drawn = static_cast<NodeIndex>(prng.below(nodes - known.size()));
  // The drawn number counts strangers: step over the known ones, which are in ascending order.
  for (const NodeIndex v : known) {
    if (v > drawn) break;
    ++drawn;
  }
  return drawn;
}

void check_watts_strogatz(const NetworkSpec& spec) {
  require_nodes(spec.nodes);
  if (spec.near == 0 || spec.near % 2 != 0)
    throw core::Problem(
        "near", "must be an even number above 0 (neighbours on both sides of a node), not " +
                    text(spec.near));
  if (spec.near >= spec.nodes)
    throw core::Problem("near", "a node cannot have " + text(spec.near) + " neighbours among " +
                                    text(spec.nodes) +
                                    " nodes; choose a smaller near or more nodes");
  if (!(spec.rewire >= 0 && spec.rewire <= 1))
    throw core::Problem("rewire",
                        "must be a share of the links from 0 to 1, not " + text(spec.rewire));
  require_room(spec.nodes, 0.5 * spec.nodes * spec.near, "near");
}

}  // namespace

/// The far end of each lattice link moves with probability `rewire` to a node that is not yet a
/// neighbour, first for the links to the next node, then for those to the one after (Watts and
/// Strogatz 1998). A node that knows all others keeps its link.
Network watts_strogatz(const NetworkSpec& spec, core::Prng& prng) {
  check_watts_strogatz(spec);
  Network network;
  network.nodes = spec.nodes;
  network.links.reserve(std::size_t{spec.nodes} * (spec.near / 2));
  std::vector<std::vector<NodeIndex>> known(spec.nodes);  // itself and its neighbours, ascending
  for (NodeIndex u = 0; u < spec.nodes; ++u) {
    known[u].reserve(spec.near + 3);
    known[u].push_back(u);
  }
  for (NodeIndex away = 1; away <= spec.near / 2; ++away) {
    for (NodeIndex u = 0; u < spec.nodes; ++u) {
      const NodeIndex v = u < spec.nodes - away ? u + away : u + away - spec.nodes;
      network.links.push_back({u, v});
      known[u].push_back(v);
      known[v].push_back(u);
    }
  }
  for (auto& each : known) std::ranges::sort(each);
  const auto insert = [&](NodeIndex at, NodeIndex v) {
    known[at].insert(std::ranges::lower_bound(known[at], v), v);
  };
  const auto erase = [&](NodeIndex at, NodeIndex v) {
    known[at].erase(std::ranges::lower_bound(known[at], v));
  };
  for (auto& [u, v] : network.links) {
    if (!prng.chance(spec.rewire) || known[u].size() == spec.nodes) continue;
    const NodeIndex moved = stranger(known[u], spec.nodes, prng);
    erase(u, v);
    erase(v, u);
    insert(u, moved);
    insert(moved, u);
    v = moved;
  }
  return network;
}

}  // namespace parts

}  // namespace bellwether::world
