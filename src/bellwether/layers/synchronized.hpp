// SPDX-License-Identifier: MIT
// A synchronizer with the round protocol that it carries: an asynchronous protocol which plays, on
// links that take any time, the rounds that the protocol inside would have had in a network with a
// common clock. Round by round, every node is in the same state as there.
//
// A message carries the number of the pulse in which it was sent. It is kept until its receiver
// plays the next pulse; layers/pulse_control.hpp says when that may be.
//
//   Model      Links go both ways and do not change, nothing is lost or doubled; messages may
//              overtake each other. beta and gamma need ids.
//   Guarantee  In pulse k a node reads exactly what its neighbours sent it in pulse k - 1.
//   Ends       Nobody can see from inside that the protocol is done everywhere: `pulses` says how
//              many to play.
#pragma once

#include <algorithm>

#include "bellwether/layers/inner.hpp"
#include "bellwether/layers/pulse_control.hpp"

namespace bellwether::layers {

template <core::RoundProtocol P>
class Synchronized {
 public:
  static constexpr std::string_view name = P::name;
  static constexpr core::Facts facts = [] {
    core::Facts out;
    if constexpr (requires { P::facts; }) out = P::facts;
    out.model.synchronous = false;
    out.model.needs_all = false;  // who is reached takes part
    out.model.bears_one_way = false;
    out.model.bears_reordering = true;
    return out;
  }();
  using Inner = P;
  using Body = typename P::Message;

  struct Options {
    PulseOptions pulse;
    typename P::Options inner;
    static constexpr std::tuple<> fields{};  // whoever puts the layer on sets them
    friend bool operator==(const Options&, const Options&) = default;
  };

  /// A message of the protocol.
  struct Packet {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "packet";
    Pulse pulse = 0;
    Body body{};
    static constexpr auto fields =
        std::tuple{core::field("pulse", &Packet::pulse), core::field("body", &Packet::body)};
    friend bool operator==(const Packet&, const Packet&) = default;
  };
  /// simple: there is none on this link in this pulse.
  struct Null : OfPulse<2> {
    static constexpr std::string_view name = "null";
  };
  using Message =
      std::variant<Packet, Null, Wake, Ack, Safe, Go, ClusterSafe, Ready, Explore, Echo, Partition>;
  /// abd: the next pulse.
  struct Tick {
    static constexpr std::tuple<> fields{};
    friend bool operator==(const Tick&, const Tick&) = default;
  };
  using Timer = Tick;
  using Step = core::Step<Message, Timer>;

  Synchronized() = default;
  Synchronized(core::NodeId id, const Options& options)
      : id_(id), control_(options.pulse), inner_(id, options.inner) {}

  void start(Step& step) {
    Turn turn = turn_of(step);
    control_.wake(turn, true);
    finish(step, turn);
  }
  void link_up(Step&, core::Port) {}
  void link_down(Step&, core::Port) {}
  void receive(Step& step, core::Port port, const Message& message) {
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
  void timeout(Step& step, Timer) {
    Turn turn = turn_of(step);
    control_.tick(turn);
    finish(step, turn);
  }

  std::optional<core::NodeId> leader() const { return inner_.leader(); }
  bool leads() const { return core::leads(inner_, id_); }
  const P& inner() const { return inner_; }
  /// How many have been played.
  Pulse pulses() const { return control_.next(); }

  friend bool operator==(const Synchronized&, const Synchronized&) = default;

 private:
  struct Held {
    core::Port port{};
    Packet packet;
    static constexpr auto fields =
        std::tuple{core::field("port", &Held::port), core::field("packet", &Held::packet)};
    friend bool operator==(const Held&, const Held&) = default;
  };
  using RoundStep = core::RoundStepOf<P>;
  using Inbox = std::vector<core::Received<Body>>;

  Turn turn_of(Step& step) const {
    return {id_, step.ports(), [&step](core::Port port) { return step.peer(port); }};
  }
  static Signal signal_in(const Message& message) {
    return std::visit(
        [](const auto& m) -> Signal {
          if constexpr (std::is_constructible_v<Signal, decltype(m)>)
            return m;
          else
            return Wake{};
        },
        message);
  }

  /// Does what the synchronizer wants, and plays as long as it lets us: no more than two pulses
  /// where there are neighbours, of whom none is more than one ahead. Garbage may say otherwise.
  void finish(Step& step, Turn& turn) {
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

  /// Nobody to wait for, and no end set: a node without neighbours plays until it has nothing to
  /// do.
  bool done_alone(const Step& step) const {
    return control_.endless() && step.ports().empty() && inner_.halted();
  }

  /// One round of the protocol inside; how many messages it sent.
  std::uint32_t play(Step& step) {
    const Pulse pulse = control_.next();
    RoundStep& inner = buffer();
    inner.rebind({&step, &peer, &choose});
    inner.begin(step.ports(), step.now());
    inner_.round(inner, take_inbox(pulse));
    std::vector<core::Port> silent(step.ports().begin(), step.ports().end());
    std::uint32_t messages = 0;
    const auto post = [&](core::Port port, const Body& body) {
      std::erase(silent, port);
      step.send(port, Packet{pulse, body});
      ++messages;
    };
    for (const auto& send : inner.sends()) {
      if (send.port != core::every_port)
        post(send.port, send.message);
      else
        for (const core::Port port : step.ports()) post(port, send.message);
    }
    if (control_.fills_links() && !control_.last())
      for (const core::Port port : silent) step.send(port, Null{{pulse}});
    return messages;
  }

  /// What was sent in the pulse before, by port.
  Inbox take_inbox(Pulse pulse) {
    Inbox inbox;
    for (const Held& held : held_)
      if (held.packet.pulse + 1 == pulse) inbox.push_back({held.port, held.packet.body});
    std::erase_if(held_, [&](const Held& held) { return held.packet.pulse + 1 <= pulse; });
    std::stable_sort(inbox.begin(), inbox.end(),
                     [](const auto& a, const auto& b) { return a.port < b.port; });
    return inbox;
  }

  static RoundStep& buffer() {
    thread_local RoundStep step;
    return step;
  }
  static core::NodeId peer(void* step, core::Port port) {
    return static_cast<Step*>(step)->peer(port);
  }
  static std::uint64_t choose(void* step, std::uint64_t n) {
    return static_cast<Step*>(step)->choose(n);
  }

  core::NodeId id_{};
  PulseControl control_;
  std::vector<Held> held_;
  P inner_;

 public:
  static constexpr auto fields = layer_fields<P>(core::field("inner", &Synchronized::inner_),
                                                 core::field("control", &Synchronized::control_),
                                                 core::field("held", &Synchronized::held_));
};

}  // namespace bellwether::layers
