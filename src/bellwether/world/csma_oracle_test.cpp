// SPDX-License-Identifier: MIT
// The medium as a whole: against a slow second look at everything that was sent, and against the
// figures of ns-3.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bellwether/core/prng.hpp"
#include "bellwether/world/air_test.hpp"
#include "bellwether/world/network.hpp"

namespace bellwether::world {
namespace {

using namespace std::chrono_literals;
using core::Prng;

struct Sent {
  Time begin;
  Time end;
  NodeIndex by;
  std::uint32_t frame;
  friend auto operator<=>(const Sent&, const Sent&) = default;
};

using Near = std::vector<std::vector<bool>>;

/// Random traffic on a random graph, dense in time.
struct Traffic {
  Traffic(const RadioSpec& spec, std::uint64_t seed) : prng(seed), air(spec, draw_nodes(), seed) {
    const auto nodes = static_cast<NodeIndex>(near.size());
    const double share = prng.unit();
    for (NodeIndex u = 0; u < nodes; ++u)
      for (NodeIndex v = 0; v < u; ++v)
        if (prng.chance(share)) {
          near[u][v] = near[v][u] = true;
          air.medium.link(u, v, true);
        }
    const Duration window = 1ms * (1 + prng.below(300));
    for (std::uint32_t frame = 0; frame < 100; ++frame) {
      const auto u = static_cast<NodeIndex>(prng.below(nodes));
      // In steps of 2 us, so that much begins together.
      air.send(prng.between(0us, window) / 2us * 2us, u, frame, prng.chance(0.1) ? 600 : 60);
      sender[frame] = u;
    }
    air.run();
    for (const auto& [frame, u] : sender)
      sent.push_back({air.began(frame), air.done.at(frame), u, frame});
    std::ranges::sort(sent);
  }

  NodeIndex draw_nodes() {
    near.assign(2 + prng.below(8), {});
    for (auto& row : near) row.resize(near.size(), false);
    return static_cast<NodeIndex>(near.size());
  }
  std::vector<Sent> audible(NodeIndex v) const {
    std::vector<Sent> out;
    for (const Sent& each : sent)
      if (near[v][each.by]) out.push_back(each);
    return out;
  }

  Prng prng;
  Near near;
  Air air;
  std::map<std::uint32_t, NodeIndex> sender;
  std::vector<Sent> sent;  // in the order of time
};

bool meet(const Sent& x, const Sent& y) {
  return x.begin < y.end && y.begin < x.end;
}

/// Whether v, which is not sending at the time, can begin to read x: nothing else is on the air.
bool can_lock(const Sent& x, const std::vector<Sent>& audible) {
  return std::ranges::none_of(audible,
                              [&](const Sent& y) { return y.begin < x.begin && y.end > x.begin; });
}

struct Reading {
  std::set<std::uint32_t> got;
  Duration rx{};
};

/// The rules of reception, frame by frame from the list of all that was sent.
Reading second_look(const Traffic& traffic, NodeIndex v, const CsmaSpec& spec) {
  const std::vector<Sent> audible = traffic.audible(v);
  Reading out;
  for (const Sent& x : audible) {
    const bool deaf =
        std::ranges::any_of(traffic.sent, [&](const Sent& y) { return y.by == v && meet(x, y); });
    if (deaf || !can_lock(x, audible)) continue;
    const auto later = [&](Duration within) {
      return std::ranges::any_of(audible, [&](const Sent& y) {
        return y.frame != x.frame && y.begin >= x.begin && y.begin < x.end &&
               y.begin - x.begin <= within;
      });
    };
    if (later(4us)) continue;
    out.rx += x.end - x.begin - spec.preamble;
    if (spec.capture > 0 || !later(1h)) out.got.insert(x.frame);
  }
  return out;
}

TEST(CsmaOracle, ASecondLookAtReceptionAgrees) {
  std::uint64_t lost = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RadioSpec spec = seed % 2 == 0 ? RadioSpec{} : short_slots();
    spec.csma.capture = seed % 3 != 0 ? 1 : 0;
    Traffic traffic(spec, seed);
    std::uint64_t received = 0;
    for (NodeIndex v = 0; v < traffic.near.size(); ++v) {
      const Reading expected = second_look(traffic, v, spec.csma);
      std::set<std::uint32_t> got;
      for (const auto& each : traffic.air.heard)
        if (each.by == v) got.insert(each.frame);
      ASSERT_EQ(got, expected.got) << "seed " << seed << " node " << v;
      EXPECT_EQ(traffic.air.medium.energy(v, traffic.air.now).rx, expected.rx);
      received += got.size();
    }
    const auto& counts = traffic.air.medium.counts();
    EXPECT_EQ(counts.sent, 100u);
    EXPECT_EQ(counts.received, received);
    EXPECT_EQ(counts.possible, counts.received + counts.lost_overlap + counts.lost_deaf);
    lost += counts.possible - counts.received;
  }
  EXPECT_GT(lost, 1000u);  // or there was nothing to see
}

TEST(CsmaOracle, NobodySendsIntoWhatItHears) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Traffic traffic(short_slots(), seed);
    for (const Sent& x : traffic.sent)
      for (const Sent& y : traffic.sent) {
        const bool sensed = y.by == x.by ? y.frame != x.frame : traffic.near[x.by][y.by];
        if (!sensed || y.begin >= x.begin) continue;
        EXPECT_GE(x.begin - y.end, traffic.air.csma.aifs()) << seed;
      }
  }
}

