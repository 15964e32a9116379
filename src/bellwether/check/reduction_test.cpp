// SPDX-License-Identifier: MIT
// What makes a search faster changes nothing that it finds: partial orders, messages that can have
// no effect any more, depth first, two threads, renumbered clocks.
#include <gtest/gtest.h>

#include "bellwether/algorithms/moving/cel.hpp"
#include "bellwether/algorithms/moving/cel_2.hpp"
#include "bellwether/algorithms/moving/height.hpp"
#include "bellwether/algorithms/moving/topology_aware.hpp"
#include "bellwether/check/explore_test.hpp"

namespace bellwether::check {
namespace {

using namespace algorithms;

template <class P>
Explored found(const Spec& spec, bool agreement, const typename P::Options& options = {}) {
  return explore<P>(core::hosted<P>(options), spec, agreement);
}

/// All ways to search, against the one that leaves nothing out. How many states that has.
template <class P>
std::uint64_t same_however(Spec spec, const typename P::Options& options = {}) {
  const Explored full = found<P>(spec, false, options);
  EXPECT_EQ(full.found.ended, SearchEnd::complete);
  const Explored judged = found<P>(spec, true, options);
  for (const bool reduce : {false, true})
    for (const bool absorb : {false, true})
      for (const auto order : {SearchOrder::breadth, SearchOrder::depth})
        for (const unsigned threads : {1u, 2u}) {
          SCOPED_TRACE(std::string(reduce ? "reduce " : "") + (absorb ? "absorb " : "") +
                       (order == SearchOrder::depth ? "depth " : "") + std::to_string(threads));
          spec.reduce = reduce;
          spec.absorb = absorb;
          spec.search = order;
          spec.threads = threads;
          const Explored other = found<P>(spec, false, options);
          EXPECT_EQ(other.found.ended, SearchEnd::complete);
          EXPECT_EQ(other.outcomes, full.outcomes);
          EXPECT_LE(other.found.states, full.found.states);
          EXPECT_EQ(other.found.acyclic, full.found.acyclic);
          const Explored again = found<P>(spec, true, options);
          EXPECT_EQ(again.found.ended, judged.found.ended);
          if (order == SearchOrder::breadth && !reduce && !absorb) {
            EXPECT_EQ(again.found.path.size(), judged.found.path.size());
          }
          if (order == SearchOrder::breadth && !reduce && absorb) {
            EXPECT_LE(again.found.path.size(), judged.found.path.size());
          }
        }
  return full.found.states;
}

TEST(Reductions, DoNotChangeWhatIsFound) {
  std::uint64_t states = 0;
  for (const auto notify : {Notify::edge, Notify::level, Notify::instant})
    for (const auto order : {ChannelOrder::fifo, ChannelOrder::unordered}) {
      for (const char* graph : {"empty:2", "12"}) {
        SCOPED_TRACE(graph);
        Spec spec = plain_spec<Cel>(graph);
        spec.notify = notify;
        spec.order = order;
        spec.changes = 3;
        states += same_however<Cel>(spec);
        spec.changes = 2;
        states += same_however<TopologyAware>(spec);
        states += same_however<Cel2>(spec);
        states += same_however<Height>(spec);
        spec.changes = 1;
        spec.losses = 1;
        states += same_however<Cel>(spec);
        states += same_however<Cel2>(spec);
        spec.losses = 0;
        spec.crashes = spec.restarts = 1;
        states += same_however<Cel>(spec);
        states += same_however<Height>(spec);
      }
      for (const char* graph : {"12", "12,13", "12,13,23"}) {
        SCOPED_TRACE(graph);
        Spec spec = plain_spec<Cel>(graph);
        spec.notify = notify;
        spec.order = order;
        spec.changes = 1;
        states += same_however<Cel>(spec);
        states += same_however<Height>(spec);
        spec.changes = 0;
        set_script(spec, "12,12");
        states += same_however<Cel>(spec);
        states += same_however<Height>(spec);
      }
    }
  EXPECT_GT(states, 10'000u);
}

/// The quiescent states of the nodes, readings of clocks renumbered in their order.
std::string ranked_text(const core::Snapshot<Height>& all) {
  std::set<std::uint64_t> readings;
  std::vector<Height> nodes;
  for (NodeIndex u = 0; u < all.size(); ++u) nodes.push_back(all.node(u));
  const auto size = [](auto value) {
    return static_cast<std::uint64_t>(std::abs(std::int64_t(value)));
  };
  for (Height& node : nodes)
    node.for_each_stamp([&](std::uint64_t, auto& v) {
      if (v != 0) readings.insert(size(v));
    });
  std::string out;
  for (Height& node : nodes) {
    node.for_each_stamp([&](std::uint64_t, auto& v) {
      if (v == 0) return;
      const auto rank = std::distance(readings.begin(), readings.find(size(v))) + 1;
      v = static_cast<std::remove_reference_t<decltype(v)>>(std::int64_t(v) < 0 ? -rank : rank);
    });
    out += core::text_of(node) + "\n";
  }
  return out;
}

std::set<std::string> ranked(const Spec& spec, const Height::Options& options) {
  std::set<std::string> seen;
  Plan plan(spec, false);
  Contents contents(spec.order);
  JudgeSpec judge;
  judge.agreement = false;
  Machine machine(plan, core::hosted<Height>(options), {}, judge);
  machine.read_channels_from(contents);
  const auto record = [&](const Number* slots) {
    machine.show(slots, [&](const core::Configuration& all) {
      seen.insert(ranked_text(TypedView<Height>(all)));
    });
  };
  Search search(plan, machine, contents,
                {.reduce = spec.reduce, .cycles = true, .threads = 1, .on_rest = record}, {});
  EXPECT_EQ(search.run(make_roots(plan, machine, contents)).ended, SearchEnd::complete);
  return seen;
}

TEST(Reductions, RanksOfAClockThatAllShareAreAsGoodAsReadings) {
  Height::Options options;
  options.clock = Height::ClockKind::perfect;
  for (const auto& [graph, script] : {std::pair{"12,34", "12,34"},
                                      {"12,23,34", "12,34"},
                                      {"12,13,23", "23,12,13"},
                                      {"empty:3", "12,23"}}) {
    SCOPED_TRACE(graph);
    Spec spec = plain_spec<Height>(graph);
    set_script(spec, script);
    const auto exact = ranked(spec, options);
    spec.clocks = ClockValues::rank;
    EXPECT_EQ(ranked(spec, options), exact);
    EXPECT_GT(exact.size(), 1u);
  }
}

/// Of clocks that are counted up from what a node has seen, the distance matters, too: ranks lead
/// to more than there is. To less they do not, here.
TEST(Reductions, RanksOfCountedClocksMissNothing) {
  for (const auto& [graph, script] : {std::pair{"12,34", "12,34"},
                                      {"12,23,34", "12,34"},
                                      {"12,13,23", "23,12,13"},
                                      {"12,23,34", "12,34,14"},
                                      {"12,23", "12,23,12,23"}}) {
    SCOPED_TRACE(graph);
    Spec spec = plain_spec<Height>(graph);
    set_script(spec, script);
    const auto exact = ranked(spec, {});
    spec.clocks = ClockValues::rank;
    const auto ranks = ranked(spec, {});
    EXPECT_TRUE(std::includes(ranks.begin(), ranks.end(), exact.begin(), exact.end()));
  }
}

TEST(Limits, OfUntoldChangesAreTold) {
  Spec spec = plain_spec<Cel>("12");
  spec.absorb = true;
  spec.changes = 7;
  EXPECT_EQ(found<Cel>(spec, false).found.ended, SearchEnd::complete);
  spec.changes = 8;
  const Explored cut = found<Cel>(spec, false);
  EXPECT_EQ(cut.found.ended, SearchEnd::transit);
  EXPECT_NE(cut.found.note.find("more than 7 notifications"), std::string::npos) << cut.found.note;
}

/// Partial orders are for steps that can change places.
TEST(Reductions, AreLeftOutWhereNodesReadOneClock) {
  Plan plan(plain_spec<Height>("12,34"), false);
  for (const auto clock : {Height::ClockKind::logical, Height::ClockKind::perfect}) {
    Height::Options options;
    options.clock = clock;
    const Machine machine(plan, core::hosted<Height>(options), {}, {});
    EXPECT_EQ(machine.steps_commute(), clock == Height::ClockKind::logical);
  }
  Spec ranks = plain_spec<Height>("12,34");
  ranks.clocks = ClockValues::rank;
  Plan other(ranks, false);
  const Machine machine(other, core::hosted<Height>(Height::Options{}), {}, {});
  EXPECT_FALSE(machine.steps_commute());
}

}  // namespace
}  // namespace bellwether::check
