// SPDX-License-Identifier: MIT
// The plain run (core/plain_run.hpp): messages and starts of one moment are handed over at once.
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

}  // namespace bellwether::sim
