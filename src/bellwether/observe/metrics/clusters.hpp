// SPDX-License-Identifier: MIT
// What an oracle sees of a hierarchy of leaders: how many there are of each level, and how far the
// nodes are from theirs of level 1, who form a cluster with it. A change is followed where it
// matters: only clusters that it can reach are measured again.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "bellwether/observe/metrics/live_network.hpp"
#include "bellwether/observe/metrics/timeline.hpp"

namespace bellwether::observe {

class Clusters {
 public:
  explicit Clusters(NodeIndex nodes);

  /// From now on u leads up to level `rank` (0: it leads none), and follows `leader` at level 1. A
  /// leader that is no node of the network has a number beyond theirs.
  void place(NodeIndex u, std::uint32_t rank, NodeIndex leader);
  /// It leads no node and follows none any more.
  void gone(NodeIndex u);
  /// Its links, or whether it is alive, have changed.
  void touch(NodeIndex u) { touched_.push_back(u); }
  /// The end of an instant, after the network's own. True: something may have changed.
  bool settle(const LiveNetwork& network);

  // As of the last settle().
  NodeIndex leaders(std::size_t level) const { return leaders_[level - 1]; }
  std::size_t levels_seen() const { return levels_seen_; }
  /// Nodes whose leader of level 1 is alive and in their component.
  NodeIndex members() const { return members_; }
  std::uint32_t remoteness_max() const { return longest_.largest(); }
  double remoteness_mean() const {
    return static_cast<double>(hops_) / static_cast<double>(members_);
  }

  /// The share of the nodes in a cluster, now and at the last such call, that are in another one
  /// now. Not a number where there are none, and at the first call.
  double reclustered();

 private:
  static constexpr NodeIndex nobody = LiveNetwork::nobody;
  struct Cluster {
    std::vector<NodeIndex> followers;
    std::uint32_t longest = 0;
    std::uint64_t hops = 0;
    NodeIndex members = 0;  // followers that can be reached
    bool dirty = false;
    bool incomplete = false;
  };

  void follow(NodeIndex u, NodeIndex leader);
  Cluster& cluster(NodeIndex leader);
  void mark(NodeIndex leader);
  void mark_around_changes(const LiveNetwork& network);
  void measure(const LiveNetwork& network, NodeIndex leader);
  void search(const LiveNetwork& network, NodeIndex leader, Cluster& found);
  std::uint32_t next_stamp();

  std::vector<std::uint32_t> rank_;
  std::vector<NodeIndex> leader_;         // of level 1, by node
  std::vector<std::uint32_t> place_;      // among its followers
  std::vector<Cluster> clusters_;         // by leader
  std::vector<NodeIndex> leader_before_;  // as of the last reclustered()
  std::array<NodeIndex, most_ranks> leaders_{};
  std::size_t levels_seen_ = 0;
  Histogram longest_;
  std::uint64_t hops_ = 0;
  NodeIndex members_ = 0;

  // Of the present instant.
  bool changed_ = true;
  std::vector<NodeIndex> touched_;
  std::vector<NodeIndex> dirty_;
  std::vector<NodeIndex> incomplete_;  // some of their followers were out of reach
  // For searches.
  std::vector<std::uint32_t> stamps_;
  std::uint32_t stamp_ = 0;
  std::vector<NodeIndex> near_;
};

}  // namespace bellwether::observe
