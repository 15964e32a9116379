// SPDX-License-Identifier: MIT
// The best few of many, for searches that skip candidates which cannot be among them.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace bellwether::graph {

/// Keeps the `count` best of those offered. `Entry::beats` is their order; no two are equal in it.
template <class Entry>
class TopK {
 public:
  explicit TopK(std::size_t count) : count_(count) {}

  std::size_t count() const { return count_; }
  bool full() const { return kept_.size() >= count_; }
  /// The entry that a new one needs to beat; only when full.
  const Entry& last() const { return kept_.front(); }

  void offer(Entry entry) {
    if (full()) {
      if (count_ == 0 || !entry.beats(last())) return;
      std::pop_heap(kept_.begin(), kept_.end(), better);
      kept_.pop_back();
    }
    kept_.push_back(std::move(entry));
    std::push_heap(kept_.begin(), kept_.end(), better);
  }

  /// The best first.
  std::vector<Entry> take() {
    std::sort_heap(kept_.begin(), kept_.end(), better);
    return std::move(kept_);
  }

 private:
  static bool better(const Entry& a, const Entry& b) { return a.beats(b); }

  std::size_t count_;
  std::vector<Entry> kept_;  // a heap, the worst in front
};

}  // namespace bellwether::graph
