// SPDX-License-Identifier: MIT
// Angluin (1980): no deterministic protocol elects a leader on an anonymous ring, even where all
// proceed in step and know its size. Shown by execution: whatever a protocol of the catalogue does
// there, all nodes do it, and so all or none of them lead.
#include <algorithm>

#include "bellwether/algorithms/flood_max.hpp"
#include "bellwether/core/play_test.hpp"
#include "claims/claims.hpp"

namespace bellwether::claims {
namespace {

constexpr NodeIndex ring_size = 5;
constexpr NodeId nameless{};

core::OptionTexts told_size(const core::Algorithm& algorithm) {
  core::OptionTexts options;
  core::fill_in(algorithm, "nodes", ring_size, options);
  core::fill_in(algorithm, "diameter", ring_size / 2, options);
  return options;
}

/// All nodes of a two-way ring, in step: everybody is called the same and draws the same. What one
/// sends clockwise the next receives from the other side: where all are alike, all receive alike.
class InStep {
 public:
  explicit InStep(const core::Algorithm& algorithm) : nodes_(algorithm.make(told_size(algorithm))) {
    for (NodeIndex u = 0; u < ring_size; ++u) nodes_->add(nameless);
    if (!algorithm.rounds) everybody(core::Call::start());
  }

  /// What happens next to everybody; false where nothing is left to happen.
  bool happen() { return nodes_->can().rounds ? round() : receive() || expire(); }

  /// How many say that they lead, which must be all or none.
  NodeIndex leaders() const {
    NodeIndex count = 0;
    for (NodeIndex u = 0; u < ring_size; ++u) count += nodes_->leads(u, nameless) ? 1 : 0;
    return count;
  }
  bool alike() const {
    for (NodeIndex u = 1; u < ring_size; ++u)
      if (!nodes_->same(u, 0)) return false;
    return true;
  }

 private:
  static constexpr std::array<core::Port, 2> ports{core::Port{0}, core::Port{1}};

  /// The port by which the neighbour gets what is sent on this one.
  static core::Port far(core::Port port) { return ports[port == ports[0] ? 1 : 0]; }

  bool round() {
    std::vector<core::Outcome::Send> read;
    std::swap(read, pending_);
    std::stable_sort(read.begin(), read.end(),
                     [](const auto& a, const auto& b) { return a.port < b.port; });
    std::vector<core::Incoming> inbox;
    for (const auto& [port, message] : read) inbox.push_back({port, message.value()});
    return !everybody(core::Call::round(inbox)) || !pending_.empty();
  }
  bool receive() {
    if (pending_.empty()) return false;
    const core::Outcome::Send next = pending_.front();
    pending_.erase(pending_.begin());
    everybody(core::Call::receive(next.port, next.message.value()));
    return true;
  }
  bool expire() {
    if (armed_.empty()) return false;
    const auto first = std::min_element(armed_.begin(), armed_.end(),
                                        [](auto& a, auto& b) { return a.second < b.second; });
    const auto [timer, at] = *first;
    armed_.erase(first);
    now_ = std::max(now_, at);
    everybody(core::Call::timeout(timer));
    return true;
  }

  /// Whether all have halted.
  bool everybody(const core::Call& call) {
    const core::DriverHooks hooks{nullptr, [](void*, core::Port) { return nameless; },
                                  [](void*, std::uint64_t) { return std::uint64_t{0}; }};
    core::Outcome last;
    bool halted = true;
    for (NodeIndex u = 0; u < ring_size; ++u) {
      last = player_.play(u, call, {hooks, ports, now_});
      halted = halted && last.halted;
    }
    for (const auto& send : last.sends)
      for (const core::Port port : ports)
        if (send.port == core::every_port || send.port == port)
          pending_.push_back({far(port), send.message});
    for (const auto& alarm : last.alarms) {
      std::erase_if(armed_, [&](const auto& each) { return each.first == alarm.timer; });
      if (alarm.armed) armed_.emplace_back(alarm.timer, now_ + alarm.min);
    }
    return halted;
  }

  std::unique_ptr<core::Nodes> nodes_;
  core::Player player_{*nodes_};
  Time now_{};
  std::vector<core::Outcome::Send> pending_;
  std::vector<std::pair<core::TimerName, Time>> armed_;
};

class Angluin : public testing::TestWithParam<std::string> {};

TEST_P(Angluin, nobody_leads_alone_on_an_anonymous_ring) {
  const core::Algorithm& algorithm = catalogue::algorithm(GetParam());
  if (algorithm.facts.model.randomized) GTEST_SKIP() << "it draws: that is the way out";
  InStep ring(algorithm);
  const auto expect_symmetry = [&](int step) {
    ASSERT_TRUE(ring.alike()) << "after step " << step;
    ASSERT_TRUE(ring.leaders() == 0 || ring.leaders() == ring_size) << "after step " << step;
  };
  for (int i = 0; i < 500 && ring.happen(); ++i) expect_symmetry(i);
  expect_symmetry(500);
}

std::vector<std::string> every_name() {
  std::vector<std::string> names;
  for (const core::Algorithm& each : catalogue::all()) names.emplace_back(each.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(, Angluin, testing::ValuesIn(every_name()), [](const auto& each) {
  std::string name = each.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

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
