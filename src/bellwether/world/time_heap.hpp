// SPDX-License-Identifier: MIT
// A heap of (time, what), earliest first and then by what: a total order, whatever the insertions.
// Four children to a node, so that its depth is half a binary heap's and siblings share a cache
// line.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bellwether/core/time.hpp"

namespace bellwether::world {

class TimeHeap {
 public:
  struct TimedItem {
    core::Time at;
    std::uint64_t what;
    friend auto operator<=>(const TimedItem&, const TimedItem&) = default;
  };

  bool empty() const { return events_.empty(); }
  std::size_t size() const { return events_.size(); }
  const TimedItem& top() const { return events_.front(); }

  void push(TimedItem event) {
    std::size_t hole = events_.size();
    events_.push_back(event);
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / 4;
      if (!(event < events_[parent])) break;
      events_[hole] = events_[parent];
      hole = parent;
    }
    events_[hole] = event;
  }

  void pop() {
    const TimedItem last = events_.back();
    events_.pop_back();
    if (events_.empty()) return;
    const std::size_t size = events_.size();
    std::size_t hole = 0;
    while (true) {
      const std::size_t first = 4 * hole + 1;
      if (first >= size) break;
      std::size_t least = first;
      const std::size_t end = std::min(first + 4, size);
      for (std::size_t child = first + 1; child < end; ++child)
        if (events_[child] < events_[least]) least = child;
      if (!(events_[least] < last)) break;
      events_[hole] = events_[least];
      hole = least;
    }
    events_[hole] = last;
  }

 private:
  std::vector<TimedItem> events_;
};

}  // namespace bellwether::world
