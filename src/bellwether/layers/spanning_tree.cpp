// SPDX-License-Identifier: MIT
#include "bellwether/layers/spanning_tree.hpp"

namespace bellwether::layers {

void SpanningTree::begin(Turn& turn) {
  if (!root_) join(turn, turn.self, std::nullopt);
}

void SpanningTree::join(Turn& turn, core::NodeId root, std::optional<core::Port> parent) {
  root_ = root;
  parent_ = parent;
  children_.clear();
  links_.clear();
  awaited_ = 0;
  for (const core::Port port : turn.ports) {
    if (collects_) {  // each link once, by its smaller end
      const core::NodeId peer = turn.peer(port);
      if (turn.self < peer) links_.emplace_back(turn.self, peer);
    }
    if (port == parent) continue;
    turn.send(port, Explore{root});
    ++awaited_;
  }
  answer(turn);
}

void SpanningTree::explore(Turn& turn, core::Port port, const Explore& wave) {
  if (!root_ || wave.root > *root_) return join(turn, wave.root, port);
  // The same wave from two sides is its own answer; a smaller one dies here, and its sender will
  // hear of the larger.
  if (wave.root != *root_ || awaited_ == 0) return;
  --awaited_;
  answer(turn);
}

void SpanningTree::echo(Turn& turn, core::Port port, const Echo& wave) {
  if (wave.root != root_ || awaited_ == 0) return;
  children_.push_back(port);
  links_.insert(links_.end(), wave.links.begin(), wave.links.end());
  --awaited_;
  answer(turn);
}

void SpanningTree::answer(Turn& turn) {
  if (awaited_ > 0) return;
  if (parent_)
    turn.send(*parent_, Echo{*root_, links_});
  else
    complete_ = true;
}

}  // namespace bellwether::layers
