// SPDX-License-Identifier: MIT
// The search against a plain one: the same states, the same quiescent states, the same shortest
// path to a disagreement.
#include "bellwether/check/oracle_test.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/complete/bully.hpp"
#include "bellwether/algorithms/moving/cel.hpp"
#include "bellwether/algorithms/moving/cel_2.hpp"
#include "bellwether/algorithms/moving/height.hpp"
#include "bellwether/algorithms/moving/topology_aware.hpp"
#include "bellwether/algorithms/ring/chang_roberts.hpp"
#include "bellwether/algorithms/ring/lelann.hpp"
#include "bellwether/check/explore_test.hpp"

namespace bellwether::check {
namespace {

using namespace algorithms;

/// The number of states, so that a case which has become empty is seen.
template <class P>
std::uint64_t same_as_oracle(const Spec& spec, typename P::Options options = {}) {
  const auto expected = Oracle<P>(spec, options).run();
  const Explored got = explore<P>(core::hosted<P>(options), spec);
  EXPECT_EQ(got.found.ended, SearchEnd::complete) << got.found.note;
  EXPECT_EQ(got.found.states, expected.states);
  EXPECT_EQ(got.found.rests, expected.rests);
  EXPECT_EQ(got.outcomes, expected.outcomes);
  // And with a judge, breadth first: as many actions as the plain search needs.
  const Explored judged = explore<P>(core::hosted<P>(options), spec, true);
  EXPECT_EQ(judged.found.ended == SearchEnd::violation, expected.violation.has_value())
      << judged.found.breach.sentence;
  if (expected.violation) {
    EXPECT_EQ(judged.found.path.size(), *expected.violation) << judged.found.breach.sentence;
  }
  return expected.states;
}

TEST(Oracle, RingsWithTokens) {
  for (NodeIndex n = 1; n <= 4; ++n)
    for (const auto order : {ChannelOrder::fifo, ChannelOrder::unordered})
      for (const unsigned duplicates : {0u, 1u}) {
        SCOPED_TRACE(std::to_string(n) + " nodes, " + std::to_string(duplicates) + " duplicates");
        Spec spec = plain_spec_all<ChangRoberts>(n, true);
        spec.one_way = n > 1;
        set_all_graphs(spec, n, ChangRoberts::facts.model, true);
        // Of several graphs each is searched on its own: only one can be compared as a whole.
        spec.graphs.resize(1);
        spec.order = order;
        spec.duplicates = duplicates;
        same_as_oracle<ChangRoberts>(spec);
        if (duplicates == 0) same_as_oracle<LeLann>(spec);
      }
}

TEST(Oracle, LinksThatChange) {
  std::uint64_t states = 0;
  for (const auto notify : {Notify::edge, Notify::level, Notify::instant})
    for (const auto order : {ChannelOrder::fifo, ChannelOrder::unordered}) {
      SCOPED_TRACE(std::string(names_of(notify)[static_cast<std::size_t>(notify)]) + " " +
                   std::string(names_of(order)[static_cast<std::size_t>(order)]));
      for (const NodeIndex n : {2u, 3u}) {
        SCOPED_TRACE(n);
        Spec spec = plain_spec_all<Cel>(n, false);
        spec.notify = notify;
        spec.order = order;
        spec.changes = n == 2 ? 4 : 1;
        states += same_as_oracle<Cel>(spec);
        spec.changes = n == 2 ? 2 : 1;
        states += same_as_oracle<Cel2>(spec);
        states += same_as_oracle<Height>(spec);
        if (n == 2) states += same_as_oracle<TopologyAware>(spec);
      }
    }
  EXPECT_GT(states, 20'000u);
}

TEST(Oracle, TwoChangesOfThreeNodes) {
  for (const auto notify : {Notify::edge, Notify::level, Notify::instant}) {
    Spec spec = plain_spec<Cel>("12,13");
    spec.notify = notify;
    spec.changes = 2;
    EXPECT_GT(same_as_oracle<Cel>(spec), 300u);
    spec.order = ChannelOrder::fifo;
    EXPECT_GT(same_as_oracle<Height>(spec), 100u);
  }
}

TEST(Oracle, Scripts) {
  for (const auto notify : {Notify::edge, Notify::level, Notify::instant})
    for (const auto& [graph, script] : {std::pair{"12,13", "23,12"},
                                        {"12,13", "12,12"},
                                        {"12,13", "x3,r3"},
                                        {"12,13", "12,x2"},
                                        {"12", "12,x2,r2"},
                                        {"12", "x1,12,r1,12"},
                                        {"12", "12,12,12,x1"}}) {
      SCOPED_TRACE(script);
      Spec spec = plain_spec<Cel>(graph);
      spec.notify = notify;
      set_script(spec, script);
      EXPECT_GT(same_as_oracle<Cel>(spec), 3u);
      spec.memory = true;
      same_as_oracle<Cel>(spec);
    }
}

TEST(Oracle, CrashesAndRestarts) {
  for (const auto notify : {Notify::edge, Notify::level, Notify::instant})
    for (const bool memory : {false, true})
      for (const unsigned restarts : {0u, 1u}) {
        SCOPED_TRACE(std::to_string(memory) + std::to_string(restarts));
        Spec spec = plain_spec<Cel>("12,23");
        spec.notify = notify;
        spec.crashes = 1;
        spec.restarts = restarts;
        spec.memory = memory;
        if (notify != Notify::edge || restarts == 0) same_as_oracle<Cel>(spec);
        if (notify == Notify::instant && restarts == 0) same_as_oracle<Cel2>(spec);
        spec.order = ChannelOrder::fifo;
        same_as_oracle<Height>(spec);
        spec = plain_spec<Cel>("12");
        spec.notify = notify;
        spec.crashes = 2;
        spec.restarts = 2 * restarts;
        spec.memory = memory;
        spec.changes = 1;
        same_as_oracle<Cel>(spec);
      }
}

TEST(Oracle, LossesAndDuplicates) {
  for (const unsigned losses : {0u, 1u, 2u})
    for (const unsigned duplicates : {0u, 1u})
      for (const auto order : {ChannelOrder::fifo, ChannelOrder::unordered}) {
        SCOPED_TRACE(std::to_string(losses) + std::to_string(duplicates));
        Spec spec = plain_spec<Cel>("12,23");
        spec.order = order;
        spec.losses = losses;
        spec.duplicates = duplicates;
        spec.changes = 1;
        spec.notify = Notify::instant;
        same_as_oracle<Cel>(spec);
        Spec pair = plain_spec<Cel2>("12");
        pair.order = order;
        pair.losses = losses;
        pair.duplicates = duplicates;
        pair.changes = 1;
        same_as_oracle<Cel2>(pair);
      }
}

TEST(Oracle, BullyWithItsTimers) {
  for (const char* graph : {"complete:1", "complete:2", "complete:3"}) {
    SCOPED_TRACE(graph);
    same_as_oracle<Bully>(plain_spec<Bully>(graph));
  }
}

}  // namespace
}  // namespace bellwether::check
