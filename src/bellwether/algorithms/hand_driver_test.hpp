// SPDX-License-Identifier: MIT
// A small driver for unit tests: one queue of events, random delays, links whose ends
// are told on their own, crashes and restarts. It watches the protocol's own properties in every
// step. Not the simulator: it is written to be obviously right, not fast.
#pragma once

#include <map>
#include <numeric>
#include <stdexcept>

#include "bellwether/core/prng.hpp"
#include "bellwether/core/property.hpp"

namespace bellwether::algorithms {

using core::Duration;
using core::NodeId;
using core::NodeIndex;
using core::Port;
using core::Time;

inline std::vector<NodeId> ids_of(const std::vector<std::uint64_t>& numbers) {
  std::vector<NodeId> ids;
  for (const std::uint64_t number : numbers) ids.push_back(NodeId{number});
  return ids;
}

/// 1..n in a random order.
inline std::vector<NodeId> shuffled_ids(NodeIndex n, core::Prng& prng) {
  std::vector<std::uint64_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{1});
  core::shuffle(numbers, prng);
  return ids_of(numbers);
}

/// How messages travel. The news of a link takes as long to one of its ends, and `news` more.
struct Travel {
  Duration min{1};
  Duration max{1};
  bool fifo = true;
  double duplicates = 0;
  Duration news{0};
  double loss = 0;
};

/// One handler by hand: no driver, the effects stay in `step`. Port i leads to peers[i].
template <class P>
struct ByHand {
  std::vector<NodeId> peers;
  std::vector<Port> ports;
  Time now{};
  core::StepOf<P> step{core::DriverHooks{this, &ByHand::peer, nullptr}};

  explicit ByHand(std::vector<NodeId> around) : peers(std::move(around)) {
    for (std::uint32_t i = 0; i < peers.size(); ++i) ports.push_back(Port{i});
  }
  ByHand(const ByHand&) = delete;  // the step points back here
  ByHand& operator=(const ByHand&) = delete;

  core::StepOf<P>& next() {
    step.begin(ports, now);
    return step;
  }
  static NodeId peer(void* self, Port port) {
    return static_cast<ByHand*>(self)->peers.at(raw(port));
  }
};

template <core::Protocol P>
class HandDriver final : public core::Snapshot<P> {
 public:
  using Message = typename P::Message;
  using Timer = typename P::Timer;

  HandDriver(std::vector<NodeId> ids, typename P::Options options, Travel travel = {},
             std::uint64_t seed = 0)
      : options_(options), travel_(travel), prng_(seed), monitors_(P::monitors()) {
    for (const NodeId id : ids) nodes_.push_back({id, P(id, options), true, {}, {}});
  }

  /// A link that is up from the beginning.
  void link(NodeIndex a, NodeIndex b, bool one_way = false) {
    const auto [at_a, at_b] = new_link(a, b);
    end(a, at_a).up = end(b, at_b).up = true;
    end(b, at_b).sends = !one_way;
  }
  /// Clockwise is 0, 1, ..., n-1, 0; messages go clockwise only.
  void make_ring() {
    for (NodeIndex i = 0; size() > 1 && i < size(); ++i) link(i, (i + 1) % size(), true);
  }
  /// The same with links that go both ways: port 0 leads clockwise, port 1 the other way.
  void make_two_way_ring() {
    const NodeIndex n = size();
    for (NodeIndex i = 0; n > 2 && i < n; ++i) {
      nodes_[i].ends.push_back({(i + 1) % n, Port{1}, true});
      nodes_[i].ends.push_back({(i + n - 1) % n, Port{0}, true});
    }
  }
  void make_complete() {
    for (NodeIndex i = 0; i < size(); ++i)
      for (NodeIndex j = 0; j < i; ++j) link(i, j);
  }
  /// A link that comes up now; each end is told when the news gets there.
  void join(NodeIndex a, NodeIndex b) {
    const auto [at_a, at_b] = new_link(a, b);
    tell(a, at_a, Kind::link_up);
    tell(b, at_b, Kind::link_up);
  }
  /// The links between a and b go down now; each end is told when the news gets there.
  void part(NodeIndex a, NodeIndex b) {
    for (std::uint32_t p = 0; p < nodes_[a].ends.size(); ++p) {
      if (end(a, Port{p}).far != b || end(a, Port{p}).gone) continue;
      const Port far = end(a, Port{p}).far_port;
      end(a, Port{p}).gone = end(b, far).gone = true;
      tell(a, Port{p}, Kind::link_down);
      tell(b, far, Kind::link_down);
    }
  }
  void start(NodeIndex i, Time at = {}) { push({at, Kind::start, i, core::every_port, {}, {}}); }
  void start_all() {
    for (NodeIndex i = 0; i < size(); ++i) start(i);
  }
  void crash(NodeIndex i) {
    nodes_[i].alive = false;
    nodes_[i].alarms.clear();
    for (auto& each : nodes_[i].ends) {
      each.up = false;
      if (each.gone) continue;
      each.gone = end(each.far, each.far_port).gone = true;
      tell(each.far, each.far_port, Kind::link_down);
    }
    watch(core::Cause::crash, i);
  }
  /// Back without memory, linked to everybody alive.
  void restart(NodeIndex i) {
    nodes_[i].alive = true;
    nodes_[i].node = P(nodes_[i].id, options_);
    watch(core::Cause::restart, i);
    start(i, now_);
    for (NodeIndex j = 0; j < size(); ++j)
      if (j != i && nodes_[j].alive) join(i, j);
  }

