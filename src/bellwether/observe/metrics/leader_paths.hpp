// SPDX-License-Identifier: MIT
// The ways of the nodes of one component to the leaders that they name.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bellwether/graph/central_node.hpp"
#include "bellwether/observe/metrics/hops.hpp"

namespace bellwether::observe {

/// Nodes have their numbers within the component here.
class LeaderPaths {
 public:
  static constexpr std::uint32_t no_leader = ~std::uint32_t{0};

  Hops hops;
  std::vector<std::uint64_t> around;            // small components: neighbours and oneself, as bits
  std::unique_ptr<graph::CentralNode> central;  // large ones, where the most central node leads

  /// Distances are new: no node has a leader any more.
  void clear(std::uint32_t size) {
    far_.assign(size, no_leader);
    nodes_at_.assign(hops.diameter() + 1, 0);
    named_ = 0;
  }

  /// Distances have changed a little; call name() again for the nodes concerned.
  void stretch() {
    if (nodes_at_.size() <= hops.diameter()) nodes_at_.resize(std::size_t{hops.diameter()} + 1, 0);
  }

  void name(std::uint32_t u, std::uint32_t leader) {
    if (far_[u] != no_leader) {
      --nodes_at_[far_[u]];
      --named_;
    }
    far_[u] = leader == no_leader ? no_leader : hops.distance(u, leader);
    if (far_[u] == no_leader) return;
    ++nodes_at_[far_[u]];
    ++named_;
  }

  /// How many nodes have a leader in the component. Where none has, there are no paths.
  std::uint32_t named() const { return named_; }

  std::uint32_t longest() const {
    std::uint32_t hops_to_go = hops.diameter();
    while (nodes_at_[hops_to_go] == 0) --hops_to_go;
    return hops_to_go;
  }

  /// Of an even number the lower of the two in the middle.
  std::uint32_t median() const {
    std::uint32_t at = 0;
    for (std::uint32_t seen = nodes_at_[0]; 2 * std::uint64_t{seen} < named_;)
      seen += nodes_at_[++at];
    return at;
  }

 private:
  std::vector<std::uint32_t> far_;       // for each node the hops to its leader
  std::vector<std::uint32_t> nodes_at_;  // for each number of hops
  std::uint32_t named_ = 0;
};

}  // namespace bellwether::observe