TEST(CsmaOracle, TimesInStatesAddUp) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Traffic traffic(short_slots(), seed);
    const Time end = traffic.air.now;
    for (NodeIndex v = 0; v < traffic.near.size(); ++v) {
      const auto energy = traffic.air.medium.energy(v, end);
      Duration tx{};
      Duration used{};  // the measure of all that it heard or sent
      Time until{};
      for (const Sent& x : traffic.sent) {
        if (x.by == v) tx += x.end - x.begin;
        if (x.by != v && !traffic.near[v][x.by]) continue;
        used += std::max(Duration{0}, x.end - std::max(x.begin, until));
        until = std::max(until, x.end);
      }
      EXPECT_EQ(energy.tx, tx);
      EXPECT_EQ(energy.idle, end - used);
      EXPECT_EQ(energy.idle + energy.busy + energy.rx + energy.tx, end);
      EXPECT_EQ(energy.sleep, 0s);
    }
  }
}

TEST(CsmaOracle, CrashesLoseNoFrameFromTheBooks) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Traffic traffic(short_slots(), seed);
    Air& air = traffic.air;
    const auto nodes = traffic.near.size();
    for (int i = 0; i < 100; ++i) {
      const Time at = air.now + traffic.prng.between(0us, 100ms);
      const auto u = static_cast<NodeIndex>(traffic.prng.below(nodes));
      const auto name = static_cast<std::uint32_t>(1000 + i);
      if (i % 4 != 0) air.send(at, u, name);
      if (i % 4 == 0) air.push(traffic.prng.chance(0.5) ? Air::Event::off : Air::Event::on, at, u);
    }
    const Time begin = air.now;
    air.run();
    for (std::uint32_t frame = 1000; frame < 1100; ++frame)
      EXPECT_EQ(air.done.contains(frame), frame % 4 != 0);
    const auto& counts = air.medium.counts();
    EXPECT_EQ(counts.possible,
              counts.received + counts.lost_overlap + counts.lost_deaf + counts.cut_off);
    for (NodeIndex v = 0; v < nodes; ++v) {
      const auto e = air.medium.energy(v, air.now);
      EXPECT_EQ(e.idle + e.busy + e.rx + e.tx + e.sleep, air.now);
      EXPECT_GE(std::min({e.idle, e.busy, e.rx, e.tx, e.sleep}), 0s);
    }
    EXPECT_GT(air.now, begin);
  }
}

TEST(CsmaOracle, TheSeedDecides) {
  const auto begins = [](std::uint64_t seed) {
    Air air(short_slots(), 2, seed);
    air.medium.link(0, 1, true);
    for (std::uint32_t frame = 0; frame < 20; ++frame) air.send(1ms, frame % 2, frame);
    air.run();
    return air.done;
  };
  EXPECT_EQ(begins(1), begins(1));
  EXPECT_NE(begins(1), begins(2));
}

// ns-3.37, 802.11n with broadcasts at 1 Mbit/s and RangePropagationLossModel: 60 nodes on 500 x 500
// m, range 60 m, random walk, 1800 s: 98.32 % of all possible receptions, 0.545 W. Each node sends
// 60 bytes every 102.4 +- 5 ms and 600 bytes every second.

struct Tally {
  double possible = 0;
  double received = 0;
  double joules = 0;
  double seconds = 0;
};

/// One placement for a minute. The sources feed themselves: frame 2u is the small one of node u,
/// and 2u + 1 the large one.
void add_placement(std::uint64_t seed, Tally& tally) {
  constexpr NodeIndex nodes = 60;
  constexpr Time end = 60s;
  Prng prng(seed);
  Csma medium(short_slots(), nodes, seed);
  std::vector<Point> at(nodes);
  for (Point& each : at) each = {500 * prng.unit(), 500 * prng.unit()};
  for (NodeIndex u = 0; u < nodes; ++u)
    for (NodeIndex v = 0; v < u; ++v)
      if (std::hypot(at[u].x - at[v].x, at[u].y - at[v].y) <= 60) medium.link(u, v, true);

  std::priority_queue<Air::Event> events;
  std::uint64_t order = 0;
  const auto push = [&](Air::Event::Kind kind, Time when, NodeIndex u, std::uint32_t name) {
    events.push({kind, when, order++, u, name, 0});
  };
  for (NodeIndex u = 0; u < nodes; ++u) {
    push(Air::Event::send, prng.between(0s, 102'400us), u, 2 * u);
    push(Air::Event::send, prng.between(0s, 1s), u, 2 * u + 1);
  }
  MediumEffects effects;
  while (events.top().at < end) {
    const Air::Event event = events.top();
    events.pop();
    effects.clear();
    if (event.kind == Air::Event::wake) {
      medium.wake(event.node, event.name, event.at, effects);
    } else {
      const bool large = event.name % 2 == 1;
      medium.send(event.node, event.name, large ? 600 : 60, event.at, effects);
      push(Air::Event::send, event.at + (large ? 1s : prng.between(97'400us, 107'400us)),
           event.node, event.name);
    }
    for (const auto& each : effects.wakes) push(Air::Event::wake, each.at, each.node, each.serial);
  }
  tally.possible += static_cast<double>(medium.counts().possible);
  tally.received += static_cast<double>(medium.counts().received);
  for (NodeIndex u = 0; u < nodes; ++u) tally.joules += medium.energy(u, end).joules;
  tally.seconds += nodes * core::seconds(end);
}

TEST(CsmaAgainstNs3, DeliveryAndPower) {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 20; ++seed) add_placement(seed, tally);
  const double delivery = tally.received / tally.possible;
  const double watts = tally.joules / tally.seconds;
  RecordProperty("delivery", std::to_string(delivery));
  RecordProperty("watts", std::to_string(watts));
  EXPECT_NEAR(delivery, 0.983, 0.01);
  EXPECT_NEAR(watts, 0.545, 0.05 * 0.545);
}

}  // namespace
}  // namespace bellwether::world
