// SPDX-License-Identifier: MIT
#include "bellwether/sim/event_queue.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "bellwether/core/prng.hpp"

namespace bellwether::sim {
namespace {

struct Event {
  std::uint64_t time;
  std::uint64_t sequence;
};

void put(EventQueue<Event>& queue, std::uint64_t time, std::uint64_t sequence) {
  queue.push(time).sequence = sequence;
}

Event pop(EventQueue<Event>& queue) {
  return queue.take(1).front();
}

/// The plain truth: a map from (time, sequence).
void compare_with_map(std::uint64_t seed, std::uint64_t spread_bits, int operations) {
  core::Prng prng(seed);
  EventQueue<Event> queue;
  std::map<std::pair<std::uint64_t, std::uint64_t>, bool> model;
  std::uint64_t sequence = 0;
  for (int i = 0; i < operations; ++i) {
    if (queue.empty() || prng.below(100) < 52) {
      const std::uint64_t spread = std::uint64_t{1} << prng.below(spread_bits + 1);
      const Event event{queue.now() + prng.below(spread), sequence++};
      put(queue, event.time, event.sequence);
      model[{event.time, event.sequence}] = true;
    } else {
      for (const Event& event : queue.take(1 + prng.below(5))) {
        ASSERT_EQ(std::pair(event.time, event.sequence), model.begin()->first);
        model.erase(model.begin());
      }
    }
    ASSERT_EQ(queue.size(), model.size());
  }
  while (!queue.empty()) {
    const Event event = pop(queue);
    ASSERT_EQ(std::pair(event.time, event.sequence), model.begin()->first);
    model.erase(model.begin());
  }
  EXPECT_TRUE(model.empty());
}

TEST(EventQueue, OrdersByTimeThenByInsertion) {
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    compare_with_map(seed, seed % 4 == 0 ? 2 : seed % 4 == 1 ? 10 : seed % 4 == 2 ? 30 : 58, 5000);
}

RC_GTEST_PROP(EventQueueProperty, AnyTimesComeOutSorted, (std::vector<std::uint64_t> times)) {
  EventQueue<Event> queue;
  for (std::uint64_t i = 0; i < times.size(); ++i) put(queue, times[i] >> 1, i);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> out;
  while (!queue.empty()) {
    const Event event = pop(queue);
    out.push_back({event.time, event.sequence});
  }
  RC_ASSERT(out.size() == times.size());
  RC_ASSERT(std::is_sorted(out.begin(), out.end()));
}

TEST(EventQueue, ManyEventsOfOneMomentStayInOrder) {
  EventQueue<Event> queue;
  for (std::uint64_t i = 0; i < 10'000; ++i) put(queue, 1'000'000, i);
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const Event event = pop(queue);
    ASSERT_EQ(event.sequence, i);
    if (i == 5'000) put(queue, 1'000'000, 10'000);  // joins the moment at its end
  }
  EXPECT_EQ(pop(queue).sequence, 10'000u);
}

TEST(EventQueue, RefusesThePast) {
  EventQueue<Event> queue;
  put(queue, 100, 0);
  pop(queue);
  EXPECT_THROW(put(queue, 99, 1), core::Violation);
  EXPECT_THROW(pop(queue), core::Violation);
}

}  // namespace
}  // namespace bellwether::sim
