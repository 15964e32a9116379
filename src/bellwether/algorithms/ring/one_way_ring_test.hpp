// SPDX-License-Identifier: MIT
// One-way rings, for tests of elections whose cost depends on the order of the ids: one node by
// hand, all orders, the bad ones that can be written down, and a search for others.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/algorithms/ring/ring_orders_test.hpp"

namespace bellwether::algorithms {

/// A node that has started, and one message after the other. Port 0 leads on.
template <class P>
struct OneNode {
  using Sent = std::vector<typename P::Message>;
  ByHand<P> hand{ids_of({8})};
  P node;

  explicit OneNode(std::uint64_t id, typename P::Options options = {}) : node(NodeId{id}, options) {
    node.start(hand.next());
  }
  /// What it sends when this comes in.
  Sent receive(const typename P::Message& message) {
    node.receive(hand.next(), Port{1}, message);
    return sent();
  }
  Sent sent() const {
    Sent all;
    for (const auto& send : hand.step.sends()) {
      EXPECT_EQ(send.port, Port{0});
      all.push_back(send.message);
    }
    return all;
  }
};

/// Every order of 1..n, but those that only turn the ring.
template <class Visit>
void for_each_order(NodeIndex n, Visit&& visit) {
  std::vector<std::uint64_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{1});
  do visit(ids_of(numbers));
  while (std::next_permutation(numbers.begin() + 1, numbers.end()));
}

using ring_orders::bit_reversed_order;
using ring_orders::fibonacci_order;

/// Exchanges and moves single ids as long as the cost does not fall.
template <class Cost>
std::uint64_t climb(std::vector<NodeId> ids, int steps, core::Prng& prng, Cost&& cost) {
  std::uint64_t most = cost(ids);
  for (int i = 0; i < steps; ++i) {
    auto next = ids;
    const auto a = next.begin() + static_cast<std::ptrdiff_t>(prng.below(ids.size()));
    const auto b = next.begin() + static_cast<std::ptrdiff_t>(prng.below(ids.size()));
    if (prng.chance(0.5))
      std::iter_swap(a, b);
    else if (a < b)
      std::rotate(a, a + 1, b + 1);
    else
      std::rotate(b, a, a + 1);
    const std::uint64_t found = cost(next);
    if (found < most) continue;
    most = found;
    ids = std::move(next);
  }
  return most;
}

struct Spent {
  std::size_t messages;
  std::int64_t time;
};

/// A run in which these start together and every message takes one unit of time; watched by the
/// properties.
template <class P>
Spent spent(const std::vector<NodeId>& ids, typename P::Options options,
            std::uint64_t initiators = ~std::uint64_t{0}) {
  HandDriver<P> driver(ids, options);
  driver.make_ring();
  for (NodeIndex i = 0; i < driver.size(); ++i)
    if (i >= 64 || (initiators >> i) % 2 == 1) driver.start(i);
  driver.run();
  return {driver.sent(), driver.now().count()};
}

/// Every order of up to `all` ids, and every set of initiators of up to `sets`: within the bound,
/// and every node names the best initiator.
template <class P>
void expect_every_small_ring(typename P::Options options, NodeIndex all, NodeIndex sets) {
  for (NodeIndex n = 1; n <= all; ++n) {
    const std::uint64_t everybody = (std::uint64_t{1} << n) - 1;
    for_each_order(n, [&](const std::vector<NodeId>& ids) {
      for (std::uint64_t some = n <= sets ? 1 : everybody; some <= everybody; ++some) {
        HandDriver<P> driver(ids, options);
        driver.make_ring();
        for (NodeIndex i = 0; i < n; ++i)
          if ((some >> i) % 2 == 1) driver.start(i);
        driver.run();
        ASSERT_EQ(driver.leaders_named(best_initiator<P>(driver).value()), n);
        ASSERT_LE(driver.sent(), P::message_bound(n, options));
      }
    });
  }
}

/// Random rings, initiators, starts and delays, watched by the properties.
template <class P, class AnyOptions>
void expect_any_initiators(std::uint64_t runs, AnyOptions&& any_options) {
  core::Prng prng(3);
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    const auto n = static_cast<NodeIndex>(2 + prng.below(12));
    const typename P::Options options = any_options(seed);
    const bool reorders = P::facts.model.tolerates_reordering && prng.chance(0.5);
    const bool repeats = P::facts.model.tolerates_duplicates && prng.chance(0.5);
    HandDriver<P> driver(shuffled_ids(n, prng), options,
                         {.max = Duration{50}, .fifo = !reorders, .duplicates = repeats ? 0.2 : 0},
                         seed);
    driver.make_ring();
    for (NodeIndex i = 0; i < n; ++i)
      if (i == 0 || prng.chance(0.4)) driver.start(i, Time{static_cast<int>(prng.below(60))});
    ASSERT_NO_THROW(driver.run()) << seed;
    const auto best = best_initiator<P>(driver);
    ASSERT_TRUE(best.has_value()) << seed;
    ASSERT_EQ(driver.leaders_named(*best), options.announce ? n : 1) << seed;
    if (repeats) continue;  // they are not counted in any bound
    ASSERT_LE(driver.sent(), P::message_bound(n, options)) << seed;
  }
}

struct Extremes {
  std::size_t least = ~std::size_t{0};
  std::size_t most = 0;
  std::int64_t longest = 0;
};

/// Of all orders, where all start together.
template <class P>
Extremes extremes(NodeIndex n, typename P::Options options) {
  Extremes found;
  for_each_order(n, [&](const std::vector<NodeId>& ids) {
    const Spent run = spent<P>(ids, options);
    found.least = std::min(found.least, run.messages);
    found.most = std::max(found.most, run.messages);
    found.longest = std::max(found.longest, run.time);
  });
  return found;
}

inline std::vector<NodeId> falling_order(NodeIndex n) {
  std::vector<std::uint64_t> numbers(n);
  std::iota(numbers.rbegin(), numbers.rend(), std::uint64_t{1});
  return ids_of(numbers);
}

/// Whether some run goes wrong when channels do not keep their order.
template <class P>
bool breaks_without_fifo(typename P::Options options) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    core::Prng prng(seed);
    HandDriver<P> driver(shuffled_ids(6, prng), options, {.max = Duration{50}, .fifo = false},
                         seed);
    driver.make_ring();
    driver.start_all();
    try {
      driver.run();
    } catch (const core::Violation&) {
      return true;
    }
  }
  return false;
}

}  // namespace bellwether::algorithms
