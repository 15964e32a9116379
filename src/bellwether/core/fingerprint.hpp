// SPDX-License-Identifier: MIT
// A running digest of everything that happens in a run: two runs with the same fingerprint did the
// same things in the same order. The cheapest regression test there is.
#pragma once

#include <string>

#include "bellwether/core/digest.hpp"

namespace bellwether::core {

class Fingerprint {
 public:
  void fold(std::uint64_t what) { state_ = mix(state_, what); }
  void fold(std::uint64_t what, std::uint64_t more) {
    // Two words at the price of one product; the rotation keeps (a, b) and (b, a) apart.
    state_ = mix(state_ + std::rotl(what, 29), more);
  }
  /// Sixteen hexadecimal digits.
  std::string text() const {
    static constexpr char digits[] = "0123456789abcdef";
    std::string out(16, '0');
    for (unsigned i = 0; i < 16; ++i) out[15 - i] = digits[(state_ >> (4 * i)) & 15];
    return out;
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0x6265'6C6C'7765'7468u;
};

}  // namespace bellwether::core
