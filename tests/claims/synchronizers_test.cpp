// SPDX-License-Identifier: MIT
// Synchronizers: round by round what a common clock would give, at the lecture's price.
#include <cmath>
#include <map>

#include "bellwether/algorithms/rounds/bfs_tree.hpp"
#include "bellwether/algorithms/rounds/flood_max.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/graph/distances.hpp"
#include "bellwether/layers/partition.hpp"
#include "bellwether/layers/synchronized.hpp"
#include "claims/claims.hpp"

namespace bellwether::claims {
namespace {

using algorithms::BfsTree;
using core::Synchronizer;
using layers::Synchronized;

constexpr std::array<Synchronizer, 5> all_kinds{Synchronizer::abd, Synchronizer::simple,
                                                Synchronizer::alpha, Synchronizer::beta,
                                                Synchronizer::gamma};

/// A protocol that forgets nothing: whatever arrives on whatever port in whatever round changes all
/// that follows, and it writes down a number for each round.
class Diary {
 public:
  static constexpr std::string_view name = "diary";
  struct Options {
    std::uint32_t rounds = 5;
    static constexpr std::tuple<> fields{};
    friend bool operator==(const Options&, const Options&) = default;
  };
  struct Word {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "word";
    std::uint64_t word = 0;
    static constexpr auto fields = std::tuple{core::field("word", &Word::word)};
    friend bool operator==(const Word&, const Word&) = default;
  };
  using Message = std::variant<Word>;
  using Timer = core::NoTimer;

  Diary() = default;
  Diary(NodeId id, Options options) : rounds_(options.rounds), word_(core::raw(id)) {}

  void round(core::Step<Message, Timer>& step, core::Inbox<Message> inbox) {
    if (halted()) return;
    for (const auto& received : inbox)
      word_ = core::splitmix(word_ + std::get<Word>(received.message).word +
                             77 * core::raw(received.port));
    diary_.push_back(word_);
    if (halted()) return;
    if (word_ % 3 == 0) return step.broadcast(Word{word_});
    for (const core::Port port : step.ports())
      if ((word_ >> (core::raw(port) % 64) & 1) != 0) step.send(port, Word{word_ + 1});
  }
  bool halted() const { return diary_.size() >= rounds_; }
  std::optional<NodeId> leader() const { return std::nullopt; }
  friend bool operator==(const Diary&, const Diary&) = default;

 private:
  std::uint32_t rounds_ = 5;
  std::uint64_t word_ = 0;
  std::vector<std::uint64_t> diary_;

 public:
  static constexpr auto fields =
      std::tuple{core::field("word", &Diary::word_), core::field("diary", &Diary::diary_)};
};

/// A message a round on every link, for as long as asked.
class Chatter {
 public:
  static constexpr std::string_view name = "chatter";
  struct Options {
    std::uint32_t rounds = 10;
    bool loud = true;
    static constexpr std::tuple<> fields{};
    friend bool operator==(const Options&, const Options&) = default;
  };
  struct Hello {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "hello";
    static constexpr std::tuple<> fields{};
    friend bool operator==(const Hello&, const Hello&) = default;
  };
  using Message = std::variant<Hello>;
  using Timer = core::NoTimer;
  Chatter() = default;
  Chatter(NodeId, Options options) : options_(options) {}
  void round(core::Step<Message, Timer>& step, core::Inbox<Message>) {
    if (!halted() && ++rounds_ < options_.rounds && options_.loud) step.broadcast(Hello{});
  }
  bool halted() const { return rounds_ >= options_.rounds; }
  std::optional<NodeId> leader() const { return std::nullopt; }
  friend bool operator==(const Chatter&, const Chatter&) = default;

 private:
  Options options_;
  std::uint32_t rounds_ = 0;

