// SPDX-License-Identifier: MIT
// A rooted spanning tree, for the synchronizers that need one: echo waves (Chang 1982) of all who
// begin, of which the one with the largest root survives.
//
// Cost: 2e messages with one initiator; each further wave costs at most as much again.
#pragma once

#include "bellwether/layers/turn.hpp"

namespace bellwether::layers {

class SpanningTree {
 public:
  /// Begins a wave of its own, unless it is in one already.
  void begin(Turn& turn);
  void explore(Turn& turn, core::Port port, const Explore& wave);
  void echo(Turn& turn, core::Port port, const Echo& wave);

  /// Only the root learns it: the whole tree is built.
  bool complete() const { return complete_; }
  std::optional<core::Port> parent() const { return parent_; }
  const std::vector<core::Port>& children() const { return children_; }
  const std::vector<Link>& links() const { return links_; }
  /// Whether echoes bring the links of the network home.
  void collect_links() { collects_ = true; }

  friend bool operator==(const SpanningTree&, const SpanningTree&) = default;

 private:
  void join(Turn& turn, core::NodeId root, std::optional<core::Port> parent);
  void answer(Turn& turn);

  std::optional<core::NodeId> root_;
  std::optional<core::Port> parent_;
  std::vector<core::Port> children_;
  std::uint32_t awaited_ = 0;  // answers
  bool complete_ = false;
  bool collects_ = false;
  std::vector<Link> links_;

 public:
  static constexpr auto fields = std::tuple{core::field("root", &SpanningTree::root_),
                                            core::field("parent", &SpanningTree::parent_),
                                            core::field("children", &SpanningTree::children_),
                                            core::field("awaited", &SpanningTree::awaited_),
                                            core::field("complete", &SpanningTree::complete_),
                                            core::field("links", &SpanningTree::links_)};
};

}  // namespace bellwether::layers
