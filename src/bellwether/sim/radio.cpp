// SPDX-License-Identifier: MIT
// What is particular to radio in a run: the shared medium, energy.
#include "bellwether/sim/simulation.hpp"

namespace bellwether::sim {

/// Hands one frame to the medium, which keeps its ticket until the frame is done.
void Simulation::transmit(NodeIndex u, const void* message, Ticket ticket, std::size_t bytes) {
  if (mail_.small())
    ticket = mail_.keep(const_cast<void*>(message), false);
  else
    mail_.share(ticket);
  if (air_.frame_from.size() <= ticket) air_.frame_from.resize(ticket + 1);
  air_.frame_from[ticket] = u;
  if (audience_.observed())
    for (const End e : wiring_.links.ends(u))
      if (wiring_.wireless(e)) record_send(e, message, observe::Fate::sent, now());
  air_.medium->send(u, ticket, bytes, now(), air_.out);
  push_wakes();
}

void Simulation::run_medium(NodeIndex u, std::uint32_t serial) {
  air_.medium->wake(u, serial, now(), air_.out);
  push_wakes();
  after_medium();
}

void Simulation::switch_radio(NodeIndex u, bool on) {
  if (!air_.medium) return;
  air_.medium->power(u, on, now(), air_.out);
  push_wakes();
  after_medium();
}

void Simulation::push_wakes() {
  for (const auto& wake : air_.out.wakes)
    agenda_.push(wake.at, EventKind::medium, wake.node, wake.serial);
  air_.out.wakes.clear();
}

/// Frames that have arrived now, or have left the air. One is heard in a step, which may send in
/// its turn: so the lists are taken out first.
void Simulation::after_medium() {
  if (air_.out.heard.empty() && air_.out.done.empty()) return;
  world::MediumEffects now = std::exchange(air_.out, std::exchange(air_.spare, {}));
  for (const auto& [frame, by] : now.heard) hear(by, frame);
  for (const std::uint32_t frame : now.done) mail_.release(frame);
  now.clear();
  air_.spare = std::move(now);
}

void Simulation::hear(NodeIndex u, Ticket ticket) {
  if (!alive(u)) return;
  effects_.digest = mail_.digest(ticket);
  step(u, core::Cause::receive, {the_air[0], air_.frame_from[ticket]},
       core::Call::receive(the_air[0], mail_.look(ticket)));
}

void Simulation::sample_energy() {
  double joules = 0;
  observe::RadioTimes times{};
  const auto n = static_cast<std::int64_t>(size());
  for (NodeIndex u = 0; u < size(); ++u) {
    const auto spent = air_.medium->energy(u, now());
    joules += spent.joules;
    const std::array parts{spent.sleep, spent.idle, spent.busy, spent.rx, spent.tx};
    for (std::size_t i = 0; i < parts.size(); ++i) times[i] += parts[i];
  }
  for (Duration& time : times) time /= n;
  metrics_->energy_so_far(now(), joules / static_cast<double>(n), times);
}

void Simulation::add_radio_metrics(RunTotals& totals) const {
  if (air_.medium) {
    const auto counts = air_.medium->counts();
    const auto number = [](std::uint64_t v) { return static_cast<double>(v); };
    const double possible = std::max(1.0, number(counts.possible));
    totals.metrics.insert(totals.metrics.end(),
                          {{"frames_sent", number(counts.sent)},
                           {"frames_lost_overlap", number(counts.lost_overlap)},
                           {"frames_lost_deaf", number(counts.lost_deaf)},
                           {"delivery_ratio", number(counts.received) / possible}});
  }
  if (!metrics_) return;
  if (air_.medium)
    for (NodeIndex u = 0; u < size(); ++u) {
      const auto spent = air_.medium->energy(u, ending_.time);
      metrics_->energy(u, spent.joules,
                       {spent.sleep, spent.idle, spent.busy, spent.rx, spent.tx, Duration{}});
    }
  // What is quiescent stays as it is: for as long as it is looked at.
  const bool quiescent = ending_.ended == observe::Ended::quiescent;
  auto result =
      metrics_->finish(quiescent ? std::max(ending_.time, scenario_.metrics.until) : ending_.time);
  totals.metrics.insert(totals.metrics.end(), result.totals.begin(), result.totals.end());
  totals.series = std::move(result.series);
}

}  // namespace bellwether::sim
