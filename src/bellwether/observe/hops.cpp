// SPDX-License-Identifier: MIT
#include "bellwether/observe/hops.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace bellwether::observe {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

std::uint32_t ones(std::uint64_t word) {
  return static_cast<std::uint32_t>(std::popcount(word));
}

std::uint32_t lowest(std::uint64_t word) {
  return static_cast<std::uint32_t>(std::countr_zero(word));
}

std::uint64_t first_ones(std::uint32_t n) {
  return n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
}

}  // namespace

bool SmallHops::build(Words around, bool with_farness) {
  size_ = static_cast<std::uint32_t>(around.size());
  all_ = first_ones(size_);
  with_farness_ = with_farness;
  kept_ = 0;
  reach_.assign(size_, 0);
  farness_.assign(with_farness ? size_ : 0, 0);
  for (std::uint32_t u = 0; u < size_; ++u)
    if (!search(around, u)) return false;
  find_diameter();
  return true;
}

/// The words of one node. From its farthest node on they hold everybody.
bool SmallHops::search(Words around, std::uint32_t from) {
  std::uint64_t seen = std::uint64_t{1} << from;
  std::uint64_t fresh = seen;
  std::uint64_t far = 0;
  std::uint32_t k = 0;
  for (;; ++k) {
    if (k == kept_) {
      // Nobody else has come that far: for all that are done this is beyond the farthest.
      if (within_.size() < std::size_t{k + 1} * size_) within_.resize(std::size_t{k + 1} * size_);
      std::fill_n(within_.begin() + std::ptrdiff_t{k} * size_, size_, all_);
      ++kept_;
    }
    within_[std::size_t{k} * size_ + from] = seen;
    if (seen == all_) break;
    // Who is not within k hops is farther by one than at least k.
    if (with_farness_) far += size_ - ones(seen);
    std::uint64_t next = seen;
    for (; fresh != 0; fresh &= fresh - 1) next |= around[lowest(fresh)];
    fresh = next & ~seen;
    if (fresh == 0) return false;
    seen = next;
  }
  reach_[from] = k;
  if (with_farness_) farness_[from] = far;
  for (++k; k < kept_; ++k) within_[std::size_t{k} * size_ + from] = all_;
  return true;
}

void SmallHops::find_diameter() {
  diameter_ = *std::max_element(reach_.begin(), reach_.end());
}

/// The link from a to b is gone: the nodes for which b was behind a, and behind nobody else.
std::uint64_t SmallHops::cut_off(Words around, std::uint32_t a, std::uint32_t b) const {
  std::uint64_t out = 0;
  for (std::uint32_t k = 0; k < diameter_; ++k) {
    std::uint64_t lost = at(k, a) & at(k + 1, b);
    for (std::uint64_t rest = around[b] & ~(std::uint64_t{1} << b); lost != 0 && rest != 0;
         rest &= rest - 1)
      lost &= ~at(k, lowest(rest));
    out |= lost;
  }
  return out;
}

std::optional<std::uint64_t> SmallHops::update(Words around, std::uint32_t a, std::uint32_t b,
                                               bool up) {
  std::uint64_t changed = 0;
  if (up) {
    // A shortcut, for those who are nearer to one end than to the other by two hops or more.
    for (std::uint32_t k = 0; k + 1 < diameter_; ++k)
      changed |= (within(k, a) & ~within(k + 1, b)) | (within(k, b) & ~within(k + 1, a));
  } else {
    changed = cut_off(around, a, b) | cut_off(around, b, a);
  }
  for (std::uint64_t rest = changed; rest != 0; rest &= rest - 1)
    if (!search(around, lowest(rest))) return std::nullopt;
  find_diameter();
  return changed;
}

bool LargeHops::build(LocalLinks& links) {
  std::swap(links_, links);
  row_of_.assign(links_.size(), none);
  rows_used_ = 0;
  row(0);
  if (found_.size() < links_.size()) return false;
  find_diameter();
  return true;
}

void LargeHops::search(std::uint32_t from, Row& far) {
  far.assign(links_.size(), none);
  far[from] = 0;
  found_.assign(1, from);
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const std::uint32_t u = found_[i];
    for (const std::uint32_t v : links_.of(u)) {
      if (far[v] != none) continue;
      far[v] = far[u] + 1;
      found_.push_back(v);
    }
  }
}

/// From a node in the middle, those who are far from it, the farthest first: nodes within k hops of
/// the middle are within 2 k hops of each other, so soon nobody who is left can be farther from
/// anybody than the farthest found (Crescenzi et al. 2013, "On computing the diameter of real-world
/// undirected graphs").
void LargeHops::find_diameter() {
  Row far;
  search(found_.back(), far);  // from the farthest of node 0
  const std::uint32_t width = far[found_.back()];
  Row way;  // to the farthest node from there, and half of it back
  way.push_back(found_.back());
  while (far[way.back()] > width / 2)
    for (const std::uint32_t v : links_.of(way.back()))
      if (far[v] + 1 == far[way.back()]) {
        way.push_back(v);
        break;
      }
  diameter_ = width;
  search(way.back(), far);
  const Row by_distance = found_;
  for (std::size_t left = by_distance.size(); left > 0;) {
    if (diameter_ >= 2 * far[by_distance[left - 1]]) return;
    const std::size_t some = std::min<std::size_t>(left, 64);
    diameter_ =
        std::max(diameter_, eccentricity(std::span(by_distance).subspan(left - some, some)));
    left -= some;
  }
}

/// The largest of at most 64 sources, all at once: bit i of a node's word says that source i is
/// within so many hops.
std::uint32_t LargeHops::eccentricity(std::span<const std::uint32_t> sources) {
  const std::uint64_t all = first_ones(static_cast<std::uint32_t>(sources.size()));
  within_.assign(links_.size(), 0);
  next_.resize(links_.size());
  for (std::size_t i = 0; i < sources.size(); ++i) within_[sources[i]] |= std::uint64_t{1} << i;
  for (std::uint32_t level = 0;; ++level) {
    std::uint64_t common = all;
    for (std::uint32_t u = 0; u < links_.size(); ++u) {
      std::uint64_t seen = within_[u];
      common &= seen;
      for (const std::uint32_t v : links_.of(u)) seen |= within_[v];
      next_[u] = seen;
    }
    if (common == all) return level;
    std::swap(within_, next_);
  }
}

const LargeHops::Row& LargeHops::row(std::uint32_t from) {
  if (row_of_[from] == none) {
    if (rows_used_ == rows_.size()) rows_.emplace_back();
    row_of_[from] = static_cast<std::uint32_t>(rows_used_);
    search(from, rows_[rows_used_++]);
  }
  return rows_[row_of_[from]];
}

}  // namespace bellwether::observe
