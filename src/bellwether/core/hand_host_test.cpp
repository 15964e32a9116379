// SPDX-License-Identifier: MIT
#include "bellwether/core/hand_host_test.hpp"

#include <algorithm>

namespace bellwether::core {

bool operator==(const Outcome& a, const Outcome& b) {
  const auto same_alarm = [](const Effects::Alarm& x, const Effects::Alarm& y) {
    return x.timer == y.timer && x.armed == y.armed && x.min == y.min && x.max == y.max;
  };
  return a.sends == b.sends && a.halted == b.halted &&
         std::equal(a.alarms.begin(), a.alarms.end(), b.alarms.begin(), b.alarms.end(), same_alarm);
}

Outcome Player::play(NodeIndex u, const Call& call, const Surroundings& around) {
  nodes_.call(u, call, around, effects_);
  Outcome out;
  for (const Effects::Send& send : effects_.sends) {
    out.sends.push_back({send.port, AnyMessage::moved(nodes_.messages(), send.message)});
    invariant(send.bytes == out.sends.back().message.encoded_size(),
              "a message takes other bytes than its driver is told");
  }
  out.alarms = effects_.alarms;
  out.halted = effects_.halted;
  return out;
}

HandHost::HandHost(std::unique_ptr<Nodes> nodes) : hosted_(std::move(nodes)), player_(*hosted_) {}

HandHost::~HandHost() = default;

std::vector<ChannelState> HandHost::channels(NodeIndex u) const {
  std::vector<ChannelState> out;
  for (const Port port : ports(u)) {
    const End& near = end(u, port);
    const bool far_up = end(near.far, near.far_port).up;
    out.push_back({near.far, port, far_up ? std::optional(near.far_port) : std::nullopt, {}});
  }
  return out;
}

std::size_t HandHost::leaders_named(NodeId leader) const {
  std::size_t count = 0;
  for (NodeIndex u = 0; u < size(); ++u) count += alive(u) && this->leader(u) == leader ? 1 : 0;
  return count;
}

NodeIndex HandHost::adopt(NodeId id, NodeIndex place) {
  nodes_.push_back({id, place, true, {}, {}, {}});
  return size() - 1;
}

void HandHost::stop(NodeIndex u) {
  nodes_[u].alive = false;
  nodes_[u].armed.clear();
  for (End& each : nodes_[u].ends) each.up = false;
}

void HandHost::revive(NodeIndex u) {
  nodes_[u].alive = true;
  hosted_->reset(place(u), id(u));
}

Port HandHost::open(NodeIndex u, const End& end) {
  nodes_[u].ends.push_back(end);
  return Port{static_cast<std::uint32_t>(nodes_[u].ends.size() - 1)};
}

std::vector<Port> HandHost::ports(NodeIndex u) const {
  std::vector<Port> out;
  for (std::uint32_t p = 0; p < nodes_[u].ends.size(); ++p)
    if (nodes_[u].ends[p].up && nodes_[u].ends[p].sends) out.push_back(Port{p});
  return out;
}

std::optional<Port> HandHost::port_to(NodeIndex u, NodeIndex far) const {
  for (std::uint32_t p = 0; p < nodes_[u].ends.size(); ++p)
    if (nodes_[u].ends[p].up && nodes_[u].ends[p].far == far) return Port{p};
  return std::nullopt;
}

Outcome HandHost::step(NodeIndex u, const Call& call) {
  invariant(alive(u), "a step of a node that has crashed");
  const std::vector<Port> up = ports(u);
  stepping_ = u;
  about_ = call.port;
  Outcome outcome = play(u, call, {{this, &peer_of, &choose_for}, up, clock(u)});
  for (const auto& [port, message] : outcome.sends) {
    if (port == every_port)
      for (const Port each : up) on_send(u, each, message);
    else if (std::binary_search(up.begin(), up.end(), port))
      on_send(u, port, message);
    else
      on_stray(u, port);
  }
  for (const Effects::Alarm& alarm : outcome.alarms) on_alarm(u, alarm);
  return outcome;
}

Outcome HandHost::tell_up(NodeIndex u, Port port) {
  end(u, port).up = true;
  return step(u, Call::link_up(port));
}

Outcome HandHost::tell_down(NodeIndex u, Port port) {
  end(u, port).up = false;
  return step(u, Call::link_down(port));
}

bool HandHost::is_armed(NodeIndex u, const TimerName& timer) const {
  return std::any_of(armed(u).begin(), armed(u).end(),
                     [&](const Armed& each) { return each.timer == timer; });
}

Outcome HandHost::fire(NodeIndex u, const TimerName& timer) {
  invariant(disarm(u, timer), "no such timer is armed there");
  return step(u, Call::timeout(timer));
}

std::vector<HandHost::Way> HandHost::busy() const {
  std::vector<Way> out;
  for (const auto& [way, messages] : transit_)
    if (!messages.empty()) out.push_back(way);
  return out;
}

AnyMessage HandHost::take(Way way, std::size_t behind) {
  std::deque<AnyMessage>& messages = transit_[way];
  invariant(behind < messages.size(), "no such message is in transit");
  AnyMessage message = messages[behind];
  messages.erase(messages.begin() + static_cast<std::ptrdiff_t>(behind));
  return message;
}

Outcome HandHost::play(NodeIndex u, const Call& call, const Surroundings& around) {
  return player_.play(place(u), call, around);
}

void HandHost::on_send(NodeIndex u, Port port, const AnyMessage& message) {
  if (!end(u, port).gone) transit_[{u, end(u, port).far}].push_back(message);
}

void HandHost::on_stray(NodeIndex, Port port) {
  throw Violation("it sends on port " + text_of(port) + ", which is not up");
}

void HandHost::on_alarm(NodeIndex u, const Effects::Alarm& alarm) {
  disarm(u, alarm.timer);
  if (alarm.armed)
    nodes_[u].armed.push_back({alarm.timer, clock(u) + delay(alarm.min, alarm.max), ++armings_});
}

bool HandHost::disarm(NodeIndex u, const TimerName& timer) {
  return std::erase_if(nodes_[u].armed, [&](const Armed& each) { return each.timer == timer; }) > 0;
}

NodeId HandHost::peer_of(void* self, Port port) {
  const auto& host = *static_cast<const HandHost*>(self);
  const auto& ends = host.nodes_[host.stepping_].ends;
  invariant(raw(port) < ends.size() && (ends[raw(port)].up || port == host.about_),
            "it asks who is behind a port that is down");
  return host.id(ends[raw(port)].far);
}

}  // namespace bellwether::core