 public:
  static constexpr auto fields = std::tuple{core::field("rounds", &Chatter::rounds_)};
};

/// A synchronizer around a protocol, in a network.
template <class P>
auto synchronized(const Play& play, layers::PulseOptions pulse, typename P::Options options) {
  return std::make_unique<sim::SimulationOf<Synchronized>>(
      stage_of(play), play.scenario,
      Synchronized::Options{pulse, std::make_shared<core::Typed<P>>(options)});
}
template <class P>
const P& inside(const sim::SimulationOf<Synchronized>& run, NodeIndex u) {
  const core::AnyNode& node = run.node(u).inside();
  return static_cast<const core::Typed<P>&>(node.nodes()).node(node.index());
}

/// The same network with a common clock, and with a synchronizer.
template <class P>
void expect_same_rounds(const Play& play, typename P::Options options, layers::PulseOptions pulse) {
  auto native = std::make_unique<sim::RoundSimulationOf<P>>(stage_of(play), play.scenario, options);
  native->run();
  pulse.pulses = static_cast<layers::Pulse>(native->rounds() + 1);
  const auto layered = synchronized<P>(play, pulse, options);
  layered->run();
  for (NodeIndex u = 0; u < play.network.nodes; ++u) {
    ASSERT_EQ(layered->node(u).pulses(), pulse.pulses) << "node " << u;
    ASSERT_EQ(inside<P>(*layered, u), native->node(u))
        << core::name_of(pulse.kind) << " seed " << play.scenario.seed << " node " << u << ": "
        << core::text_of(inside<P>(*layered, u)) << " and not " << core::text_of(native->node(u));
  }
}

Scenario drawn_network(std::uint64_t seed) {
  const std::array<const char*, 6> shapes{"ring", "star",     "tree",
                                          "grid", "complete", "barabasi-albert"};
  Scenario s = on(shapes[seed % shapes.size()], static_cast<NodeIndex>(4 + seed % 13), seed);
  s.network.ids = "random";
  random_delays(s, Duration{1}, milliseconds(20));
  if (seed % 2 == 0) s.channel.order = world::Order::unordered;
  if (seed % 3 == 0) s.start.initiators = 1;
  return s;
}

TEST(Synchronizers, EveryRoundIsWhatACommonClockWouldGive) {
  for (std::uint64_t seed = 0; seed < 120; ++seed)
    for (const Synchronizer kind : all_kinds)
      expect_same_rounds<Diary>(play_of(drawn_network(seed)),
                                {.rounds = static_cast<std::uint32_t>(1 + seed % 9)},
                                {.kind = kind,
                                 .delay = milliseconds(20),
                                 .growth = static_cast<std::uint32_t>(2 + seed % 3)});
}

// The lecture's point: over a synchronizer the tree is breadth-first, whatever the delays; without
// one it is not (see bfs_tree_async_test.cpp).
TEST(Synchronizers, TheTreeIsBreadthFirst) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Scenario s = on("torus", 36, seed);
    random_delays(s);
    const Play play = play_of(s);
    const auto distances = graph::distances(
        graph::Graph(play.network.nodes, play.network.links, play.network.direction), 0);
    for (const Synchronizer kind : all_kinds) {
      const auto run =
          synchronized<BfsTree>(play, {.kind = kind, .pulses = 12, .delay = milliseconds(10)}, {});
      run->run();
      for (NodeIndex u = 0; u < play.network.nodes; ++u)
        EXPECT_EQ(inside<BfsTree>(*run, u).level(), distances[u]) << core::name_of(kind) << u;
    }
  }
}

/// Messages of a run of `pulses` pulses of a protocol that does or does not chat.
struct Price {
  std::uint64_t messages = 0;
  Duration time{};
};
Price price(Scenario s, Synchronizer kind, std::uint32_t pulses, bool loud) {
  const Play play = play_of(s);
  const auto run =
      synchronized<Chatter>(play, {.kind = kind, .pulses = pulses, .delay = unit}, {pulses, loud});
  const RunReport r = run->run();
  return {r.messages, r.time};
}
/// What one pulse more costs.
Price one_pulse(const Scenario& s, Synchronizer kind, bool loud) {
  const Price few = price(s, kind, 10, loud), more = price(s, kind, 20, loud);
  EXPECT_EQ((more.messages - few.messages) % 10, 0u);
  return {(more.messages - few.messages) / 10, (more.time - few.time) / 10};
}

Scenario grid(NodeIndex rows, NodeIndex columns) {
  Scenario s = on("grid", 0);
  s.network.rows = rows;
  s.network.columns = columns;
  s.start.nodes = {NodeId{1}};
  return s;
}

// E links, N nodes, M(pulse) and T(pulse) beside the messages of the protocol, as the lecture has
// them: M = M(init) + M(protocol) + M(pulse) * pulses.
TEST(Synchronizers, SimpleFillsEveryLinkOnceAPulse) {
  const Scenario s = grid(6, 8);
  const std::uint64_t links = 6 * 7 + 5 * 8;
  for (const bool loud : {false, true}) {  // M(pulse) = 2E, of which the protocol's are a part
    EXPECT_EQ(one_pulse(s, Synchronizer::simple, loud).messages, 2 * links);
    EXPECT_EQ(one_pulse(s, Synchronizer::simple, loud).time, unit);  // T(pulse) = 1
  }
  // M(init) = 0; T(init) = D: the first corner wakes the last one.
  const Price few = price(s, Synchronizer::simple, 10, false);
  EXPECT_EQ(few.messages, 9 * 2 * links);
  EXPECT_LE(few.time, (6 - 1 + 8 - 1 + 9) * unit);
  EXPECT_GT(few.time, 9 * unit);
}

TEST(Synchronizers, AlphaAcknowledgesAndTellsNeighbours) {
  const Scenario s = grid(6, 8);
  const std::uint64_t links = 6 * 7 + 5 * 8;
  EXPECT_EQ(one_pulse(s, Synchronizer::alpha, false).messages, 2 * links);  // safe
  EXPECT_EQ(one_pulse(s, Synchronizer::alpha, true).messages, 6 * links);   // message, ack, safe
  EXPECT_EQ(one_pulse(s, Synchronizer::alpha, false).time, unit);
  EXPECT_EQ(one_pulse(s, Synchronizer::alpha, true).time, 3 * unit);  // T(alpha) = 3
}

