// SPDX-License-Identifier: MIT
#include "bellwether/sim/round_simulation.hpp"

#include <algorithm>

namespace bellwether::sim {

RoundSimulation::RoundSimulation(RunSetup setup, const scenario::Scenario& scenario,
                                 std::unique_ptr<core::Nodes> nodes)
    : wiring_(setup, scenario),
      population_(setup, scenario, std::move(nodes)),
      run_(wiring_.links, wiring_.links.one_way(), population_.nodes->messages(),
           population_.size()),
      anonymous_(setup.anonymous),
      scenario_(scenario) {
  run_.hooks = {this, setup.anonymous ? nullptr : &peer_of, &choose_for};
}

observe::RunReport RoundSimulation::run() {
  audience_.begin({std::string(nodes().name()), scenario_.name, scenario_.seed, population_.ids});
  if (audience_.paced()) audience_.begin_pace();
  try {
    do {
      if (audience_.paced()) take_turns();
    } while (one_round());
  } catch (const core::Violation& violation) {
    ended_ = observe::Ended::violation;
    violation_ = violation.what();
  }
  if (audience_.paced()) close_window();
  if (ended_ != observe::Ended::interrupted) audience_.end();
  return report();
}

bool RoundSimulation::one_round() {
  run_.begin_round(now());
  audience_.observed() ? play_observed() : population_.nodes->play(run_);
  run_.end_round();
  if (anonymous_ && all_alike()) ++alike_;
  if (run_.halted && !run_.spoken) return false;
  ++run_.round;
  return goes_on();
}

/// The same, node by node, with a record of each.
void RoundSimulation::play_observed() {
  core::Nodes& all = *population_.nodes;
  for (NodeIndex u = 0; u < population_.size(); ++u) {
    run_.gather(u);
    run_.stepping = u;
    const std::span<const core::Incoming> reached = run_.inbox;
    all.call(u, core::Call::round(reached), {run_.hooks, wiring_.links.ports(u), now()}, effects_);
    ++run_.tally.events;
    for (const core::Effects::Send& send : effects_.sends)
      run_.send(u, send.port, send.message, send.bytes, core::digest_of(run_.kind, send.message),
                [&](void* to) { run_.kind.copy(to, send.message); });
    run_.halted = run_.halted && effects_.halted;
    if (effects_.leader_changed) run_.note_leader(u, population_.leader(u));
    record(u);
  }
}

bool RoundSimulation::goes_on() {
  const std::uint64_t limit = scenario_.stop.events ? scenario_.stop.events : ~std::uint64_t{0};
  if (run_.tally.events >= limit) {
    ended_ = observe::Ended::event_limit;
  } else if (now() > scenario_.stop.time) {
    ended_ = observe::Ended::deadline;
  } else if (on_progress_ && !on_progress_({now(), run_.tally.events, run_.tally.messages})) {
    ended_ = observe::Ended::interrupted;
  } else {
    return true;
  }
  return false;
}

/// Angluin's theorem, seen at work: a deterministic protocol cannot tell the nodes of an anonymous
/// ring apart, so no node can lead alone.
bool RoundSimulation::all_alike() const {
  for (NodeIndex u = 1; u < population_.size(); ++u)
    if (!nodes().same(u, 0)) return false;
  return true;
}

void RoundSimulation::record_sends(NodeIndex u) {
  const Time arrives = now() + scenario_.rounds.duration;
  for (const core::Effects::Send& send : effects_.sends)
    for (const End e : wiring_.links.ends(u))
      if (send.port == core::every_port || wiring_.links.port(e) == send.port) {
        const NodeIndex to = wiring_.far(e);
        audience_.sent({population_.ids[to], observe::View::of_message(run_.kind, send.message),
                        observe::Fate::sent, arrives, to});
      }
}

/// One record per message received, so that a space-time diagram shows each arrow; the last one, or
/// a bare one, carries what the round sent.
void RoundSimulation::record(NodeIndex u) {
  observe::StepRecord r;
  r.at = now();
  r.node = population_.ids[u];
  r.node_index = u;
  r.leader_before = r.leader_after = effects_.leader_before;
  const auto finish = [&] {
    record_sends(u);
    r.leader_after = population_.leader(u);
    if (nodes().can().described) r.state = observe::View::of_state(nodes(), u);
    audience_.step(r);
  };
  if (run_.inbox.empty()) {
    r.cause = run_.round == 0 ? core::Cause::start : core::Cause::timeout;
    return finish();
  }
  for (std::size_t i = 0; i < run_.inbox.size(); ++i) {
    const End e = wiring_.links.end_of(u, run_.inbox[i].port);
    r.cause = core::Cause::receive;
    r.peer_index = e == no_end ? std::nullopt : std::optional(wiring_.far(e));
    r.peer = r.peer_index ? std::optional(population_.ids[*r.peer_index]) : std::nullopt;
    r.message = observe::View::of_message(run_.kind, run_.inbox[i].message);
    i + 1 == run_.inbox.size() ? finish() : audience_.step(r);
  }
}

NodeId RoundSimulation::peer_of(void* self, Port port) {
  auto& sim = *static_cast<RoundSimulation*>(self);
  const End e = sim.wiring_.behind(sim.run_.stepping, port);
  core::invariant(e != no_end, "a protocol asked who is behind a port that it does not have");
  return sim.population_.ids[sim.wiring_.far(e)];
}

std::uint64_t RoundSimulation::choose_for(void* self, std::uint64_t n) {
  auto& sim = *static_cast<RoundSimulation*>(self);
  return sim.population_.draw(sim.run_.stepping, n);
}

observe::RunReport RoundSimulation::report() const {
  RunTotals totals;
  totals.algorithm = nodes().name();
  totals.events = run_.tally.events;
  totals.messages = run_.tally.messages;
  totals.bytes = run_.tally.bytes;
  totals.time = std::min(now(), scenario_.stop.time);
  totals.ended = ended_;
  totals.violation = violation_;
  totals.fingerprint = run_.fingerprint;
  for (End e = 0; e < wiring_.links.end_count(); e += 2)
    totals.links.push_back({wiring_.links.owner(e), wiring_.links.owner(e + 1)});
  for (NodeIndex u = 0; u < population_.size(); ++u)
    totals.verdicts.push_back({true, population_.leader(u), nodes().leads(u, population_.ids[u])});
  totals.metrics = {{"rounds", static_cast<double>(run_.round)},
                    {"leader_changes", static_cast<double>(run_.tally.leader_changes)},
                    {"last_leader_change_s", core::seconds(run_.tally.last_leader_change)}};
  if (anonymous_) totals.metrics.push_back({"rounds_alike", static_cast<double>(alike_)});
  return make_report(std::move(totals), scenario_, population_.ids);
}

}  // namespace bellwether::sim
