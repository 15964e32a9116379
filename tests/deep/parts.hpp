// SPDX-License-Identifier: MIT
// The parts of the deep test. A case is one of a family of networks and a seed, which draws all
// else.
#pragma once

#include <cstdint>
#include <string>

#include "bellwether/graph/drawn_networks_test.hpp"

namespace bellwether::deep {

using graph::NodeIndex;
using graph::drawn::Family;
using graph::drawn::Network;

struct Outcome {
  Network network;
  std::uint64_t tried = 1;
  std::string bad;      // what is wrong, if anything
  std::string details;  // for a look at this case alone
};

/// All methods of closeness against a plain search from each node.
Outcome small_graph(const Family& family, std::uint64_t seed);
Outcome large_graph(const Family& family, std::uint64_t seed);
/// A network whose links come and go, against `most_central`.
Outcome events(const Family& family, std::uint64_t seed);
/// Weights, harmonic sums and views against their definitions.
Outcome measures(const Family& family, std::uint64_t seed);

/// "7 nodes, both ways: 0-1 3-2", and so on.
std::string text(const Network& network);

}  // namespace bellwether::deep
