// SPDX-License-Identifier: MIT
#include "bellwether/layers/probed.hpp"

namespace bellwether::layers {

void Probed::start(Step& step) {
  step.arm(ProbeTime{}, Duration{0}, probes_.period);
  run(step, core::Call::start());
}

void Probed::receive(Step& step, Port, const Message& message) {
  if (is_beyond_limits(message))
    ++dropped_;
  else
    std::visit([&](const auto& m) { take(step, m); }, message);
}

void Probed::timeout(Step& step, const Timer& timer) {
  if (std::holds_alternative<ProbeTime>(timer)) {
    if (!spares() || ++quiet_ > probes_.spare) {
      quiet_ = spares() ? 1 : 0;
      step.broadcast(Probe{id_});
    }
    step.arm(ProbeTime{}, probes_.period - probes_.jitter, probes_.period + probes_.jitter);
  } else if (const auto* silence = std::get_if<Silence>(&timer)) {
    lose(step, silence->of, &core::Call::link_down);
  } else {
    run(step, core::Call::timeout(std::get<InnerTimer>(timer).timer.name()));
  }
}

void Probed::set_priority(Step& step, std::uint32_t priority) {
  run(step, core::Call::set_priority(priority));
}

std::optional<NodeId> Probed::silent_neighbour(const core::TimerName& timer) {
  if (timer.bytes().front() != Silence::tag) return std::nullopt;
  core::Reader in(timer.bytes().subspan(1));
  Silence silence;
  core::invariant(core::read(in, silence), "a timer that is none of the probes");
  return silence.of;
}

/// The port of a node just heard; no node hears itself.
std::optional<Port> Probed::hear(Step& step, NodeId from) {
  if (from == id_) return std::nullopt;
  step.arm(Silence{from}, probes_.timeout, probes_.timeout);
  const std::size_t place = neighbours_.find(from);
  if (place < neighbours_.size()) return neighbours_.port(place);
  const Port port = neighbours_.add(from);
  run(step, core::Call::link_up(port), from);
  return port;
}

void Probed::lose(Step& step, NodeId peer, core::Call (*how)(Port)) {
  const std::size_t place = neighbours_.find(peer);
  if (place == neighbours_.size()) return;
  const Port port = neighbours_.port(place);
  neighbours_.remove(place);
  std::erase_if(assemblies_, [&](const Assembly& a) { return a.from == peer; });
  run(step, how(port), peer);
}

void Probed::take(Step& step, const Bye& bye) {
  step.disarm(Silence{bye.from});
  lose(step, bye.from, &core::Call::farewell);
}

void Probed::take(Step& step, const Data& data) {
  const auto port = hear(step, data.from);
  if (port && (!data.to || *data.to == id_)) hand_in(step, *port, data.from, data.body);
}

void Probed::take(Step& step, const Part& part) {
  const auto port = hear(step, part.from);
  if (!port || (part.to && *part.to != id_)) return;
  if (const auto body = assemble(part)) hand_in(step, *port, part.from, *body);
}

void Probed::hand_in(Step& step, Port port, NodeId from, const core::AnyMessage& body) {
  if (names_too_many(body))
    ++dropped_;
  else
    run(step, core::Call::receive(port, body.value()), from);
}

/// One neighbour too many, or a part of what is too long as a whole.
bool Probed::is_beyond_limits(const Message& message) const {
  if (neighbours_.size() >= limits_.neighbours) {
    const NodeId from = std::visit([](const auto& m) { return m.from; }, message);
    if (neighbours_.find(from) == neighbours_.size()) return true;
  }
  const auto* part = std::get_if<Part>(&message);
  if (part == nullptr || limits_.message == ProbeLimits::none) return false;
  return part->count > limits_.message / std::max<std::size_t>(part->bytes.size(), 1) + 1;
}

bool Probed::names_too_many(const core::AnyMessage& body) const {
  if (limits_.members == ProbeLimits::none) return false;
  const core::Known* known = inner_.nodes().known(inner_.index());
  if (known == nullptr) return false;
  core::NewMembers found(*known);
  body.name_members(found);
  return found.exceed(limits_.members);
}

/// One step of the protocol inside, about a port where the call names one; its messages leave as
/// frames.
void Probed::run(Step& step, const core::Call& what, NodeId about_peer) {
  InnerStep<Step> inner(step, neighbours_, what.port, about_peer);
  const core::Effects& effects = inner.call(inner_, what);
  for (const core::Effects::Send& send : effects.sends) {
    std::optional<NodeId> to;
    if (send.port != core::every_port) {
      const std::size_t place = neighbours_.find(send.port);
      if (place == neighbours_.size()) continue;  // it has been lost meanwhile
      to = neighbours_.peer(place);
    }
    post(step, Data{id_, to, taken(inner_.nodes(), send)});
  }
  pass_alarms_on(step, inner_.nodes(), effects);
}

std::uint64_t Probed::dropped() const {
  const core::MemberList* list = inner_.nodes().member_list(inner_.index());
  return dropped_ + (list == nullptr ? 0 : list->refused);
}

void Probed::post(Step& step, Data data) {
  quiet_ = 0;
  // What is small in memory is small on the wire: no number takes more than ten bytes.
  if (!data.body.kind().small || probes_.mtu < 1000)
    if (1 + core::encoded_size(data) > probes_.mtu) return post_parts(step, data);
  step.broadcast(std::move(data));
}

void Probed::post_parts(Step& step, const Data& data) {
  constexpr std::size_t heading = 40;  // the fields of a part but its bytes, at their longest
  const auto bytes = core::encode(data.body);
  const std::size_t room = std::max<std::size_t>(probes_.mtu, heading + 1) - heading;
  const auto count = static_cast<std::uint32_t>((bytes.size() + room - 1) / room);
  const std::uint32_t serial = next_serial_++;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(i * room);
    const auto to =
        bytes.begin() + static_cast<std::ptrdiff_t>(std::min(bytes.size(), (i + 1) * room));
    step.broadcast(Part{id_, data.to, serial, i, count, {from, to}});
  }
}

/// The whole message when this part was the last one missing. One message of each sender is
/// put together at a time: the parts of an older one will not come any more.
std::optional<core::AnyMessage> Probed::assemble(const Part& part) {
  constexpr std::uint32_t most_parts = 4096;  // a forged count must not take our memory
  if (part.count == 0 || part.count > most_parts || part.index >= part.count) return {};
  auto found = std::find_if(assemblies_.begin(), assemblies_.end(),
                            [&](const Assembly& a) { return a.from == part.from; });
  if (found == assemblies_.end())
    found = assemblies_.insert(assemblies_.end(), Assembly{part.from, part.serial, 0, {}});
  if (found->serial != part.serial || found->parts.size() != part.count) {
    *found = Assembly{part.from, part.serial, part.count, {}};
    found->parts.resize(part.count);
  }
  auto& place = found->parts[part.index];
  if (!place.empty() || part.bytes.empty()) return {};
  place = part.bytes;
  if (--found->missing > 0) return {};
  std::vector<std::uint8_t> whole;
  for (const auto& each : found->parts) whole.insert(whole.end(), each.begin(), each.end());
  assemblies_.erase(found);
  return inner_.nodes().decode(whole);
}

}  // namespace bellwether::layers
