// SPDX-License-Identifier: MIT
// What is tried with every asynchronous election in a complete network.
#pragma once

#include <gtest/gtest.h>

#include "bellwether/algorithms/complete/complete.hpp"
#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {

/// All links, so that every node has its ports in an order of its own.
template <class P>
void link_all(HandDriver<P>& driver, core::Prng& prng) {
  std::vector<std::pair<NodeIndex, NodeIndex>> pairs;
  for (NodeIndex i = 0; i < driver.size(); ++i)
    for (NodeIndex j = 0; j < i; ++j) pairs.emplace_back(i, j);
  core::shuffle(pairs, prng);
  for (const auto& [a, b] : pairs) driver.link(a, b);
}

/// The leader that all nodes name, or none.
template <class P>
std::optional<NodeId> named_by_all(const HandDriver<P>& driver) {
  const auto leader = driver.node(0).leader();
  if (!leader || driver.leaders_named(*leader) != driver.size()) return std::nullopt;
  return leader;
}

/// The only message of a step by hand.
template <class P>
std::pair<Port, typename P::Message> sent(const ByHand<P>& hand) {
  EXPECT_EQ(hand.step.sends().size(), 1u);
  if (hand.step.sends().empty()) return {};
  return {hand.step.sends()[0].port, hand.step.sends()[0].message};
}

struct Cost {
  std::size_t messages;
  Time time;  // from the first start to the last step
};

/// A run without faults, watched by the properties.
template <class P>
Cost elect(const std::vector<NodeId>& ids, const std::vector<std::pair<NodeIndex, Time>>& starts,
           Travel travel, std::uint64_t seed) {
  core::Prng prng(seed);
  HandDriver<P> driver(ids, {}, travel, seed);
  link_all(driver, prng);
  Time first = core::end_of_time;
  for (const auto& [node, at] : starts) {
    driver.start(node, at);
    first = std::min(first, at);
  }
  driver.run();
  const auto leader = named_by_all(driver);
  EXPECT_TRUE(leader.has_value()) << "seed " << seed;
  bool started = false;
  for (const auto& [node, at] : starts) started = started || ids[node] == leader;
  EXPECT_TRUE(started) << "seed " << seed;
  EXPECT_LE(driver.sent(), P::message_bound(ids.size(), {})) << "seed " << seed;
  return {driver.sent(), driver.now() - first};
}

/// A tournament of equals: 2, 4, 8, ... nodes that differ in their last bits only fight it out
/// first, and all the fights of a turn take place at the same time. Ids rise. n is a power of two.
template <class P>
std::size_t cost_of_a_tournament(NodeIndex n) {
  std::vector<std::uint64_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{1});
  HandDriver<P> driver(ids_of(numbers), {});
  for (NodeIndex difference = 1; difference < n; ++difference)
    for (NodeIndex u = 0; u < n; ++u)
      if (u < (u ^ difference)) driver.link(u, u ^ difference);
  driver.start_all();
  driver.run();
  EXPECT_EQ(named_by_all(driver), NodeId{n});
  EXPECT_LE(driver.sent(), P::message_bound(n, {}));
  return driver.sent();
}

/// Any ids, any ports, any initiators at any time, any delays.
template <class P>
void expect_one_leader_in_any_run(std::uint64_t runs) {
  core::Prng prng(5);
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    const auto n = static_cast<NodeIndex>(2 + prng.below(11));
    const Travel travel{.min = Duration{1},
                        .max = Duration{1 + static_cast<int>(prng.below(60))},
                        .fifo = !P::facts.model.tolerates_reordering || prng.chance(0.3)};
    const std::uint64_t window = 1 + prng.below(4) * 40;
    std::vector<std::pair<NodeIndex, Time>> starts;
    for (NodeIndex i = 0; i < n; ++i)
      if (i == 0 || prng.chance(0.6))
        starts.emplace_back(i, Time{static_cast<int>(prng.below(window))});
    elect<P>(shuffled_ids(n, prng), starts, travel, seed);
  }
}

/// All orders of four ids, all sets of initiators, some orders of messages.
template <class P>
void expect_one_leader_in_all_small_networks() {
  std::vector<std::uint64_t> numbers{1, 2, 3, 4};
  std::size_t runs = 0;
  do {
    for (unsigned set = 1; set < 16; ++set)
      for (std::uint64_t seed = 0; seed < 8; ++seed) {
        std::vector<std::pair<NodeIndex, Time>> starts;
        for (NodeIndex i = 0; i < 4; ++i)
          if ((set >> i & 1u) != 0) starts.emplace_back(i, Time{0});
        elect<P>(ids_of(numbers), starts, {.max = Duration{seed == 0 ? 1 : 30}}, seed);
        ++runs;
      }
  } while (std::next_permutation(numbers.begin(), numbers.end()));
  EXPECT_EQ(runs, 24u * 15 * 8);
}

template <class P>
void expect_alone_it_leads_at_once() {
  HandDriver<P> driver(ids_of({5}), {});
  driver.start(0);
  driver.run();
  EXPECT_EQ(driver.node(0).leader(), NodeId{5});
  EXPECT_EQ(driver.sent(), 0u);
}

/// A message that comes in is read as it was sent.
template <class Message>
void expect_round_trip(const std::vector<Message>& messages) {
  for (const Message& each : messages)
    EXPECT_EQ(core::decode<Message>(core::encode(each)), each) << core::text_of(each);
}

/// Two nodes that each believe that they are alone, and one that knows no other node.
template <class P>
void expect_properties_bite() {
  ByHand<P> alone({});
  P one(NodeId{1}, {}), two(NodeId{2}, {}), silent(NodeId{3}, {});
  one.start(alone.next());
  const auto all = P::monitors();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0]->name(), "one-leader");
  EXPECT_EQ(all[1]->name(), "known");
  const Picture<P> asleep({P(NodeId{1}, {}), two});
  EXPECT_NO_THROW(all[1]->at_rest(asleep));
  const Picture<P> unknown({one, two, silent});
  EXPECT_NO_THROW(all[0]->after(unknown, {core::Cause::start, 0, {}}));
  EXPECT_NO_THROW(all[0]->after(unknown, {core::Cause::start, 0, {}}));
  EXPECT_THROW(all[1]->at_rest(unknown), core::Violation);
  EXPECT_NO_THROW(all[1]->at_rest(Picture<P>({one})));
  two.start(alone.next());
  EXPECT_THROW(all[0]->after(Picture<P>({one, two}), {core::Cause::start, 1, {}}), core::Violation);
}

}  // namespace bellwether::algorithms
