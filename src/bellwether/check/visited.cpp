// SPDX-License-Identifier: MIT
#include "bellwether/check/visited.hpp"

#include <array>
#include <cstring>
#include <mutex>

#include "bellwether/core/digest.hpp"

namespace bellwether::check {
namespace {

// A record: six bytes of parent, two of count, two of length, the key.
constexpr std::uint64_t head = 10;
constexpr std::uint64_t chunk_bits = 14;
constexpr std::uint64_t chunk_size = std::uint64_t{1} << chunk_bits;
constexpr std::uint64_t low_40 = (std::uint64_t{1} << 40) - 1;

/// Does nothing where there is one thread only.
class SpinLock {
 public:
  void alone() { alone_ = true; }
  void lock() {
    if (alone_) return;
    while (taken_.test_and_set(std::memory_order_acquire))
      while (taken_.test(std::memory_order_relaxed)) __builtin_ia32_pause();
  }
  void unlock() {
    if (!alone_) taken_.clear(std::memory_order_release);
  }

 private:
  std::atomic_flag taken_;
  bool alone_ = false;
};

std::uint16_t length_at(const std::uint8_t* record) {
  std::uint16_t length;
  std::memcpy(&length, record + 8, 2);
  return length;
}

std::atomic_ref<std::uint16_t> count_at(std::uint8_t* record) {
  return std::atomic_ref<std::uint16_t>(*reinterpret_cast<std::uint16_t*>(record + 6));
}

}  // namespace

std::uint64_t hash_bytes(std::span<const std::uint8_t> bytes) {
  std::uint64_t state = 0x2545'F491'4F6C'DD1Du ^ bytes.size();
  const std::uint8_t* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; at += 8, left -= 8) {
    std::uint64_t word;
    std::memcpy(&word, at, 8);
    state = core::mix(state, word);
  }
  std::uint64_t word = 0;
  std::memcpy(&word, at, left);
  return core::mix(core::mix(state, word), 0x94D0'49BB'1331'11EBu);
}

/// A slot is 0, or 24 bits of the hash above 40 bits of the record's place plus one.
struct alignas(64) Visited::Shard {
  mutable SpinLock lock;
  std::vector<std::uint64_t> slots;
  std::atomic<std::uint64_t> size{0};
  std::uint64_t end = 0;  // of the last record
  // Chunks in blocks that never move, so that records are read without the lock.
  static constexpr std::size_t block = 1024;
  std::array<std::atomic<std::unique_ptr<std::uint8_t[]>*>, 512> blocks{};

