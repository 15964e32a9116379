// SPDX-License-Identifier: MIT
// Where the search keeps what it has met: against the containers of the standard library.
#include "bellwether/check/visited.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <thread>

#include "bellwether/check/contents.hpp"
#include "bellwether/core/prng.hpp"

namespace bellwether::check {
namespace {

using Key = std::string;

std::span<const std::uint8_t> bytes(const Key& key) {
  return {reinterpret_cast<const std::uint8_t*>(key.data()), key.size()};
}

Key drawn_key(core::Prng& prng, std::size_t length, std::uint64_t values) {
  Key key(length, ' ');
  for (char& byte : key) byte = static_cast<char>(prng.below(values));
  return key;
}

/// Mostly short, with few values, so that many come twice; some long.
Key drawn_key(core::Prng& prng) {
  const bool long_one = prng.below(50) == 0;
  return drawn_key(prng, 1 + prng.below(long_one ? 3000 : 12), long_one ? 256 : 3);
}

Key copy(std::span<const std::uint8_t> key) {
  return {key.begin(), key.end()};
}

TEST(Visited, IsASetOfKeysWithParentsAndCounts) {
  for (const bool alone : {true, false}) {
    core::Prng prng = core::stream(7, "visited", alone ? 1 : 0);
    MemoryBudget budget(std::uint64_t{1} << 30);
    Visited visited(budget, alone);
    std::map<Key, StateRef> known;
    std::map<Key, StateRef> parents;
    std::map<Key, unsigned> counts;
    StateRef last = no_state;
    for (int i = 0; i < 60'000; ++i) {
      const Key key = drawn_key(prng);
      const auto expected = known.find(key);
      ASSERT_EQ(visited.find(bytes(key)), expected == known.end() ? no_state : expected->second);
      const auto found = visited.insert(bytes(key), last);
      ASSERT_EQ(found.outcome,
                expected == known.end() ? Visited::Outcome::fresh : Visited::Outcome::known);
      if (expected == known.end()) {
        known[key] = found.ref;
        parents[key] = last;
      } else {
        ASSERT_EQ(found.ref, expected->second);
      }
      visited.fetch_slot(hash_bytes(bytes(key)));
      visited.fetch_record(hash_bytes(bytes(key)));
      if (prng.below(2) == 0) {
        visited.add_to_count(found.ref);
        ++counts[key];
      }
      last = found.ref;
    }
    EXPECT_GT(known.size(), 10'000u);
    EXPECT_EQ(visited.size(), known.size());
    for (const auto& [key, ref] : known) {
      ASSERT_EQ(copy(visited.key(ref)), key);
      ASSERT_EQ(visited.parent(ref), parents[key]);
      ASSERT_EQ(visited.count(ref), counts[key]);
    }
    std::map<Key, StateRef> met;
    visited.for_each(
        [&](StateRef ref) { EXPECT_TRUE(met.emplace(copy(visited.key(ref)), ref).second); });
    EXPECT_EQ(met, known);
    std::uint64_t bytes = 0;
    for (const auto& [key, ref] : known) bytes += key.size();
    EXPECT_GE(visited.key_bytes(), bytes);
    EXPECT_GE(budget.used(), bytes);
  }
}

TEST(Visited, EveryLengthComesBack) {
  MemoryBudget budget(std::uint64_t{1} << 30);
  Visited visited(budget, true);
  core::Prng prng = core::stream(8, "visited", 0);
  std::vector<std::pair<Key, StateRef>> all;
  for (std::size_t length = 1; length <= 4000; ++length) {
    all.emplace_back(drawn_key(prng, length, 256), 0);
    const auto found = visited.insert(bytes(all.back().first), no_state);
    ASSERT_NE(found.outcome, Visited::Outcome::full);
    all.back().second = found.ref;
  }
  for (const auto& [key, ref] : all) ASSERT_EQ(copy(visited.key(ref)), key);
  std::uint64_t met = 0;
  visited.for_each([&](StateRef) { ++met; });
  EXPECT_EQ(met, visited.size());
}

TEST(Visited, KeysThatBeginAlikeAreToldApart) {
  MemoryBudget budget(std::uint64_t{1} << 30);
  Visited visited(budget, true);
  std::set<StateRef> refs;
  for (std::size_t length = 1; length <= 200; ++length)
    for (const char value : {'a', 'b'})
      refs.insert(visited.insert(bytes(Key(length, value)), no_state).ref);
  EXPECT_EQ(refs.size(), 400u);
  EXPECT_EQ(visited.size(), 400u);
}

TEST(Visited, ManyThreadsAddTheSameKeysOnce) {
  constexpr std::size_t threads = 4;
  MemoryBudget budget(std::uint64_t{1} << 30);
  Visited visited(budget, false);
  std::vector<std::map<Key, StateRef>> seen(threads);
  std::vector<std::uint64_t> fresh(threads, 0);
  std::vector<std::thread> all;
  for (std::size_t t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      core::Prng prng = core::stream(9, "visited", t / 2);  // two draw the same keys
      for (int i = 0; i < 20'000; ++i) {
        const Key key = drawn_key(prng);
        const auto found = visited.insert(bytes(key), no_state);
        fresh[t] += found.outcome == Visited::Outcome::fresh ? 1 : 0;
        visited.add_to_count(found.ref);
        seen[t][key] = found.ref;
      }
    });
  for (auto& each : all) each.join();
  std::map<Key, StateRef> together;
  for (const auto& mine : seen)
    for (const auto& [key, ref] : mine) {
      const auto [at, first] = together.emplace(key, ref);
      ASSERT_EQ(at->second, ref);
    }
  std::uint64_t sum = 0;
  for (const std::uint64_t each : fresh) sum += each;
  EXPECT_EQ(sum, together.size());
  EXPECT_EQ(visited.size(), together.size());
  std::uint64_t counted = 0;
  std::uint64_t met = 0;
  visited.for_each([&](StateRef ref) {
    ++met;
    EXPECT_EQ(together.at(copy(visited.key(ref))), ref);
    counted += visited.count(ref);
  });
  EXPECT_EQ(met, together.size());
  EXPECT_EQ(counted, threads * 20'000);
}

TEST(Visited, CountsStayAtTheirEnds) {
  MemoryBudget budget(std::uint64_t{1} << 30);
  Visited visited(budget, true);
  const StateRef ref = visited.insert(bytes("x"), no_state).ref;
  EXPECT_EQ(visited.lower_count(ref), 0);
  for (unsigned i = 0; i < 3; ++i) visited.add_to_count(ref);
  EXPECT_EQ(visited.lower_count(ref), 2);
  for (unsigned i = 0; i < 70'000; ++i) visited.add_to_count(ref);
  EXPECT_EQ(visited.count(ref), 0xFFFF);
  EXPECT_EQ(visited.lower_count(ref), 0xFFFF);
}

TEST(Visited, RefusesAtTheLimitAndLosesNothing) {
  for (const std::uint64_t limit : {0u, 100u, 20'000u, 3'000'000u, 6'000'000u}) {
    MemoryBudget budget(limit);
    Visited visited(budget, true);
    core::Prng prng = core::stream(10, "visited", limit);
    std::map<Key, StateRef> known;
    bool refused = false;
    for (int i = 0; i < 200'000; ++i) {
      const Key key = drawn_key(prng, 30, 256);
      const auto found = visited.insert(bytes(key), no_state);
      ASSERT_LE(budget.used(), limit);
      if (found.outcome == Visited::Outcome::fresh) known[key] = found.ref;
      refused = refused || found.outcome == Visited::Outcome::full;
    }
    EXPECT_TRUE(refused);
    EXPECT_EQ(known.empty(), limit < 20'000);
    EXPECT_EQ(visited.size(), known.size());
    for (const auto& [key, ref] : known) {
      ASSERT_EQ(visited.find(bytes(key)), ref);
      ASSERT_EQ(copy(visited.key(ref)), key);
    }
    std::uint64_t met = 0;
    visited.for_each([&](StateRef) { ++met; });
    EXPECT_EQ(met, known.size());
  }
}

TEST(Pool, KeepsValuesWhereTheyAre) {
  Pool<std::string> pool;
  std::vector<const std::string*> places;
  for (std::uint32_t i = 0; i < 5000; ++i) {
    EXPECT_EQ(pool.add(std::to_string(i)), i);
    places.push_back(&pool[i]);
  }
  EXPECT_EQ(pool.size(), 5000u);
  for (std::uint32_t i = 0; i < 5000; ++i) {
    EXPECT_EQ(pool[i], std::to_string(i));
    EXPECT_EQ(&pool[i], places[i]);
  }
}

TEST(Memo, IsAMap) {
  core::Prng prng = core::stream(11, "memo", 0);
  Memo memo;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> map;
  for (std::uint32_t i = 0; i < 50'000; ++i) {
    const Memo::MemoKey key{prng.below(40) << 32 | prng.below(40),
                            static_cast<std::uint32_t>(prng.below(40))};
    const auto known = map.find({key.a, key.b});
    ASSERT_EQ(memo.find(key), known == map.end() ? Memo::nothing : known->second);
    if (known != map.end()) continue;
    memo.add(key, i);
    map[{key.a, key.b}] = i;
  }
  EXPECT_GT(map.size(), 20'000u);
  for (const auto& [key, value] : map) ASSERT_EQ(memo.find({key.first, key.second}), value);
}

TEST(Contents, AreRowsOrBags) {
  for (const auto order : {ChannelOrder::fifo, ChannelOrder::unordered}) {
    core::Prng prng = core::stream(12, "contents", static_cast<std::uint64_t>(order));
    Contents contents(order);
    EXPECT_TRUE(contents[0].empty());
    std::map<std::vector<MessageId>, Number> numbers{{{}, 0}};
    Number at = 0;
    std::vector<MessageId> row;
    for (int i = 0; i < 20'000; ++i) {
      if (row.size() < 5 && prng.below(2) == 0) {
        const auto message = static_cast<MessageId>(prng.below(4));
        at = contents.with(at, message);
        row.push_back(message);
        if (order == ChannelOrder::unordered) std::sort(row.begin(), row.end());
      } else if (!row.empty()) {
        const std::size_t place = prng.below(row.size());
        at = contents.without(at, place);
        row.erase(row.begin() + static_cast<std::ptrdiff_t>(place));
      }
      ASSERT_EQ(contents[at], row);
      ASSERT_EQ(numbers.emplace(row, at).first->second, at);  // one number for each
    }
    const std::vector<MessageId> mixed{3, 1, 2};
    const std::vector<MessageId> sorted{1, 2, 3};
    EXPECT_EQ(contents[contents.of_bag(mixed)], order == ChannelOrder::fifo ? mixed : sorted);
  }
}

TEST(States, AreReadAsTheyWereWritten) {
  core::Prng prng = core::stream(13, "states", 0);
  std::map<Key, StateVector> seen;
  for (int i = 0; i < 20'000; ++i) {
    StateVector slots(1 + prng.below(8));
    for (Number& each : slots) {
      const std::uint64_t width = prng.below(33);
      each = static_cast<Number>(prng.below(std::uint64_t{1} << width));
    }
    std::vector<std::uint8_t> key(slots.size() * 5);
    key.resize(encode_state(slots, key.data()));
    StateVector back(slots.size());
    decode_state(key, back);
    ASSERT_EQ(back, slots);
    if (slots.size() == 4) {
      ASSERT_EQ(seen.emplace(copy(key), slots).first->second, slots);  // no two states share a key
    }
  }
}

TEST(Budget, IsReadAsItWasWritten) {
  const Budget most{63, 15, 15, 31, 31, 255};
  for (const Budget b : {most, Budget{}, Budget{1, 2, 3, 4, 5, 6}}) {
    const Budget back = Budget::unpack(b.pack());
    EXPECT_EQ(back.changes, b.changes);
    EXPECT_EQ(back.crashes, b.crashes);
    EXPECT_EQ(back.restarts, b.restarts);
    EXPECT_EQ(back.losses, b.losses);
    EXPECT_EQ(back.duplicates, b.duplicates);
    EXPECT_EQ(back.script, b.script);
  }
}

}  // namespace
}  // namespace bellwether::check
