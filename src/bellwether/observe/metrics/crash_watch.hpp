// SPDX-License-Identifier: MIT
// How long it takes to elect a new leader when one crashes; docs/metrics.md has the definition.
#pragma once

#include <span>
#include <vector>

#include "bellwether/observe/metrics/live_network.hpp"

namespace bellwether::observe {

/// What began with the crash of one leader.
struct Failover {
  Time crash{};
  core::Duration took{};
  bool done = false;  // false: overtaken
};

class CrashWatch {
 public:
  /// Before the network settles: the nodes that crashed now, and each node's leader before that.
  void crash(Time at, const LiveNetwork& network, std::span<const NodeIndex> crashed,
             std::span<const NodeIndex> named_before);
  /// After the network has settled.
  void look(Time at, const LiveNetwork& network);
  /// The end overtakes what is still open. In the order of the crashes.
  std::vector<Failover> finish();

 private:
  struct Open {
    NodeIndex leader;
    std::vector<NodeIndex> followers;
    std::size_t waiting;  // the follower that was not content when last looked at
    std::size_t election;
  };
  enum class FailoverState : unsigned char { open, done, overtaken };
  static FailoverState state(Open& open, const LiveNetwork& network);

  std::vector<Open> open_;
  std::vector<Failover> elections_;
};

}  // namespace bellwether::observe
