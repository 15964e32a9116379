// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/any/bfs_tree_async.hpp"

#include "bellwether/algorithms/stated_property.hpp"

namespace bellwether::algorithms {

static_assert(core::Protocol<BfsTreeAsync> && core::Described<BfsTreeAsync>);
static_assert(std::is_trivially_copyable_v<BfsTreeAsync::Message>);

void BfsTreeAsync::receive(Step& step, core::Port port, const Message& message) {
  take(step, port, std::get<Invite>(message));
}

namespace {

using Property = StatedProperty<BfsTreeAsync>;
using Snapshot = core::Snapshot<BfsTreeAsync>;

std::optional<core::NodeIndex> root_of(const Snapshot& all) {
  for (core::NodeIndex u = 0; u < all.size(); ++u)
    if (all.node(u).is_root() && all.node(u).leader()) return u;
  return std::nullopt;  // it has not begun
}

class Tree final : public Property {
 public:
  Tree()
      : Property("tree",
                 "when quiescent, if the root has begun, every other node has a parent, which is "
                 "one level nearer to the root") {}
  void at_rest(const Snapshot& all) override {
    const auto root = root_of(all);
    if (!root) return;
    std::vector<bool> hangs(all.size(), false);  // whether its parent is on the right level
    hangs[*root] = true;
    for (core::NodeIndex v = 0; v < all.size(); ++v)
      for (const auto& channel : all.channels(v)) {
        const BfsTreeAsync& child = all.node(channel.to);
        if (child.parent() && channel.far_port == child.parent() && all.node(v).leader())
          hangs[channel.to] = child.level() == all.node(v).level() + 1;
      }
    for (core::NodeIndex u = 0; u < all.size(); ++u)
      demand(hangs[u], all, u, "no parent one level nearer to the root");
  }
};

class BreadthFirst final : public Property {
 public:
  BreadthFirst()
      : Property("breadth-first",
                 "when quiescent, if the root has begun, levels are distances from the root") {}
  void at_rest(const Snapshot& all) override {
    const auto root = root_of(all);
    if (!root) return;
    std::vector<std::optional<std::uint32_t>> far(all.size());
    far[*root] = 0;
    std::vector<core::NodeIndex> queue{*root};
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (const auto& channel : all.channels(queue[i])) {
        if (far[channel.to]) continue;
        far[channel.to] = *far[queue[i]] + 1;
        queue.push_back(channel.to);
      }
    for (core::NodeIndex u = 0; u < all.size(); ++u)
      demand(!far[u] || far[u] == all.node(u).level(), all, u, "a level that is no distance");
  }
};

}  // namespace

core::Monitors<BfsTreeAsync> BfsTreeAsync::monitors() {
  core::Monitors<BfsTreeAsync> all;
  all.push_back(std::make_unique<Tree>());
  return all;
}

core::Monitors<BfsTreeAsync> BfsTreeAsync::monitors_on_request() {
  core::Monitors<BfsTreeAsync> all;
  all.push_back(std::make_unique<BreadthFirst>());
  return all;
}

}  // namespace bellwether::algorithms
