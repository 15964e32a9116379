// SPDX-License-Identifier: MIT
// The properties of the hierarchy, seen from outside: the tree of the parents, and who leads in it.
#include <algorithm>
#include <map>

#include "bellwether/algorithms/moving/hierarchy.hpp"
#include "bellwether/algorithms/stated_property.hpp"

namespace bellwether::algorithms {
namespace {

using All = core::Snapshot<Hierarchy>;
using Property = StatedProperty<Hierarchy>;
using core::NodeIndex;

constexpr NodeIndex nobody = ~NodeIndex{0};

std::vector<NodeIndex> parents(const All& all) {
  std::vector<NodeIndex> parent(all.size(), nobody);
  for (NodeIndex u = 0; u < all.size(); ++u) {
    if (!all.alive(u)) continue;
    for (const auto& channel : all.channels(u))
      if (all.node(u).pred() == channel.port) parent[u] = channel.to;
  }
  return parent;
}

bool root(const All& all, NodeIndex u) {
  return all.node(u).leader() == all.id(u);
}

std::string at_level(std::size_t level) {
  return "of level " + std::to_string(level);
}

class Downhill final : public Property {
 public:
  Downhill()
      : Property("downhill",
                 "the parent of a node is a neighbour of lower height that follows the same "
                 "leader; the leader has none") {}
  void after(const All& all, const core::Happening& what) override {
    const NodeIndex u = what.node;
    if (!all.alive(u)) return;
    const Hierarchy& node = all.node(u);
    if (!node.pred()) return;
    demand(!root(all, u), all, u, "the leader has a parent");
    const HeightTuple* theirs = node.heights().view(*node.pred());
    demand(theirs && theirs->lp == node.heights().height().lp && *theirs < node.heights().height(),
           all, u, "its parent is not downhill");
  }
};

class OneHierarchy final : public Property {
 public:
  OneHierarchy()
      : Property("one-hierarchy",
                 "when quiescent, every node names, at each level, the nearest leader up the tree, "
                 "at most R steps of that level away, and the component's leader at last") {}
  void at_rest(const All& all) override {
    const auto parent = parents(all);
    for (NodeIndex u = 0; u < all.size(); ++u)
      if (all.alive(u)) climb(all, parent, u);
  }

 private:
  static void climb(const All& all, const std::vector<NodeIndex>& parent, NodeIndex u) {
    const Hierarchy& node = all.node(u);
    const auto chain = node.leaders();
    demand(!chain.empty(), all, u, "its leaders are not known");
    demand(chain.back() == *node.leader(), all, u, "the component's leader is not the last");
    NodeIndex at = u;
    NodeIndex climbed = 0;
    for (std::uint32_t k = 1; k <= chain.size(); ++k) {
      std::uint32_t steps = 0;
      while (all.node(at).rank() < k) {
        demand(parent[at] != nobody && climbed++ < all.size(), all, u,
               "no way to a leader " + at_level(k));
        at = parent[at];
        if (all.node(at).rank() >= k - 1) ++steps;
      }
      demand(all.id(at) == chain[k - 1], all, u, "a wrong leader " + at_level(k));
      demand(steps <= node.remoteness().of(k), all, u, "too far from its leader " + at_level(k));
    }
    demand(root(all, at) && all.node(at).rank() == chain.size(), all, u,
           "there are levels above its last leader");
  }
};

class Near final : public Property {
 public:
  Near()
      : Property("remoteness",
                 "when quiescent, every node is within (R1 + 1) ... (Rk + 1) - 1 hops of its "
                 "leader of level k, for every k") {}
  void at_rest(const All& all) override {
    std::map<NodeId, std::vector<NodeIndex>> followers;  // by leader
    for (NodeIndex u = 0; u < all.size(); ++u) {
      if (!all.alive(u)) continue;
      auto chain = all.node(u).leaders();
      chain.erase(std::unique(chain.begin(), chain.end()), chain.end());
      for (const NodeId id : chain) followers[id].push_back(u);
    }
    for (NodeIndex v = 0; v < all.size(); ++v) {
      if (!all.alive(v) || !followers.contains(all.id(v))) continue;
      const auto hops = hops_from(all, v);
      for (const NodeIndex u : followers[all.id(v)]) {
        const auto chain = all.node(u).leaders();
        const auto level = static_cast<std::size_t>(
            std::find(chain.begin(), chain.end(), all.id(v)) - chain.begin() + 1);
        demand(hops[u] != nobody && hops[u] <= all.node(u).remoteness().hops(level), all, u,
               "too many hops from its leader " + at_level(level));
      }
    }
  }

 private:
  static std::vector<NodeIndex> hops_from(const All& all, NodeIndex v) {
    std::vector<NodeIndex> hops(all.size(), nobody);
    std::vector<NodeIndex> order{v};
    hops[v] = 0;
    for (std::size_t i = 0; i < order.size(); ++i)
      for (const auto& channel : all.channels(order[i])) {
        if (!all.alive(channel.to) || hops[channel.to] != nobody) continue;
        hops[channel.to] = hops[order[i]] + 1;
        order.push_back(channel.to);
      }
    return hops;
  }
};

class Few final : public Property {
 public:
  Few()
      : Property("few-leaders",
                 "when quiescent, a component with m leaders of level k - 1 has at most (m - 1) / "
                 "(a + 1) + 1 of level k, where a is half of R, rounded down, and at least 1; and "
                 "one of the top level") {}
  void at_rest(const All& all) override {
    std::map<NodeId, std::vector<std::uint64_t>> counts;  // by component's leader, by level
    for (NodeIndex u = 0; u < all.size(); ++u) {
      if (!all.alive(u)) continue;
      auto& count = counts[*all.node(u).leader()];
      count.resize(std::max<std::size_t>(count.size(), all.node(u).rank() + 1));
      for (std::uint32_t k = 0; k <= all.node(u).rank(); ++k) ++count[k];
    }
    for (NodeIndex u = 0; u < all.size(); ++u) {
      if (!all.alive(u) || !root(all, u)) continue;
      const auto& count = counts[all.id(u)];
      for (std::size_t k = 1; k < count.size(); ++k) {
        const auto least = HierarchyPlaces::least(all.node(u).remoteness().of(k));
        demand(count[k] <= (count[k - 1] - 1) / (least + 1) + 1, all, u,
               "too many leaders " + at_level(k));
      }
      demand(count.back() == 1, all, u, "more than one leader of the top level");
    }
  }
};

}  // namespace

core::Monitors<Hierarchy> Hierarchy::monitors() {
  core::Monitors<Hierarchy> all;
  all.push_back(std::make_unique<Downhill>());
  all.push_back(std::make_unique<OneHierarchy>());
  all.push_back(std::make_unique<Near>());
  all.push_back(std::make_unique<Few>());
  return all;
}

}  // namespace bellwether::algorithms
