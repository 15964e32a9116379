// SPDX-License-Identifier: MIT
// Which beats a node has accepted. A leader that is gone made finitely many beats, so they are
// accepted finitely often. Leaders are remembered until 16 others were followed since.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "bellwether/core/fields.hpp"
#include "bellwether/core/ids.hpp"

namespace bellwether::algorithms {

/// The last beats of the leaders that a node has followed: it accepts each beat once.
class SeenBeats {
 public:
  static constexpr std::size_t most = 16;  // leaders

  /// 0: not remembered.
  std::uint64_t last(core::NodeId leader) const {
    for (const auto& [who, beat] : last_)
      if (who == leader) return beat;
    return 0;
  }
  void add(core::NodeId leader, std::uint64_t beat) {
    if (last_.empty() || last_.back().first != leader) {
      std::erase_if(last_, [&](const auto& each) { return each.first == leader; });
      if (last_.size() >= most) last_.erase(last_.begin());
      last_.emplace_back(leader, 0);
    }
    last_.back().second = beat;
  }
  template <class Visit>
  void for_each_bound(Visit&& visit) {
    for (auto& [leader, beat] : last_) visit(core::raw(leader), beat);
  }
  /// In a network of at most 16 other nodes none is ever dropped, and the order says nothing.
  void forget_order() {
    if (last_.size() < most) std::sort(last_.begin(), last_.end());
  }
  friend bool operator==(const SeenBeats&, const SeenBeats&) = default;

 private:
  std::vector<std::pair<core::NodeId, std::uint64_t>> last_;  // the one followed last at the end

 public:
  static constexpr auto fields = std::tuple{core::field("last", &SeenBeats::last_)};
};

}  // namespace bellwether::algorithms
