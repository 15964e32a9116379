// SPDX-License-Identifier: MIT
// What a plain run needs: small messages, the same delay for all, no timers, links and nodes that
// stay, no observer. Then nothing can happen to a message on its way, so its event names the
// receiver and the receiver's port right away, and a delivery touches two places in memory: the
// node and its row of ports.
#pragma once

#include <optional>

#include "bellwether/core/event_queue.hpp"
#include "bellwether/core/fingerprint.hpp"
#include "bellwether/core/port_table.hpp"
#include "bellwether/core/step.hpp"

namespace bellwether::core {

/// What is counted in every run.
struct Totals {
  std::uint64_t events = 0, messages = 0, bytes = 0, leader_changes = 0;
  Time last_leader_change{};
};

struct PlainRun {
  EventQueue& queue;
  const PortTable& ports;
  Fingerprint& fingerprint;
  Totals& tally;
  std::span<const Duration> offsets;  // of clocks; empty: none is off
  std::uint64_t delay = 0;            // of every message
  bool many = false;                  // more nodes than fit the nearer caches
  DriverHooks hooks;
  NodeIndex& stepping;  // whose step it is, and
  Port& about;          // which port it is about: for the hooks

  /// The others are starts, and have a mark above the bits of a port.
  static bool is_message(const QueuedEvent& event) { return event.detail >> 29 == 0; }
  Time clock(NodeIndex u, std::uint64_t time) const {
    const Time now{static_cast<std::int64_t>(time)};
    return offsets.empty() ? now : std::max(Time{0}, now + offsets[u]);
  }
  /// One message to a port or to all; `copy(to)` writes it.
  template <class Copy>
  [[gnu::always_inline]] void send(NodeIndex u, Port port, std::size_t bytes, std::uint64_t time,
                                   Copy&& copy) {
    const auto put = [&](FarEnd route) {
      QueuedEvent& event = queue.push(time + delay);
      event.subject = route.to;
      event.detail = raw(route.port);
      copy(event.payload());
    };
    const auto routes = ports.routes(u);
    if (port != every_port) [[likely]] {
      const std::size_t place = ports.place_of(u, port);
      if (place >= routes.size()) return;  // not a link that is up
      ++tally.messages;
      tally.bytes += bytes;
      put(routes[place]);
    } else {
      tally.messages += routes.size();
      tally.bytes += routes.size() * bytes;
      for (const FarEnd& route : routes) put(route);
    }
  }
  void note_leader(NodeIndex u, std::optional<NodeId> leader, std::uint64_t time) {
    ++tally.leader_changes;
    tally.last_leader_change = Time{static_cast<std::int64_t>(time)};
    fingerprint.fold(u, leader ? raw(*leader) : 0);
  }
};

}  // namespace bellwether::core
