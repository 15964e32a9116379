// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <thread>
#include <utility>

namespace bellwether::bed {

/// For all that must come: longer than any load of the machine makes it take. After
/// this time a test can conclude that it never comes.
inline constexpr std::chrono::seconds patience{300};

/// Whether the predicate comes true within the time. It is asked every few milliseconds, and once
/// more at the end: a busy machine is no reason to give up early.
template <class Predicate>
bool eventually(std::chrono::milliseconds within, Predicate&& holds,
                std::chrono::microseconds pause = std::chrono::milliseconds(2)) {
  const auto deadline = std::chrono::steady_clock::now() + within;
  while (std::chrono::steady_clock::now() < deadline) {
    if (holds()) return true;
    std::this_thread::sleep_for(pause);
  }
  return holds();
}

template <class Predicate>
bool eventually(Predicate&& holds) {
  return eventually(patience, std::forward<Predicate>(holds));
}

}  // namespace bellwether::bed
