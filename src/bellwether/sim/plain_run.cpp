// SPDX-License-Identifier: MIT
// The plain run (core/plain_run.hpp): what arrives at one moment is handed over at once.
#include "bellwether/sim/simulation.hpp"

namespace bellwether::sim {

bool Simulation::can_run_plainly() const {
  return mail_.small() && air_.wires.plain() && !wiring_.changes() && !looked_at_ && !airborne_ &&
         !can().timers && !wiring_.moves() && !metrics_ && !audience_.paced();
}

void Simulation::begin_plain_run(Duration delay) {
  plain_.emplace(core::PlainRun{.queue = agenda_.queue(),
                                .ports = wiring_.links,
                                .fingerprint = fingerprint_,
                                .tally = counts_,
                                .offsets = population_.offsets,
                                .delay = Agenda::at(delay),
                                .many = size() > 4096,
                                .hooks = surroundings_.hooks,
                                .stepping = current_,
                                .about = about_.port});
}

/// Messages and starts of one moment.
void Simulation::handle_plainly(const EventQueue::Batch& batch) {
  for (std::size_t i = 0; i < batch.size();) {
    if (kind_of(batch[i]) != Kind::deliver) {
      start_when_due(batch[i++].subject);
      continue;
    }
    about_.peer = nobody;
    i = all().deliver(batch, i, *plain_);
  }
}

/// What a start has sent.
void Simulation::drain_plainly(NodeIndex u) {
  for (const core::Effects::Send& send : effects_.sends)
    plain_->send(u, send.port, send.bytes, agenda_.queue().now(),
                 [&](void* to) { mail_.kind().copy(to, send.message); });
}

}  // namespace bellwether::sim