  /// Until nothing is left to do, or until the time is up.
  void run(Time until = core::end_of_time) {
    while (!events_.empty() && events_.begin()->first.first <= until) {
      if (++steps_ > 2'000'000) throw std::runtime_error("this run does not end");
      const auto next = events_.begin();
      now_ = next->first.first;
      const std::uint64_t key = next->first.second;
      const Event event = std::move(next->second);
      events_.erase(next);
      happen(event, key);
    }
    if (!events_.empty()) return;
    for (const auto& monitor : monitors_) monitor->at_rest(*this);
  }

  NodeIndex size() const override { return static_cast<NodeIndex>(nodes_.size()); }
  const P& node(NodeIndex i) const override { return nodes_[i].node; }
  NodeId id(NodeIndex i) const override { return nodes_[i].id; }
  bool alive(NodeIndex i) const override { return nodes_[i].alive; }
  Time clock(NodeIndex) const override { return now_; }
  std::vector<core::ChannelView<Message>> channels(NodeIndex i) const override {
    std::vector<core::ChannelView<Message>> out;  // what is in transit no property here asks for
    for (std::uint32_t p = 0; p < nodes_[i].ends.size(); ++p) {
      const End& e = nodes_[i].ends[p];
      if (!e.up || !e.sends) continue;
      const bool far_up = nodes_[e.far].ends[raw(e.far_port)].up;
      out.push_back({e.far, Port{p}, far_up ? std::optional(e.far_port) : std::nullopt, {}});
    }
    return out;
  }

  std::size_t sent() const { return sent_; }
  Time now() const { return now_; }
  std::size_t leaders_named(NodeId leader) const {
    std::size_t count = 0;
    for (const auto& each : nodes_) count += each.alive && each.node.leader() == leader ? 1 : 0;
    return count;
  }

 private:
  enum class Kind { start, link_up, link_down, receive, timeout };
  struct Event {
    Time at;
    Kind kind;
    NodeIndex node;
    Port port;
    Message message;
    Timer timer;
  };
  struct End {
    NodeIndex far;
    Port far_port;
    bool up = false;    // this end has been told
    bool sends = true;  // false at the far end of a one-way link
    bool gone = false;  // the link is down, though this end may not know
    Time latest{};      // arrival of the last message sent here
  };
  struct Node {
    NodeId id;
    P node;
    bool alive;
    std::vector<End> ends;  // by port
    std::vector<std::pair<Timer, std::uint64_t>> alarms;
  };

  End& end(NodeIndex i, Port port) { return nodes_[i].ends.at(raw(port)); }

  std::pair<Port, Port> new_link(NodeIndex a, NodeIndex b) {
    const Port at_a{static_cast<std::uint32_t>(nodes_[a].ends.size())};
    const Port at_b{static_cast<std::uint32_t>(nodes_[b].ends.size())};
    nodes_[a].ends.push_back({b, at_b});
    nodes_[b].ends.push_back({a, at_a});
    return {at_a, at_b};
  }

  std::uint64_t push(Event event) {
    const Time at = event.at;
    events_.emplace(std::pair{at, ++key_}, std::move(event));
    return key_;
  }

  void tell(NodeIndex i, Port port, Kind kind) {
    const Time at = now_ + travel_.news + prng_.between(travel_.min, travel_.max);
    push({at, kind, i, port, {}, {}});
  }

