// SPDX-License-Identifier: MIT
// Networks of any shape for unit tests, as lists of links.
#pragma once

#include "bellwether/algorithms/hand_driver_test.hpp"

namespace bellwether::algorithms {

using Link = std::pair<NodeIndex, NodeIndex>;
using LinkList = std::vector<Link>;

/// Sets of nodes that are joined one by one.
class Joined {
 public:
  explicit Joined(NodeIndex n) : parts_(n), parent_(n) {
    std::iota(parent_.begin(), parent_.end(), NodeIndex{0});
  }
  /// False: they are together already.
  bool join(NodeIndex a, NodeIndex b) {
    const NodeIndex x = root(a), y = root(b);
    if (x == y) return false;
    parent_[x] = y;
    --parts_;
    return true;
  }
  NodeIndex parts() const { return parts_; }

 private:
  NodeIndex root(NodeIndex i) const {
    while (parent_[i] != i) i = parent_[i];
    return i;
  }
  NodeIndex parts_;
  std::vector<NodeIndex> parent_;
};

inline bool is_connected(NodeIndex n, const LinkList& links) {
  Joined nodes(n);
  for (const auto& [a, b] : links) nodes.join(a, b);
  return nodes.parts() == 1;
}

inline LinkList complete_links(NodeIndex n) {
  LinkList links;
  for (NodeIndex i = 0; i < n; ++i)
    for (NodeIndex j = 0; j < i; ++j) links.emplace_back(j, i);
  return links;
}

inline LinkList line_links(NodeIndex n) {
  LinkList links;
  for (NodeIndex i = 1; i < n; ++i) links.emplace_back(i - 1, i);
  return links;
}

/// Node 0 in the middle.
inline LinkList star_links(NodeIndex n) {
  LinkList links;
  for (NodeIndex i = 1; i < n; ++i) links.emplace_back(0, i);
  return links;
}

/// Every connected network of n nodes, labelled.
inline std::vector<LinkList> every_network(NodeIndex n) {
  const LinkList all = complete_links(n);
  std::vector<LinkList> out;
  for (std::uint32_t chosen = 0; chosen < 1u << all.size(); ++chosen) {
    LinkList links;
    for (std::size_t i = 0; i < all.size(); ++i)
      if ((chosen >> i & 1u) != 0) links.push_back(all[i]);
    if (is_connected(n, links)) out.push_back(links);
  }
  return out;
}

/// A random tree, and each other link with the given chance; in a random order, which is that of
/// the ports.
inline LinkList random_network(NodeIndex n, double chance, core::Prng& prng) {
  LinkList links;
  std::vector<bool> taken(std::size_t{n} * n);
  for (NodeIndex i = 1; i < n; ++i) {
    const auto j = static_cast<NodeIndex>(prng.below(i));
    links.emplace_back(j, i);
    taken[std::size_t{i} * n + j] = true;
  }
  for (const auto& [a, b] : complete_links(n))
    if (!taken[std::size_t{b} * n + a] && prng.chance(chance)) links.emplace_back(a, b);
  core::shuffle(links, prng);
  return links;
}

template <class P>
void make_network(HandDriver<P>& driver, const LinkList& links) {
  for (const auto& [a, b] : links) driver.link(a, b);
}

/// The longest way between two nodes of a connected network.
inline NodeIndex diameter_of(NodeIndex n, const LinkList& links) {
  NodeIndex longest = 0;
  for (NodeIndex from = 0; from < n; ++from) {
    std::vector<NodeIndex> away(n, n);
    away[from] = 0;
    for (NodeIndex round = 0; round < n; ++round)
      for (const auto& [a, b] : links) {
        away[a] = std::min(away[a], away[b] + 1);
        away[b] = std::min(away[b], away[a] + 1);
      }
    for (const NodeIndex each : away) longest = std::max(longest, each);
  }
  return longest;
}

}  // namespace bellwether::algorithms
