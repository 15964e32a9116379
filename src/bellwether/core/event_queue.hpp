// SPDX-License-Identifier: MIT
// A monotone queue of events in the order (time, sequence): a timing wheel of eight levels with
// 256 slots each, one level per byte of the time. An event lands in the slot of the highest byte
// in which its time differs from the present; when the present reaches that slot, its events fall
// one or more levels down. All events of one time share one slot at any moment and slots are
// first-in-first-out, so the order of insertion breaks ties without a stored sequence number.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bellwether/core/invariant.hpp"

namespace bellwether::core {

/// What lies in the queue: this, and behind it as many bytes as the queue was made for.
struct QueuedEvent {
  std::uint64_t time;
  std::uint32_t subject;
  std::uint32_t detail;

  void* payload() { return this + 1; }
  const void* payload() const { return this + 1; }
};

class EventQueue {
 public:
  /// Events that carry up to that many bytes each.
  explicit EventQueue(std::size_t payload_bytes)
      : stride_(sizeof(QueuedEvent) + (payload_bytes + 7) / 8 * 8),
        per_chunk_(static_cast<std::uint32_t>(std::max<std::size_t>(8, chunk_bytes / stride_))) {}
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  /// The time of the last event taken out.
  std::uint64_t now() const { return now_; }

  /// A place for an event of this time, to be filled in by the caller but for the time: events are
  /// written once and read once, where they lie.
  QueuedEvent& push(std::uint64_t time) {
    invariant(time >= now_, "an event cannot be scheduled in the past");
    ++size_;
    // The last bucket once more: bursts of one time are what rounds and broadcasts make.
    if (time == last_time_ && last_->tail->end < per_chunk_) {
      QueuedEvent& event = place(last_->tail, last_->tail->end++);
      event.time = time;
      return event;
    }
    return slot_for(time);
  }

  /// The next events, at least one and at most `most`, all of one moment, which becomes the
  /// present. They are taken out, but stay where they are until the next call. The queue must not
  /// be empty.
  struct Batch {
    const std::byte* first;
    std::size_t count;
    std::size_t stride;
    std::size_t size() const { return count; }
    const QueuedEvent& operator[](std::size_t i) const {
      return *reinterpret_cast<const QueuedEvent*>(first + i * stride);
    }
    Batch one(std::size_t i) const { return {first + i * stride, 1, stride}; }
  };
  Batch take(std::size_t most) {
    Chunk* chunk = present_->head;
    if (chunk == nullptr || chunk->begin == chunk->end) chunk = next_chunk();
    const auto count =
        static_cast<std::uint32_t>(std::min<std::size_t>(chunk->end - chunk->begin, most));
    const Batch batch{reinterpret_cast<const std::byte*>(&place(chunk, chunk->begin)), count,
                      stride_};
    chunk->begin += count;
    size_ -= count;
    return batch;
  }

  /// Gives all memory back; the queue cannot be used again.
  void release() {
    free_ = nullptr;
    blocks_.clear();
    blocks_.shrink_to_fit();
  }

 private:
  static constexpr std::size_t chunk_bytes = 4096;

  struct Chunk {  // its events lie behind it
    Chunk* next;
    std::uint32_t begin;
    std::uint32_t end;
  };
  struct Bucket {
    Chunk* head = nullptr;
    Chunk* tail = nullptr;
    std::uint64_t time = 0;   // of the first event
    std::uint64_t other = 0;  // 0: no other time is in it. A word: see taken
  };
  static constexpr std::size_t levels = 8;
  static constexpr std::size_t slots = 256;

  static std::size_t level_of(std::uint64_t difference) {
    return difference == 0 ? 0 : static_cast<std::size_t>(std::bit_width(difference) - 1) / 8;
  }
  static std::size_t slot_of(std::uint64_t time, std::size_t level) {
    return (time >> (8 * level)) & 255;
  }

  QueuedEvent& place(Chunk* chunk, std::uint32_t i) const {
    return *reinterpret_cast<QueuedEvent*>(reinterpret_cast<std::byte*>(chunk + 1) + i * stride_);
  }

  QueuedEvent& slot_for(std::uint64_t time) {
    const std::size_t level = level_of(time ^ now_);
    const std::size_t slot = slot_of(time, level);
    Bucket& bucket = buckets_[level][slot];
    if (bucket.head == nullptr) {
      bucket.head = bucket.tail = fresh();
      bucket.time = time;
      bucket.other = 0;
      mark(level, slot);
    } else {
      bucket.other |= time ^ bucket.time;
      if (bucket.tail->end == per_chunk_) {
        bucket.tail->next = fresh();
        bucket.tail = bucket.tail->next;
      }
    }
    last_ = &bucket;
    last_time_ = time;
    QueuedEvent& event = place(bucket.tail, bucket.tail->end++);
    event.time = time;
    return event;
  }

