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

/// In the order of their ids, which is that of all output.
Stage::Stage(std::unique_ptr<core::Nodes> nodes, std::vector<NodeId> ids)
    : HandHost(std::move(nodes)) {
  std::sort(ids.begin(), ids.end());
  const auto twice = std::adjacent_find(ids.begin(), ids.end());
  if (twice != ids.end()) throw BadScript("there are two nodes " + text(*twice));
  for (const NodeId id : ids) add(id);
}

void Stage::tell(std::string_view line) {
  told_ += line;
  told_ += '\n';
}

void Stage::link(NodeId a, NodeId b) {
  if (begun_) throw BadScript("`link` comes before the first step; later, use `up`");
  const Way link(known(a), known(b));
  if (a == b) throw BadScript("a link joins two nodes");
  for (const Way& each : links_)
    if (each == link || each == Way(link.second, link.first))
      throw BadScript("there is a link between " + text(a) + " and " + text(b) + " already");
  links_.push_back(link);
}

void Stage::start(std::span<const NodeId> some) {
  begin();
  for (const NodeId id : some) {
    const NodeIndex u = living(id);
    if (some.size() > 1) tell(text(id) + " starts");
    act(u, some.size() > 1 ? "  " : "", core::Call::start());
  }
}
void Stage::start_all() {
  std::vector<NodeId> all;
  for (NodeIndex u = 0; u < size(); ++u)
    if (alive(u)) all.push_back(id(u));
  start(all);
}

void Stage::up(NodeId at, NodeId peer) {
  begin();
  const NodeIndex u = living(at), far = known(peer);
  if (at == peer) throw BadScript("a link joins two nodes");
  if (port_to(u, far)) throw BadScript(text(at) + " has a link to " + text(peer) + " already");
  act(u, "", core::Call::link_up(open(u, {.far = far, .up = true})));
}

void Stage::down(NodeId at, NodeId peer) {
  begin();
  const NodeIndex u = living(at), far = known(peer);
  const auto port = port_to(u, far);
  if (!port) throw BadScript(text(at) + " has no link to " + text(peer));
  end(u, *port).up = false;
  lose_all({u, far});
  act(u, "", core::Call::link_down(*port));
}

void Stage::deliver(NodeId from, NodeId to, bool all) {
  begin();
  const Way way = busy_way(from, to);
  std::size_t count = all ? HandHost::transit()[way].size() : 1;
  for (; count > 0; --count) deliver_one(way);
}

void Stage::lose(NodeId from, NodeId to) {
  const Way way = busy_way(from, to);
  tell_lost(way, HandHost::take(way));
}

