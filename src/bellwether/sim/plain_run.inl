// SPDX-License-Identifier: MIT
// The plain run: small messages, the same delay for all, links and nodes that stay, nobody looking.
// Then nothing can happen to a message on its way, so its event names the receiver and the
// receiver's port right away, and a delivery touches two places in memory: the node and its row of
// ports. Included by simulation.hpp only.
#pragma once

namespace bellwether::sim {

/// Member by member: a copy of the whole would wait for the narrower stores that made it.
template <class Message>
[[gnu::always_inline]] inline void copy_small(Message& to, const Message& from) {
  if constexpr (core::is_variant<Message>)
    std::visit([&](const auto& m) { to.template emplace<std::remove_cvref_t<decltype(m)>>(m); },
               from);
  else
    to = from;
}

/// Large networks do not fit the caches: what the next messages will touch is asked for ahead.
template <core::Protocol P, bool observable>
void Simulation<P, observable>::fetch(std::span<const Event> batch) const {
  for (const Event& event : batch) {
    if (event.kind() != Kind::deliver) continue;
    __builtin_prefetch(&nodes_[event.subject], 1);
    links_.fetch(event.subject);
  }
}

template <core::Protocol P, bool observable>
[[gnu::always_inline]] inline void Simulation<P, observable>::handle_plainly(const Event& event) {
  if constexpr (travels_inline<Message>) {
    if (event.kind() != Kind::deliver) [[unlikely]]
      return handle(event);
    const NodeIndex u = event.subject;
    const Port in{event.detail & low_bits};
    P& p = nodes_[u];
    current_ = u;
    around_ = {in, nobody};
    note_delivery(u, in, event.time, core::digest(event.payload));
    const auto before = p.leader();
    step_.begin(links_.ports(u), clock_of(u));
    p.receive(step_, in, event.payload);
    ++events_;
    drain_plainly(u);
    if (before != p.leader()) [[unlikely]]
      note_leader(u);
  }
}

template <core::Protocol P, bool observable>
[[gnu::always_inline]] inline void Simulation<P, observable>::drain_plainly(NodeIndex u) {
  if constexpr (travels_inline<Message>) {
    const auto put = [&](Route route, const Message& message) {
      Event& event = queue_.push(queue_.now() + plain_delay_);
      event.subject = route.to;
      event.detail = static_cast<std::uint32_t>(Kind::deliver) << 29 | core::raw(route.port);
      copy_small(event.payload, message);
    };
    for (const auto& send : step_.sends()) {
      const std::size_t size = core::encoded_size(send.message);
      const auto routes = links_.routes(u);
      if (send.port != core::every_port) [[likely]] {
        const std::size_t place = links_.place_of(u, send.port);
        if (place >= routes.size()) continue;  // not a link that is up
        ++messages_;
        bytes_ += size;
        put(routes[place], send.message);
      } else {
        messages_ += routes.size();
        bytes_ += routes.size() * size;
        for (const Route& route : routes) put(route, send.message);
      }
    }
    if constexpr (timed)
      for (const auto& alarm : step_.alarms()) arm(u, alarm);
  }
}

}  // namespace bellwether::sim
