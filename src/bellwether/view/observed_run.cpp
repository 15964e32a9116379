// SPDX-License-Identifier: MIT
#include "bellwether/view/observed_run.hpp"

#include <algorithm>

namespace bellwether::view {

std::vector<NodeId> ObservedRun::believed_neighbours(NodeIndex u) const {
  std::vector<NodeId> out;
  for (const auto& [a, b] : links_)
    if (a == u || b == u) out.push_back(ids_[a == u ? b : a]);
  return out;
}

std::vector<sim::LiveLink> ObservedRun::links() const {
  std::vector<sim::LiveLink> out;
  for (const auto& [a, b] : links_)
    if (seats_[a].alive && seats_[b].alive) out.push_back({a, b, false});
  return out;
}

void ObservedRun::seat(NodeId id) {
  if (!indices_.emplace(id, size()).second) return;
  ids_.push_back(id);
  seats_.emplace_back();
}

NodeIndex ObservedRun::place(NodeId id) const {
  const auto found = indices_.find(id);
  return found == indices_.end() ? 0 : found->second;
}

void ObservedRun::set_alive(NodeIndex u, bool alive) {
  if (seats_[u].alive == alive) return;
  seats_[u].alive = alive;
  ++version_;
}

void ObservedRun::link(NodeIndex a, NodeIndex b, bool up) {
  const std::pair ends{std::min(a, b), std::max(a, b)};
  if (up ? links_.insert(ends).second : links_.erase(ends) > 0) ++version_;
}

sim::RunSetup ObservedRun::setup() const {
  sim::RunSetup out;
  out.ids = ids_;
  out.network.nodes = size();
  return out;
}

}  // namespace bellwether::view
