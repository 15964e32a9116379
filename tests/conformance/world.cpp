// SPDX-License-Identifier: MIT
#include "conformance/world.hpp"

namespace bellwether::conformance {
namespace {

/// A message whose bytes were damaged on the way, if it can still be read.
std::optional<AnyMessage> damaged(const core::Nodes& nodes, const AnyMessage& message,
                                  core::Prng& prng) {
  core::Bytes bytes = bytes_of(message);
  for (std::uint64_t n = 1 + prng.below(2); n > 0 && !bytes.empty(); --n)
    bytes[prng.below(bytes.size())] ^= static_cast<std::uint8_t>(1u << prng.below(8));
  return nodes.decode(bytes);
}

}  // namespace

World::World(const Subject& subject, std::uint64_t seed)
    : subject_(subject),
      prng_(core::stream(seed, subject.stream())),
      hosted_(subject.any(prng_)),
      one_way_(model().bears_one_way && prng_.below(2) == 0),
      bench_(*hosted_, !model().needs_ids && prng_.below(2) == 0) {
  const std::uint64_t n = 1 + prng_.below(5);
  for (std::uint64_t i = 0; i < n; ++i) nodes_.push_back(born(i));
  if (prng_.below(2) == 0)
    build_ring();
  else
    for (std::uint64_t links = prng_.below(2 * n); links > 0; --links)
      raise(any_node(), any_node(), false);
}

void World::run(std::size_t steps) {
  for (std::size_t i = 0; i < steps; ++i) happen();
  for (const Node& node : nodes_) require_same_life(node);
}

std::string World::tail() const {
  std::string out;
  for (const std::string& line : tail_) out += line + '\n';
  return out;
}

World::Node World::born(std::uint64_t i) {
  // Small ids, as they occur in arbitrary messages, or any others; all distinct.
  const std::uint64_t id = prng_.below(4) == 0 ? prng_.next() / 8 * 8 + i : i + 1;
  const Time clock{static_cast<std::int64_t>(prng_.below(1000)) - 100};
  return {NodeId{id}, AnyNode(*hosted_, NodeId{id}), {}, {}, {}, 0, false, clock, {}};
}

/// The first port leads clockwise at every node.
void World::build_ring() {
  const std::size_t n = nodes_.size();
  for (std::size_t i = 0; i < n; ++i) open(i, (i + 1) % n, true, false);
  for (std::size_t i = 0; i < n; ++i) open((i + 1) % n, i, !one_way_, false);
}

std::optional<Port> World::any_port(const std::map<Port, End>& ends) {
  if (ends.empty()) return std::nullopt;
  return std::next(ends.begin(), static_cast<std::ptrdiff_t>(prng_.below(ends.size())))->first;
}

void World::happen() {
  const std::size_t u = any_node();
  Node& node = nodes_[u];
  node.clock += Time{static_cast<std::int64_t>(
      prng_.below(64) == 0 ? prng_.below(std::uint64_t{1} << 40) : prng_.below(10))};
  const std::uint64_t what = prng_.below(100);
  if (what < 8) return start(node);
  if (what < 20) return raise(u, any_node(), true);
  if (what < 25) return lower(node);
  if (what < 79) return deliver_next();
  if (what < 85) return receive(u, subject_.any_message(prng_));
  if (what < 89) return receive_damaged(u);
  if (what < 98) return fire(node);
  if (what < 99) return wake(node);
  if (prng_.below(2) == 0) restart(u);
}

void World::start(Node& node) {
  if (std::exchange(node.started, true)) return;
  step(node, Kind::start, core::every_port);
}

/// A link from u to v. The other end mostly hears of it, too, and mostly at once.
void World::raise(std::size_t u, std::size_t v, bool told) {
  open(u, v, true, told);
  if (prng_.below(5) != 0) open(v, u, !one_way_, told);
}
void World::open(std::size_t u, std::size_t v, bool sends, bool told) {
  Node& node = nodes_[u];
  for (const auto& [port, end] : node.ends)
    if (end.far == v) return;
  if (u == v) return;
  const Port port{node.next_port++};
  node.ends[port] = {v, sends};
  if (told && sends) step(node, Kind::link_up, port);
}

void World::lower(Node& node) {
  const auto port = any_port(node.ends);
  if (!port) return;
  const End end = node.ends.at(*port);
  node.ends.erase(*port);
  transit_[{node.id, nodes_[end.far].id}].clear();
  if (end.sends) step(node, Kind::link_down, *port, &end);
}

void World::deliver_next() {
  std::vector<std::pair<NodeId, NodeId>> busy;
  for (const auto& [way, messages] : transit_)
    if (!messages.empty()) busy.push_back(way);
  if (busy.empty()) return;
  const auto way = busy[prng_.below(busy.size())];
  auto& messages = transit_[way];
  // Mostly in order; where an algorithm bears it, also in another, or twice.
  std::size_t which = 0;
  if (model().bears_reordering && prng_.below(4) == 0) which = prng_.below(messages.size());
  const AnyMessage message = messages[which];
  if (!model().bears_duplicates || prng_.below(8) != 0)
    messages.erase(messages.begin() + static_cast<std::ptrdiff_t>(which));
  for (Node& node : nodes_)
    for (const auto& [port, end] : node.ends)
      if (node.id == way.second && nodes_[end.far].id == way.first)
        return take(node, port, message);
}

void World::receive(std::size_t u, const AnyMessage& message) {
  if (const auto port = any_port(nodes_[u].ends)) take(nodes_[u], *port, message);
}
void World::receive_damaged(std::size_t u) {
  if (sent_.empty()) return;
  const AnyMessage& some = sent_[prng_.below(sent_.size())];
  if (const auto message = damaged(*hosted_, some, prng_)) receive(u, *message);
}
void World::take(Node& node, Port port, const AnyMessage& message) {
  // Where a link only listens, a ring is not closed: no driver builds that for its algorithms.
  if (model().shape == core::Shape::ring && sending_ports(node).empty()) return;
  Occasion occasion = occasion_at(node, Kind::receive, port, nullptr);
  occasion.message = message;
  step(node, std::move(occasion));
}

void World::fire(Node& node) {
  if (node.armed.empty()) return;
  const std::size_t which = prng_.below(node.armed.size());
  Occasion occasion = occasion_at(node, Kind::timeout, core::every_port, nullptr);
  occasion.timer = node.armed[which];
  node.armed.erase(node.armed.begin() + static_cast<std::ptrdiff_t>(which));
  step(node, std::move(occasion));
}

/// A crash and a comeback with memory: all links are gone, and the node is told one by one.
void World::wake(Node& node) {
  node.asleep = std::exchange(node.ends, {});
  while (!node.asleep.empty()) {
    const auto [port, end] = *node.asleep.begin();
    node.asleep.erase(port);
    transit_[{node.id, nodes_[end.far].id}].clear();
    if (end.sends) step(node, Kind::link_down, port, &end);
  }
}

void World::restart(std::size_t u) {
  Node& node = nodes_[u];
  require_same_life(node);
  hosted_->reset(node.state.index(), node.id);
  require(node.state == AnyNode(*hosted_, node.id), "a node keeps something where it must not");
  node.ends.clear();
  node.armed.clear();
  node.life.clear();
  node.started = false;
  start(node);
}

std::vector<Port> World::sending_ports(const Node& node) {
  std::vector<Port> ports;
  for (const auto& [port, end] : node.ends)
    if (end.sends) ports.push_back(port);
  return ports;
}

Occasion World::occasion_at(const Node& node, Kind kind, Port port, const End* lost) {
  Occasion o;
  o.kind = kind;
  o.port = port;
  o.ports = sending_ports(node);
  for (const auto& [each, end] : node.ends) o.peers.emplace_back(each, nodes_[end.far].id);
  if (lost) o.peers.emplace_back(port, nodes_[lost->far].id);
  o.now = node.clock;
  o.choices = prng_.next();
  return o;
}

void World::step(Node& node, Kind kind, Port port, const End* lost) {
  step(node, occasion_at(node, kind, port, lost));
}

void World::step(Node& node, Occasion occasion) {
  tail_.push_back(core::text_of(node.id) + ": " + text(*hosted_, occasion));
  if (tail_.size() > 12) tail_.pop_front();
  core::Outcome outcome = checked(bench_, node.state, occasion);
  obey(node, outcome);
  node.life.emplace_back(std::move(occasion), std::move(outcome));
}

void World::obey(Node& node, const core::Outcome& outcome) {
  const std::vector<Port> ports = sending_ports(node);
  for (const auto& send : outcome.sends) {
    require_round_trip(*hosted_, send.message);
    remember(send.message);
    const bool all = send.port == core::every_port;
    // What a node has not been told of, it cannot know.
    if (!all && !node.asleep.contains(send.port) &&
        std::find(ports.begin(), ports.end(), send.port) == ports.end())
      throw Broken("it sends on port " + core::text_of(send.port) + ", which is not up");
    for (const Port port : ports)
      if (all || port == send.port)
        transit_[{node.id, nodes_[node.ends.at(port).far].id}].push_back(send.message);
  }
  for (const auto& alarm : outcome.alarms) {
    if (alarm.min < core::Duration{0} || alarm.max < alarm.min)
      throw Broken("a timer expires between " + core::text_of(alarm.min) + " and " +
                   core::text_of(alarm.max));
    std::erase(node.armed, alarm.timer);
    if (alarm.armed) node.armed.push_back(alarm.timer);
  }
}

void World::remember(const AnyMessage& message) {
  if (sent_.size() < 64)
    sent_.push_back(message);
  else
    sent_[prng_.below(64)] = message;
}

/// All of it once more, from the cradle.
void World::require_same_life(const Node& node) {
  AnyNode again(*hosted_, node.id);
  for (const auto& [occasion, outcome] : node.life)
    require(bench_.play(again, occasion) == outcome, "the same life has other effects");
  require(again == node.state, "the same life leads to another state");
  require_fields(again, node.state);
}

}  // namespace bellwether::conformance