  void happen(const Event& event, std::uint64_t key) {
    using core::Cause;
    const NodeIndex i = event.node;
    Node& n = nodes_[i];
    if (!n.alive) return;
    about_ = event.port;
    if (event.kind == Kind::start) return step(i, Cause::start, {}, [&] { n.node.start(step_); });
    if (event.kind == Kind::timeout) {
      if (std::erase(n.alarms, std::pair{event.timer, key}) == 0) return;  // moved or disarmed
      return step(i, Cause::timeout, {}, [&] { n.node.timeout(step_, event.timer); });
    }
    End& here = end(i, event.port);
    if (event.kind == Kind::link_up) {
      if (here.gone) return;
      here.up = true;
      step(i, Cause::link_up, here.far, [&] { n.node.link_up(step_, event.port); });
    } else if (event.kind == Kind::link_down) {
      if (!here.up) return;
      here.up = false;
      step(i, Cause::link_down, here.far, [&] { n.node.link_down(step_, event.port); });
    } else {
      if (!here.up || !end(here.far, here.far_port).up) return;  // it dies with the link
      step(i, Cause::receive, here.far, [&] { n.node.receive(step_, event.port, event.message); });
    }
  }

  template <class Handler>
  void step(NodeIndex i, core::Cause cause, std::optional<NodeIndex> other, Handler&& handler) {
    std::vector<Port> ports;
    for (std::uint32_t p = 0; p < nodes_[i].ends.size(); ++p)
      if (nodes_[i].ends[p].up && nodes_[i].ends[p].sends) ports.push_back(Port{p});
    stepping_ = i;
    step_.begin(ports, now_);
    handler();
    for (const auto& send : step_.sends()) {
      if (send.port != core::every_port) {
        this->send(i, send.port, send.message);
        continue;
      }
      for (const Port port : ports) this->send(i, port, send.message);
    }
    for (const auto& alarm : step_.alarms()) {
      std::erase_if(nodes_[i].alarms, [&](const auto& each) { return each.first == alarm.timer; });
      if (!alarm.armed) continue;
      const Time at = now_ + prng_.between(alarm.min, alarm.max);
      nodes_[i].alarms.emplace_back(
          alarm.timer, push({at, Kind::timeout, i, core::every_port, {}, alarm.timer}));
    }
    watch(cause, i, other);
  }

  /// Strict: a node may ask who is behind a port that is up or that the step is about.
  static NodeId peer(void* self, Port port) {
    auto& driver = *static_cast<HandDriver*>(self);
    const End& e = driver.end(driver.stepping_, port);
    core::invariant(e.up || port == driver.about_, "the peer of a port that is down");
    return driver.nodes_[e.far].id;
  }

  static std::uint64_t choose(void* self, std::uint64_t n) {
    return static_cast<HandDriver*>(self)->prng_.below(n);
  }

  void send(NodeIndex i, Port port, const Message& message) {
    End& e = end(i, port);
    core::invariant(e.up && e.sends, "sends go to ports that are up");
    ++sent_;
    if (travel_.loss > 0 && prng_.chance(travel_.loss)) return;
    const int copies = prng_.chance(travel_.duplicates) ? 2 : 1;
    for (int copy = 0; copy < copies; ++copy) {
      Time at = now_ + prng_.between(travel_.min, travel_.max);
      if (travel_.fifo) at = e.latest = std::max(at, e.latest);
      push({at, Kind::receive, e.far, e.far_port, message, {}});
    }
  }

  void watch(core::Cause cause, NodeIndex i, std::optional<NodeIndex> other = {}) {
    for (const auto& monitor : monitors_) monitor->after(*this, {cause, i, other});
  }

  typename P::Options options_;
  Travel travel_;
  core::Prng prng_;
  core::Monitors<P> monitors_;
  std::vector<Node> nodes_;
  std::map<std::pair<Time, std::uint64_t>, Event> events_;
  std::uint64_t key_ = 0;
  core::StepOf<P> step_{core::DriverHooks{this, &HandDriver::peer, &HandDriver::choose}};
  NodeIndex stepping_ = 0;
  Port about_ = core::every_port;  // the port that this step is about
  Time now_{};
  std::size_t sent_ = 0;
  std::size_t steps_ = 0;
};

/// Links come and go, nodes crash and are born again; the properties are watched in every step.
template <class P>
void live_through_changes(typename P::Options options) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    core::Prng prng(seed);
    HandDriver<P> driver(shuffled_ids(6, prng), options,
                         {.max = Duration{20}, .fifo = seed % 2 == 0, .duplicates = 0.1}, seed);
    driver.make_complete();
    driver.start_all();
    for (int i = 1; i < 60; ++i) {
      driver.run(Time{i * 10});
      const auto a = static_cast<NodeIndex>(prng.below(6));
      const auto b = static_cast<NodeIndex>(prng.below(6));
      if (prng.below(8) == 0)
        driver.alive(a) ? driver.crash(a) : driver.restart(a);
      else if (a != b && driver.alive(a) && driver.alive(b))
        prng.below(2) == 0 ? driver.part(a, b) : driver.join(a, b);
    }
    ASSERT_NO_THROW(driver.run()) << seed;
    EXPECT_GT(driver.sent(), 100u);
  }
}

}  // namespace bellwether::algorithms
