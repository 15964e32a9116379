// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/ring/hirschberg_sinclair.hpp"

#include <algorithm>

namespace bellwether::algorithms {

static_assert(core::Protocol<HirschbergSinclair> && core::Described<HirschbergSinclair>);
static_assert(std::is_trivially_copyable_v<HirschbergSinclair::Message>);

void HirschbergSinclair::start(Step& step) {
  if (enters(step)) probe(step);
}

void HirschbergSinclair::probe(Step& step) {
  for (const core::Port port : step.ports()) step.send(port, Probe{id_, distance_});
}

void HirschbergSinclair::receive(Step& step, core::Port port, const Message& message) {
  if (const auto* probe = std::get_if<Probe>(&message)) return take(step, port, *probe);
  if (const auto* reply = std::get_if<Reply>(&message)) return take(step, port, *reply);
  hear(step, port, std::get<Leader>(message));
}

void HirschbergSinclair::take(Step& step, core::Port port, const Probe& probe) {
  if (probe.id == id_) {
    if (ring_state_ == RingState::active) lead(step);
    return;
  }
  // An initiator that has lost still refuses: what is worse than its id cannot win.
  if (initiator_ && !beaten_by(probe.id)) return step.send(port, Reply{probe.id, false});
  ring_state_ = RingState::passive;
  if (probe.left > 1)
    step.send(onward(step, port), Probe{probe.id, probe.left - 1});
  else
    step.send(port, Reply{probe.id, true});
}

void HirschbergSinclair::take(Step& step, core::Port port, const Reply& reply) {
  if (reply.id != id_) return step.send(onward(step, port), reply);
  if (ring_state_ != RingState::active) return;
  if (!reply.ok) {
    ring_state_ = RingState::passive;
  } else if (++oks_ == 2) {
    oks_ = 0;
    distance_ *= 2;
    probe(step);
  }
}

std::uint64_t HirschbergSinclair::message_bound(std::uint64_t n, const Options& options) {
  // Phase 0: a probe and a reply each way. The last phase: the winner's probes round the whole
  // ring.
  std::uint64_t messages = 4 * n + 2 * n + (options.announce ? n : 0);
  for (std::uint64_t distance = 2; distance < n; distance *= 2) {
    const std::uint64_t most = n / (distance / 2 + 1);  // initiators that begin this phase
    // Of two neighbours among them the better one stops the other's probe on the path between them.
    messages += std::min(4 * distance * most, 2 * n + 2 * distance * most);
  }
  return messages;
}

core::Monitors<HirschbergSinclair> HirschbergSinclair::monitors() {
  return extremum_monitors<HirschbergSinclair>();
}

}  // namespace bellwether::algorithms
