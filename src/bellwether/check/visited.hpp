// SPDX-License-Identifier: MIT
// Every state that was reached, once, whole and compact: a record of bytes in an arena and eight
// bytes in a table that finds it. Two hundred and fifty-six shards with a lock each, so that all
// cores may add. Nothing is forgotten and nothing is confused: keys are compared byte by byte.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace bellwether::check {

/// How much memory a search may take. What needs more is refused, and the search stops.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t limit) : limit_(limit) {}
  bool take(std::uint64_t bytes) {
    if (used_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= limit_) return true;
    used_.fetch_sub(bytes, std::memory_order_relaxed);
    return false;
  }
  void give(std::uint64_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }
  std::uint64_t used() const { return used_.load(std::memory_order_relaxed); }
  std::uint64_t limit() const { return limit_; }

 private:
  std::uint64_t limit_;
  std::atomic<std::uint64_t> used_{0};
};

/// A state that was reached: where its record lies.
using StateRef = std::uint64_t;
inline constexpr StateRef no_state = (std::uint64_t{1} << 48) - 1;

class Visited {
 public:
  enum class Outcome : unsigned char { fresh, known, full };
  struct Found {
    StateRef ref;
    Outcome outcome;
  };

  /// `alone`: only one thread will ever use it.
  Visited(MemoryBudget& budget, bool alone);
  ~Visited();
  Visited(const Visited&) = delete;
  Visited& operator=(const Visited&) = delete;

  /// `parent` is kept with a state that is new. Any number of threads. `hash` is that of the key.
  Found insert(std::span<const std::uint8_t> key, std::uint64_t hash, StateRef parent);
  Found insert(std::span<const std::uint8_t> key, StateRef parent);
  /// Hints that such a key will soon be asked for: first for its slot, then for its record.
  void fetch_slot(std::uint64_t hash) const;
  void fetch_record(std::uint64_t hash) const;
  /// The same for the record of a state that was reached.
  void fetch(StateRef ref) const;
  /// Where a state is that must have been reached, else no_state.
  StateRef find(std::span<const std::uint8_t> key) const;

  std::span<const std::uint8_t> key(StateRef ref) const;
  StateRef parent(StateRef ref) const;
  /// A small number of the state's own, 0 at first; any number of threads may add to it. It stays
  /// at 65535 once there.
  std::uint16_t count(StateRef ref) const;
  void add_to_count(StateRef ref);
  /// The count after it was lowered by one.
  std::uint16_t lower_count(StateRef ref);

  std::uint64_t size() const;
  std::uint64_t key_bytes() const;

  /// All states, one shard after the other.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::uint64_t shard = 0; shard < shard_count; ++shard) for_each_in(shard, visit);
  }
  static constexpr std::uint64_t shard_count = 256;
  template <class Visit>
  void for_each_in(std::uint64_t shard, Visit&& visit) const {
    for (std::uint64_t at = next_record(shard, 0); at != end_of_shard;
         at = next_record(shard, at + record_size(shard, at)))
      visit(shard << 40 | at);
  }

 private:
  struct Shard;
  static constexpr std::uint64_t end_of_shard = ~std::uint64_t{0};
  std::uint64_t next_record(std::uint64_t shard, std::uint64_t at) const;
  std::uint64_t record_size(std::uint64_t shard, std::uint64_t at) const;
  const std::uint8_t* record(StateRef ref) const;
  std::uint8_t* record(StateRef ref);

  std::unique_ptr<Shard[]> shards_;
  MemoryBudget& budget_;
};

/// 64 well-mixed bits of a key.
std::uint64_t hash_bytes(std::span<const std::uint8_t> bytes);

}  // namespace bellwether::check
