// SPDX-License-Identifier: MIT
// A queue for searches by distance, where nothing is pushed that is nearer than what was popped
// last (Ahuja, Mehlhorn, Orlin and Tarjan 1990).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "bellwether/core/ids.hpp"

namespace bellwether::graph {

class RadixHeap {
 public:
  struct QueuedNode {
    std::uint64_t distance;
    core::NodeIndex node;
  };

  bool empty() const { return size_ == 0; }

  void clear() {
    for (auto& bucket : buckets_) bucket.clear();
    size_ = 0;
    last_ = 0;
  }

  void push(QueuedNode entry) {
    bucket(entry.distance).push_back(entry);
    ++size_;
  }

  /// One of the nearest; there must be one.
  QueuedNode pop() {
    if (buckets_[0].empty()) refill();
    const QueuedNode nearest = buckets_[0].back();
    buckets_[0].pop_back();
    --size_;
    return nearest;
  }

 private:
  /// By the highest bit in which a distance differs from the one popped last.
  std::vector<QueuedNode>& bucket(std::uint64_t distance) {
    return buckets_[static_cast<std::size_t>(std::bit_width(distance ^ last_))];
  }

  void refill() {
    std::size_t i = 1;
    while (buckets_[i].empty()) ++i;
    last_ =
        std::min_element(buckets_[i].begin(), buckets_[i].end(), [](const auto& a, const auto& b) {
          return a.distance < b.distance;
        })->distance;
    for (const QueuedNode& entry : buckets_[i]) bucket(entry.distance).push_back(entry);
    buckets_[i].clear();
  }

  std::array<std::vector<QueuedNode>, 65> buckets_;
  std::size_t size_ = 0;
  std::uint64_t last_ = 0;
};

}  // namespace bellwether::graph
