// SPDX-License-Identifier: MIT
// What all targets share: pieces cut out of the fuzzer's bytes, and what must hold.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

namespace bellwether::fuzz {

/// What does not hold ends the program, and libFuzzer keeps the input.
inline void require(bool condition, const char* sentence) {
  if (condition) return;
  std::fprintf(stderr, "fuzz: %s\n", sentence);
  std::abort();
}

/// The input, taken from the front. When it is used up, zeros follow.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}

  bool empty() const { return rest_.empty(); }
  std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const std::uint8_t first = rest_.front();
    rest_ = rest_.subspan(1);
    return first;
  }
  std::span<const std::uint8_t> bytes(std::size_t size) {
    const auto out = rest_.first(std::min(size, rest_.size()));
    rest_ = rest_.subspan(out.size());
    return out;
  }
  /// As many bytes as the first one or two say.
  std::span<const std::uint8_t> piece() {
    const std::size_t size = byte();
    return bytes(size < 0x80 ? size : (size & 0x7F) << 8 | byte());
  }
  std::string text() {
    const auto all = bytes(rest_.size());
    return {all.begin(), all.end()};
  }

 private:
  std::span<const std::uint8_t> rest_;
};

}  // namespace bellwether::fuzz