TEST(Synchronizers, BetaPaysForATreeAndItsDepth) {
  for (const auto& [topology, depth] :
       {std::pair<std::string, int>{"star", 1}, {"line", 39}, {"tree", 5}}) {
    Scenario s = on(topology, 40);
    s.start.nodes = {NodeId{1}};
    const std::uint64_t n = 40, links = 39;
    // safe and go once on each link of the tree, and an acknowledgement of each message.
    EXPECT_EQ(one_pulse(s, Synchronizer::beta, false).messages, 2 * (n - 1));
    EXPECT_EQ(one_pulse(s, Synchronizer::beta, true).messages, 2 * (n - 1) + 4 * links);
    EXPECT_EQ(one_pulse(s, Synchronizer::beta, false).time, 2 * depth * unit) << topology;
    // M(init) = 2E, and the first go; T(init) = twice the depth.
    const Price few = price(s, Synchronizer::beta, 10, false);
    EXPECT_EQ(few.messages, 2 * links + (n - 1) + 9 * 2 * (n - 1));
    EXPECT_EQ(few.time, (2 * depth + depth + 9 * 2 * depth) * unit) << topology;
  }
}

TEST(Synchronizers, AbdPaysWithTime) {
  const Scenario s = grid(6, 8);
  const std::uint64_t links = 6 * 7 + 5 * 8;
  EXPECT_EQ(one_pulse(s, Synchronizer::abd, false).messages, 0u);
  EXPECT_EQ(one_pulse(s, Synchronizer::abd, false).time, 2 * unit + Duration{1});  // 2d
  EXPECT_EQ(price(s, Synchronizer::abd, 10, false).messages, 2 * links);           // M(init)
}

/// Links of clusters' trees, preferred links, and the depth of the deepest tree.
struct Shape {
  std::uint64_t tree = 0, preferred = 0;
  int depth = 0;
};
Shape shape_of(const layers::Partition& partition) {
  std::map<NodeId, NodeId> parent;
  for (const auto& place : partition.places) parent[place.node] = place.parent;
  Shape out;
  for (const auto& place : partition.places) {
    out.preferred += place.preferred.size();
    if (place.parent != place.node) ++out.tree;
    int depth = 0;
    for (NodeId at = place.node; parent.at(at) != at; at = parent.at(at)) ++depth;
    out.depth = std::max(out.depth, depth);
  }
  out.preferred /= 2;
  return out;
}
layers::Partition partition_of(const Play& play, std::uint32_t growth) {
  std::vector<layers::Link> links;
  for (const auto& e : play.network.links) links.emplace_back(play.names()[e.a], play.names()[e.b]);
  return layers::make_partition(links, growth);
}

TEST(Synchronizers, GammaLiesBetweenAlphaAndBeta) {
  const Scenario s = grid(12, 12);
  const Shape shape = shape_of(partition_of(play_of(s), 2));
  // In the clusters: safe, cluster-safe, ready, go on each link of a tree; between them one
  // cluster-safe each way.
  const Price pulse = one_pulse(s, Synchronizer::gamma, false);
  EXPECT_EQ(pulse.messages, 4 * shape.tree + 2 * shape.preferred);
  // M(init) = 2E for a tree, and the partition sent down in it.
  const std::uint64_t links = 2 * 12 * 11, n = 12 * 12;
  EXPECT_EQ(price(s, Synchronizer::gamma, 10, false).messages,
            2 * links + (n - 1) + 9 * pulse.messages);
  EXPECT_LT(pulse.time, one_pulse(s, Synchronizer::beta, false).time);
  EXPECT_GT(pulse.time, one_pulse(s, Synchronizer::alpha, false).time);
}

TEST(Synchronizers, ClustersAreShallowAndTouchSeldom) {
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    for (const std::uint32_t growth : {2u, 3u, 8u}) {
      Scenario s = drawn_network(seed);
      s.network.nodes = static_cast<NodeIndex>(20 + 7 * (seed % 11));
      const Play play = play_of(s);
      const double n = play.network.nodes;
      const Shape shape = shape_of(partition_of(play, growth));
      EXPECT_LE(shape.depth, std::log(n) / std::log(growth) + 1e-9) << seed;
      EXPECT_LE(static_cast<double>(shape.preferred), (growth - 1) * n) << seed;
    }
}

TEST(Synchronizers, WhatCannotBeIsRefused) {
  const auto complaint = [](const Scenario& s) -> std::string {
    try {
      simulate<algorithms::FloodMax>(s);
    } catch (const core::Problem& bad) {
      return bad.what();
    }
    return "";
  };
  Scenario s = on("ring", 8);
  s.rounds.synchronizer = Synchronizer::abd;
  EXPECT_EQ(complaint(s), "");
  s.channel.delay = world::Delay::exponential;
  EXPECT_NE(complaint(s).find("delays with a bound"), std::string::npos) << complaint(s);
  s.rounds.synchronizer = Synchronizer::alpha;
  EXPECT_EQ(complaint(s), "");
  s.network.one_way = true;
  EXPECT_NE(complaint(s).find("both ways"), std::string::npos) << complaint(s);
}

}  // namespace
}  // namespace bellwether::claims
