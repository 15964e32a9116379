// SPDX-License-Identifier: MIT
#include "bellwether/node/routes.hpp"

#include <algorithm>
#include <deque>

#include "bellwether/algorithms/moving/knowledge.hpp"
#include "bellwether/graph/distances.hpp"

namespace bellwether::node {

namespace {

/// Breadth first from `self`; of several ways the one by the smallest neighbour.
std::vector<Route> routes_in(const core::Known& known, NodeId self) {
  const algorithms::Component component = algorithms::component_of(known, self);
  const auto& ids = component.ids;
  std::vector<Route> routes;
  routes.reserve(ids.size());
  for (const NodeId id : ids) {
    const core::MemberView* view = algorithms::find(known, id);
    routes.push_back({id, graph::unreachable, {}, view ? view->effective_priority() : 0});
  }
  const auto here =
      static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), self) - ids.begin());
  routes[here].hops = 0;
  std::deque<core::NodeIndex> wave{static_cast<core::NodeIndex>(here)};
  for (; !wave.empty(); wave.pop_front()) {
    const core::NodeIndex u = wave.front();
    for (const core::NodeIndex v : component.graph.neighbours(u)) {
      if (routes[v].hops != graph::unreachable) continue;
      routes[v].hops = routes[u].hops + 1;
      routes[v].via = u == here ? routes[v].id : routes[u].via;
      wave.push_back(v);
    }
  }
  return routes;
}

}  // namespace

void Routes::follow(const core::Known& known, NodeId self) {
  if (version_ > 0 && known_.same(known)) return;
  known_ = known;
  self_ = self;
  auto routes = routes_in(known, self);
  if (version_ > 0 && routes == routes_) return;
  routes_ = std::move(routes);
  ++version_;
}

void Routes::follow(const core::MemberList& list) {
  if (list_version_ == list.version) return;
  list_version_ = list.version;
  std::vector<Route> routes;
  for (const core::ListedMember& each : list.all)
    routes.push_back({each.id, each.hops, each.via, each.priority});
  std::swap(routes, routes_);
  std::vector<std::pair<NodeId, NodeId>> tree;
  for (const core::ListedMember& each : list.all)
    if (each.parent && each.parent != each.id && find(*each.parent))
      tree.push_back(std::minmax(each.id, *each.parent));
  std::sort(tree.begin(), tree.end());
  tree.erase(std::unique(tree.begin(), tree.end()), tree.end());  // two that name each other
  if (version_ > 0 && routes == routes_ && tree == tree_) return;
  tree_ = std::move(tree);
  ++version_;
}

const Route* Routes::find(NodeId id) const {
  const auto at =
      std::lower_bound(routes_.begin(), routes_.end(), id,
                       [](const Route& route, NodeId wanted) { return route.id < wanted; });
  return at == routes_.end() || at->id != id ? nullptr : &*at;
}

std::optional<NodeId> Routes::next_hop(NodeId id) const {
  const Route* route = find(id);
  return route ? route->via : std::nullopt;
}

std::vector<std::pair<NodeId, NodeId>> Routes::links() const {
  if (list_version_ > 0) return tree_;
  std::vector<std::pair<NodeId, NodeId>> out;
  if (version_ == 0) return out;
  const algorithms::Component component = algorithms::component_of(known_, self_);
  for (core::NodeIndex u = 0; u < component.ids.size(); ++u)
    for (const core::NodeIndex v : component.graph.neighbours(u))
      if (u < v) out.emplace_back(component.ids[u], component.ids[v]);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace bellwether::node
