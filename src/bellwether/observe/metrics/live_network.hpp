// SPDX-License-Identifier: MIT
// What an oracle sees of a network that changes: the live nodes, the components, the node that each
// ought to elect, how many are right, and how far their leaders are. A change costs
// little by itself; settle() brings everything up to date, once per instant, and looks only at the
// components that have changed.
#pragma once

#include <span>
#include <vector>

#include "bellwether/core/facts.hpp"
#include "bellwether/core/time.hpp"
#include "bellwether/graph/graph.hpp"
#include "bellwether/observe/metrics/leader_paths.hpp"

namespace bellwether::observe {

using core::NodeId;
using core::NodeIndex;
using core::Time;

/// How often each number occurs, and the largest.
class Histogram {
 public:
  void add(std::uint32_t number) {
    if (number >= times_.size()) times_.resize(std::size_t{number} + 1, 0);
    ++times_[number];
    if (number > largest_) largest_ = number;
  }
  void remove(std::uint32_t number) {
    --times_[number];
    while (largest_ > 0 && times_[largest_] == 0) --largest_;
  }
  std::uint32_t largest() const { return largest_; }

 private:
  std::vector<std::uint32_t> times_{0};
  std::uint32_t largest_ = 0;
};

/// Ratios as whole parts of this, so that sums stay exact when something is taken out again.
inline constexpr std::uint64_t whole = std::uint64_t{1} << 40;

/// Sums over all live nodes and all components.
struct Overview {
  NodeIndex live = 0;
  NodeIndex without_leader = 0;
  NodeIndex right = 0;  // name the oracle's leader
  NodeIndex components = 0;
  NodeIndex agreed = 0;   // components whose nodes all name one and the same of them
  NodeIndex largest = 0;  // nodes of the largest component
  NodeIndex wide = 0;     // components of at least two nodes
  std::uint64_t diameters = 0;
  std::uint32_t largest_diameter = 0;
  NodeIndex with_paths = 0;  // wide components in which a node names one of them
  std::uint64_t longest_paths = 0;
  std::uint64_t median_paths = 0;
  std::uint64_t relative_paths = 0;  // in parts of `whole`
  friend bool operator==(const Overview&, const Overview&) = default;
};

class LiveNetwork {
  struct Adjacency {
    NodeIndex node;
    std::uint32_t links;  // parallel links count one by one
  };

 public:
  static constexpr NodeIndex nobody = ~NodeIndex{0};

  /// All are alive since time 0 and name no leader. Without `paths` there are no distances.
  LiveNetwork(core::Criterion criterion, bool paths, std::vector<NodeId> ids,
              std::span<const graph::Edge> links);

  void link(NodeIndex a, NodeIndex b, bool up);
  void alive(Time at, NodeIndex u, bool up);
  /// A leader that is no node of the network has a number beyond theirs.
  void name(NodeIndex u, NodeIndex leader);
  /// The end of an instant. True: the overview may have changed.
  bool settle();

  NodeIndex size() const { return static_cast<NodeIndex>(ids_.size()); }
  const Overview& overview() const { return overview_; }
  bool is_alive(NodeIndex u) const { return alive_[u] != 0; }
  NodeIndex leader(NodeIndex u) const { return said_[u]; }

  /// Live nodes at the other end of its links.
  template <class See>
  void for_each_neighbour(NodeIndex u, See&& see) const {
    for (const Adjacency& each : around_[u])
      if (is_alive(each.node)) see(each.node);
  }

  // As of the last settle().
  bool has_part(NodeIndex u) const { return part_of_[u] != nobody; }
  std::uint32_t part(NodeIndex u) const { return part_of_[u]; }
  std::span<const NodeIndex> members(std::uint32_t part) const { return parts_[part].members; }
  /// All nodes of u's component name the node that u names, and it is one of them.
  bool unanimous(NodeIndex u) const;

 private:
  struct LiveComponent {
    std::vector<NodeIndex> members;
    NodeIndex favourite = nobody;  // the oracle's leader; unused with majority
    NodeIndex right = 0;
    std::vector<NodeIndex> with_votes;  // majority: how many members have that many votes
    bool agreed = false;                // all name one and the same of them
    bool dirty = false;                 // its nodes must be found again
    // Links among its own nodes have changed: their number, and which one was the first.
    std::uint32_t moves = 0;
    graph::Edge moved{0, 0};
    bool renamed = false;  // its paths must be summed up again
    // What the overview holds of it.
    std::uint32_t diameter = 0;
    bool counted = false;
    std::uint32_t longest = 0;
    std::uint32_t median = 0;
    std::uint64_t relative = 0;
  };

  bool linked(NodeIndex a, NodeIndex b) const;
  void count_link(NodeIndex from, NodeIndex to, bool up);
  bool inside(NodeIndex leader, std::uint32_t part) const {
    return leader < size() && part_of_[leader] == part;
  }
  void vote(LiveComponent& part, NodeIndex leader, bool more);
  void set_agreed(LiveComponent& part, bool agreed);
  void mark_dirty(std::uint32_t part);
  void mark_renamed(std::uint32_t part);

  void gather_changes();
  void look_at_link(NodeIndex a, NodeIndex b);
  void look_without_paths(std::uint32_t number, NodeIndex a, NodeIndex b);
  void mark_moved(std::uint32_t number, NodeIndex a, NodeIndex b);
  bool still_connected(NodeIndex a, NodeIndex b);
  void move(std::uint32_t number);
  void move_many(std::uint32_t number);
  void find_again();
  void retire(std::uint32_t number);
  std::uint32_t new_part();
  void find(NodeIndex first, std::uint32_t number);
  void put_in_order(LiveComponent& part);
  void count_votes(std::uint32_t number);
  void measure(std::uint32_t number);
  void draw_links(std::uint32_t number);
  void take_stock(std::uint32_t number);
  void count_diameter(std::uint32_t number);
  void favour(LiveComponent& part, NodeIndex favourite);
  NodeIndex best(std::uint32_t number) const;
  std::int64_t degree(NodeIndex u) const;
  void sum_up(std::uint32_t number);
  void forget_paths(LiveComponent& part);

  core::Criterion criterion_;
  bool paths_;
  std::vector<NodeId> ids_;
  std::vector<std::vector<Adjacency>> around_;  // ascending
  std::vector<unsigned char> alive_;
  std::vector<Time> since_;
  std::vector<NodeIndex> said_;
  std::vector<NodeIndex> votes_;  // how many of its own component name it
  std::vector<std::uint32_t> part_of_;
  std::vector<std::uint32_t> place_;  // in its component
  std::vector<LiveComponent> parts_;
  std::vector<LeaderPaths> leader_paths_;  // for each part, if there are paths
  std::vector<std::uint32_t> free_;
  Histogram sizes_;
  Histogram diameters_;
  Overview overview_;

  // Of the present instant.
  bool changed_ = true;
  std::vector<graph::Edge> links_changed_;
  std::vector<NodeIndex> loose_;  // alive, not yet in a component
  std::vector<std::uint32_t> dirty_;
  std::vector<std::uint32_t> moved_;
  std::vector<std::uint32_t> renamed_;
  std::vector<NodeIndex> pool_;
  // For searches.
  std::vector<graph::Edge> local_;  // of one component, by place
  std::vector<std::uint32_t> stamps_;
  std::uint32_t stamp_ = 0;
  std::vector<NodeIndex> near_[2];
};

}  // namespace bellwether::observe
