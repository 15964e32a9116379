// SPDX-License-Identifier: MIT
// Angluin (1980): no deterministic protocol elects a leader on an anonymous ring, even where all
// proceed in step and know its size. Shown by execution: whatever a protocol of the catalogue does
// there, all nodes do it, and so all or none of them lead.
#include <algorithm>

#include "claims/claims.hpp"
#include "conformance/protocols.hpp"

namespace bellwether::claims {
namespace {

constexpr std::size_t ring_size = 5;
constexpr NodeId nameless{};

/// Hooks for nodes without names or luck: everybody is called the same and draws the same.
template <class Step>
Step symmetric_step() {
  return Step(core::DriverHooks{nullptr, [](void*, core::Port) { return nameless; },
                                [](void*, std::uint64_t) { return std::uint64_t{0}; }});
}

template <class P>
typename P::Options told_size() {
  typename P::Options options{};
  if constexpr (requires { options.nodes; })
    options.nodes = static_cast<decltype(options.nodes)>(ring_size);
  if constexpr (requires { options.diameter; })
    options.diameter = static_cast<decltype(options.diameter)>(ring_size / 2);
  return options;
}

/// All nodes of a two-way ring, in step. What one sends clockwise the next receives from the other
/// side: where all are alike, all receive alike.
template <class P>
class InStep {
 public:
  InStep() : nodes_(ring_size, P(nameless, told_size<P>())) {}

  /// How many say that they lead, which must be all or none.
  std::size_t leaders() const {
    return static_cast<std::size_t>(std::count_if(
        nodes_.begin(), nodes_.end(), [](const P& p) { return core::leads(p, nameless); }));
  }
  bool alike() const {
    return std::all_of(nodes_.begin(), nodes_.end(), [&](const P& p) { return p == nodes_[0]; });
  }

 protected:
  using Message = typename P::Message;
  static constexpr std::array<core::Port, 2> ports{core::Port{0}, core::Port{1}};

  /// The port by which the neighbour gets what is sent on this one.
  static core::Port far(core::Port port) { return ports[port == ports[0] ? 1 : 0]; }

  template <class Sends>
  static std::vector<core::Received<Message>> arriving(const Sends& sends) {
    std::vector<core::Received<Message>> out;
    for (const auto& send : sends)
      for (const core::Port port : ports)
        if (send.port == core::every_port || send.port == port)
          out.push_back({far(port), send.message});
    return out;
  }

  std::vector<P> nodes_;
};

/// Rounds.
template <class P>
class RoundsInStep : public InStep<P> {
 public:
  bool round() {
    auto step = symmetric_step<core::RoundStepOf<P>>();
    bool halted = true;
    std::vector<core::Received<typename P::Message>> next;
    for (P& node : this->nodes_) {
      step.begin(InStep<P>::ports, Time{});
      node.round(step, inbox_);
      next = InStep<P>::arriving(step.sends());
      halted = halted && node.halted();
    }
    std::stable_sort(next.begin(), next.end(),
                     [](const auto& a, const auto& b) { return a.port < b.port; });
    inbox_ = std::move(next);
    return !halted || !inbox_.empty();
  }

 private:
  std::vector<core::Received<typename P::Message>> inbox_;
};

/// Messages and timers: everybody receives the same message at the same time, and so on.
template <class P>
class MessagesInStep : public InStep<P> {
 public:
  void start() {
    everybody([](P& node, auto& step) { node.start(step); });
  }
  bool happen() {
    if (!pending_.empty()) {
      const auto next = pending_.front();
      pending_.erase(pending_.begin());
      everybody([&](P& node, auto& step) { node.receive(step, next.port, next.message); });
      return true;
    }
    if (armed_.empty()) return false;
    const auto first = std::min_element(armed_.begin(), armed_.end(),
                                        [](auto& a, auto& b) { return a.second < b.second; });
    const auto [timer, at] = *first;
    armed_.erase(first);
    now_ = std::max(now_, at);
    everybody([&](P& node, auto& step) { node.timeout(step, timer); });
    return true;
  }

 private:
  template <class Handler>
  void everybody(Handler&& handler) {
    auto step = symmetric_step<core::StepOf<P>>();
    std::vector<core::Received<typename P::Message>> sent;
    for (P& node : this->nodes_) {
      step.begin(InStep<P>::ports, now_);
      handler(node, step);
      sent = InStep<P>::arriving(step.sends());
    }
    pending_.insert(pending_.end(), sent.begin(), sent.end());
    for (const auto& alarm : step.alarms()) {
      std::erase_if(armed_, [&](const auto& each) { return each.first == alarm.timer; });
      if (alarm.armed) armed_.emplace_back(alarm.timer, now_ + alarm.min);
    }
  }

  Time now_{};
  std::vector<core::Received<typename P::Message>> pending_;
  std::vector<std::pair<typename P::Timer, Time>> armed_;
};

template <class P>
class Angluin : public testing::Test {};
TYPED_TEST_SUITE(Angluin, conformance::EveryProtocol, conformance::Names);

TYPED_TEST(Angluin, nobody_leads_alone_on_an_anonymous_ring) {
  using P = TypeParam;
  if (P::facts.model.randomized) GTEST_SKIP() << "it draws: that is the way out";
  const auto expect_symmetry = [](const auto& ring, int step) {
    ASSERT_TRUE(ring.alike()) << "after step " << step;
    ASSERT_TRUE(ring.leaders() == 0 || ring.leaders() == ring_size) << "after step " << step;
  };
  if constexpr (core::RoundProtocol<P>) {
    RoundsInStep<P> ring;
    for (int i = 0; i < 500 && ring.round(); ++i) expect_symmetry(ring, i);
    expect_symmetry(ring, 500);
  } else {
    MessagesInStep<P> ring;
    ring.start();
    for (int i = 0; i < 500 && ring.happen(); ++i) expect_symmetry(ring, i);
    expect_symmetry(ring, 500);
  }
}

TEST(AngluinSaid, TheSimulatorSaysSo) {
  Scenario s = on("ring", 9);
  s.network.anonymous = true;
  s.beyond_model = true;
  const Report r = simulate<algorithms::FloodMax>(s);
  EXPECT_FALSE(r.agreed);
  EXPECT_EQ(metric(r, "rounds_alike"), metric(r, "rounds") + 1);
}

}  // namespace
}  // namespace bellwether::claims
