// SPDX-License-Identifier: MIT
#include "bellwether/layers/partition.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace bellwether::layers {
namespace {

using core::NodeId;
using AdjacencyLists = std::map<NodeId, std::vector<NodeId>>;

struct Home {
  NodeId parent{};
  NodeId leader{};
};
using Homes = std::map<NodeId, Home>;

/// Those next to `layer` that have no home yet, each with the first of the layer that it touches.
std::map<NodeId, NodeId> next_layer(const AdjacencyLists& around, const std::vector<NodeId>& layer,
                                    const Homes& homes) {
  std::map<NodeId, NodeId> out;
  for (const NodeId node : layer)
    for (const NodeId peer : around.at(node))
      if (!homes.contains(peer)) out.try_emplace(peer, node);
  return out;
}

void grow_cluster(const AdjacencyLists& around, NodeId centre, std::uint32_t growth, Homes& homes) {
  homes[centre] = {centre, centre};
  std::vector<NodeId> layer{centre};
  std::size_t size = 1;
  for (;;) {
    const auto next = next_layer(around, layer, homes);
    if (next.empty() || next.size() < (growth - std::size_t{1}) * size) return;
    layer.clear();
    for (const auto& [node, parent] : next) {
      homes[node] = {parent, centre};
      layer.push_back(node);
    }
    size += layer.size();
  }
}

}  // namespace

Partition make_partition(const std::vector<Link>& links, std::uint32_t growth) {
  AdjacencyLists around;
  for (const auto& [a, b] : links) {
    around[a].push_back(b);
    around[b].push_back(a);
  }
  for (auto& [node, peers] : around) std::sort(peers.begin(), peers.end());
  Homes homes;
  for (const auto& [node, peers] : around)
    if (!homes.contains(node)) grow_cluster(around, node, std::max(growth, 2u), homes);
  std::map<NodeId, ClusterNode> places;
  for (const auto& [node, home] : homes) places[node] = {node, home.parent, {}};
  std::set<Link> joined;  // clusters that have a preferred link
  for (const auto& [node, peers] : around)
    for (const NodeId peer : peers) {
      const auto clusters = std::minmax(homes[node].leader, homes[peer].leader);
      if (node > peer || clusters.first == clusters.second) continue;
      if (!joined.insert({clusters.first, clusters.second}).second) continue;
      places[node].preferred.push_back(peer);
      places[peer].preferred.push_back(node);
    }
  Partition out;
  for (auto& [node, place] : places) out.places.push_back(std::move(place));
  return out;
}

}  // namespace bellwether::layers
