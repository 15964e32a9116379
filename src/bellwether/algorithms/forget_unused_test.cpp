// SPDX-License-Identifier: MIT
// What forget_unused says of an election, checked against random histories: each node has a twin
// that forgets after every step, and the two must always do the same.
#include <gtest/gtest.h>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/algorithms/moving/drumbeat.hpp"
#include "bellwether/core/print.hpp"
#include "bellwether/core/prng.hpp"

namespace bellwether::algorithms {
namespace {

constexpr core::NodeIndex count = 4;

/// Four nodes and their twins. Messages are late, lost and duplicated, links come and go, nodes
/// crash; and as long as nothing of this happens, timers expire in their order.
class ForgetfulTwins : private core::HandHost {
 public:
  ForgetfulTwins(const Drumbeat::Options& options, std::uint64_t seed)
      : HandHost(core::nodes_of<Drumbeat>(options)), prng_(seed) {
    for (std::uint64_t id = 1; id <= count; ++id) add(core::NodeId{id});
    for (core::NodeIndex u = 0; u < count; ++u) {
      twins_.push_back(hosted().copy(place(u)));
      for (core::NodeIndex v = 0; v < count; ++v) open(u, {.far = v, .gone = true});
    }
    for (core::NodeIndex u = 0; u < count; ++u) step(u, core::Call::start());
    for (core::NodeIndex u = 0; u + 1 < count; ++u) change(u, u + 1);
  }

  void live() {
    const std::uint64_t what = prng_.below(fault_every);
    if (what == 0) return change(any_node(), any_node());
    if (what == 1) return crash(any_node());
    if (what == 2) return set_priority(any_node());
    if (what == 3 && !all_armed().empty()) {
      const auto all = all_armed();
      const auto [due, u, timer] = all[prng_.below(all.size())];
      return static_cast<void>(fire(u, timer));
    }
    const std::vector<Way> ways = busy();
    if (ways.empty()) return pass_time();
    const Way way = ways[prng_.below(ways.size())];
    const core::AnyMessage message = take(way, prng_.below(transit()[way].size()));
    if (what == 4) return;
    if (what == 5) transit()[way].push_back(message);
    const bool knows = end(way.second, core::Port{way.first}).up;
    step(way.second,
         core::Call::receive(knows ? core::Port{way.first} : core::stranger, message.value()));
  }

  std::size_t steps = 0;
  std::size_t forgotten = 0;  // steps after which something was
  std::size_t heirs = 0;

 private:
  static constexpr std::uint64_t fault_every = 300;
  using Due = std::tuple<core::Time, core::NodeIndex, core::TimerName>;

  core::Outcome play(core::NodeIndex u, const core::Call& call,
                     const core::Surroundings& around) override {
    core::Player forgetful(hosted());
    const core::Outcome said = HandHost::play(u, call, around);
    const core::Outcome twins = forgetful.play(twins_[u], call, around);
    hosted().forget_unused(twins_[u]);
    EXPECT_TRUE(said == twins) << hosted().text(place(u)) << "\n" << hosted().text(twins_[u]);
    EXPECT_EQ(hosted().leader(place(u)), hosted().leader(twins_[u]));
    ++steps;
    forgotten += hosted().same(place(u), twins_[u]) ? 0 : 1;
    heirs += as<Drumbeat>(u).news().has_heir() ? 1 : 0;
    return said;
  }

  core::NodeIndex any_node() { return static_cast<core::NodeIndex>(prng_.below(count)); }
  void change(core::NodeIndex a, core::NodeIndex b) {
    if (a == b) return;
    const bool up = end(a, core::Port{b}).gone;
    for (const auto& [u, v] : {std::pair(a, b), std::pair(b, a)}) {
      transit()[{u, v}].clear();
      end(u, core::Port{v}).gone = !up;
      if (end(u, core::Port{v}).up == up || !alive(v)) continue;
      up ? tell_up(u, core::Port{v}) : tell_down(u, core::Port{v});
    }
  }
  /// And is back at once, without memory or with it.
  void crash(core::NodeIndex u) {
    for (core::NodeIndex v = 0; v < count; ++v)
      if (v != u && !end(u, core::Port{v}).gone) change(u, v);
    if (prng_.below(2) == 0) return;
    hosted().reset(place(u), id(u));
    hosted().reset(twins_[u], id(u));
    stop(u);
    revive(u);
    set_clock(u, clock(u) + std::chrono::seconds(1));
    step(u, core::Call::start());
  }
  void set_priority(core::NodeIndex u) {
    step(u, core::Call::set_priority(static_cast<std::uint32_t>(99 + prng_.below(3))));
  }
  std::vector<Due> all_armed() const {
    std::vector<Due> out;
    for (core::NodeIndex u = 0; u < count; ++u)
      for (const Armed& each : armed(u)) out.emplace_back(each.due, u, each.timer);
    return out;
  }
  void pass_time() {
    const auto all = all_armed();
    const auto next = std::min_element(all.begin(), all.end(), [](const Due& a, const Due& b) {
      return std::get<core::Time>(a) < std::get<core::Time>(b);
    });
    if (next == all.end()) return;
    const auto [due, u, timer] = *next;
    for (core::NodeIndex v = 0; v < count; ++v) set_clock(v, std::max(clock(v), due));
    fire(u, timer);
  }

  core::Prng prng_;
  std::vector<core::NodeIndex> twins_;
};

TEST(ForgetUnused, ChangesNothingThatANodeDoes) {
  std::size_t steps = 0;
  std::size_t forgotten = 0;
  std::size_t heirs = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Drumbeat::Options options;
    options.wave = 1 + static_cast<std::uint32_t>(seed % 3);
    options.taps = static_cast<std::uint32_t>(seed % 2);
    options.tenure = std::chrono::milliseconds(200);
    options.gain = 1;
    ForgetfulTwins twins(options, seed);
    for (int i = 0; i < 4000; ++i) {
      twins.live();
      ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed << ", step " << twins.steps;
    }
    steps += twins.steps;
    forgotten += twins.forgotten;
    heirs += twins.heirs;
  }
  std::printf("  %zu steps, %zu forgetful, %zu with an heir\n", steps, forgotten, heirs);
  EXPECT_GT(2 * forgotten, steps);
  EXPECT_GT(heirs, 500u);
}

}  // namespace
}  // namespace bellwether::algorithms
