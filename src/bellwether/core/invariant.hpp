// SPDX-License-Identifier: MIT
// A condition that must hold. Always on: the simulator and the daemon stop with the tail of the
// trace, the checker turns it into a counterexample.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace bellwether::core {

/// Thrown when an invariant or a property does not hold; what() is the sentence.
class Violation : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Apart, so that nothing of it stands where the condition is asked.
[[noreturn, gnu::cold, gnu::noinline]] inline void violated(std::string_view sentence) {
  throw Violation(std::string(sentence));
}

[[gnu::always_inline]] inline void invariant(bool condition, std::string_view sentence) {
  if (!condition) [[unlikely]]
    violated(sentence);
}

}  // namespace bellwether::core
