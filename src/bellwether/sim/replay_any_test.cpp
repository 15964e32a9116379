// SPDX-License-Identifier: MIT
// Any schedule can be followed by any algorithm, whatever its model says: nothing but a broken
// property ends the run, it ends, and it is the same run again.
#include <gtest/gtest.h>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/core/arbitrary.hpp"
#include "bellwether/observe/trace/compare.hpp"
#include "bellwether/sim/derive_schedule_test.hpp"
#include "bellwether/sim/replay.hpp"
#include "bellwether/sim/simulate.hpp"

namespace bellwether::sim {
namespace {

using observe::Schedule;
using observe::Upheaval;

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : prng_(seed) {}

  Schedule schedule() {
    Schedule s;
    s.one_way = below(4) == 0;
    const std::uint64_t nodes = 2 + below(4);
    for (std::uint64_t id = 1; id <= nodes; ++id) s.ids.push_back(NodeId{id * id});
    core::shuffle(s.ids, prng_);
    for (std::size_t i = 0; i < s.ids.size(); ++i)
      for (std::size_t j = 0; j < s.ids.size(); ++j)
        if (i != j && (s.one_way || i < j) && below(4) > 0) add_link(s, s.ids[i], s.ids[j]);
    for (const NodeId id : s.ids) {
      if (below(4) > 0) s.starts.push_back({id, moment()});
      s.alarms.push_back({id, moments(20)});
      s.choices.push_back({id, core::arbitrary<std::vector<std::uint64_t>>(prng_)});
    }
    for (std::uint64_t n = below(12); n > 0; --n) add_change(s);
    std::sort(s.changes.begin(), s.changes.end(),
              [](const auto& x, const auto& y) { return x.at < y.at; });
    return s;
  }

 private:
  std::uint64_t below(std::uint64_t n) { return prng_.below(n); }
  Time moment() { return Time{static_cast<std::int64_t>(below(200))}; }  // many at one time
  Schedule::Moments moments(std::uint64_t most) {
    Schedule::Moments out(below(most));
    for (auto& each : out)
      if (below(5) > 0) each = moment();
    return out;
  }
  void add_link(Schedule& s, NodeId a, NodeId b) {
    s.links.push_back({a, b});
    s.up.push_back(below(4) > 0);
    const auto flights = [&](NodeId from, NodeId to) {
      s.flights.push_back({from, to, {}});
      for (std::uint64_t n = below(30); n > 0; --n)
        s.flights.back().arrivals.push_back(below(6) > 0 ? Schedule::Moments{moment()}
                                                         : moments(4));
      s.notices.push_back({from, to, moments(10)});
    };
    flights(a, b);
    if (!s.one_way) flights(b, a);
  }
  void add_change(Schedule& s) {
    Schedule::ScheduledChange change{moment(), core::arbitrary<Upheaval>(prng_),
                                     s.ids[below(s.ids.size())], NodeId{}, below(2) == 1};
    if (change.kind == Upheaval::link_up || change.kind == Upheaval::link_down) {
      if (s.links.empty()) return;
      std::tie(change.a, change.b) = s.links[below(s.links.size())];
    }
    s.changes.push_back(change);
  }

  core::Prng prng_;
};

TEST(ReplayOfAnySchedule, EndsAndIsTheSameAgain) {
  std::size_t steps = 0, broken = 0;
  for (const core::Algorithm& algorithm : catalogue::all()) {
    if (algorithm.rounds) continue;
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
      SCOPED_TRACE(std::string(algorithm.name) + ' ' + std::to_string(seed));
      observe::RunHeader header{std::string(algorithm.name), "drawn", seed, {}};
      header.schedule = Draw(seed).schedule();
      header.nodes = header.schedule->ids;
      ASSERT_EQ(observe::fault_of(*header.schedule), "");
      const auto scenario = replay_scenario(header, "here");
      Recorder first;
      const auto report = simulate(algorithm, scenario, {{&first}, {}, &*header.schedule});
      observe::StepComparer second(first.trace);
      const auto again = simulate(algorithm, scenario, {{&second}, {}, &*header.schedule});
      EXPECT_TRUE(second.verdict().as_recorded());
      EXPECT_EQ(again.fingerprint, report.fingerprint);
      EXPECT_EQ(again.violation, report.violation);
      EXPECT_LE(report.time, Time{200}) << "nothing happens after the last time";
      steps += first.trace.steps.size();
      broken += report.violation.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(steps, 10'000u);
  EXPECT_GT(broken, 10u);
}

}  // namespace
}  // namespace bellwether::sim
