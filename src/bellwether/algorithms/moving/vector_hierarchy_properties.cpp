// SPDX-License-Identifier: MIT
// The properties of the hierarchy, checked against a hierarchy that is recomputed from the whole
// tree.
#include <algorithm>
#include <map>

#include "bellwether/algorithms/moving/vector_hierarchy.hpp"
#include "bellwether/algorithms/stated_property.hpp"

namespace bellwether::algorithms {
namespace {

using All = core::Snapshot<VectorHierarchy>;
using core::NodeIndex;

constexpr NodeIndex nobody = ~NodeIndex{0};

/// The tree as the nodes see it, and the levels as the definition gives them.
class Forest {
 public:
  explicit Forest(const All& all) : parent_(all.size(), nobody), rank_(all.size(), 0) {
    for (NodeIndex u = 0; u < all.size(); ++u) {
      if (!all.alive(u)) continue;
      if (all.node(u).leader() == all.id(u)) roots_.push_back(u);
      for (const auto& channel : all.channels(u))
        if (all.node(u).pred() == channel.port) parent_[u] = channel.to;
    }
    order_by_depth();
    Remoteness remoteness;
    for (NodeIndex u = 0; u < all.size(); ++u)
      if (all.alive(u)) remoteness = all.node(u).remoteness();
    for (std::uint32_t level = 1; lift(level, remoteness.of(level)); ++level) {
    }
    // A root leads one level above all others.
    for (const NodeIndex u : order_) {
      const NodeIndex top = root(u);
      rank_[top] = std::max(rank_[top], u == top ? 1 : rank_[u] + 1);
    }
  }

  NodeIndex parent(NodeIndex u) const { return parent_[u]; }
  std::uint32_t rank(NodeIndex u) const { return rank_[u]; }
  bool in_tree(NodeIndex u) const { return depth_[u] != nobody; }
  NodeIndex depth(NodeIndex u) const { return depth_[u]; }
  /// The nearest leader of that level, from u upwards.
  NodeIndex leader(NodeIndex u, std::uint32_t level) const {
    while (rank_[u] < level && parent_[u] != nobody) u = parent_[u];
    return u;
  }
  NodeIndex root(NodeIndex u) const {
    while (parent_[u] != nobody) u = parent_[u];
    return u;
  }

 private:
  void order_by_depth() {
    depth_.assign(parent_.size(), nobody);
    std::vector<std::vector<NodeIndex>> children(parent_.size());
    for (NodeIndex u = 0; u < parent_.size(); ++u)
      if (parent_[u] != nobody) children[parent_[u]].push_back(u);
    for (const NodeIndex r : roots_) {
      if (parent_[r] != nobody) continue;
      depth_[r] = 0;
      order_.push_back(r);
    }
    for (std::size_t i = 0; i < order_.size(); ++i)
      for (const NodeIndex c : children[order_[i]]) {
        depth_[c] = depth_[order_[i]] + 1;
        order_.push_back(c);
      }
  }
  /// From leaders of `level - 1` to those of `level`, of which roots are always one. Whether there
  /// are others.
  bool lift(std::uint32_t level, std::uint32_t remoteness) {
    std::vector<std::uint32_t> reach(parent_.size(), 0);  // longest path below without a leader
    bool others = false;
    for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
      const NodeIndex u = *at;
      if (parent_[u] == nobody || rank_[u] + 1 < level) continue;
      if (reach[u] == remoteness) {
        rank_[u] = level;
        others = true;
        continue;
      }
      const NodeIndex above = leader(parent_[u], level - 1);
      reach[above] = std::max(reach[above], reach[u] + 1);
    }
    return others;
  }

