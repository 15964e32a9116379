// SPDX-License-Identifier: MIT
// Properties of whole configurations: what the simulator and the checker can be asked to watch.
#pragma once

#include <memory>

#include "bellwether/core/codec.hpp"
#include "bellwether/core/happening.hpp"
#include "bellwether/core/protocol.hpp"

namespace bellwether::core {

/// One direction of a link whose end at the sender is up.
template <class Message>
struct ChannelView {
  NodeIndex to;
  Port port;                            // its name at the sender
  std::optional<Port> far_port;         // its name at the receiver, while that end is up
  std::vector<const Message*> transit;  // oldest first
};

/// A configuration, to be read: all nodes, all channels, all messages in transit.
template <class P>
class Snapshot {
 public:
  Snapshot() = default;
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;
  virtual ~Snapshot() = default;

  virtual NodeIndex size() const = 0;
  virtual const P& node(NodeIndex i) const = 0;
  virtual NodeId id(NodeIndex i) const = 0;
  virtual bool alive(NodeIndex i) const = 0;
  virtual Time clock(NodeIndex i) const = 0;  // what `now()` would say there
  virtual std::vector<ChannelView<typename P::Message>> channels(NodeIndex i) const = 0;
};

/// Watches one property through one run; throws Violation when it does not hold. Stateful where
/// the property speaks of the past.
template <class P>
class Monitor {
 public:
  using Watched = P;
  virtual ~Monitor() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view says() const = 0;
  /// After each step.
  virtual void after(const Snapshot<P>&, const Happening&) {}
  /// In each quiescent configuration: nothing in transit, no notification outstanding, no timer
  /// armed.
  virtual void at_rest(const Snapshot<P>&) {}

  // The checker follows many runs at once, so it keeps what a monitor remembers with each
  // configuration. Null: this one remembers nothing.
  virtual std::unique_ptr<Monitor> copy() const { return nullptr; }
  virtual Bytes memory() const { return {}; }
  /// False: it remembers no reading of a clock and asks of two only whether they are equal or which
  /// is the later one. Then the checker may renumber them.
  virtual bool reads_clocks() const { return true; }
};

/// A monitor that remembers: `Self` is copied whole, and its `fields` are all that it remembers.
template <class Self, class Base>
class Remembers : public Base {
 public:
  using Base::Base;
  using Watched = typename Base::Watched;
  std::unique_ptr<Monitor<Watched>> copy() const override {
    return std::make_unique<Self>(static_cast<const Self&>(*this));
  }
  Bytes memory() const override { return encode(static_cast<const Self&>(*this)); }
};

template <class P>
using Monitors = std::vector<std::unique_ptr<Monitor<P>>>;

/// A protocol that brings properties of its own: `static Monitors<P> monitors()`.
template <class P>
concept Monitored = requires {
  { P::monitors() } -> std::same_as<Monitors<P>>;
};

}  // namespace bellwether::core
