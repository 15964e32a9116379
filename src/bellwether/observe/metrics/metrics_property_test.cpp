// SPDX-License-Identifier: MIT
// The metrics of random histories, compared with those that are computed from scratch.
#include <gtest/gtest.h>

#include "bellwether/core/fields.hpp"
#include "bellwether/core/prng.hpp"
#include "bellwether/observe/metrics/metrics_naive_test.hpp"

namespace bellwether::observe {
namespace {

using core::Criterion;
using naive::Event;
using naive::History;
using Kind = naive::Event::Kind;

/// What a random history is made of.
struct Mix {
  NodeIndex nodes = 8;
  std::size_t events = 60;
  std::size_t links = 10;     // at the beginning
  std::uint64_t still = 2;    // of five events: how many share the previous one's instant
  std::uint64_t crashes = 2;  // of twenty events
  bool hierarchy = false;
};

class Writer {
 public:
  Writer(std::uint64_t seed, Mix mix) : prng_(seed), mix_(mix) {
    for (NodeIndex u = 0; u < mix.nodes; ++u) out_.ids.push_back(NodeId{10 + 3 * u});
    core::shuffle(out_.ids, prng_);
    alive_.assign(mix.nodes, true);
    for (std::size_t i = 0; i < mix.links && mix.nodes > 0; ++i) {
      out_.links.push_back({node(), node()});
      up_.push_back(out_.links.back());
    }
  }

  History write(Criterion criterion, bool paths) {
    for (std::size_t i = 0; i < mix_.events && mix_.nodes > 0; ++i) {
      if (prng_.below(5) >= mix_.still)
        now_ += Duration{static_cast<std::int64_t>(prng_.below(40))};
      if (mix_.hierarchy && prng_.below(2) == 0) {
        const std::optional<NodeId> leader = anybody();
        add({Kind::placed, now_, alive_node(), 0, false, leader, prng_.below(4)});
        continue;
      }
      const std::uint64_t what = prng_.below(20);
      if (what < mix_.crashes)
        live_or_die();
      else if (what < 9)
        change_link();
      else if (what < 15)
        name(node(), anybody());
      else if (what < 17)
        campaign();
      else
        add({Kind::sent, now_, node(), 0, prng_.below(3) == 0, {}, prng_.below(100)});
    }
    out_.spec.criterion = criterion;
    out_.spec.paths = paths;
    out_.spec.end = now_ + Duration{static_cast<std::int64_t>(prng_.below(30))};
    const auto run = static_cast<std::uint64_t>(out_.spec.end.count());
    out_.spec.interval = Duration{static_cast<std::int64_t>(prng_.below(run / 3 + 1))};
    if (prng_.below(2) == 0)
      out_.spec.warm_up = Duration{static_cast<std::int64_t>(prng_.below(run + 1))};
    return out_;
  }