  ~Shard() {
    for (auto& each : blocks) delete[] each.load();
  }
  std::uint8_t* at(std::uint64_t place) const {
    const std::uint64_t chunk = place >> chunk_bits;
    return blocks[chunk / block].load(std::memory_order_acquire)[chunk % block].get() +
           (place & (chunk_size - 1));
  }
  /// Room for a record; end_of_shard when there is no memory left.
  std::uint64_t make_room(std::uint64_t bytes, MemoryBudget& budget) {
    std::uint64_t place = end;
    if (place % chunk_size == 0 || place % chunk_size + bytes > chunk_size) {
      place = (place + chunk_size - 1) & ~(chunk_size - 1);
      const std::uint64_t chunk = place >> chunk_bits;
      if (chunk / block >= blocks.size() || !budget.take(chunk_size)) return end_of_shard;
      auto& row = blocks[chunk / block];
      if (row.load() == nullptr)
        row.store(new std::unique_ptr<std::uint8_t[]>[block], std::memory_order_release);
      // Zeroed: a length of 0 says that the rest of a chunk is empty.
      row.load()[chunk % block] = std::make_unique<std::uint8_t[]>(chunk_size);
    }
    end = place + bytes;
    return place;
  }
  bool grow(MemoryBudget& budget) {
    const std::size_t larger = slots.empty() ? 64 : slots.size() * 2;
    if (!budget.take(larger * 8)) return false;
    std::vector<std::uint64_t> old(larger);
    old.swap(slots);
    for (const std::uint64_t slot : old) {
      if (slot == 0) continue;
      const std::uint8_t* record = at((slot & low_40) - 1);
      std::size_t i = hash_bytes({record + head, length_at(record)}) >> 8 & (larger - 1);
      while (slots[i] != 0) i = (i + 1) & (larger - 1);
      slots[i] = slot;
    }
    budget.give(old.size() * 8);
    return true;
  }
  /// The slot of the key, or the empty one where it belongs.
  std::size_t look_up(std::span<const std::uint8_t> key, std::uint64_t hash) const {
    const std::uint64_t tag = hash & ~low_40;
    std::size_t i = hash >> 8 & (slots.size() - 1);
    for (; slots[i] != 0; i = (i + 1) & (slots.size() - 1)) {
      if ((slots[i] & ~low_40) != tag) continue;
      const std::uint8_t* record = at((slots[i] & low_40) - 1);
      if (length_at(record) == key.size() &&
          std::memcmp(record + head, key.data(), key.size()) == 0)
        break;
    }
    return i;
  }
};

Visited::Visited(MemoryBudget& budget, bool alone)
    : shards_(new Shard[shard_count]), budget_(budget) {
  for (std::uint64_t i = 0; alone && i < shard_count; ++i) shards_[i].lock.alone();
}
Visited::~Visited() = default;

Visited::Found Visited::insert(std::span<const std::uint8_t> key, StateRef parent) {
  return insert(key, hash_bytes(key), parent);
}

void Visited::fetch_slot(std::uint64_t hash) const {
  const Shard& shard = shards_[hash & 0xFF];
  const std::lock_guard guard(shard.lock);
  if (!shard.slots.empty()) __builtin_prefetch(&shard.slots[hash >> 8 & (shard.slots.size() - 1)]);
}

void Visited::fetch_record(std::uint64_t hash) const {
  const Shard& shard = shards_[hash & 0xFF];
  const std::lock_guard guard(shard.lock);
  if (shard.slots.empty()) return;
  const std::uint64_t slot = shard.slots[hash >> 8 & (shard.slots.size() - 1)];
  if (slot != 0 && ((slot ^ hash) & ~low_40) == 0)
    __builtin_prefetch(shard.at((slot & low_40) - 1));
}

Visited::Found Visited::insert(std::span<const std::uint8_t> key, std::uint64_t hash,
                               StateRef parent) {
  const std::uint64_t number = hash & 0xFF;
  Shard& shard = shards_[number];
  const std::lock_guard guard(shard.lock);
  if (4 * (shard.size + 1) > 3 * shard.slots.size() && !shard.grow(budget_))
    return {no_state, Outcome::full};
  const std::size_t i = shard.look_up(key, hash);
  if (shard.slots[i] != 0) return {number << 40 | ((shard.slots[i] & low_40) - 1), Outcome::known};
  // Even, so that the count can be read and written in one go.
  const std::uint64_t bytes = (head + key.size() + 1) & ~std::uint64_t{1};
  const std::uint64_t place = shard.make_room(bytes, budget_);
  if (place == end_of_shard) return {no_state, Outcome::full};
  std::uint8_t* record = shard.at(place);
  std::memcpy(record, &parent, 6);
  const auto length = static_cast<std::uint16_t>(key.size());
  std::memcpy(record + 8, &length, 2);
  std::memcpy(record + head, key.data(), key.size());
  shard.slots[i] = (hash & ~low_40) | (place + 1);
  shard.size.store(shard.size + 1, std::memory_order_relaxed);
  return {number << 40 | place, Outcome::fresh};
}

StateRef Visited::find(std::span<const std::uint8_t> key) const {
  const std::uint64_t hash = hash_bytes(key);
  const Shard& shard = shards_[hash & 0xFF];
  const std::lock_guard guard(shard.lock);
  if (shard.slots.empty()) return no_state;
  const std::uint64_t slot = shard.slots[shard.look_up(key, hash)];
  return slot == 0 ? no_state : (hash & 0xFF) << 40 | ((slot & low_40) - 1);
}

const std::uint8_t* Visited::record(StateRef ref) const {
  return shards_[ref >> 40].at(ref & low_40);
}
std::uint8_t* Visited::record(StateRef ref) {
  return shards_[ref >> 40].at(ref & low_40);
}

std::span<const std::uint8_t> Visited::key(StateRef ref) const {
  const std::uint8_t* at = record(ref);
  return {at + head, length_at(at)};
}

StateRef Visited::parent(StateRef ref) const {
  StateRef parent = 0;
  std::memcpy(&parent, record(ref), 6);
  return parent;
}

std::uint16_t Visited::count(StateRef ref) const {
  return count_at(const_cast<std::uint8_t*>(record(ref))).load(std::memory_order_relaxed);
}

void Visited::add_to_count(StateRef ref) {
  auto count = count_at(record(ref));
  std::uint16_t now = count.load(std::memory_order_relaxed);
  while (now != 0xFFFF && !count.compare_exchange_weak(now, static_cast<std::uint16_t>(now + 1))) {
  }
}

std::uint16_t Visited::lower_count(StateRef ref) {
  auto count = count_at(record(ref));
  std::uint16_t now = count.load(std::memory_order_relaxed);
  while (now != 0xFFFF && now != 0 &&
         !count.compare_exchange_weak(now, static_cast<std::uint16_t>(now - 1))) {
  }
  return now == 0xFFFF || now == 0 ? now : static_cast<std::uint16_t>(now - 1);
}

std::uint64_t Visited::size() const {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < shard_count; ++i)
    sum += shards_[i].size.load(std::memory_order_relaxed);
  return sum;
}

std::uint64_t Visited::key_bytes() const {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < shard_count; ++i) sum += shards_[i].end;
  return sum;
}

std::uint64_t Visited::record_size(std::uint64_t shard, std::uint64_t at) const {
  return (head + length_at(shards_[shard].at(at)) + 1) & ~std::uint64_t{1};
}

std::uint64_t Visited::next_record(std::uint64_t shard, std::uint64_t at) const {
  const Shard& s = shards_[shard];
  while (at < s.end) {
    const std::uint64_t left = chunk_size - at % chunk_size;
    if (left >= head && length_at(s.at(at)) != 0) return at;
    at += left;  // the rest of this chunk is empty
  }
  return end_of_shard;
}

}  // namespace bellwether::check
