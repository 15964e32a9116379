// SPDX-License-Identifier: MIT
#include "bellwether/layers/synchronized.hpp"

#include <algorithm>

namespace bellwether::layers {
namespace {

Signal signal_in(const Synchronized::Message& message) {
  return std::visit(
      [](const auto& m) -> Signal {
        if constexpr (std::is_constructible_v<Signal, decltype(m)>)
          return m;
        else
          return Wake{};
      },
      message);
}

core::NodeId peer_of(void* step, core::Port port) {
  return static_cast<Synchronized::Step*>(step)->peer(port);
}
std::uint64_t choose_for(void* step, std::uint64_t n) {
  return static_cast<Synchronized::Step*>(step)->choose(n);
}

}  // namespace

core::Facts Synchronized::facts_of(const Options& options) {
  core::Facts out = options.inner->facts();
  out.model.synchronous = false;
  out.model.needs_all = false;  // who is reached takes part
  out.model.tolerates_one_way = false;
  out.model.tolerates_reordering = true;
  return out;
}

void Synchronized::start(Step& step) {
  Turn turn = turn_of(step);
  control_.wake(turn, true);
  finish(step, turn);
}

void Synchronized::receive(Step& step, core::Port port, const Message& message) {
  Turn turn = turn_of(step);
  control_.wake(turn, false);
  if (const auto* packet = std::get_if<Packet>(&message)) {
    if (packet->pulse + 1 >= control_.next() && packet->pulse <= control_.next())
      held_.push_back({port, *packet});
    control_.arrived(turn, port, packet->pulse);
  } else if (const auto* null = std::get_if<Null>(&message)) {
    control_.arrived(turn, port, null->pulse);
  } else {
    control_.receive(turn, port, signal_in(message));
  }
  finish(step, turn);
}

void Synchronized::timeout(Step& step, Timer) {
  Turn turn = turn_of(step);
  control_.tick(turn);
  finish(step, turn);
}

Turn Synchronized::turn_of(Step& step) const {
  return {id_, step.ports(), [&step](core::Port port) { return step.peer(port); }};
}

/// Does what the synchronizer wants, and plays as long as it lets us: no more than two pulses
/// where there are neighbours, of whom none is more than one ahead. Garbage may say otherwise.
void Synchronized::finish(Step& step, Turn& turn) {
  for (unsigned played = 0;; ++played) {
    for (const auto& [port, signal] : turn.signals)
      if (std::binary_search(step.ports().begin(), step.ports().end(), port))
        std::visit([&, to = port](const auto& s) { step.send(to, s); }, signal);
    turn.signals.clear();
    if (turn.tick) step.arm(Tick{}, *turn.tick, *turn.tick);
    turn.tick.reset();
    if (!control_.may_play() || done_alone(step)) return;
    if (played == 2 && !step.ports().empty()) return;
    const std::uint32_t messages = play(step);
    control_.played(turn, messages);
  }
}

/// No node to wait for, and no end set: a node without neighbours plays until it has nothing to do.
bool Synchronized::done_alone(const Step& step) const {
  return control_.endless() && step.ports().empty() && inner_.nodes().halted(inner_.index());
}

/// One round of the protocol inside; how many messages it sent.
std::uint32_t Synchronized::play(Step& step) {
  const Pulse pulse = control_.next();
  const std::vector<Held> held = take_held(pulse);
  std::vector<core::Incoming> inbox;
  for (const Held& each : held) inbox.push_back({each.port, each.packet.body.value()});
  const std::span<const core::Incoming> reached = inbox;
  const core::Effects& effects = inner_.call(
      core::Call::round(reached), {{&step, &peer_of, &choose_for}, step.ports(), step.now()});
  std::vector<core::Port> silent(step.ports().begin(), step.ports().end());
  std::uint32_t messages = 0;
  const auto post = [&](core::Port port, const core::AnyMessage& body) {
    std::erase(silent, port);
    step.send(port, Packet{pulse, body});
    ++messages;
  };
  for (const core::Effects::Send& send : effects.sends) {
    const core::AnyMessage body = taken(inner_.nodes(), send);
    if (send.port != core::every_port)
      post(send.port, body);
    else
      for (const core::Port port : step.ports()) post(port, body);
  }
  if (control_.fills_links() && !control_.last())
    for (const core::Port port : silent) step.send(port, Null{{pulse}});
  return messages;
}

/// What was sent in the pulse before, by port.
std::vector<Synchronized::Held> Synchronized::take_held(Pulse pulse) {
  std::vector<Held> out;
  for (const Held& held : held_)
    if (held.packet.pulse + 1 == pulse) out.push_back(held);
  std::erase_if(held_, [&](const Held& held) { return held.packet.pulse + 1 <= pulse; });
  std::stable_sort(out.begin(), out.end(),
                   [](const Held& a, const Held& b) { return a.port < b.port; });
  return out;
}

}  // namespace bellwether::layers
