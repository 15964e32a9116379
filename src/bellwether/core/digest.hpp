// SPDX-License-Identifier: MIT
// A 64-bit digest of any described value: equal values have equal digests, on every machine.
#pragma once

#include "bellwether/core/walk.hpp"

namespace bellwether::core {

/// One round of mixing (a 64 x 64 -> 128 bit product folded), fast and well spread.
constexpr std::uint64_t mix(std::uint64_t state, std::uint64_t value) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(state ^ 0x9E37'79B9'7F4A'7C15u) *
                       static_cast<Wide>((value + state) ^ 0xD1B5'4A32'D192'ED03u);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

struct DigestSink {
  std::uint64_t state = 0x2545'F491'4F6C'DD1Du;
  constexpr void number(std::uint64_t v) { state = mix(state, v); }
  constexpr void byte(std::uint8_t b) { number(b); }
  template <class T>
  void shared(const Shared<T>& value) {
    number(value.digest_or([&] {
      DigestSink inside;
      walk(inside, *value);
      return inside.state;
    }));
  }
};

template <class T>
constexpr std::uint64_t digest(const T& value) {
  DigestSink sink;
  walk(sink, value);
  return sink.state;
}

}  // namespace bellwether::core
