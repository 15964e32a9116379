// SPDX-License-Identifier: MIT
// Other people's closeness, where the build found it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bellwether/graph/graph.hpp"

namespace bench {

/// A library that holds a graph in its own form. The graph hangs together.
class Rival {
 public:
  Rival() = default;
  Rival(const Rival&) = delete;
  Rival& operator=(const Rival&) = delete;
  virtual ~Rival() = default;
  /// What is timed: how near each of these nodes is to all others.
  virtual void run(std::span<const bellwether::core::NodeIndex> sources) = 0;
  /// What the last run found: for each of its sources the sum of the distances.
  virtual std::vector<std::uint64_t> sums() const = 0;
};

/// igraph_closeness of Debian's libigraph; nothing where the build did not find it.
std::unique_ptr<Rival> make_igraph(const bellwether::graph::Graph& graph);

/// One breadth_first_visit of Boost Graph per node, which records the distances; nothing where the
/// build did not find it.
std::unique_ptr<Rival> make_boost(const bellwether::graph::Graph& graph);

}  // namespace bench
