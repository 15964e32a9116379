// SPDX-License-Identifier: MIT
// A timer of a protocol without its type: the bytes that its codec gives it. Every value has
// exactly one encoding, so two timers are the same where their bytes are.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
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
    const std::uint64_t at = size();
    invariant(at < most_bytes, "the fields of a timer take more than 15 bytes");
    words_[at / 8] |= std::uint64_t{b} << (at % 8 * 8);
    words_[1] += std::uint64_t{1} << size_shift;
  }

  std::span<const std::uint8_t> bytes() const {
    return {reinterpret_cast<const std::uint8_t*>(words_.data()), size()};
  }

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
    return a.words_[0] == b.words_[0] && a.words_[1] == b.words_[1];
  }

 private:
  static constexpr unsigned size_shift = 56;  // the sixteenth byte is the number of the others
  static_assert(std::endian::native == std::endian::little, "the first byte is the lowest");

  std::size_t size() const { return words_[1] >> size_shift; }

  // In words, not in bytes: a processor waits where it reads at once what was written in parts.
  std::array<std::uint64_t, 2> words_{};  // 0 behind the last byte
};

}  // namespace bellwether::core
