// SPDX-License-Identifier: MIT
// A small driver for unit tests: the host of tests with one queue of events, random delays, links
// whose ends are notified separately, crashes and restarts. It watches the protocol's own
// properties in every step. Not the simulator: it is written to be obviously right, not fast.
#pragma once

#include <functional>

#include "bellwether/core/hand_host_test.hpp"
#include "bellwether/core/prng.hpp"

namespace bellwether::algorithms {

using core::Duration;
using core::NodeId;
using core::NodeIndex;
using core::Port;
using core::Time;

std::vector<NodeId> ids_of(const std::vector<std::uint64_t>& numbers);

/// 1..n in a random order.
std::vector<NodeId> shuffled_ids(NodeIndex n, core::Prng& prng);

/// How messages travel. The notification of a link takes as long to one of its ends, and `news`
/// more.
struct Travel {
  Duration min{1};
  Duration max{1};
  bool fifo = true;
  double duplicates = 0;
  Duration news{0};
  double loss = 0;
};

/// One handler by hand: no host, the effects stay in `step`. Port i leads to peers[i]. With types,
/// so that a test can hold any state of a node and read what is sent as it is.
template <class P>
struct ByHand {
  std::vector<NodeId> peers;
  std::vector<Port> ports;
  Time now{};
  std::function<std::uint64_t(std::uint64_t)> draw;  // what choose says
  core::StepFor<P> step{core::DriverHooks{this, &ByHand::peer, &ByHand::choose}};

  explicit ByHand(std::vector<NodeId> around) : peers(std::move(around)) {
    for (std::uint32_t i = 0; i < peers.size(); ++i) ports.push_back(Port{i});
  }
  ByHand(const ByHand&) = delete;  // the step points back here
  ByHand& operator=(const ByHand&) = delete;

  core::StepFor<P>& next() {
    step.begin(ports, now);
    return step;
  }
  static NodeId peer(void* self, Port port) {
    return static_cast<ByHand*>(self)->peers.at(raw(port));
  }
  static std::uint64_t choose(void* self, std::uint64_t n) {
    return static_cast<ByHand*>(self)->draw(n);
  }
};

/// Nodes as a test puts them, to see that the properties bite.
template <class P>
class Picture : public core::Snapshot<P> {
 public:
  explicit Picture(std::vector<P> nodes) : nodes_(std::move(nodes)) {}
  NodeIndex size() const override { return static_cast<NodeIndex>(nodes_.size()); }
  const P& node(NodeIndex i) const override { return nodes_[i]; }
  NodeId id(NodeIndex i) const override { return NodeId{i + 1}; }
  bool alive(NodeIndex) const override { return true; }
  Time clock(NodeIndex) const override { return {}; }
  std::vector<core::ChannelView<typename P::Message>> channels(NodeIndex) const override {
    return {};
  }

 private:
  std::vector<P> nodes_;
};

/// A run without the type of its protocol.
class HandRun : public core::HandHost {
 public:
  HandRun(std::unique_ptr<core::Nodes> nodes, const std::vector<NodeId>& ids, Travel travel,
          std::uint64_t seed);
  ~HandRun() override;

  /// A link that is up from the beginning.
  void link(NodeIndex a, NodeIndex b, bool one_way = false);
  /// Clockwise is 0, 1, ..., n-1, 0; messages go clockwise only.
  void make_ring();
  /// The same with links that go both ways: port 0 leads clockwise, port 1 the other way.
  void make_two_way_ring();
  void make_complete();
  /// A link that comes up now; each end is notified with its own delay.
  void join(NodeIndex a, NodeIndex b);
  /// The links between a and b go down now; each end is notified with its own delay.
  void part(NodeIndex a, NodeIndex b);
  void start(NodeIndex i, Time at = {});
  void start_all();
  void crash(NodeIndex i);
  /// Restarts without memory, linked to all live nodes.
  void restart(NodeIndex i);

  /// Until nothing is left to do, or until the time is up.
  void run(Time until = core::end_of_time);

  Time clock(NodeIndex) const override { return now_; }
  std::size_t sent() const { return sent_; }
  Time now() const { return now_; }

 private:
  using Cause = core::Cause;
  struct Event {
    Cause cause;
    NodeIndex node;
    Port port = core::every_port;
    core::AnyMessage message = {};
    std::optional<Armed> timer = {};
  };

  std::pair<Port, Port> new_link(NodeIndex a, NodeIndex b);

  void push(Time at, Event event);
  void tell(NodeIndex i, Port port, Cause cause);

  void happen(const Event& event);

  void on_send(NodeIndex i, Port port, const core::AnyMessage& message) override;
  void on_alarm(NodeIndex i, const core::Effects::Alarm& alarm) override;
  Duration delay(Duration min, Duration max) override { return prng_.between(min, max); }
  std::uint64_t choose(std::uint64_t n) override { return prng_.below(n); }

  void watch(Cause cause, NodeIndex i, std::optional<NodeIndex> other = {});

  Travel travel_;
  core::Prng prng_;
  core::PropertyMonitors monitors_;
  std::map<std::pair<Time, std::uint64_t>, Event> events_;
  std::uint64_t key_ = 0;
  Time now_{};
  std::size_t sent_ = 0;
  std::size_t steps_ = 0;
};

template <core::Protocol P>
class HandDriver : public HandRun {
 public:
  HandDriver(const std::vector<NodeId>& ids, typename P::Options options, Travel travel = {},
             std::uint64_t seed = 0)
      : HandRun(core::hosted<P>(std::move(options)), ids, travel, seed) {}

  const P& node(NodeIndex i) const { return as<P>(i); }
  /// As the properties see it.
  operator const core::Snapshot<P>&() const { return seen_; }

 private:
  core::TypedSnapshot<P, core::Typed<P>> seen_{*this};
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
