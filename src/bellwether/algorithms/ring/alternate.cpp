// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/ring/alternate.hpp"

#include <utility>

namespace bellwether::algorithms {

static_assert(core::Protocol<Alternate> && core::Described<Alternate>);
static_assert(std::is_trivially_copyable_v<Alternate::Message>);

void Alternate::start(Step& step) {
  if (enters(step)) bid(step);
}

void Alternate::bid(Step& step) {
  step.send(clockwise_ ? clockwise(step) : counter_clockwise(step), Bid{id_});
}

void Alternate::receive(Step& step, core::Port port, const Message& message) {
  if (const auto* bid = std::get_if<Bid>(&message)) return take(step, port, *bid);
  hear(step, port, std::get<Leader>(message));
}

void Alternate::take(Step& step, core::Port port, const Bid& bid) {
  if (ring_state_ == RingState::leader) return;  // no other node is left that could bid
  if (ring_state_ != RingState::active) {
    ring_state_ = RingState::passive;
    return step.send(onward(step, port), bid);
  }
  if (bid.id == id_) return lead(step);
  const bool goes_clockwise = port != clockwise(step);
  if (goes_clockwise == clockwise_)
    finish_phase(step, bid.id);
  else
    early_ = bid.id;  // that neighbour has our bid of this phase, and is one phase ahead
}

void Alternate::finish_phase(Step& step, core::NodeId other) {
  const auto early = std::exchange(early_, std::nullopt);
  if (beaten_by(other)) {
    ring_state_ = RingState::passive;
    // It was meant for a node further on.
    if (early) step.send(clockwise_ ? counter_clockwise(step) : clockwise(step), Bid{*early});
    return;
  }
  clockwise_ = !clockwise_;
  bid(step);
  if (early) finish_phase(step, *early);
}

std::uint64_t Alternate::phase_bound(std::uint64_t initiators) {
  std::uint64_t phases = 0;
  for (std::uint64_t now = 1, next = 2; now <= initiators; now = std::exchange(next, now + next))
    ++phases;
  return phases;
}

core::Monitors<Alternate> Alternate::monitors() {
  return extremum_monitors<Alternate>();
}

}  // namespace bellwether::algorithms
