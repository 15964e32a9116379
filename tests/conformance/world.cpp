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
    : World(subject, core::stream(seed, subject.stream())) {}

World::World(const Subject& subject, core::Prng prng)
    : HandHost(subject.any(prng)),
      subject_(subject),
      prng_(prng),
      one_way_(model().tolerates_one_way && prng_.below(2) == 0),
      bench_(hosted(), !model().needs_ids && prng_.below(2) == 0) {
  const std::uint64_t n = 1 + prng_.below(5);
  for (std::uint64_t i = 0; i < n; ++i) be_born(i);
  if (prng_.below(2) == 0)
    build_ring();
  else
    for (std::uint64_t links = prng_.below(2 * n); links > 0; --links)
      raise(any_node(), any_node(), false);
}

void World::run(std::size_t steps) {
  for (std::size_t i = 0; i < steps; ++i) happen();
  for (NodeIndex u = 0; u < size(); ++u) require_same_life(u);
}

std::string World::tail() const {
  std::string out;
  for (const std::string& line : tail_) out += line + '\n';
  return out;
}

void World::be_born(std::uint64_t i) {
  // Small ids, as they occur in arbitrary messages, or any others; all distinct.
  const NodeId id{prng_.below(4) == 0 ? prng_.next() / 8 * 8 + i : i + 1};
  lives_.push_back({AnyNode(hosted(), id), false, {}, {}});
  const NodeIndex u = adopt(id, lives_.back().state.index());
  set_clock(u, Time{static_cast<std::int64_t>(prng_.below(1000)) - 100});
}

/// The first port leads clockwise at every node.
void World::build_ring() {
  const NodeIndex n = size();
  for (NodeIndex i = 0; i < n; ++i) add_end(i, (i + 1) % n, true, false);
  for (NodeIndex i = 0; i < n; ++i) add_end((i + 1) % n, i, !one_way_, false);
}

/// Those that are up, whether they can be sent on or not.
std::vector<Port> World::listening_ports(NodeIndex u) const {
  std::vector<Port> out;
  for (NodeIndex far = 0; far < size(); ++far)
    if (const auto port = port_to(u, far)) out.push_back(*port);
  std::sort(out.begin(), out.end());
  return out;
}
std::optional<Port> World::any_port(NodeIndex u) {
  const std::vector<Port> all = listening_ports(u);
  if (all.empty()) return std::nullopt;
  return all[prng_.below(all.size())];
}

void World::happen() {
  const NodeIndex u = any_node();
  set_clock(u, clock(u) + Time{static_cast<std::int64_t>(prng_.below(64) == 0
                                                             ? prng_.below(std::uint64_t{1} << 40)
                                                             : prng_.below(10))});
  const std::uint64_t what = prng_.below(100);
  if (what < 8) return start(u);
  if (what < 20) return raise(u, any_node(), true);
  if (what < 25) return lower(u);
  if (what < 79) return deliver_next();
  if (what < 85) return receive(u, subject_.any_message(prng_));
  if (what < 89) return receive_damaged(u);
  if (what < 98) return fire_any(u);
  if (what < 99) return wake(u);
  if (prng_.below(2) == 0) restart(u);
}

void World::start(NodeIndex u) {
  if (!std::exchange(lives_[u].started, true)) step(u, core::Call::start());
}

/// A link from u to v. The other end mostly hears of it, too, and mostly at once.
void World::raise(NodeIndex u, NodeIndex v, bool told) {
  add_end(u, v, true, told);
  if (prng_.below(5) != 0) add_end(v, u, !one_way_, told);
}
void World::add_end(NodeIndex u, NodeIndex v, bool sends, bool told) {
  if (u == v || port_to(u, v)) return;
  const Port port = open(u, {.far = v, .up = true, .sends = sends});
  if (told && sends) step(u, core::Call::link_up(port));
}

void World::lower(NodeIndex u) {
  if (const auto port = any_port(u)) lose(u, *port);
}
/// The node is notified, unless it could only listen there.
void World::lose(NodeIndex u, Port port) {
  end(u, port).up = false;
  transit()[{u, end(u, port).far}].clear();
  if (end(u, port).sends) step(u, core::Call::link_down(port));
}

