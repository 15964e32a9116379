// SPDX-License-Identifier: MIT
// The plain run: small messages, the same delay for all, links and nodes that stay, nobody looking.
// Then nothing can happen to a message on its way, so its event names the receiver and the
// receiver's port right away, and a delivery touches two places in memory: the node and its row of
// ports.
#include "bellwether/sim/simulation.hpp"

namespace bellwether::sim {

bool Simulation::can_run_plainly() const {
  return mail_.small() && air_.wires.plain() && !wiring_.changes() && !looked_at_ && !airborne_ &&
         !wiring_.moves() && !metrics_ && !audience_.paced();
}

/// Large networks do not fit the caches: what the next messages will touch is asked for ahead.
void Simulation::fetch(const EventQueue::Batch& batch, std::size_t from, std::size_t to) const {
  const core::Layout nodes = population_.nodes->layout();
  for (std::size_t i = from; i < std::min(to, batch.size()); ++i) {
    if (kind_of(batch[i]) != Kind::deliver) continue;
    __builtin_prefetch(nodes.first + batch[i].subject * nodes.stride, 1);
    wiring_.links.fetch(batch[i].subject);
  }
}

void Simulation::handle_plainly(const Event& event) {
  if (kind_of(event) != Kind::deliver) [[unlikely]]
    return handle(event);
  const NodeIndex u = event.subject;
  const Port in{low_detail(event)};
  current_ = u;
  about_ = {in, nobody};
  surroundings_.ports = wiring_.links.ports(u);
  surroundings_.now = clock(u);
  all().call(u, core::Call::receive(in, event.payload()), surroundings_, effects_);
  note_delivery(u, in);
  ++counts_.events;
  drain_plainly(u);
  if (effects_.leader_changed) [[unlikely]]
    note_leader(u);
}

void Simulation::drain_plainly(NodeIndex u) {
  EventQueue& queue = agenda_.queue();
  const auto put = [&](Route route, const void* message) {
    Event& event = queue.push(queue.now() + plain_delay_);
    event.subject = route.to;
    event.detail = static_cast<std::uint32_t>(Kind::deliver) << 29 | core::raw(route.port);
    mail_.kind().copy(event.payload(), message);
  };
  for (const core::Effects::Send& send : effects_.sends) {
    const auto routes = wiring_.links.routes(u);
    if (send.port != core::every_port) [[likely]] {
      const std::size_t place = wiring_.links.place_of(u, send.port);
      if (place >= routes.size()) continue;  // not a link that is up
      ++counts_.messages;
      counts_.bytes += send.bytes;
      put(routes[place], send.message);
    } else {
      counts_.messages += routes.size();
      counts_.bytes += routes.size() * send.bytes;
      for (const Route& route : routes) put(route, send.message);
    }
  }
  if (!can().timers) return;
  for (const core::Effects::Alarm& alarm : effects_.alarms) set_alarm(u, alarm);
}

}  // namespace bellwether::sim
