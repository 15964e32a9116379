// SPDX-License-Identifier: MIT
#include "bellwether/layers/reliable.hpp"

namespace bellwether::layers {

void Reliable::start(Step& step) {
  for (const Port port : step.ports()) open(step, port);
  run(step, core::Call::start());
}

void Reliable::link_up(Step& step, Port port) {
  const Port inner = open(step, port).inner;
  run(step, core::Call::link_up(inner), step.peer(port));
}

void Reliable::link_down(Step& step, Port port) {
  Link* link = find(port);
  if (!link) return;
  step.disarm(Retry{port});
  const NodeId peer = step.peer(port);
  const Port inner = link->inner;
  inner_ports_.remove(inner_ports_.find(inner));
  links_.erase(links_.begin() + (link - links_.data()));
  run(step, core::Call::link_down(inner), peer);
}

void Reliable::receive(Step& step, Port port, const Message& message) {
  if (!find(port)) {  // woken by what reaches it: the links were up all along
    for (const Port each : step.ports()) open(step, each);
    open(step, port);
  }
  const Heading& heading =
      std::visit([](const auto& m) -> const Heading& { return m.link; }, message);
  if (!settle(step, port, heading)) return;
  acknowledge(step, *find(port), heading.acked);
  if (const auto* packet = std::get_if<Packet>(&message)) take(step, port, *packet);
}

void Reliable::timeout(Step& step, const Timer& timer) {
  if (const auto* retry = std::get_if<Retry>(&timer)) {
    Link* link = find(retry->port);
    if (!link || link->unacked.empty()) return;
    const auto last = std::min<std::size_t>(link->unacked.size(), again_at_once);
    for (std::size_t i = 0; i < last; ++i) send_packet(step, *link, i);
    arm_retry(step, *link);
    return;
  }
  run(step, core::Call::timeout(std::get<InnerTimer>(timer).timer.name()));
}

void Reliable::set_priority(Step& step, std::uint32_t priority) {
  run(step, core::Call::set_priority(priority));
}

Reliable::Link* Reliable::find(Port outer) {
  const auto at = std::find_if(links_.begin(), links_.end(),
                               [&](const Link& link) { return link.outer == outer; });
  return at == links_.end() ? nullptr : &*at;
}

Reliable::Link* Reliable::find_inner(Port inner) {
  const auto at = std::find_if(links_.begin(), links_.end(),
                               [&](const Link& link) { return link.inner == inner; });
  return at == links_.end() ? nullptr : &*at;
}

Reliable::Link& Reliable::open(Step& step, Port port) {
  if (Link* there = find(port)) return *there;
  Link link;
  link.outer = port;
  link.inner = inner_ports_.add(step.peer(port));
  link.mine = fresh_session(step);
  links_.push_back(std::move(link));
  return links_.back();
}

/// Drawn, so that a node that restarts does not go on with a session of its former life.
Reliable::SessionId Reliable::fresh_session(Step& step) {
  return static_cast<SessionId>(step.choose(0x7FFF'FFFF)) + 1;
}

/// Whether a packet belongs to the present sessions; may begin a new one.
bool Reliable::settle(Step& step, Port port, const Heading& heading) {
  Link& link = *find(port);
  if (heading.from == 0) return false;
  if (heading.to != 0 && heading.to != link.mine) {
    // Meant for an earlier session of ours. If its sender goes on with one that we do not know,
    // it has not seen our new one: show it.
    if (heading.from != link.theirs) step.send(port, Ack{{link.mine, 0, 0}});
    return false;
  }
  if (heading.from == link.theirs) return true;
  if (link.theirs == 0 || link.untouched()) {
    link.theirs = heading.from;
    link.early.clear();  // of another session, if of any
    return true;
  }
  begin_anew(step, port, heading.from);
  return true;
}

void Reliable::begin_anew(Step& step, Port port, SessionId theirs) {
  Link& link = *find(port);
  const NodeId peer = step.peer(port);
  const Port old = link.inner;
  step.disarm(Retry{port});
  inner_ports_.remove(inner_ports_.find(old));
  link = Link{};
  link.outer = port;
  link.mine = fresh_session(step);
  link.theirs = theirs;
  link.inner = core::every_port;  // nothing can be sent on it while the old one is reported
  run(step, core::Call::link_down(old), peer);
  Link& again = *find(port);
  const Port inner = again.inner = inner_ports_.add(peer);
  run(step, core::Call::link_up(inner), peer);
  if (find(port)->unacked.empty()) step.send(port, Ack{find(port)->heading()});
}

void Reliable::acknowledge(Step& step, Link& link, SequenceNumber acked) {
  if (acked <= link.first_unacked || acked - link.first_unacked > link.unacked.size()) return;
  const auto gone = static_cast<std::ptrdiff_t>(acked - link.first_unacked);
  link.unacked.erase(link.unacked.begin(), link.unacked.begin() + gone);
  link.first_unacked = acked;
  if (link.unacked.empty())
    step.disarm(Retry{link.outer});
  else
    arm_retry(step, link);
}

void Reliable::take(Step& step, Port port, const Packet& packet) {
  Link& link = *find(port);
  if (packet.number >= link.expected && packet.number - link.expected < ahead)
    link.early.try_emplace(packet.number, packet.body);
  const SessionId session = link.mine;
  for (;;) {  // a handler may change the links: look again each time
    Link* now = find(port);
    if (!now || now->mine != session) return;
    const auto next = now->early.begin();
    if (next == now->early.end() || next->first != now->expected) break;
    const core::AnyMessage body = std::move(next->second);
    now->early.erase(next);
    ++now->expected;
    const Port inner = now->inner;
    const NodeId peer = inner_ports_.peer(inner_ports_.find(inner));
    run(step, core::Call::receive(inner, body.value()), peer);
  }
  step.send(port, Ack{find(port)->heading()});
}

/// One step of the protocol inside; its messages are numbered and kept until acknowledged.
void Reliable::run(Step& step, const core::Call& what, NodeId about_peer) {
  InnerStep<Step> inner(step, inner_ports_, what.port, about_peer);
  const core::Effects& effects = inner.call(inner_, what);
  for (const core::Effects::Send& send : effects.sends) {
    if (send.port != core::every_port) {
      if (Link* link = find_inner(send.port)) post(step, *link, taken(inner_.nodes(), send));
      continue;
    }
    const core::AnyMessage message = taken(inner_.nodes(), send);
    for (Link& link : links_)
      if (link.inner != core::every_port) post(step, link, message);
  }
  pass_alarms_on(step, inner_.nodes(), effects);
}

void Reliable::post(Step& step, Link& link, core::AnyMessage message) {
  link.unacked.push_back(std::move(message));
  send_packet(step, link, link.unacked.size() - 1);
  if (link.unacked.size() == 1) arm_retry(step, link);
}

void Reliable::send_packet(Step& step, const Link& link, std::size_t i) {
  step.send(link.outer, Packet{link.heading(), link.first_unacked + static_cast<SequenceNumber>(i),
                               link.unacked[i]});
}

void Reliable::arm_retry(Step& step, const Link& link) {
  step.arm(Retry{link.outer}, options_.retry, 2 * options_.retry);
}

}  // namespace bellwether::layers