void Stage::settle(bool quietly) {
  begin();
  quiet_ = quietly;
  std::size_t delivered = 0;
  for (auto ways = busy(); !ways.empty(); ways = busy()) {
    for (const Way& way : ways) deliver_one(way);
    delivered += ways.size();
    if (delivered > 10'000) throw BadScript("this network does not settle");
  }
  quiet_ = false;
  if (quietly) tell(std::to_string(delivered) + " delivered");
  if (!quietly && delivered == 0) tell("nothing");
}

void Stage::set_time(std::optional<NodeId> at, Time now) {
  if (at) return set_clock(known(*at), now);
  for (NodeIndex u = 0; u < size(); ++u) set_clock(u, now);
}

void Stage::fire(NodeId at, std::string_view timer) {
  const NodeIndex u = living(at);
  const auto found = std::find_if(armed(u).begin(), armed(u).end(), [&](const Armed& each) {
    return nodes().text(each.timer) == timer;
  });
  if (found == armed(u).end())
    throw BadScript("node " + text(at) + " has not armed the timer " + std::string(timer));
  const core::TimerName fired = found->timer;
  disarm(u, fired);
  act(u, "", core::Call::timeout(fired));
}

void Stage::crash(NodeId id) {
  begin();
  const NodeIndex u = living(id);
  stop(u);
  bool lost = false;
  for (const Way& way : busy())
    if (way.first == u) lost = lose_all(way) || lost;
  if (!lost) tell("nothing");
}

void Stage::restart(NodeId id) {
  const NodeIndex u = known(id);
  if (alive(u)) throw BadScript("node " + text(id) + " has not crashed");
  revive(u);
  act(u, "", core::Call::start());
}

void Stage::show_all() {
  for (NodeIndex u = 0; u < size(); ++u) show_node(u, false);
}

void Stage::transit() {
  for (const auto& [way, messages] : HandHost::transit())
    for (const AnyMessage& message : messages)
      tell(text_of_way(way) + " " + message_text(nodes(), message));
  if (busy().empty()) tell("nothing");
}

NodeIndex Stage::known(NodeId id) const {
  for (NodeIndex u = 0; u < size(); ++u)
    if (this->id(u) == id) return u;
  throw BadScript("there is no node " + text(id));
}
NodeIndex Stage::living(NodeId id) const {
  const NodeIndex u = known(id);
  if (!alive(u)) throw BadScript("node " + text(id) + " has crashed");
  return u;
}
Stage::Way Stage::busy_way(NodeId from, NodeId to) const {
  const Way way(known(from), known(to));
  const auto found = HandHost::transit().find(way);
  if (found == HandHost::transit().end() || found->second.empty())
    throw BadScript("nothing is in transit " + text(from, to));
  return way;
}

/// The first step: from here on links have ports. A node's ports count first the links that it
/// begins, then those that it ends, as in the simulator.
void Stage::begin() {
  if (std::exchange(begun_, true)) return;
  for (const auto& [a, b] : links_) open(a, {.far = b, .up = true});
  for (const auto& [a, b] : links_) open(b, {.far = a, .up = true});
}

void Stage::tell_lost(Way way, const AnyMessage& message) {
  tell("lost " + text_of_way(way) + " " + message_text(nodes(), message));
}
bool Stage::lose_all(Way way) {
  const auto messages = std::exchange(HandHost::transit()[way], {});
  for (const AnyMessage& message : messages) tell_lost(way, message);
  return !messages.empty();
}

void Stage::deliver_one(Way way) {
  const AnyMessage message = HandHost::take(way);
  if (!quiet_) tell(text_of_way(way) + " " + message_text(nodes(), message));
  const auto [from, to] = way;
  if (const auto port = port_to(to, from))
    act(to, "  ", core::Call::receive(*port, message.value()));
  else if (!quiet_)
    tell("  dropped: " + text(id(to)) + " has no link to " + text(id(from)));
}

Around Stage::around(NodeIndex u) const {
  Around out;
  for (const Port port : ports(u)) out.emplace_back(port, id(end(u, port).far));
  return out;
}

void Stage::act(NodeIndex u, const std::string& indent, const core::Call& call) {
  begin();
  const auto before = leader(u);
  const core::Outcome outcome = step(u, call);
  const auto after = leader(u);
  if (!quiet_) {
    tell_sends(u, outcome, indent);
    for (const auto& alarm : outcome.alarms) tell_alarm(alarm, indent);
  }
  if (before != after)
    tell((quiet_ ? text(id(u)) + ": " : indent) + "leader " + core::text_of(after) + ", was " +
         core::text_of(before));
  else if (outcome.sends.empty() && outcome.alarms.empty() && !quiet_)
    tell(indent + "nothing");
}

void Stage::tell_sends(NodeIndex u, const core::Outcome& outcome, const std::string& indent) {
  std::vector<std::pair<std::string, std::string>> lines;  // receivers, message
  for (const auto& send : outcome.sends)
    for (const auto& [port, peer] : around(u)) {
      if (port != send.port && send.port != core::every_port) continue;
      const std::string what = message_text(nodes(), send.message);
      if (!lines.empty() && lines.back().second == what)
        lines.back().first += "," + text(peer);
      else
        lines.emplace_back(text(peer), what);
    }
  for (const auto& [receivers, what] : lines)
    tell(indent + "sends " + text(id(u)) + "->" + receivers + " " + what);
}

void Stage::tell_alarm(const core::Effects::Alarm& alarm, const std::string& indent) {
  std::string line = (alarm.armed ? "arms " : "disarms ") + nodes().text(alarm.timer);
  if (alarm.armed) line += ", " + core::to_text(alarm.min);
  if (alarm.armed && alarm.max != alarm.min) line += " to " + core::to_text(alarm.max);
  tell(indent + line);
}

void Stage::show_node(NodeIndex u, bool closely) {
  if (!alive(u)) return tell(text(id(u)) + ": crashed");
  std::string line = text(id(u)) + ": leader " + core::text_of(leader(u));
  const std::string state = state_text(nodes(), HandHost::place(u), clock(u), around(u), closely);
  if (!state.empty()) line += ", " + state;
  tell(line);
  if (closely)
    for (const Armed& each : armed(u)) tell("  armed: " + nodes().text(each.timer));
}

}  // namespace bellwether::golden
