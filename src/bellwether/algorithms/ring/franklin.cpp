// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/ring/franklin.hpp"

namespace bellwether::algorithms {

static_assert(core::Protocol<Franklin> && core::Described<Franklin>);
static_assert(std::is_trivially_copyable_v<Franklin::Message>);

void Franklin::start(Step& step) {
  if (enters(step)) bid(step);
}

void Franklin::bid(Step& step) {
  for (const core::Port port : step.ports()) step.send(port, Bid{id_});
}

void Franklin::receive(Step& step, core::Port port, const Message& message) {
  if (const auto* bid = std::get_if<Bid>(&message)) return take(step, port, *bid);
  hear(step, port, std::get<Leader>(message));
}

void Franklin::take(Step& step, core::Port port, const Bid& bid) {
  if (ring_state_ == RingState::leader) return;  // its own bid, from the other side
  if (ring_state_ != RingState::active) {
    ring_state_ = RingState::passive;
    return step.send(onward(step, port), bid);
  }
  if (bid.id == id_) return lead(step);
  if (!heard_) {
    heard_ = bid.id;
    side_ = port;
  } else if (side_ == port) {
    early_ = bid.id;  // the neighbour has our bid of this phase, and is one phase ahead
  } else {
    finish_phase(step, bid.id);
  }
}

/// The bids of both sides have arrived.
void Franklin::finish_phase(Step& step, core::NodeId other) {
  if (beaten_by(*heard_) || beaten_by(other)) {
    ring_state_ = RingState::passive;
    if (early_) step.send(onward(step, side_), Bid{*early_});  // it was meant for a node further on
    heard_.reset();
  } else {
    heard_ = early_;
    bid(step);
  }
  early_.reset();
  if (!heard_) side_ = {};
}

core::Monitors<Franklin> Franklin::monitors() {
  return extremum_monitors<Franklin>();
}

}  // namespace bellwether::algorithms
