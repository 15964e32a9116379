// SPDX-License-Identifier: MIT
// The properties of a hierarchy around the centre, checked against the actual network.
#include <algorithm>
#include <map>

#include "bellwether/algorithms/moving/central_hierarchy.hpp"
#include "bellwether/algorithms/moving/knowledge_properties.hpp"
#include "bellwether/algorithms/stated_property.hpp"
#include "bellwether/graph/distances.hpp"
#include "bellwether/graph/placement.hpp"

namespace bellwether::algorithms {
namespace {

using All = core::Snapshot<CentralHierarchy>;
using core::NodeId;
using core::NodeIndex;
using Property = StatedProperty<CentralHierarchy>;

/// Links between live nodes, whatever they know.
graph::Graph network_of(const All& all) {
  std::vector<graph::Edge> links;
  for (NodeIndex u = 0; u < all.size(); ++u) {
    if (!all.alive(u)) continue;
    for (const auto& channel : all.channels(u))
      if (u < channel.to && all.alive(channel.to)) links.push_back({u, channel.to});
  }
  return graph::Graph(static_cast<NodeIndex>(all.size()), links);
}

std::map<NodeId, NodeIndex> live_places(const All& all) {
  std::map<NodeId, NodeIndex> out;
  for (NodeIndex u = 0; u < all.size(); ++u)
    if (all.alive(u)) out.emplace(all.id(u), u);
  return out;
}

class OneHierarchy final : public Property {
 public:
  OneHierarchy()
      : Property(
            "one-hierarchy",
            "when quiescent, all nodes of a component have chains of one length that end in its "
            "leader, and every node that is named as a leader of level k leads at level k") {}
  void at_rest(const All& all) override {
    const auto places = live_places(all);
    for (const auto& [id, u] : places) {
      const CentralHierarchy& node = all.node(u);
      const Ids& chain = node.leaders();
      demand(!chain.empty() && chain.back() == *node.leader(), all, u, "a chain without its end");
      for (std::size_t k = 1; k <= chain.size(); ++k) {
        const auto at = places.find(chain[k - 1]);
        demand(at != places.end(), all, u, "a dead leader of level " + std::to_string(k));
        const CentralHierarchy& leader = all.node(at->second);
        demand(leader.rank() >= k && leader.leaders().size() == chain.size() &&
                   leader.leaders()[k - 1] == chain[k - 1],
               all, u, "a node that does not lead at level " + std::to_string(k));
        demand(k > node.rank() || chain[k - 1] == id, all, u, "another leader than itself");
        demand(k == chain.size() || leader.leaders()[k] == chain[k], all, u,
               "another chain than its leader's");
      }
    }
  }
};

class Near final : public Property {
 public:
  Near()
      : Property("remoteness",
                 "when quiescent, every node is within the guaranteed distance of its leader of "
                 "level k: within (R1 + 1) ... (Rk + 1) - 1 hops where every R is more than 1") {}
  void at_rest(const All& all) override {
    const graph::Graph network = network_of(all);
    const auto places = live_places(all);
    for (const auto& [id, leader] : places) {
      if (all.node(leader).rank() == 0) continue;
      const auto far = graph::distances(network, leader);
      for (const auto& [other, u] : places) {
        const CentralHierarchy& node = all.node(u);
        for (std::size_t k = 1; k <= node.leaders().size(); ++k)
          if (node.leaders()[k - 1] == id)
            demand(far[u] <= allowed(node.remoteness(), k), all, u,
                   "a leader of level " + std::to_string(k) + " too far away");
      }
    }
  }

 private:
  static std::uint64_t allowed(const Remoteness& remoteness, std::size_t level) {
    std::vector<std::uint32_t> each;
    for (std::size_t k = 1; k <= level; ++k) each.push_back(remoteness.of(k));
    return graph::allowance(each, level).hops;
  }
};

class Few final : public Property {
 public:
  Few()
      : Property("few-leaders",
                 "when quiescent, a component of n nodes has at most n / (R1 + 1) + 1 leaders of "
                 "level 1, fewer of each level than of the one below, and one of the highest") {}
  void at_rest(const All& all) override {
    std::map<NodeId, std::vector<std::size_t>> counts;  // by component's leader, by level
    for (const auto& [id, u] : live_places(all)) {
      auto& count = counts[*all.node(u).leader()];
      count.resize(std::max<std::size_t>(count.size(), all.node(u).rank() + 1));
      for (std::uint32_t k = 0; k <= all.node(u).rank(); ++k) ++count[k];
    }
    for (const auto& [id, u] : live_places(all)) {
      if (all.node(u).leader() != id) continue;
      const auto& count = counts[id];
      demand(count.size() > 1 && count[1] <= count[0] / (all.node(u).remoteness().of(1) + 1) + 1,
             all, u, "too many leaders of level 1");
      for (std::size_t k = 2; k < count.size(); ++k)
        demand(count[k] < count[k - 1], all, u, "too many leaders of level " + std::to_string(k));
      demand(count.back() == 1, all, u, "more than one leader of the top level");
    }
  }
};

class Flock final : public Property {
 public:
  Flock()
      : Property("flock",
                 "when quiescent, a leader knows its children of every level, and the next hops "
                 "lead from it to each of them and back") {}
  void at_rest(const All& all) override {
    const auto places = live_places(all);
    std::map<std::pair<NodeIndex, std::uint32_t>, Ids> children;
    for (const auto& [id, u] : places) {
      const CentralHierarchy& node = all.node(u);
      if (node.leader() == id) continue;
      const NodeIndex leader = places.at(node.leaders()[node.rank()]);
      children[{leader, node.rank() + 1}].push_back(id);
      if (u % 7 != 0) continue;  // following all would take long; other networks cover the others
      follow(all, leader, u);
      follow(all, u, leader);
    }
    for (const auto& [whose, ids] : children)
      demand(all.node(whose.first).children(whose.second) == ids, all, whose.first,
             "wrong children of level " + std::to_string(whose.second));
  }

 private:
  static void follow(const All& all, NodeIndex from, NodeIndex to) {
    for (std::size_t steps = 0; from != to; ++steps) {
      const auto port = all.node(from).next_hop(all.id(to));
      NodeIndex next = from;
      for (const auto& channel : all.channels(from))
        if (port == channel.port) next = channel.to;
      demand(next != from && steps < all.size(), all, from,
             "no way to node " + std::to_string(core::raw(all.id(to))));
      from = next;
    }
  }
};

}  // namespace

core::Monitors<CentralHierarchy> CentralHierarchy::monitors() {
  core::Monitors<CentralHierarchy> all;
  all.push_back(std::make_unique<ClocksRise<CentralHierarchy>>());
  all.push_back(std::make_unique<OwnEntry<CentralHierarchy>>());
  all.push_back(std::make_unique<OneHierarchy>());
  all.push_back(std::make_unique<Near>());
  all.push_back(std::make_unique<Few>());
  all.push_back(std::make_unique<Flock>());
  return all;
}

}  // namespace bellwether::algorithms
