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
constexpr std::uint64_t low_32 = (std::uint64_t{1} << 32) - 1;
// Chunks in blocks that never move, so that records are read without the lock.
constexpr std::size_t chunks_of_block = 1024;
using ChunkTable = std::array<std::unique_ptr<std::uint8_t[]>, chunks_of_block>;
using Blocks = std::array<std::atomic<ChunkTable*>, 512>;
// Records begin at even places, so half a place fits into 32 bits.
static_assert(std::tuple_size_v<Blocks> * chunks_of_block * chunk_size <= low_32 * 2 + 2);

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

/// A slot is 0, or 32 bits of the hash above 32 of the record's place, halved, plus one. All that
/// is touched in each look-up lies in one cache line.
struct alignas(64) Visited::Shard {
  mutable SpinLock lock;
  std::vector<std::uint64_t> slots;
  std::atomic<std::uint64_t> size{0};
  std::uint64_t end = 0;  // of the last record
  std::unique_ptr<Blocks> blocks = std::make_unique<Blocks>();

  ~Shard() {
    for (auto& each : *blocks) delete each.load();
  }
  static std::uint64_t slot_of(std::uint64_t hash, std::uint64_t place) {
    return (hash & ~low_32) | (place / 2 + 1);
  }
  static std::uint64_t place_of(std::uint64_t slot) { return ((slot & low_32) - 1) * 2; }
  /// Where a key's search begins: given by what a slot has of the hash.
  std::size_t home(std::uint64_t hash) const { return hash >> 32 & (slots.size() - 1); }

  std::uint8_t* at(std::uint64_t place) const {
    const std::uint64_t chunk = place >> chunk_bits;
    const ChunkTable& block = *(*blocks)[chunk / chunks_of_block].load(std::memory_order_acquire);
    return block[chunk % chunks_of_block].get() + (place & (chunk_size - 1));
  }
  /// Room for a record; end_of_shard when there is no memory left.
  std::uint64_t make_room(std::uint64_t bytes, MemoryBudget& budget) {
    std::uint64_t place = end;
    if (place % chunk_size == 0 || place % chunk_size + bytes > chunk_size) {
      place = (place + chunk_size - 1) & ~(chunk_size - 1);
      const std::uint64_t chunk = place >> chunk_bits;
      if (chunk / chunks_of_block >= blocks->size() || !budget.take(chunk_size))
        return end_of_shard;
      auto& block = (*blocks)[chunk / chunks_of_block];
      if (block.load() == nullptr) block.store(new ChunkTable, std::memory_order_release);
      // Zeroed: a length of 0 says that the rest of a chunk is empty.
      (*block.load())[chunk % chunks_of_block] = std::make_unique<std::uint8_t[]>(chunk_size);
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
      std::size_t i = home(slot);
      while (slots[i] != 0) i = (i + 1) & (larger - 1);
      slots[i] = slot;
    }
    budget.give(old.size() * 8);
    return true;
  }
  /// The slot of the key, or the empty one where it belongs.
  std::size_t look_up(std::span<const std::uint8_t> key, std::uint64_t hash) const {
    std::size_t i = home(hash);
    for (; slots[i] != 0; i = (i + 1) & (slots.size() - 1)) {
      if (((slots[i] ^ hash) & ~low_32) != 0) continue;
      const std::uint8_t* record = at(place_of(slots[i]));
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
  if (!shard.slots.empty()) __builtin_prefetch(&shard.slots[shard.home(hash)]);
}

void Visited::fetch_record(std::uint64_t hash) const {
  const Shard& shard = shards_[hash & 0xFF];
  const std::lock_guard guard(shard.lock);
  if (shard.slots.empty()) return;
  const std::size_t mask = shard.slots.size() - 1;
  for (std::size_t i = shard.home(hash); shard.slots[i] != 0; i = (i + 1) & mask)
    if (((shard.slots[i] ^ hash) & ~low_32) == 0)
      return __builtin_prefetch(shard.at(Shard::place_of(shard.slots[i])));
}

Visited::Found Visited::insert(std::span<const std::uint8_t> key, std::uint64_t hash,
                               StateRef parent) {
  const std::uint64_t number = hash & 0xFF;
  Shard& shard = shards_[number];
  const std::lock_guard guard(shard.lock);
  if (4 * (shard.size + 1) > 3 * shard.slots.size() && !shard.grow(budget_))
    return {no_state, Outcome::full};
  const std::size_t i = shard.look_up(key, hash);
  if (shard.slots[i] != 0) return {number << 40 | Shard::place_of(shard.slots[i]), Outcome::known};
  // Even, so that the count can be read and written in one go.
  const std::uint64_t bytes = (head + key.size() + 1) & ~std::uint64_t{1};
  const std::uint64_t place = shard.make_room(bytes, budget_);
  if (place == end_of_shard) return {no_state, Outcome::full};
  std::uint8_t* record = shard.at(place);
  std::memcpy(record, &parent, 6);
  const auto length = static_cast<std::uint16_t>(key.size());
  std::memcpy(record + 8, &length, 2);
  std::memcpy(record + head, key.data(), key.size());
  shard.slots[i] = Shard::slot_of(hash, place);
  shard.size.store(shard.size + 1, std::memory_order_relaxed);
  return {number << 40 | place, Outcome::fresh};
}

StateRef Visited::find(std::span<const std::uint8_t> key) const {
  const std::uint64_t hash = hash_bytes(key);
  const Shard& shard = shards_[hash & 0xFF];
  const std::lock_guard guard(shard.lock);
  if (shard.slots.empty()) return no_state;
  const std::uint64_t slot = shard.slots[shard.look_up(key, hash)];
  return slot == 0 ? no_state : (hash & 0xFF) << 40 | Shard::place_of(slot);
}

void Visited::fetch(StateRef ref) const {
  __builtin_prefetch(record(ref));
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