void World::deliver_next() {
  const std::vector<Way> ways = busy();
  if (ways.empty()) return;
  const Way way = ways[prng_.below(ways.size())];
  const auto& messages = transit()[way];
  // Mostly in order; where an algorithm tolerates it, also reordered or duplicated.
  std::size_t which = 0;
  if (model().tolerates_reordering && prng_.below(4) == 0) which = prng_.below(messages.size());
  const AnyMessage message = messages[which];
  if (!model().tolerates_duplicates || prng_.below(8) != 0) take(way, which);
  if (const auto port = port_to(way.second, way.first)) hand_in(way.second, *port, message);
}

void World::receive(NodeIndex u, const AnyMessage& message) {
  if (const auto port = any_port(u)) hand_in(u, *port, message);
}
void World::receive_damaged(NodeIndex u) {
  if (sent_.empty()) return;
  const AnyMessage& some = sent_[prng_.below(sent_.size())];
  if (const auto message = damaged(nodes(), some, prng_)) receive(u, *message);
}
void World::hand_in(NodeIndex u, Port port, const AnyMessage& message) {
  // Where a link only listens, a ring is not closed: no driver builds that for its algorithms.
  if (model().shape == core::Shape::ring && ports(u).empty()) return;
  step(u, core::Call::receive(port, message.value()));
}

void World::fire_any(NodeIndex u) {
  if (armed(u).empty()) return;
  const core::TimerName timer = armed(u)[prng_.below(armed(u).size())].timer;
  fire(u, timer);
}

/// A crash and a restart with memory: all links are gone, and the node is notified one by one.
void World::wake(NodeIndex u) {
  std::set<Port>& asleep = lives_[u].asleep;
  for (const Port port : listening_ports(u)) {
    end(u, port).up = false;
    asleep.insert(port);
  }
  while (!asleep.empty()) lose(u, asleep.extract(asleep.begin()).value());
}

void World::restart(NodeIndex u) {
  require_same_life(u);
  stop(u);
  revive(u);
  require(lives_[u].state == AnyNode(hosted(), id(u)), "a node keeps something where it must not");
  lives_[u].steps.clear();
  lives_[u].started = false;
  start(u);
}

Occasion World::occasion_at(NodeIndex u, const core::Call& call, const core::Surroundings& around) {
  Occasion o;
  o.kind = call.handler;
  o.port = call.port;
  if (o.kind == Kind::receive) o.message = AnyMessage::copy_of(nodes().messages(), call.message);
  if (o.kind == Kind::timeout) o.timer = *call.timer;
  o.ports.assign(around.ports.begin(), around.ports.end());
  for (const Port port : listening_ports(u)) o.peers.emplace_back(port, id(end(u, port).far));
  if (o.kind == Kind::link_down) o.peers.emplace_back(o.port, id(end(u, o.port).far));
  o.now = around.now;
  o.choices = prng_.next();
  return o;
}

core::Outcome World::play(NodeIndex u, const core::Call& call, const core::Surroundings& around) {
  Occasion occasion = occasion_at(u, call, around);
  tail_.push_back(core::text_of(id(u)) + ": " + text(nodes(), occasion));
  if (tail_.size() > 12) tail_.pop_front();
  core::Outcome outcome = checked(bench_, lives_[u].state, occasion);
  for (const auto& send : outcome.sends) {
    require_round_trip(nodes(), send.message);
    remember(send.message);
  }
  for (const auto& alarm : outcome.alarms)
    if (alarm.min < core::Duration{0} || alarm.max < alarm.min)
      throw Broken("a timer expires between " + core::text_of(alarm.min) + " and " +
                   core::text_of(alarm.max));
  lives_[u].steps.emplace_back(std::move(occasion), outcome);
  return outcome;
}

/// A node cannot know a link loss that it has not been notified of.
void World::on_stray(NodeIndex u, Port port) {
  if (!lives_[u].asleep.contains(port)) HandHost::on_stray(u, port);
}

void World::remember(const AnyMessage& message) {
  if (sent_.size() < 64)
    sent_.push_back(message);
  else
    sent_[prng_.below(64)] = message;
}

/// All of it once more, from the cradle.
void World::require_same_life(NodeIndex u) {
  AnyNode again(hosted(), id(u));
  for (const auto& [occasion, outcome] : lives_[u].steps)
    require(bench_.play(again, occasion) == outcome, "the same life has other effects");
  require(again == lives_[u].state, "the same life leads to another state");
  require_fields(again, lives_[u].state);
}

}  // namespace bellwether::conformance
