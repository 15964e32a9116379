// SPDX-License-Identifier: MIT
// A timer of a protocol without its type: the bytes that its codec gives it. Every value has
// exactly one encoding, so two timers are the same where their bytes are.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include "bellwether/core/digest.hpp"
#include "bellwether/core/invariant.hpp"

namespace bellwether::core {

class TimerName {
 public:
  static constexpr std::size_t most_bytes = 15;

  TimerName() = default;
  template <class Timer>
  static TimerName of(const Timer& timer) {
    TimerName name;
    walk(name, timer);
    return name;
  }

  // What `walk` writes into.
  void number(std::uint64_t v) {
    for (; v >= 0x80; v >>= 7) byte(static_cast<std::uint8_t>(v | 0x80));
    byte(static_cast<std::uint8_t>(v));
  }
  void byte(std::uint8_t b) {
    invariant(size_ < most_bytes, "the fields of a timer take more than 15 bytes");
    bytes_[size_++] = b;
  }

  std::span<const std::uint8_t> bytes() const { return {bytes_.data(), size_}; }

  /// The numbers once more, as they were written.
  template <class Sink>
  void walk_into(Sink& sink) const {
    std::uint64_t value = 0;
    unsigned shift = 0;
    for (const std::uint8_t b : bytes()) {
      value |= static_cast<std::uint64_t>(b & 0x7F) << shift;
      shift += 7;
      if (b >= 0x80) continue;
      sink.number(value);
      value = shift = 0;
    }
  }

  friend bool operator==(const TimerName& a, const TimerName& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
  }

 private:
  std::array<std::uint8_t, most_bytes> bytes_{};  // 0 behind the last one
  std::uint8_t size_ = 0;
};

}  // namespace bellwether::core
