// SPDX-License-Identifier: MIT
#include "bellwether/core/event_queue.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "bellwether/core/prng.hpp"

namespace bellwether::core {
namespace {

struct Taken {
  std::uint64_t time;
  std::uint64_t sequence;
};

/// A queue whose events carry some bytes, all of which must come out as they went in.
class Queue : public EventQueue {
 public:
  explicit Queue(std::size_t payload_bytes) : EventQueue(payload_bytes), bytes_(payload_bytes) {}

  void put(std::uint64_t time, std::uint64_t sequence) {
    QueuedEvent& event = push(time);
    event.subject = static_cast<std::uint32_t>(sequence);
    event.detail = static_cast<std::uint32_t>(sequence >> 32);
    for (std::size_t i = 0; i < bytes_; ++i)
      static_cast<std::uint8_t*>(event.payload())[i] = byte(sequence, i);
  }
  Taken read(const QueuedEvent& event) const {
    const std::uint64_t sequence = event.subject | std::uint64_t{event.detail} << 32;
    for (std::size_t i = 0; i < bytes_; ++i)
      EXPECT_EQ(static_cast<const std::uint8_t*>(event.payload())[i], byte(sequence, i));
    return {event.time, sequence};
  }
  Taken pop() { return read(take(1)[0]); }

 private:
  static std::uint8_t byte(std::uint64_t sequence, std::size_t i) {
    return static_cast<std::uint8_t>(sequence * 37 + i * 11);
  }
  const std::size_t bytes_;
};

/// The plain truth: a map from (time, sequence).
void compare_with_map(std::uint64_t seed, std::uint64_t spread_bits, int operations) {
  Prng prng(seed);
  Queue queue(seed % 41);
  std::map<std::pair<std::uint64_t, std::uint64_t>, bool> model;
  std::uint64_t sequence = 0;
  for (int i = 0; i < operations; ++i) {
    if (queue.empty() || prng.below(100) < 52) {
      const std::uint64_t spread = std::uint64_t{1} << prng.below(spread_bits + 1);
      const Taken event{queue.now() + prng.below(spread), sequence++};
      queue.put(event.time, event.sequence);
      model[{event.time, event.sequence}] = true;
    } else {
      const auto batch = queue.take(1 + prng.below(5));
      for (std::size_t k = 0; k < batch.size(); ++k) {
        const Taken event = queue.read(batch[k]);
        ASSERT_EQ(std::pair(event.time, event.sequence), model.begin()->first);
        model.erase(model.begin());
      }
    }
    ASSERT_EQ(queue.size(), model.size());
  }
  while (!queue.empty()) {
    const Taken event = queue.pop();
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
  Queue queue(times.size() % 9);
  for (std::uint64_t i = 0; i < times.size(); ++i) queue.put(times[i] >> 1, i);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> out;
  while (!queue.empty()) {
    const Taken event = queue.pop();
    out.push_back({event.time, event.sequence});
  }
  RC_ASSERT(out.size() == times.size());
  RC_ASSERT(std::is_sorted(out.begin(), out.end()));
}

TEST(EventQueue, ManyEventsOfOneMomentStayInOrder) {
  Queue queue(16);
  for (std::uint64_t i = 0; i < 10'000; ++i) queue.put(1'000'000, i);
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const Taken event = queue.pop();
    ASSERT_EQ(event.sequence, i);
    if (i == 5'000) queue.put(1'000'000, 10'000);  // joins the moment at its end
  }
  EXPECT_EQ(queue.pop().sequence, 10'000u);
}

TEST(EventQueue, RefusesThePast) {
  Queue queue(16);
  queue.put(100, 0);
  queue.pop();
  EXPECT_THROW(queue.put(99, 1), core::Violation);
  EXPECT_THROW(queue.pop(), core::Violation);
}

}  // namespace
}  // namespace bellwether::core
