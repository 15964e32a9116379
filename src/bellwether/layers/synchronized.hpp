// SPDX-License-Identifier: MIT
// A synchronizer with the round protocol that it carries: an asynchronous protocol which plays, on
// links that take any time, the rounds that the protocol inside would have had in a network with a
// common clock. Round by round, every node is in the same state as there.
//
// A message carries the number of the pulse in which it was sent. It is kept until its receiver
// plays the next pulse; layers/pulse_control.hpp says when that may be.
//
//   Model      Links go both ways and do not change, nothing is lost or duplicated; messages may
//              overtake each other. beta and gamma need ids.
//   Guarantee  In pulse k a node reads exactly what its neighbours sent it in pulse k - 1.
//   Ends       No node can see that the protocol is done everywhere: `pulses` says how
//              many to play.
#pragma once

#include "bellwether/layers/inner.hpp"
#include "bellwether/layers/pulse_control.hpp"

namespace bellwether::layers {

class Synchronized {
 public:
  static constexpr std::string_view name = "synchronized";

  struct Options {
    PulseOptions pulse;
    std::shared_ptr<core::Nodes> inner;
    static constexpr std::tuple<> fields{};  // set by the code that builds the stack
    friend bool operator==(const Options&, const Options&) = default;
  };

  /// A message of the protocol.
  struct Packet {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "packet";
    Pulse pulse = 0;
    core::AnyMessage body;
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
      : id_(id), control_(options.pulse), inner_(*options.inner, id) {}
  static core::Facts facts_of(const Options& options);

  void start(Step& step);
  void link_up(Step&, core::Port) {}
  void link_down(Step&, core::Port) {}
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step& step, Timer);

  std::optional<core::NodeId> leader() const { return inner_.leader(); }
  bool leads() const { return inner_.nodes().leads(inner_.index(), id_); }
  const core::AnyNode& inside() const { return inner_; }
  bool shows_inside() const { return inner_.is_described(); }
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

  Turn turn_of(Step& step) const;
  void finish(Step& step, Turn& turn);
  bool done_alone(const Step& step) const;
  std::uint32_t play(Step& step);
  std::vector<Held> take_held(Pulse pulse);

  core::NodeId id_{};
  PulseControl control_;
  std::vector<Held> held_;
  core::AnyNode inner_;

 public:
  static constexpr auto fields = std::tuple{
      core::field("control", &Synchronized::control_), core::field("held", &Synchronized::held_),
      core::field_when("inner", &Synchronized::inner_, &Synchronized::shows_inside)};
};

}  // namespace bellwether::layers
