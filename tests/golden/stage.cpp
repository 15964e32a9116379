// SPDX-License-Identifier: MIT
#include "golden/stage.hpp"

#include <algorithm>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/core/problem.hpp"
#include "golden/pretty.hpp"

namespace bellwether::golden {

std::unique_ptr<Stage> make_stage(std::string_view algorithm, const std::vector<NodeId>& ids,
                                  const OptionTexts& options) {
  const core::Algorithm* found = catalogue::find(catalogue::all(), algorithm);
  const std::string name(algorithm);
  if (!found) throw BadScript("there is no algorithm " + name);
  core::OptionTexts texts;
  for (const auto& [option, value] : options) {
    if (!found->has_option(option)) throw BadScript(name + " has no option " + option);
    try {
      found->make({{option, value}});
    } catch (const core::Problem&) {
      throw BadScript("the option " + option + " cannot be " + value);
    }
    texts[option] = value;
  }
  if (found->rounds) throw BadScript(name + " proceeds in rounds; scripts drive messages");
  return std::make_unique<Stage>(found->make(texts), ids);
}

Stage::Stage(std::unique_ptr<core::Nodes> nodes, const std::vector<NodeId>& ids)
    : hosted_(std::move(nodes)), player_(*hosted_) {
  for (const NodeId id : ids)
    if (!nodes_.emplace(id, Node{hosted_->add(id), true, 0, {}, Time{}}).second)
      throw BadScript("there are two nodes " + text(id));
}

void Stage::tell(std::string_view line) {
  told_ += line;
  told_ += '\n';
}

void Stage::link(NodeId a, NodeId b) {
  if (begun_) throw BadScript("`link` comes before the first step; later, use `up`");
  known(a), known(b);
  if (a == b) throw BadScript("a link joins two nodes");
  for (const auto& [x, y] : links_)
    if ((x == a && y == b) || (x == b && y == a))
      throw BadScript("there is a link between " + text(a) + " and " + text(b) + " already");
  links_.emplace_back(a, b);
}

void Stage::start(std::span<const NodeId> some) {
  begin();
  for (const NodeId id : some) {
    living(id);
    if (some.size() > 1) tell(text(id) + " starts");
    step(id, some.size() > 1 ? "  " : "", core::Call::start());
  }
}
void Stage::start_all() {
  std::vector<NodeId> all;
  for (const auto& [id, node] : nodes_)
    if (node.alive) all.push_back(id);
  start(all);
}

void Stage::up(NodeId at, NodeId peer) {
  begin();
  living(at), known(peer);
  if (at == peer) throw BadScript("a link joins two nodes");
  End& end = ends_[{at, peer}];
  if (end.up) throw BadScript(text(at) + " has a link to " + text(peer) + " already");
  raise(at, end);
  about_ = end.port;
  step(at, "", core::Call::link_up(end.port));
}

void Stage::down(NodeId at, NodeId peer) {
  begin();
  living(at);
  End& end = linked(at, peer);
  end.up = false;
  lose_all(at, peer);
  about_ = end.port;
  step(at, "", core::Call::link_down(end.port));
}

void Stage::deliver(NodeId from, NodeId to, bool all) {
  begin();
  std::size_t count = all ? queue(from, to).size() : 1;
  for (; count > 0; --count) deliver_one(from, to);
}

void Stage::settle(bool quietly) {
  begin();
  quiet_ = quietly;
  std::size_t delivered = 0;
  while (true) {
    std::vector<Way> busy;
    for (const auto& [way, messages] : transit_)
      if (!messages.empty()) busy.push_back(way);
    if (busy.empty()) break;
    for (const auto& [from, to] : busy) deliver_one(from, to);
    delivered += busy.size();
    if (delivered > 10'000) throw BadScript("this network does not settle");
  }
  quiet_ = false;
  if (quietly) tell(std::to_string(delivered) + " delivered");
  if (!quietly && delivered == 0) tell("nothing");
}

void Stage::set_time(std::optional<NodeId> at, Time now) {
  if (at) known(*at).now = now;
  for (auto& [id, node] : nodes_)
    if (!at) node.now = now;
}

void Stage::fire(NodeId at, std::string_view timer) {
  Node& node = living(at);
  const auto found =
      std::find_if(node.armed.begin(), node.armed.end(),
                   [&](const core::TimerName& each) { return hosted_->text(each) == timer; });
  if (found == node.armed.end())
    throw BadScript("node " + text(at) + " has not armed the timer " + std::string(timer));
  const core::TimerName fired = *found;
  node.armed.erase(found);
  step(at, "", core::Call::timeout(fired));
}

void Stage::crash(NodeId id) {
  begin();
  Node& node = living(id);
  node.alive = false;
  node.armed.clear();
  for (auto& [way, end] : ends_)
    if (way.first == id) end.up = false;
  bool lost = false;
  for (auto& [way, messages] : transit_)
    if (way.first == id) lost = lose_all(way.first, way.second) || lost;
  if (!lost) tell("nothing");
}

void Stage::restart(NodeId id) {
  Node& node = known(id);
  if (node.alive) throw BadScript("node " + text(id) + " has not crashed");
  node.alive = true;
  hosted_->reset(node.place, id);
  step(id, "", core::Call::start());
}

void Stage::show_all() {
  for (const auto& [id, node] : nodes_) show_node(id, node, false);
}

void Stage::transit() {
  bool any = false;
  for (const auto& [way, messages] : transit_)
    for (const AnyMessage& message : messages) {
      tell(text(way.first, way.second) + " " + message_text(*hosted_, message));
      any = true;
    }
  if (!any) tell("nothing");
}

const Stage::Node& Stage::known(NodeId id) const {
  const auto found = nodes_.find(id);
  if (found == nodes_.end()) throw BadScript("there is no node " + text(id));
  return found->second;
}
Stage::Node& Stage::living(NodeId id) {
  Node& node = known(id);
  if (!node.alive) throw BadScript("node " + text(id) + " has crashed");
  return node;
}
Stage::End& Stage::linked(NodeId at, NodeId peer) {
  const auto found = ends_.find({at, peer});
  if (found == ends_.end() || !found->second.up)
    throw BadScript(text(at) + " has no link to " + text(peer));
  return found->second;
}
std::deque<AnyMessage>& Stage::queue(NodeId from, NodeId to) {
  known(from), known(to);
  auto& messages = transit_[{from, to}];
  if (messages.empty()) throw BadScript("nothing is in transit " + text(from, to));
  return messages;
}
AnyMessage Stage::next(NodeId from, NodeId to) {
  auto& messages = queue(from, to);
  AnyMessage message = std::move(messages.front());
  messages.pop_front();
  return message;
}

/// The first step: from here on links have ports. A node's ports count first the links that it
/// begins, then those that it ends, as in the simulator.
void Stage::begin() {
  if (std::exchange(begun_, true)) return;
  for (const auto& [a, b] : links_) raise(a, ends_[{a, b}]);
  for (const auto& [a, b] : links_) raise(b, ends_[{b, a}]);
}

void Stage::tell_lost(NodeId from, NodeId to, const AnyMessage& message) {
  tell("lost " + text(from, to) + " " + message_text(*hosted_, message));
}
bool Stage::lose_all(NodeId from, NodeId to) {
  const auto messages = std::exchange(transit_[{from, to}], {});
  for (const AnyMessage& message : messages) tell_lost(from, to, message);
  return !messages.empty();
}

void Stage::deliver_one(NodeId from, NodeId to) {
  const AnyMessage message = next(from, to);
  if (!quiet_) tell(text(from, to) + " " + message_text(*hosted_, message));
  const auto end = ends_.find({to, from});
  if (end == ends_.end() || !end->second.up) {
    if (!quiet_) tell("  dropped: " + text(to) + " has no link to " + text(from));
    return;
  }
  about_ = end->second.port;
  step(to, "  ", core::Call::receive(end->second.port, message.value()));
}

Around Stage::around(NodeId id) const {
  Around out;
  for (const auto& [way, end] : ends_)
    if (way.first == id && end.up) out.emplace_back(end.port, way.second);
  std::sort(out.begin(), out.end());
  return out;
}

/// Strict: a node may ask who is behind a port that is up, or that the step is about.
NodeId Stage::peer_of(void* self, Port port) {
  auto& here = *static_cast<Stage*>(self);
  for (const auto& [way, end] : here.ends_)
    if (way.first == here.stepping_ && end.port == port && (end.up || port == here.about_))
      return way.second;
  throw BadScript("a bug: node " + text(here.stepping_) + " asks who is behind a lost link");
}

void Stage::step(NodeId id, const std::string& indent, const core::Call& call) {
  begin();
  Node& node = known(id);
  const Around links = around(id);
  std::vector<Port> ports;
  for (const auto& [port, peer] : links) ports.push_back(port);
  stepping_ = id;
  const auto before = hosted_->leader(node.place);
  // Scripts know no chance: always the first outcome.
  const auto first = [](void*, std::uint64_t) { return std::uint64_t{0}; };
  const core::DriverHooks hooks{this, &peer_of, first};
  const core::Outcome outcome = player_.play(node.place, call, {hooks, ports, node.now});
  about_.reset();
  drain(id, node, links, outcome, indent);
  const auto after = hosted_->leader(node.place);
  if (before != after)
    tell((quiet_ ? text(id) + ": " : indent) + "leader " + core::text_of(after) + ", was " +
         core::text_of(before));
  else if (outcome.sends.empty() && outcome.alarms.empty() && !quiet_)
    tell(indent + "nothing");
}

void Stage::drain(NodeId id, Node& node, const Around& links, const core::Outcome& outcome,
                  const std::string& indent) {
  std::vector<std::pair<std::string, std::string>> lines;  // receivers, message
  const auto post = [&](NodeId peer, const AnyMessage& message) {
    transit_[{id, peer}].push_back(message);
    const std::string what = message_text(*hosted_, message);
    if (!lines.empty() && lines.back().second == what)
      lines.back().first += "," + text(peer);
    else
      lines.emplace_back(text(peer), what);
  };
  for (const auto& send : outcome.sends) {
    bool sent = send.port == core::every_port;
    for (const auto& [port, peer] : links) {
      if (port != send.port && send.port != core::every_port) continue;
      post(peer, send.message);
      sent = true;
    }
    if (!sent) throw BadScript("a bug: node " + text(id) + " sends where it has no link");
  }
  for (const auto& [receivers, what] : lines)
    if (!quiet_) tell(indent + "sends " + text(id) + "->" + receivers + " " + what);
  for (const auto& alarm : outcome.alarms) set(node, alarm, indent);
}

void Stage::set(Node& node, const core::Effects::Alarm& alarm, const std::string& indent) {
  std::erase(node.armed, alarm.timer);
  std::string line = (alarm.armed ? "arms " : "disarms ") + hosted_->text(alarm.timer);
  if (alarm.armed) {
    node.armed.push_back(alarm.timer);
    line += ", " + core::to_text(alarm.min);
    if (alarm.max != alarm.min) line += " to " + core::to_text(alarm.max);
  }
  if (!quiet_) tell(indent + line);
}

void Stage::show_node(NodeId id, const Node& node, bool closely) {
  if (!node.alive) return tell(text(id) + ": crashed");
  std::string line = text(id) + ": leader " + core::text_of(hosted_->leader(node.place));
  const std::string state = state_text(*hosted_, node.place, node.now, around(id), closely);
  if (!state.empty()) line += ", " + state;
  tell(line);
  if (closely)
    for (const core::TimerName& timer : node.armed) tell("  armed: " + hosted_->text(timer));
}

}  // namespace bellwether::golden
