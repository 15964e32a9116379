// SPDX-License-Identifier: MIT
#include "bellwether/core/members.hpp"

namespace bellwether::core {

void NewMembers::add(NodeId id, std::size_t neighbours) {
  most_neighbours_ = std::max(most_neighbours_, neighbours);
  const auto at =
      std::lower_bound(known_->begin(), known_->end(), id,
                       [](const MemberView& view, NodeId wanted) { return view.id < wanted; });
  if (at == known_->end() || at->id != id) ids_.push_back(id);
}

bool NewMembers::exceed(std::size_t most) {
  std::sort(ids_.begin(), ids_.end());
  ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
  return most_neighbours_ > most || (!ids_.empty() && known_->size() + ids_.size() > most);
}

}  // namespace bellwether::core
