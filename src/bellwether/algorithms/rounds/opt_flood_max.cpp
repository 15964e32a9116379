// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/rounds/opt_flood_max.hpp"

namespace bellwether::algorithms {

static_assert(core::RoundProtocol<OptFloodMax> && core::Described<OptFloodMax>);

void OptFloodMax::round(Step& step, core::Inbox<Message> inbox) {
  if (halted()) return;
  for (const auto& received : inbox) {
    const core::NodeId uid = std::get<Max>(received.message).id;
    if (uid <= max_uid_) continue;
    max_uid_ = uid;
    new_info_ = true;
  }
  if (rounds_ == options_.diameter) {
    status_ = max_uid_ == id_ ? LeaderStatus::leader : LeaderStatus::non_leader;
    return;
  }
  ++rounds_;
  if (!new_info_) return;
  new_info_ = false;
  step.broadcast(Max{max_uid_});
}

}  // namespace bellwether::algorithms
