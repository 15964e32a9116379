// SPDX-License-Identifier: MIT
// A whole configuration without the type of its protocol, and who watches it. Algorithms write
// their properties with types (property.hpp); Typed<P> stands between.
#pragma once

#include <memory>

#include "bellwether/core/happening.hpp"
#include "bellwether/core/host.hpp"

namespace bellwether::core {

/// One direction of a link whose end at the sender is up.
struct ChannelState {
  NodeIndex to;
  Port port;                         // its name at the sender
  std::optional<Port> far_port;      // its name at the receiver, while that end is up
  std::vector<const void*> transit;  // messages, oldest first
};

class Configuration {
 public:
  Configuration() = default;
  Configuration(const Configuration&) = delete;
  Configuration& operator=(const Configuration&) = delete;
  virtual ~Configuration() = default;

  virtual NodeIndex size() const = 0;
  virtual const Nodes& nodes() const = 0;
  /// Where node i stands among nodes().
  virtual NodeIndex place(NodeIndex i) const = 0;
  virtual NodeId id(NodeIndex i) const = 0;
  virtual bool alive(NodeIndex i) const = 0;
  virtual Time clock(NodeIndex i) const = 0;  // what `now()` would say there
  virtual std::vector<ChannelState> channels(NodeIndex i) const = 0;

  std::optional<NodeId> leader(NodeIndex i) const { return nodes().leader(place(i)); }
  bool leads(NodeIndex i) const { return nodes().leads(place(i), id(i)); }
};

/// Watches one property through one run; throws Violation when it does not hold.
class PropertyMonitor {
 public:
  virtual ~PropertyMonitor() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view says() const = 0;
  /// After each step.
  virtual void after(const Configuration&, const Happening&) {}
  /// In each quiescent configuration: nothing in transit, no notification outstanding, no timer
  /// armed.
  virtual void at_rest(const Configuration&) {}

  // The checker follows many runs at once, so it keeps what a monitor remembers with each
  // configuration. Null: this one remembers nothing.
  virtual std::unique_ptr<PropertyMonitor> copy() const { return nullptr; }
  virtual Bytes memory() const { return {}; }
  /// False: readings of clocks may be renumbered in the order they have.
  virtual bool reads_clocks() const { return true; }
};

using PropertyMonitors = std::vector<std::unique_ptr<PropertyMonitor>>;

}  // namespace bellwether::core
