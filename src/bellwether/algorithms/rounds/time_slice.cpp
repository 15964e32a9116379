// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/rounds/time_slice.hpp"

namespace bellwether::algorithms {

static_assert(core::RoundProtocol<TimeSlice> && core::Described<TimeSlice>);
static_assert(std::is_trivially_copyable_v<TimeSlice::Message>);

void TimeSlice::round(Step& step, core::Inbox<Message> inbox) {
  if (halted()) return;  // its own announcement has returned
  if (!inbox.empty()) return decide(step, std::get<Leader>(inbox.front().message).id);
  if (slice_ == core::raw(id_) || step.ports().empty()) return decide(step, id_);
  if (++tick_ < nodes_) return;
  tick_ = 0;
  ++slice_;
}

void TimeSlice::decide(Step& step, core::NodeId leader) {
  leader_ = leader;
  if (!step.ports().empty()) step.send(clockwise(step), Leader{leader});
}

}  // namespace bellwether::algorithms
