// SPDX-License-Identifier: MIT
// Where the search keeps what many states share: numbered values that never move, and small tables
// from numbers to numbers.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

namespace bellwether::check {

/// Values by number. One thread adds at a time; any thread that knows a number may read its value.
template <class T>
class Pool {
 public:
  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    for (auto& chunk : chunks_) delete[] chunk.load();
  }

  const T& operator[](std::uint32_t i) const { return place(i); }
  std::uint32_t size() const { return size_.load(std::memory_order_relaxed); }
  std::uint32_t add(T value) {
    const std::uint32_t number = size();
    const auto [chunk, at] = split(number);
    if (chunk >= chunks_.size()) throw std::length_error("too many values for one pool");
    if (chunks_[chunk].load(std::memory_order_relaxed) == nullptr)
      chunks_[chunk].store(new T[std::size_t{first} << chunk], std::memory_order_release);
    chunks_[chunk].load(std::memory_order_relaxed)[at] = std::move(value);
    size_.store(number + 1, std::memory_order_relaxed);
    return number;
  }

 private:
  static constexpr std::uint32_t first = 64;  // the first chunk; each is twice the one before
  static std::pair<std::size_t, std::size_t> split(std::uint32_t i) {
    const std::uint64_t n = std::uint64_t{i} / first + 1;
    const auto chunk = static_cast<std::size_t>(std::bit_width(n) - 1);
    return {chunk, i - first * ((std::uint64_t{1} << chunk) - 1)};
  }
  const T& place(std::uint32_t i) const {
    const auto [chunk, at] = split(i);
    return chunks_[chunk].load(std::memory_order_acquire)[at];
  }

  std::array<std::atomic<T*>, 26> chunks_{};
  std::atomic<std::uint32_t> size_{0};
};

/// From a key of 96 bits to a number: one thread's memory of what it has found out.
class Memo {
 public:
  struct MemoKey {
    std::uint64_t a = 0;
    std::uint32_t b = 0;
    friend bool operator==(const MemoKey&, const MemoKey&) = default;
  };
  static constexpr std::uint32_t nothing = ~std::uint32_t{0};

  std::uint32_t find(MemoKey key) const {
    for (std::size_t i = hash(key) & mask_;; i = (i + 1) & mask_) {
      if (slots_[i].value == nothing) return nothing;
      if (slots_[i].key == key) return slots_[i].value;
    }
  }
  void add(MemoKey key, std::uint32_t value) {
    if (2 * ++size_ > slots_.size()) grow();
    put({key, value});
  }
  std::size_t bytes() const { return slots_.size() * sizeof(MemoSlot); }

 private:
  struct MemoSlot {
    MemoKey key;
    std::uint32_t value = nothing;
  };
  static std::size_t hash(MemoKey key) {
    std::uint64_t h = (key.a ^ (std::uint64_t{key.b} << 29)) * 0x9E37'79B9'7F4A'7C15u;
    h ^= h >> 32;
    return static_cast<std::size_t>(h * 0xD1B5'4A32'D192'ED03u >> 20);
  }
  void put(const MemoSlot& slot) {
    std::size_t i = hash(slot.key) & mask_;
    while (slots_[i].value != nothing) i = (i + 1) & mask_;
    slots_[i] = slot;
  }
  void grow() {
    std::vector<MemoSlot> old(slots_.size() * 2);
    old.swap(slots_);
    mask_ = slots_.size() - 1;
    for (const MemoSlot& slot : old)
      if (slot.value != nothing) put(slot);
  }

  std::vector<MemoSlot> slots_{1024};
  std::size_t mask_ = 1023;
  std::size_t size_ = 0;
};

}  // namespace bellwether::check
