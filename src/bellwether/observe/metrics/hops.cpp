// SPDX-License-Identifier: MIT
#include "bellwether/observe/metrics/hops.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "bellwether/graph/distances.hpp"

namespace bellwether::observe {
namespace {

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

bool SmallHops::build(BitRow around, bool with_farness) {
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

/// The words of one node. From its farthest node on they hold all nodes.
bool SmallHops::search(BitRow around, std::uint32_t from) {
  std::uint64_t seen = std::uint64_t{1} << from;
  std::uint64_t fresh = seen;
  std::uint64_t far = 0;
  std::uint32_t k = 0;
  for (;; ++k) {
    if (k == kept_) {
      // No other node has come that far: for all that are done this is beyond the farthest.
      if (within_.size() < std::size_t{k + 1} * size_) within_.resize(std::size_t{k + 1} * size_);
      std::fill_n(within_.begin() + std::ptrdiff_t{k} * size_, size_, all_);
      ++kept_;
    }
    within_[std::size_t{k} * size_ + from] = seen;
    if (seen == all_) break;
    // Each node that is not within k hops is farther than k: it adds one.
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

/// The link from a to b is gone: the nodes for which b was behind a, and behind no other node.
std::uint64_t SmallHops::cut_off(BitRow around, std::uint32_t a, std::uint32_t b) const {
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

std::optional<std::uint64_t> SmallHops::update(BitRow around, std::uint32_t a, std::uint32_t b,
                                               bool up) {
  std::uint64_t changed = 0;
  if (up) {
    // A shortcut for nodes that are nearer to one end than to the other by two hops or more.
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

bool LargeHops::build(graph::Graph links) {
  links_ = std::move(links);
  rows_.assign(links_.size(), {});
  const DistanceRow& far = from(0);
  if (std::find(far.begin(), far.end(), graph::unreachable) != far.end()) return false;
  diameter_ = graph::diameter(links_);
  return true;
}

const LargeHops::DistanceRow& LargeHops::from(std::uint32_t v) {
  if (rows_[v].empty()) rows_[v] = graph::distances(links_, v);
  return rows_[v];
}

}  // namespace bellwether::observe
