// SPDX-License-Identifier: MIT
// Angluin (1980): no deterministic protocol elects a leader on an anonymous ring, even where all
// proceed in step and know its size. Shown by execution: whatever a protocol of the catalogue does
// there, all nodes do it, and so all or none of them lead.
#include <algorithm>

#include "bellwether/algorithms/rounds/flood_max.hpp"
#include "bellwether/core/hand_host_test.hpp"
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

/// All nodes of a two-way ring, in step: all are called the same and draw the same. What one
/// sends clockwise the next receives from the other side: where all are alike, all receive alike.
class InStep : private core::HandHost {
 public:
  explicit InStep(const core::Algorithm& algorithm)
      : HandHost(algorithm.make(told_size(algorithm))) {
    for (NodeIndex u = 0; u < ring_size; ++u) {
      add(nameless);
      open(u, {(u + 1) % ring_size, core::Port{1}, true});
      open(u, {(u + ring_size - 1) % ring_size, core::Port{0}, true});
    }
    if (!algorithm.rounds) everybody(core::Call::start());
  }

  /// What happens next to every node; false where nothing is left to happen.
  bool happen() { return nodes().can().rounds ? round() : receive() || expire(); }

  /// How many say that they lead, which must be all or none.
  NodeIndex leaders() const {
    NodeIndex count = 0;
    for (NodeIndex u = 0; u < ring_size; ++u) count += leads(u) ? 1 : 0;
    return count;
  }
  bool alike() const {
    for (NodeIndex u = 1; u < ring_size; ++u)
      if (!nodes().same(u, 0)) return false;
    return true;
  }

 private:
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
    if (armed(0).empty()) return false;
    const Armed next = *std::min_element(armed(0).begin(), armed(0).end(),
                                         [](auto& a, auto& b) { return a.due < b.due; });
    for (NodeIndex u = 0; u < ring_size; ++u) {
      set_clock(u, std::max(clock(u), next.due));
      disarm(u, next.timer);
    }
    everybody(core::Call::timeout(next.timer));
    return true;
  }

  /// Whether all have halted.
  bool everybody(const core::Call& call) {
    bool halted = true;
    for (NodeIndex u = 0; u < ring_size; ++u) halted = step(u, call).halted && halted;
    return halted;
  }
  /// What one sends, all send.
  void on_send(NodeIndex u, core::Port port, const core::AnyMessage& message) override {
    if (u == 0) pending_.push_back({end(u, port).far_port, message});
  }

  std::vector<core::Outcome::Send> pending_;
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
  const RunReport r = simulate<algorithms::FloodMax>(s);
  EXPECT_FALSE(r.agreed);
  EXPECT_EQ(metric(r, "rounds_alike"), metric(r, "rounds") + 1);
}

}  // namespace
}  // namespace bellwether::claims
