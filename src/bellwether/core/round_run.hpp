// SPDX-License-Identifier: MIT
// A run in rounds, as far as it needs no driver: what was said in the last round, what is being
// said in this one, and what is counted. A broadcast is kept once, at its sender, and every
// neighbour reads it there; only messages to single ports are kept apart.
#pragma once

#include <algorithm>
#include <vector>

#include "bellwether/core/any_message.hpp"
#include "bellwether/core/board.hpp"
#include "bellwether/core/inbox.hpp"
#include "bellwether/core/plain_run.hpp"

namespace bellwether::core {

struct RoundRun {
  /// A message to one port.
  struct Single {
    NodeIndex to;
    Port port;  // at the receiver
    AnyMessage message;
  };

  RoundRun(const PortTable& table, bool goes_one_way, const MessageKind& of, NodeIndex count)
      : ports(table),
        one_way(goes_one_way),
        kind(of),
        nodes(count),
        said(of, count),
        saying(of, count) {}

  /// What reaches a node in this round, by port.
  [[gnu::always_inline]] void gather(NodeIndex u) {
    inbox.clear();
    saying.clear(u);
    // A link that goes both ways carries the neighbour's broadcast back to the port it came from.
    const auto routes = ports.routes(u);
    const auto own = ports.ports(u);
    if (!one_way)
      for (std::size_t i = 0; i < routes.size(); ++i)
        if (said.has(routes[i].to)) inbox.push_back({own[i], said.at(routes[i].to)});
    if (next_told < told.size() && told[next_told].to == u) [[unlikely]]
      gather_singles(u);
  }
  /// Whether neighbours lie where no cache has them: most links of some nodes lead far away. In a
  /// small network, or in a grid, it is not worth while to ask for them ahead.
  bool scattered() const {
    constexpr NodeIndex many = 1 << 17, far = 1 << 13, asked = 64;
    if (nodes <= many) return false;
    std::size_t links = 0, long_links = 0;
    for (NodeIndex u = 0; u < nodes; u += nodes / asked)
      for (const FarEnd& route : ports.routes(u)) {
        ++links;
        if (std::max(u, route.to) - std::min(u, route.to) > far) ++long_links;
      }
    return long_links > links / 2;
  }
  /// What the nodes to come will read is asked for ahead. Inlined by force: else g++ 12 leaves the
  /// calls out (core/port_table.hpp).
  [[gnu::always_inline]] void fetch(NodeIndex u) const {
    constexpr NodeIndex stride = 24;
    if (u + 2 * stride < nodes) ports.fetch(u + 2 * stride);
    if (u + stride >= nodes) return;
    for (const FarEnd& route : ports.routes(u + stride)) __builtin_prefetch(said.at(route.to));
  }
  /// One message of a node; `copy(to)` writes it.
  template <class Copy>
  [[gnu::always_inline]] void send(NodeIndex u, Port port, const void* message, std::size_t bytes,
                                   std::uint64_t digest, Copy&& copy) {
    const auto routes = ports.routes(u);
    std::size_t receivers = routes.size();
    if (port != every_port) {
      const std::size_t place = ports.place_of(u, port);
      receivers = place < routes.size() ? 1 : 0;
      if (receivers == 1) tell(routes[place], message);
    } else if (!one_way && !saying.has(u)) {
      copy(saying.place_for(u));
    } else {  // the second broadcast of a round, or on one-way links
      for (const FarEnd& route : routes) tell(route, message);
    }
    // Who sent what decides who receives what: it is enough to remember the former.
    fingerprint.fold((round << 32) + u, digest + raw(port));
    tally.messages += receivers;
    tally.bytes += receivers * bytes;
    spoken = spoken || receivers > 0;
  }
  void note_leader(NodeIndex u, std::optional<NodeId> leader) {
    ++tally.leader_changes;
    tally.last_leader_change = now;
    fingerprint.fold(u, leader ? raw(*leader) : 0);
  }
  void begin_round(Time at) {
    now = at;
    spoken = false;
    halted = true;
    next_told = 0;
  }
  void end_round() {
    said.swap(saying);
    std::swap(told, telling);
    telling.clear();
    std::stable_sort(told.begin(), told.end(),
                     [](const Single& x, const Single& y) { return x.to < y.to; });
  }

  const PortTable& ports;
  const bool one_way;
  const MessageKind& kind;
  const NodeIndex nodes;
  Board said, saying;                 // in the last round, and in this one
  std::vector<Single> told, telling;  // single messages, sorted by receiver
  std::size_t next_told = 0;
  std::vector<Incoming> inbox;  // of the present node
  Fingerprint fingerprint;
  Totals tally;
  std::uint64_t round = 0;
  Time now{};
  bool spoken = false;  // some node sent something in this round
  bool halted = true;   // no node needs another
  DriverHooks hooks;
  NodeIndex stepping = 0;

 private:
  void tell(FarEnd route, const void* message) {
    telling.push_back({route.to, route.port, AnyMessage::copy_of(kind, message)});
  }
  void gather_singles(NodeIndex u) {
    for (; next_told < told.size() && told[next_told].to == u; ++next_told)
      inbox.push_back({told[next_told].port, told[next_told].message.value()});
    std::stable_sort(inbox.begin(), inbox.end(),
                     [](const Incoming& x, const Incoming& y) { return x.port < y.port; });
  }
};

}  // namespace bellwether::core
