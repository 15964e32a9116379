// SPDX-License-Identifier: MIT
// What is particular to radio in Simulation<P>: bursts of loss, the shared medium, energy. Included
// by simulation.hpp only.
#pragma once

namespace bellwether::sim {

template <core::Protocol P, bool observable>
bool Simulation<P, observable>::lost_on_the_way(End e) {
  if (bursts_.empty() || !wireless(e)) return false;
  return bursts_[e].loses(scenario_.radio.burst, now(), burst_draws_);
}

/// Hands one frame to the medium, which keeps its ticket until the frame is done.
template <core::Protocol P, bool observable>
void Simulation<P, observable>::transmit(NodeIndex u, const Message& message, Ticket ticket,
                                         std::size_t bytes) {
  if constexpr (travels_inline<Message>)
    ticket = slab_.keep(message, 1);
  else
    slab_.share(ticket);
  if (frame_from_.size() <= ticket) frame_from_.resize(ticket + 1);
  frame_from_[ticket] = u;
  if (observed())
    for (const End e : links_.ends(u))
      if (wireless(e))
        sent_.push_back({ids_[links_.owner(Links::sister(e))], observe::View::of(message),
                         observe::Fate::sent, now(), links_.owner(Links::sister(e))});
  medium_->send(u, ticket, bytes, now(), medium_out_);
  after_medium();
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::run_medium(NodeIndex u, std::uint32_t serial) {
  medium_->wake(u, serial, now(), medium_out_);
  after_medium();
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::switch_radio(NodeIndex u, bool on) {
  if (!medium_) return;
  medium_->power(u, on, now(), medium_out_);
  after_medium();
}

/// What the medium asks for. A frame is heard in steps that may send in their turn: so the list is
/// taken out first.
template <core::Protocol P, bool observable>
void Simulation<P, observable>::after_medium() {
  for (const auto& wake : medium_out_.wakes) push(wake.at, Kind::medium, wake.node, wake.serial);
  medium_out_.wakes.clear();
  auto done = std::exchange(medium_out_.done, {});
  if (!medium_out_.heard.empty()) {
    auto heard = std::exchange(medium_out_.heard, std::exchange(heard_, {}));
    for (const auto& [frame, by] : heard) hear(by, frame);
    heard.clear();
    heard_ = std::move(heard);
  }
  for (const std::uint32_t frame : done) slab_.release(frame);
  done.clear();
  if (medium_out_.done.empty()) medium_out_.done = std::move(done);
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::hear(NodeIndex u, Ticket ticket) {
  if (!alive(u)) return;
  const Message& message = slab_.look(ticket);
  note_delivery(u, the_air[0], queue_.now(), digest_of(message, ticket));
  step(u, core::Cause::receive, {the_air[0], frame_from_[ticket]}, &message, nullptr,
       [&](P& p, auto& s) { p.receive(s, the_air[0], message); });
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::sample_energy() {
  double joules = 0;
  observe::RadioTimes times{};
  const auto n = static_cast<std::int64_t>(nodes_.size());
  for (NodeIndex u = 0; u < nodes_.size(); ++u) {
    const auto spent = medium_->energy(u, now());
    joules += spent.joules;
    const std::array parts{spent.sleep, spent.idle, spent.busy, spent.rx, spent.tx};
    for (std::size_t i = 0; i < parts.size(); ++i) times[i] += parts[i];
  }
  for (Duration& time : times) time /= n;
  metrics_->energy_so_far(now(), joules / static_cast<double>(n), times);
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::add_radio_metrics(RunTotals& totals) const {
  if (medium_) {
    const auto counts = medium_->counts();
    const auto number = [](std::uint64_t v) { return static_cast<double>(v); };
    const double possible = std::max(1.0, number(counts.possible));
    totals.metrics.insert(totals.metrics.end(),
                          {{"frames_sent", number(counts.sent)},
                           {"frames_lost_overlap", number(counts.lost_overlap)},
                           {"frames_lost_deaf", number(counts.lost_deaf)},
                           {"delivery_ratio", number(counts.received) / possible}});
  }
  if (!metrics_) return;
  if (medium_)
    for (NodeIndex u = 0; u < nodes_.size(); ++u) {
      const auto spent = medium_->energy(u, end_time_);
      metrics_->energy(u, spent.joules,
                       {spent.sleep, spent.idle, spent.busy, spent.rx, spent.tx, Duration{}});
    }
  auto result = metrics_->finish(end_time_);
  totals.metrics.insert(totals.metrics.end(), result.totals.begin(), result.totals.end());
  totals.series = std::move(result.series);
}

}  // namespace bellwether::sim