 private:
  NodeIndex node() { return static_cast<NodeIndex>(prng_.below(mix_.nodes)); }
  /// Only live nodes are placed.
  NodeIndex alive_node() {
    NodeIndex u = node();
    for (NodeIndex i = 0; i < mix_.nodes && !alive_[u]; ++i) u = (u + 1) % mix_.nodes;
    if (!alive_[u]) {
      alive_[u] = true;
      add({Kind::alive, now_, u, 0, true, {}, 0});
    }
    return u;
  }
  std::optional<NodeId> anybody() {
    const std::uint64_t which = prng_.below(12);
    if (which == 0) return std::nullopt;
    if (which == 1) return NodeId{1000 + prng_.below(2)};  // of no node
    return out_.ids[which < 8 ? prng_.below(std::min<std::uint64_t>(3, mix_.nodes)) : node()];
  }
  void add(Event event) { out_.events.push_back(event); }
  void name(NodeIndex u, std::optional<NodeId> leader) {
    add({Kind::leader, now_, u, 0, false, leader, 0});
  }
  /// Nearly all take the same leader, at once or one after the other.
  void campaign() {
    auto leader = anybody();
    if (const NodeIndex u = node() % 3; u < mix_.nodes && alive_[u]) leader = out_.ids[u];
    const bool at_once = prng_.below(2) == 0;
    const bool all = prng_.below(3) > 0;
    for (NodeIndex u = 0; u < mix_.nodes; ++u) {
      if (!alive_[u] || (!all && prng_.below(6) == 0)) continue;
      if (!at_once) now_ += Duration{static_cast<std::int64_t>(prng_.below(3))};
      name(u, leader);
    }
  }
  void live_or_die() {
    const NodeIndex u = prng_.below(2) == 0 ? node() % std::min(3u, mix_.nodes) : node();
    alive_[u] = !alive_[u];
    add({Kind::alive, now_, u, 0, alive_[u], {}, 0});
    if (prng_.below(4) != 0) return;
    alive_[u] = !alive_[u];
    add({Kind::alive, now_, u, 0, alive_[u], {}, 0});
  }
  void change_link() {
    if (!up_.empty() && prng_.below(2) == 0) {
      const std::size_t i = prng_.below(up_.size());
      add({Kind::link, now_, up_[i].b, up_[i].a, false, {}, 0});
      up_.erase(up_.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
    up_.push_back({node(), node()});
    add({Kind::link, now_, up_.back().a, up_.back().b, true, {}, 0});
  }

  core::Prng prng_;
  Mix mix_;
  History out_;
  Time now_{};
  std::vector<bool> alive_;
  std::vector<graph::Edge> up_;
};

void expect_same(double ours, double theirs, const std::string& what) {
  EXPECT_EQ(std::isnan(ours), std::isnan(theirs)) << what << ": " << ours << " or " << theirs;
  if (!std::isnan(ours) && !std::isnan(theirs)) {
    EXPECT_NEAR(ours, theirs, 1e-9 * std::max(1.0, std::abs(theirs))) << what;
  }
}

/// Every number of every row. Returns how many elections there were.
std::size_t compare(const History& history, const std::string& what) {
  const MetricsResult ours = naive::measure(history);
  const auto all = naive::states(history);
  const auto began = naive::elections(all, history.ids);
  const Time end = history.spec.end;
  const auto total = naive::over(history, all, began, history.spec.warm_up, end);
  std::size_t known = 0;
  for (const Metric& metric : ours.totals) {
    if (metric.name == "settling_time_s")
      expect_same(metric.value, naive::settling_time(history, all), what + ", settling time");
    if (!total.contains(metric.name)) continue;
    ++known;
    expect_same(metric.value, total.at(metric.name), what + ", " + metric.name);
  }
  EXPECT_EQ(known, total.size()) << what;

  const Series& series = ours.series;
  const auto moved = naive::reclustered(history, all, series.interval);
  EXPECT_EQ(series.interval * static_cast<std::int64_t>(series.rows.size()) >= end, true) << what;
  for (std::size_t r = 0; r < series.rows.size(); ++r) {
    const Time from = series.interval * static_cast<std::int64_t>(r);
    const Time to = std::min(end, from + series.interval);
    const std::string row = what + ", row " + std::to_string(r) + ", ";
    EXPECT_LT(from, to) << row;
    const auto expected = naive::over(history, all, began, from, to);
    const auto until = naive::over(history, all, began, Time{0}, to);
    for (std::size_t c = 0; c < series.columns.size(); ++c) {
      const std::string& name = series.columns[c];
      const double value = series.rows[r][c];
      if (expected.contains(name)) expect_same(value, expected.at(name), row + name);
      if (name == "reclustered_share") expect_same(value, moved.at(r), row + name);
      if (name == "time_s") expect_same(value, core::seconds(to), row + name);
      if (name == "instability_cumulative") expect_same(value, until.at("instability"), row + name);
      if (name == "components_at_end") {
        const auto last = std::find_if(all.rbegin(), all.rend(),
                                       [&](const naive::State& s) { return s.at < to; });
        expect_same(value, static_cast<double>(last->parts.size()), row + name);
      }
    }
  }
  return began.size();
}

void compare_many(Mix mix, std::uint64_t seeds, bool paths = true) {
  for (unsigned char i = 0; i < core::names_of(Criterion{}).size(); ++i) {
    const auto criterion = static_cast<Criterion>(i);
    for (std::uint64_t seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed)
      compare(Writer(seed, mix).write(criterion, paths),
              std::string(core::name_of(criterion)) + ", seed " + std::to_string(seed));
  }
}

TEST(MetricsProperties, SmallNetworks) {
  compare_many({.nodes = 8}, 150);
}

TEST(MetricsProperties, TinyNetworks) {
  for (NodeIndex nodes = 0; nodes < 4; ++nodes) compare_many({.nodes = nodes, .links = nodes}, 40);
}

TEST(MetricsProperties, Hierarchies) {
  compare_many({.nodes = 8, .events = 80, .hierarchy = true}, 80);
  compare_many({.nodes = 30, .events = 200, .links = 50, .crashes = 1, .hierarchy = true}, 8);
  compare_many({.nodes = 6, .events = 120, .links = 12, .crashes = 4, .hierarchy = true}, 40);
}

TEST(MetricsProperties, ManyCrashes) {
  compare_many({.nodes = 6, .events = 80, .links = 20, .crashes = 4}, 80);
}

TEST(MetricsProperties, EveryChangeAtItsOwnInstantOrAllTogether) {
  compare_many({.still = 0}, 40);
  compare_many({.still = 4}, 40);
}

TEST(MetricsProperties, WithoutPaths) {
  compare_many({.nodes = 10, .events = 80, .links = 14}, 80, false);
}

TEST(MetricsProperties, ComponentsOfMoreThanSixtyFourNodes) {
  compare_many({.nodes = 80, .events = 30, .links = 160}, 1);
  compare_many({.nodes = 130, .events = 12, .links = 150}, 1);
}

TEST(MetricsProperties, ComponentsOfAboutSixtyFourNodes) {
  for (const NodeIndex nodes : {63u, 64u, 65u, 66u})
    compare_many({.nodes = nodes, .events = 30, .links = 5 * nodes, .crashes = 3}, 1);
}

TEST(MetricsProperties, TheHistoriesHaveElectionsThatEndAndThatAreOvertakenAndSomeSettle) {
  std::size_t done = 0;
  std::size_t overtaken = 0;
  std::size_t settled = 0;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    const History history =
        Writer(seed, {.nodes = 6, .events = 80, .links = 20, .crashes = 4}).write({}, true);
    const auto all = naive::states(history);
    for (const Failover& each : naive::elections(all, history.ids))
      ++(each.done ? done : overtaken);
    settled += naive::settling_time(history, all) > 0 ? 1 : 0;
  }
  EXPECT_GT(settled, 0u);
  EXPECT_GT(done, 30u);
  EXPECT_GT(overtaken, 50u);
}

TEST(MetricsProperties, TheSameHistoryGivesTheSameNumbers) {
  const History history = Writer(5, {}).write(Criterion::closeness, true);
  const MetricsResult one = naive::measure(history);
  const MetricsResult two = naive::measure(history);
  const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  ASSERT_EQ(one.totals.size(), two.totals.size());
  for (std::size_t i = 0; i < one.totals.size(); ++i)
    EXPECT_TRUE(same(one.totals[i].value, two.totals[i].value)) << one.totals[i].name;
  ASSERT_EQ(one.series.rows.size(), two.series.rows.size());
  for (std::size_t i = 0; i < one.series.rows.size(); ++i)
    EXPECT_TRUE(std::equal(one.series.rows[i].begin(), one.series.rows[i].end(),
                           two.series.rows[i].begin(), two.series.rows[i].end(), same));
}

/// Within an instant only the last word on each thing counts, whatever came in between.
TEST(MetricsProperties, TheOrderWithinAnInstantDoesNotMatter) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    History history = Writer(seed, {.still = 4, .crashes = 0}).write(Criterion::degree, true);
    const MetricsResult before = naive::measure(history);
    // Leaders first, then links: neither kind overtakes its own.
    std::stable_sort(history.events.begin(), history.events.end(), [](auto& x, auto& y) {
      return x.at != y.at ? x.at < y.at : x.kind == Kind::leader && y.kind != Kind::leader;
    });
    const MetricsResult after = naive::measure(history);
    for (std::size_t i = 0; i < before.totals.size(); ++i)
      expect_same(after.totals[i].value, before.totals[i].value, before.totals[i].name);
  }
}

}  // namespace
}  // namespace bellwether::observe
