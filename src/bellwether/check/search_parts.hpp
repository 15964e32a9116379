// SPDX-License-Identifier: MIT
// What search.cpp and cycles.cpp share.
#pragma once

#include <thread>

#include "bellwether/check/search.hpp"

namespace bellwether::check {

/// States that wait. When only 64 bits of a state are kept, its bytes wait here.
struct Search::Frontier {
  std::vector<StateRef> refs;
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint64_t> ends;
  void add(StateRef ref, std::span<const std::uint8_t> whole) {
    refs.push_back(ref);
    if (whole.empty()) return;
    bytes.insert(bytes.end(), whole.begin(), whole.end());
    ends.push_back(bytes.size());
  }
  void append(Frontier& other) {
    const std::uint64_t base = bytes.size();
    refs.insert(refs.end(), other.refs.begin(), other.refs.end());
    bytes.insert(bytes.end(), other.bytes.begin(), other.bytes.end());
    for (const std::uint64_t end : other.ends) ends.push_back(base + end);
    other = {};
  }
  std::span<const std::uint8_t> key(std::size_t i) const {
    const std::uint64_t from = i == 0 ? 0 : ends[i - 1];
    return {bytes.data() + from, ends[i] - from};
  }
  std::uint64_t memory() const {
    return refs.capacity() * 8 + bytes.capacity() + ends.capacity() * 8;
  }
};

/// One thread of the search.
struct Search::Worker final : Successors {
  Worker(Search& s)
      : search(s),
        expander(s.plan_, s.machine_, s.contents_),
        slots(s.plan_.slots()),
        keys(4 * together * most_key_bytes(s.plan_)) {}

  void take(const Action& action, const Number* next_slots, Number broken) override;
  /// Looks the waiting successors up, all together: memory is slow, but can be asked ahead.
  void settle();

  Search& search;
  Expander expander;
  StateVector slots;  // of the state that is expanded
  struct QueuedState {
    std::uint64_t hash;
    StateRef from;
    std::uint32_t begin, size;  // in `keys`
    unsigned depth;
    bool fault;
  };
  static constexpr std::size_t together = 32;
  std::vector<std::uint8_t> keys;  // of successors that wait to be looked up
  std::size_t keys_end = 0;
  std::vector<QueuedState> waiting;
  StateRef from = no_state;
  Frontier next;
  std::vector<std::pair<StateRef, unsigned>> stack;  // depth first
  unsigned depth = 0;
  std::atomic<std::uint64_t> transitions{0};
  std::atomic<std::uint64_t> held{0};  // bytes, when it last looked
  std::uint64_t rests = 0;
  std::uint64_t since_look = 0;
  std::array<std::uint64_t, action_kinds> taken{};
  bool agreed = false;
  bool full = false;
};

template <class Process>
void Search::in_parallel(Process&& process) {
  if (workers_.size() == 1) return process(*workers_.front());
  std::vector<std::thread> threads;
  for (auto& worker : workers_) threads.emplace_back([&process, &worker] { process(*worker); });
  for (auto& thread : threads) thread.join();
}

}  // namespace bellwether::check