  std::vector<NodeIndex> roots_;
  std::vector<NodeIndex> parent_;
  std::vector<NodeIndex> depth_;
  std::vector<NodeIndex> order_;  // roots first
  std::vector<std::uint32_t> rank_;
};

using Property = StatedProperty<VectorHierarchy>;

class Tree final : public Property {
 public:
  Tree()
      : Property("tree",
                 "when quiescent, every node but the leader has a parent, the neighbour downhill "
                 "that is nearest to the leader, and knows how far it is") {}
  void at_rest(const All& all) override {
    const Forest forest(all);
    for (NodeIndex u = 0; u < all.size(); ++u) {
      if (!all.alive(u)) continue;
      const VectorHierarchy& node = all.node(u);
      demand(forest.in_tree(u), all, u, "no way to the leader");
      demand(node.dist() == forest.depth(u), all, u, "a wrong distance");
      for (const auto& channel : all.channels(u)) {
        const HeightTuple* view = node.heights().view(channel.port);
        if (!view || !all.alive(channel.to) || node.leader() == all.id(u)) continue;
        const VectorHierarchy& other = all.node(channel.to);
        if (!(other.heights().height() < node.heights().height())) continue;
        const std::pair theirs{other.dist(), other.id()};
        const NodeIndex parent = forest.parent(u);
        demand(std::pair{all.node(parent).dist(), all.id(parent)} <= theirs, all, u,
               "a better parent downhill");
      }
    }
  }
};

class Levels final : public Property {
 public:
  Levels()
      : Property("levels",
                 "when quiescent, all nodes of a component agree on one hierarchy: the one that "
                 "the definition gives for their tree") {}
  void at_rest(const All& all) override {
    const Forest forest(all);
    for (NodeIndex u = 0; u < all.size(); ++u) {
      if (!all.alive(u)) continue;
      demand(forest.in_tree(u), all, u, "no way to the leader");
      demand(all.node(u).rank() == forest.rank(u), all, u, "a wrong rank");
      std::vector<NodeId> chain;
      for (std::uint32_t k = 1; k <= forest.rank(forest.root(u)); ++k)
        chain.push_back(all.id(forest.leader(u, k)));
      demand(all.node(u).leaders() == chain, all, u, "a wrong chain of leaders");
    }
  }
};

class Near final : public Property {
 public:
  Near()
      : Property("remoteness",
                 "when quiescent, every node is within (R1 + 1) ... (Rk + 1) - 1 hops of its "
                 "leader of level k, for every k") {}
  void at_rest(const All& all) override {
    std::map<NodeId, NodeIndex> places;
    for (NodeIndex u = 0; u < all.size(); ++u) places.emplace(all.id(u), u);
    for (NodeIndex u = 0; u < all.size(); ++u) {
      if (!all.alive(u)) continue;
      const auto& leaders = all.node(u).leaders();
      for (std::size_t k = 1; k <= leaders.size(); ++k) {
        const VectorHierarchy& leader = all.node(places.at(leaders[k - 1]));
        demand(all.node(u).dist() - leader.dist() <= all.node(u).remoteness().hops(k), all, u,
               "a leader of level " + std::to_string(k) + " too far away");
      }
    }
  }
};

class Few final : public Property {
 public:
  Few()
      : Property("few-leaders",
                 "when quiescent, a component with m leaders of level k has at most m / (R + 1) + "
                 "1 of level k + 1, where every node is a leader of level 0") {}
  void at_rest(const All& all) override {
    std::map<NodeId, std::vector<std::uint64_t>> counts;  // by component's leader, by level
    for (NodeIndex u = 0; u < all.size(); ++u) {
      if (!all.alive(u)) continue;
      auto& count = counts[*all.node(u).leader()];
      count.resize(std::max<std::size_t>(count.size(), all.node(u).rank() + 1));
      for (std::uint32_t k = 0; k <= all.node(u).rank(); ++k) ++count[k];
    }
    for (NodeIndex u = 0; u < all.size(); ++u) {
      if (!all.alive(u) || all.node(u).leader() != all.id(u)) continue;
      const auto& count = counts[all.id(u)];
      for (std::size_t k = 1; k < count.size(); ++k)
        demand(count[k] <= count[k - 1] / (all.node(u).remoteness().of(k) + 1) + 1, all, u,
               "too many leaders of level " + std::to_string(k));
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
    const Forest forest(all);
    std::map<std::pair<NodeIndex, std::uint32_t>, std::vector<NodeId>> children;
    for (NodeIndex u = 0; u < all.size(); ++u) {
      if (!all.alive(u)) continue;
      // It is the child of another at the level above its own, and nowhere else.
      const std::uint32_t level = forest.rank(u) + 1;
      if (!forest.in_tree(u) || forest.parent(u) == nobody) continue;
      const NodeIndex leader = forest.leader(u, level);
      children[{leader, level}].push_back(all.id(u));
      follow(all, leader, u);
      follow(all, u, leader);
    }
    for (auto& [whose, ids] : children) {
      std::sort(ids.begin(), ids.end());
      demand(all.node(whose.first).children(whose.second) == ids, all, whose.first,
             "wrong children of level " + std::to_string(whose.second));
    }
  }

 private:
  static void follow(const All& all, NodeIndex from, NodeIndex to) {
    for (NodeIndex steps = 0; from != to; ++steps) {
      const auto port = all.node(from).next_hop(all.id(to));
      NodeIndex next = nobody;
      for (const auto& channel : all.channels(from))
        if (port == channel.port) next = channel.to;
      demand(next != nobody && steps < all.size(), all, from,
             "no way to node " + std::to_string(core::raw(all.id(to))));
      from = next;
    }
  }
};

/// Whether a node leads, and at which level, follows from the tree below it alone.
class Local final : public core::Remembers<Local, Property> {
 public:
  Local()
      : core::Remembers<Local, Property>("locality",
                                         "between two quiescent states, the rank of a node changes "
                                         "only if the tree below it has changed") {}
  void at_rest(const All& all) override {
    const Forest forest(all);
    std::vector<NodeIndex> parents(all.size(), nobody);
    std::vector<std::uint32_t> ranks(all.size(), 0);
    for (NodeIndex u = 0; u < all.size(); ++u) {
      if (all.alive(u)) parents[u] = forest.parent(u) == nobody ? u : forest.parent(u);
      ranks[u] = all.node(u).rank();
    }
    if (!parents_.empty()) {
      std::vector<bool> touched(all.size(), false);
      for (NodeIndex u = 0; u < all.size(); ++u)
        if (parents[u] != parents_[u]) {
          touch(touched, parents_, u);
          touch(touched, parents, u);
        }
      for (NodeIndex u = 0; u < all.size(); ++u)
        demand(ranks[u] == ranks_[u] || touched[u] || parents[u] == u, all, u,
               "another rank, though nothing below has changed,");
    }
    parents_ = std::move(parents);
    ranks_ = std::move(ranks);
  }

 private:
  static void touch(std::vector<bool>& touched, const std::vector<NodeIndex>& parents,
                    NodeIndex u) {
    std::size_t steps = 0;  // no more than there are nodes, also where there is no tree
    while (u != nobody && steps++ < parents.size()) {
      touched[u] = true;
      u = parents[u] == u ? nobody : parents[u];
    }
  }
  std::vector<NodeIndex> parents_;  // the root's is itself; none: dead
  std::vector<std::uint32_t> ranks_;

 public:
  static constexpr auto fields =
      std::tuple{core::field("parents", &Local::parents_), core::field("ranks", &Local::ranks_)};
};

}  // namespace

core::Monitors<VectorHierarchy> VectorHierarchy::monitors() {
  core::Monitors<VectorHierarchy> all;
  all.push_back(std::make_unique<Tree>());
  all.push_back(std::make_unique<Levels>());
  all.push_back(std::make_unique<Near>());
  all.push_back(std::make_unique<Few>());
  all.push_back(std::make_unique<Flock>());
  all.push_back(std::make_unique<Local>());
  return all;
}

}  // namespace bellwether::algorithms
