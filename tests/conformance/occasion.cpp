// SPDX-License-Identifier: MIT
#include "conformance/occasion.hpp"

namespace bellwether::conformance {
namespace {

constexpr std::string_view kind_names[] = {"nothing", "start",   "link_up", "link_down",
                                           "receive", "timeout", "round",   "set_priority"};

core::Call call_of(const Occasion& o, const std::span<const core::Incoming>& inbox) {
  switch (o.kind) {
    case Kind::link_up:
      return core::Call::link_up(o.port);
    case Kind::link_down:
      return core::Call::link_down(o.port);
    case Kind::receive:
      return core::Call::receive(o.port, o.message.value());
    case Kind::timeout:
      return core::Call::timeout(o.timer);
    case Kind::round:
      return core::Call::round(inbox);
    default:
      return core::Call::start();
  }
}

}  // namespace

std::string text(const core::Nodes& nodes, const Occasion& o) {
  std::string out(kind_names[static_cast<std::size_t>(o.kind)]);
  if (o.port != core::every_port) out += " port " + core::text_of(o.port);
  if (o.kind == Kind::receive) out += " " + text_of(o.message);
  if (o.kind == Kind::timeout) out += " " + nodes.text(o.timer);
  return out + " ports " + core::text_of(o.ports) + " now " + std::to_string(o.now.count());
}

core::Outcome Bench::play(AnyNode& node, const Occasion& occasion) {
  seen_ = &occasion;
  prng_ = core::Prng(occasion.choices);
  std::vector<core::Incoming> incoming;
  for (const auto& [port, message] : occasion.inbox) incoming.push_back({port, message.value()});
  const std::span<const core::Incoming> inbox(incoming);
  const core::DriverHooks hooks{this, anonymous_ ? nullptr : &Bench::peer, &Bench::choose};
  return player_.play(node.index(), call_of(occasion, inbox),
                      {hooks, occasion.ports, occasion.now});
}

NodeId Bench::peer(void* self, Port port) {
  for (const auto& [known, id] : static_cast<Bench*>(self)->seen_->peers)
    if (known == port) return id;
  throw Broken("it asks who is behind a port that is down");
}
std::uint64_t Bench::choose(void* self, std::uint64_t n) {
  return static_cast<Bench*>(self)->prng_.below(n);
}

void require_fields(const AnyNode& a, const AnyNode& b) {
  const core::Nodes& nodes = a.nodes();
  if (!nodes.can().described) return;
  if (a == b)
    require(nodes.digest(a.index()) == nodes.digest(b.index()),
            "equal states have different digests");
  else
    require(bytes_of(a) != bytes_of(b), "`fields` leaves out what has changed");
}

core::Outcome checked(Bench& bench, AnyNode& node, const Occasion& occasion) {
  const core::Nodes& nodes = node.nodes();
  const AnyNode before = node;
  AnyNode twin = before;
  const auto leader = before.leader();
  require(before == node && node.leader() == leader, "a copy is not equal");

  core::Outcome outcome = bench.play(node, occasion);
  const bool kept = twin == before && before.leader() == leader;
  require(kept, "a step has changed a copy of the node");
  const core::Effects& told = bench.effects();
  require(told.leader_changed == (node.leader() != leader) &&
              (!told.leader_changed || told.leader_before == leader),
          "the driver is told of another leader");
  if (occasion.kind == Kind::receive && nodes.messages().small)
    require(told.digest == occasion.message.digest(), "a message arrives with another digest");
  const AnyNode after = node;
  require(bench.play(twin, occasion) == outcome, "the same step has other effects");
  require(twin == node, "the same step leads to another state");
  require(node == after, "the step of a copy has changed the node");
  require(twin.leader() == node.leader(), "equal states name different leaders");
  require_fields(before, node);
  require_fields(twin, node);
  return outcome;
}

}  // namespace bellwether::conformance
