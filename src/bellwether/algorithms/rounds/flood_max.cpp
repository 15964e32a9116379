// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/rounds/flood_max.hpp"

#include <algorithm>

namespace bellwether::algorithms {

static_assert(core::RoundProtocol<FloodMax> && core::Described<FloodMax>);
static_assert(std::is_trivially_copyable_v<FloodMax::Message>);

void FloodMax::round(Step& step, core::Inbox<Message> inbox) {
  if (halted()) return;
  for (const auto& received : inbox)
    max_uid_ = std::max(max_uid_, std::get<Max>(received.message).id);
  if (rounds_ == options_.diameter) {
    status_ = max_uid_ == id_ ? LeaderStatus::leader : LeaderStatus::non_leader;
    return;
  }
  ++rounds_;
  step.broadcast(Max{max_uid_});
}

}  // namespace bellwether::algorithms
