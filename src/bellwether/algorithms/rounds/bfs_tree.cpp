// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/rounds/bfs_tree.hpp"

namespace bellwether::algorithms {

static_assert(core::RoundProtocol<BfsTree> && core::Described<BfsTree>);
static_assert(std::is_trivially_copyable_v<BfsTree::Message>);

void BfsTree::round(Step& step, core::Inbox<Message> inbox) {
  begin(step);
  if (!inbox.empty()) take(step, inbox.front().port, std::get<Invite>(inbox.front().message));
}

}  // namespace bellwether::algorithms
