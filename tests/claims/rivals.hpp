// SPDX-License-Identifier: MIT
// What the claims about the elections for mobile networks share: who ought to lead, and when the
// last node changed its mind.
#pragma once

#include <map>

#include "claims/claims.hpp"

namespace bellwether::claims {

constexpr const char* many_topologies[] = {
    "line",     "ring",      "star",      "tree",        "grid",           "torus",
    "complete", "hypercube", "geometric", "erdos-renyi", "barabasi-albert"};

/// A network of some topology with random ids, by number; random ones may have several components.
inline Scenario static_network(std::uint64_t seed) {
  Scenario s = on(many_topologies[seed % std::size(many_topologies)],
                  static_cast<NodeIndex>(16 + 4 * (seed % 5)), seed);
  if (s.network.topology == "hypercube") s.network.nodes = 16;
  s.network.degree = 5;
  s.network.ids = "random";
  s.properties = {"all"};
  return s;
}

inline std::vector<std::uint64_t> degrees(const world::Network& network) {
  std::vector<std::uint64_t> out(network.nodes);
  for (const graph::Edge& link : network.links) {
    ++out[link.a];
    ++out[link.b];
  }
  return out;
}

/// The node with the highest value of each component; ties: the highest id. In the order of the
/// report: components by their smallest node.
inline std::vector<NodeId> best_of_each(const world::Network& network,
                                        const std::vector<NodeId>& ids,
                                        const std::vector<std::uint64_t>& value) {
  std::vector<NodeIndex> root(network.nodes);
  for (NodeIndex u = 0; u < network.nodes; ++u) root[u] = u;
  bool changed = true;
  while (changed) {
    changed = false;
    for (const graph::Edge& link : network.links)
      if (root[link.a] != root[link.b]) {
        root[link.a] = root[link.b] = std::min(root[link.a], root[link.b]);
        changed = true;
      }
  }
  std::map<NodeIndex, NodeIndex> best;
  for (NodeIndex u = 0; u < network.nodes; ++u) {
    const auto [place, first] = best.try_emplace(root[u], u);
    NodeIndex& b = place->second;
    if (!first && std::pair{value[u], ids[u]} > std::pair{value[b], ids[b]}) b = u;
  }
  std::vector<NodeId> out;
  for (const auto& [component, b] : best) out.push_back(ids[b]);
  return out;
}

inline std::vector<NodeId> named(const RunReport& report) {
  std::vector<NodeId> out;
  for (const auto& part : report.leaders)
    if (part.leader) out.push_back(*part.leader);
  return out;
}

inline double last_change(const RunReport& report) {
  return metric(report, "last_leader_change_s");
}

/// Without a node: its links are gone.
inline world::Network without(world::Network network, NodeIndex gone) {
  std::erase_if(network.links,
                [&](const graph::Edge& link) { return link.a == gone || link.b == gone; });
  return network;
}

inline bool connected(const world::Network& network) {
  const std::vector<std::uint64_t> none(network.nodes);
  return best_of_each(network, counting_ids(network.nodes), none).size() == 1;
}

inline NodeIndex place_of(const std::vector<NodeId>& ids, NodeId id) {
  return static_cast<NodeIndex>(std::find(ids.begin(), ids.end(), id) - ids.begin());
}

}  // namespace bellwether::claims
