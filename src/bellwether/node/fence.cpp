// SPDX-License-Identifier: MIT
#include "bellwether/node/fence.hpp"

namespace bellwether::node {

void Fence::lead(std::optional<NodeId> leader) {
  if (leader == leader_) return;
  leader_ = leader;
  ++epoch_;
  for (const auto& [neighbour, word] : heard_) agree(word);
}

void Fence::on_frame(NodeId from, std::optional<NodeId> leader, std::uint64_t epoch) {
  if (epoch > most) return;
  agree(heard_[from] = {leader, epoch});
}

void Fence::agree(const Claim& word) {
  if (word.leader == leader_) epoch_ = std::max(epoch_, word.epoch);
}

}  // namespace bellwether::node
