// SPDX-License-Identifier: MIT
// Topologies without chance.
#include <bit>
#include <cmath>
#include <string>

#include "bellwether/core/problem.hpp"
#include "bellwether/world/topology_parts.hpp"

namespace bellwether::world::parts {

namespace {

Network nodes_only(const NetworkSpec& spec) {
  require_nodes(spec.nodes);
  Network network;
  network.nodes = spec.nodes;
  return network;
}

struct Sides {
  NodeIndex rows;
  NodeIndex columns;
};

/// The other side of a grid with one side given.
NodeIndex other_side(const NetworkSpec& spec, NodeIndex side, std::string_view missing) {
  if (spec.nodes == 0)
    throw core::Problem(std::string(missing),
                        "give " + std::string(missing) + " as well, or the number of nodes");
  if (spec.nodes % side != 0)
    throw core::Problem("nodes", text(spec.nodes) + " nodes cannot be laid out " + text(side) +
                                     " by a whole number; choose a multiple of " + text(side));
  return spec.nodes / side;
}

Sides sides(const NetworkSpec& spec) {
  if (spec.rows != 0 && spec.columns != 0) {
    const std::uint64_t nodes = std::uint64_t{spec.rows} * spec.columns;
    if (spec.nodes != 0 && spec.nodes != nodes)
      throw core::Problem("nodes", text(spec.rows) + " rows of " + text(spec.columns) + " make " +
                                       text(nodes) + " nodes, not " + text(spec.nodes) +
                                       "; leave nodes out, or change rows or columns");
    require_nodes(nodes, spec.nodes == 0 ? "rows" : "nodes");
    return {spec.rows, spec.columns};
  }
  if (spec.rows != 0) return {spec.rows, other_side(spec, spec.rows, "columns")};
  if (spec.columns != 0) return {other_side(spec, spec.columns, "rows"), spec.columns};
  if (spec.nodes == 0)
    throw core::Problem("nodes", "give the number of nodes, or both rows and columns");
  // The most square layout: the largest divisor that is at most the square root.
  auto rows = static_cast<NodeIndex>(std::sqrt(static_cast<double>(spec.nodes)));
  while (spec.nodes % rows != 0) --rows;
  return {rows, spec.nodes / rows};
}

/// A side of one or two nodes has no wrapping link of its own: it would be a loop or a duplicate.
Network lattice(const NetworkSpec& spec, bool wraps) {
  const auto [rows, columns] = sides(spec);
  Network network;
  network.nodes = rows * columns;
  require_room(network.nodes, 2.0 * network.nodes, spec.nodes == 0 ? "rows" : "nodes");
  network.links.reserve(2 * std::size_t{network.nodes});
  for (NodeIndex r = 0; r < rows; ++r) {
    for (NodeIndex c = 0; c < columns; ++c) {
      const NodeIndex u = r * columns + c;
      if (c + 1 < columns)
        network.links.push_back({u, u + 1});
      else if (wraps && columns > 2)
        network.links.push_back({u, u - c});
      if (r + 1 < rows)
        network.links.push_back({u, u + columns});
      else if (wraps && rows > 2)
        network.links.push_back({u, c});
    }
  }
  return network;
}

}  // namespace

Network line(const NetworkSpec& spec, core::Prng&) {
  Network network = nodes_only(spec);
  require_room(network.nodes, network.nodes, "nodes");
  network.links.reserve(network.nodes - 1);
  for (NodeIndex u = 1; u < network.nodes; ++u) network.links.push_back({u - 1, u});
  return network;
}

Network ring(const NetworkSpec& spec, core::Prng& prng) {
  const NodeIndex least = spec.one_way ? 2 : 3;
  require_nodes(spec.nodes);
  if (spec.nodes < least)
    throw core::Problem("nodes", std::string(spec.one_way ? "a one-way" : "a two-way") +
                                     " ring needs at least " + text(least) + " nodes; it has " +
                                     text(spec.nodes));
  Network network = line(spec, prng);
  network.links.push_back({network.nodes - 1, 0});
  if (spec.one_way) network.direction = graph::Direction::one_way;
  return network;
}

Network star(const NetworkSpec& spec, core::Prng&) {
  Network network = nodes_only(spec);
  require_room(network.nodes, network.nodes, "nodes");
  network.links.reserve(network.nodes - 1);
  for (NodeIndex u = 1; u < network.nodes; ++u) network.links.push_back({0, u});
  return network;
}

Network tree(const NetworkSpec& spec, core::Prng&) {
  Network network = nodes_only(spec);
  if (spec.branching == 0)
    throw core::Problem("branching",
                        "a node of a tree needs children; write for instance branching = 2");
  require_room(network.nodes, network.nodes, "nodes");
  network.links.reserve(network.nodes - 1);
  for (NodeIndex u = 1; u < network.nodes; ++u)
    network.links.push_back({(u - 1) / spec.branching, u});
  return network;
}

Network grid(const NetworkSpec& spec, core::Prng&) {
  return lattice(spec, false);
}

Network torus(const NetworkSpec& spec, core::Prng&) {
  return lattice(spec, true);
}

Network hypercube(const NetworkSpec& spec, core::Prng&) {
  Network network = nodes_only(spec);
  if (!std::has_single_bit(network.nodes)) {
    const NodeIndex below = std::bit_floor(network.nodes);
    throw core::Problem("nodes", "a hypercube has a power of two of nodes; choose " + text(below) +
                                     " or " + text(2 * std::uint64_t{below}) + " instead of " +
                                     text(network.nodes));
  }
  const auto dimensions = static_cast<unsigned>(std::countr_zero(network.nodes));
  require_room(network.nodes, 0.5 * network.nodes * dimensions, "nodes");
  network.links.reserve(std::size_t{network.nodes} / 2 * dimensions);
  // Dimension by dimension, so that at every node port d crosses dimension d.
  for (unsigned d = 0; d < dimensions; ++d) {
    const NodeIndex bit = NodeIndex{1} << d;
    for (NodeIndex u = 0; u < network.nodes; ++u)
      if ((u & bit) == 0) network.links.push_back({u, u | bit});
  }
  return network;
}

Network complete(const NetworkSpec& spec, core::Prng&) {
  Network network = nodes_only(spec);
  const double nodes = network.nodes;
  require_room(network.nodes, nodes * (nodes - 1) / 2, "nodes");
  network.links.reserve(std::size_t{network.nodes} * (network.nodes - 1) / 2);
  for (NodeIndex u = 0; u < network.nodes; ++u)
    for (NodeIndex v = u + 1; v < network.nodes; ++v) network.links.push_back({u, v});
  return network;
}

Network single(const NetworkSpec& spec, core::Prng&) {
  return nodes_only(spec);
}

/// Vehicles come first, so that their numbers are those of the nodes that move.
Network highway_network(const NetworkSpec& spec, core::Prng&) {
  Network network = nodes_only(spec);
  const std::uint64_t standing = std::uint64_t{spec.towers} + spec.servers;
  if (standing > spec.nodes)
    throw core::Problem("nodes", text(spec.towers) + " towers and " + text(spec.servers) +
                                     " servers are more than " + text(spec.nodes) +
                                     " nodes; nodes counts vehicles, towers and servers together");
  if (spec.servers > 0 && spec.towers == 0)
    throw core::Problem("towers", "servers are wired to towers; write for instance towers = 3");
  require_room(spec.nodes, static_cast<double>(spec.towers) * spec.servers, "servers");
  const NodeIndex first_tower = spec.nodes - spec.towers - spec.servers;
  const NodeIndex first_server = spec.nodes - spec.servers;
  network.kinds.assign(spec.nodes, NodeKind::mobile);
  network.places.resize(spec.nodes);
  for (NodeIndex i = 0; i < spec.towers; ++i) {
    network.kinds[first_tower + i] = NodeKind::fixed;
    network.places[first_tower + i] = {(i + 0.5) / spec.towers, 0};
  }
  network.links.reserve(std::size_t{spec.towers} * spec.servers);
  for (NodeIndex server = first_server; server < spec.nodes; ++server) {
    network.kinds[server] = NodeKind::wired;
    for (NodeIndex i = 0; i < spec.towers; ++i) network.links.push_back({first_tower + i, server});
  }
  return network;
}

}  // namespace bellwether::world::parts