  /// The present bucket has no more, or its first chunk has been read to its end.
  [[gnu::noinline]] Chunk* next_chunk() {
    if (Chunk* const read = present_->head) {
      if (last_ == present_) last_time_ = none;
      present_->head = read->next;
      recycle(read);
      if (present_->head != nullptr) return present_->head;
      clear(0, now_ & 255);
    }
    present_ = advance();
    return present_->head;
  }

  /// Moves the present to the earliest event and its bucket down to level 0.
  Bucket* advance() {
    invariant(size_ > 0, "an empty queue has no next event");
    last_time_ = none;  // buckets are about to move
    while (true) {
      // Slots at or before the present one are empty on every level, except the present slot of
      // level 0, so the first marked slot of the lowest marked level is the earliest.
      const auto level = static_cast<std::size_t>(std::countr_zero(marked_levels_));
      const std::size_t slot = first_marked(level);
      Bucket& bucket = buckets_[level][slot];
      if (level == 0) {
        now_ = (now_ & ~std::uint64_t{255}) | slot;
        return &bucket;
      }
      const Bucket falling = taken(bucket);
      clear(level, slot);
      if (falling.other == 0) {  // one time only: the whole chain moves at once
        now_ = falling.time;
        buckets_[0][now_ & 255] = falling;
        mark(0, now_ & 255);
        last_time_ = none;
        return &buckets_[0][now_ & 255];
      }
      const std::uint64_t low = (std::uint64_t{1} << (8 * level)) - 1;
      now_ = falling.time & ~low;
      spill(falling);
    }
  }

  /// Word by word, as it was written: where a processor reads at once what was written in parts a
  /// moment ago, it waits.
  static Bucket taken(Bucket& bucket) {
    const auto word = [](auto& at) {
      return const_cast<volatile std::remove_reference_t<decltype(at)>&>(at);
    };
    const Bucket out{word(bucket.head), word(bucket.tail), word(bucket.time), word(bucket.other)};
    bucket.head = nullptr;
    return out;
  }

  void spill(const Bucket& falling) {
    for (Chunk* chunk = falling.head; chunk != nullptr;) {
      for (std::uint32_t i = chunk->begin; i < chunk->end; ++i) {
        const QueuedEvent& event = place(chunk, i);
        move(slot_for(event.time), event);
      }
      Chunk* const next = chunk->next;
      recycle(chunk);
      chunk = next;
    }
  }

  /// By words: an event is a few of them, and a call would cost more.
  void move(QueuedEvent& to, const QueuedEvent& from) const {
    auto* out = reinterpret_cast<std::uint64_t*>(&to);
    const auto* in = reinterpret_cast<const std::uint64_t*>(&from);
    for (std::size_t i = 0; i < stride_ / 8; ++i) out[i] = in[i];
  }

  void mark(std::size_t level, std::size_t slot) {
    marks_[level][slot / 64] |= std::uint64_t{1} << (slot % 64);
    marked_levels_ |= 1u << level;
  }
  void clear(std::size_t level, std::size_t slot) {
    auto& words = marks_[level];
    words[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    if ((words[0] | words[1] | words[2] | words[3]) == 0) marked_levels_ &= ~(1u << level);
  }
  std::size_t first_marked(std::size_t level) const {
    std::size_t word = 0;
    while (marks_[level][word] == 0) ++word;
    return word * 64 + static_cast<std::size_t>(std::countr_zero(marks_[level][word]));
  }

  Chunk* fresh() {
    if (free_ == nullptr) grow();
    Chunk* const chunk = free_;
    free_ = chunk->next;
    chunk->next = nullptr;
    chunk->begin = chunk->end = 0;
    return chunk;
  }
  void recycle(Chunk* chunk) {
    chunk->next = free_;
    free_ = chunk;
  }
  void grow() {
    constexpr std::size_t many = 32;
    const std::size_t bytes = sizeof(Chunk) + per_chunk_ * stride_;
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(many * bytes));
    for (std::size_t i = 0; i < many; ++i)
      recycle(reinterpret_cast<Chunk*>(blocks_.back().get() + i * bytes));
  }

  const std::size_t stride_;
  const std::uint32_t per_chunk_;
  std::array<std::array<Bucket, slots>, levels> buckets_{};
  std::array<std::array<std::uint64_t, slots / 64>, levels> marks_{};
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  unsigned marked_levels_ = 0;
  std::uint64_t now_ = 0;
  std::size_t size_ = 0;
  Bucket* present_ = &buckets_[0][0];
  Bucket* last_ = nullptr;          // where the last event went,
  std::uint64_t last_time_ = none;  // and its time
  Chunk* free_ = nullptr;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

}  // namespace bellwether::core
