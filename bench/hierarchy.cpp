// SPDX-License-Identifier: MIT
// What a hierarchy costs after a failure, and where its leaders stand.
#include "hierarchy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "bellwether/algorithms/moving/hierarchy.hpp"
#include "bellwether/graph/closeness/closeness.hpp"
#include "bellwether/graph/components.hpp"
#include "bellwether/graph/distances.hpp"
#include "bellwether/graph/placement.hpp"
#include "bellwether/sim/simulation_of.hpp"

namespace {

using namespace bellwether;
using namespace std::chrono_literals;
using algorithms::Height;
using algorithms::Hierarchy;
using core::NodeId;
using core::NodeIndex;
using scenario::Scenario;

constexpr core::Duration settled = 100s;
constexpr core::Duration between = 10s;

/// A random geometric network of mean degree 8 in which one link after the other fails permanently.
Scenario network(NodeIndex nodes, std::uint64_t failures) {
  Scenario s;
  s.seed = 1;
  s.network.topology = "geometric";
  s.network.nodes = nodes;
  s.network.degree = 8;
  s.network.ids = "random";
  s.channel.delay = world::Delay::constant;
  s.channel.mean = 1ms;
  s.stop.time = settled + between * static_cast<std::int64_t>(failures + 1);
  const sim::RunSetup setup = sim::make_setup(s);
  std::vector<graph::Edge> links = setup.network.links;
  core::Prng prng = core::stream(s.seed, "failures");
  core::shuffle(links, prng);
  for (std::uint64_t i = 0; i < failures; ++i)
    s.changes.script.push_back({settled + between * static_cast<std::int64_t>(i),
                                world::ChangeKind::link_down, setup.ids[links[i].a],
                                setup.ids[links[i].b], false});
  return s;
}

/// What a failure changes at the nodes, from rest to rest.
struct Changed {
  std::uint64_t rests = 0;
  std::uint64_t chains = 0;   // nodes with another chain of leaders
  std::uint64_t parents = 0;  // nodes with another parent
  std::uint64_t ranks = 0;
  std::uint64_t clusters = 0;  // nodes with another leader of level 1
};

class Watch final : public core::Monitor<Hierarchy> {
 public:
  explicit Watch(Changed& out) : out_(out) {}
  std::string_view name() const override { return "watch"; }
  std::string_view says() const override { return "nothing"; }
  void at_rest(const core::Snapshot<Hierarchy>& all) override {
    std::vector<Seen> now;
    for (NodeIndex u = 0; u < all.size(); ++u)
      now.push_back({all.node(u).leaders(), all.node(u).pred(), all.node(u).rank()});
    if (!before_.empty()) ++out_.rests;
    for (NodeIndex u = 0; u < before_.size(); ++u) {
      out_.chains += now[u].chain != before_[u].chain ? 1 : 0;
      out_.parents += now[u].pred != before_[u].pred ? 1 : 0;
      out_.ranks += now[u].rank != before_[u].rank ? 1 : 0;
      out_.clusters += now[u].chain.front() != before_[u].chain.front() ? 1 : 0;
    }
    before_ = std::move(now);
  }

 private:
  struct Seen {
    std::vector<NodeId> chain;
    std::optional<core::Port> pred;
    std::uint32_t rank;
  };
  Changed& out_;
  std::vector<Seen> before_;
};

/// Messages of a run, less those of the same run without failures.
template <class P>
std::uint64_t messages_of(const Scenario& s, core::Monitors<P> monitors = {}) {
  sim::SimulationOf<P> simulation(sim::make_setup(s), s, {});
  simulation.watch(std::move(monitors));
  return simulation.run().messages;
}

void print_cost(NodeIndex nodes, std::uint64_t failures) {
  Scenario with = network(nodes, failures);
  Scenario without = with;
  // The same length: a live node is asked to restart at the end, which has no effect.
  without.changes.script.clear();
  Changed changed;
  core::Monitors<Hierarchy> monitors;
  monitors.push_back(std::make_unique<Watch>(changed));
  const std::uint64_t height = messages_of<Height>(with) - messages_of<Height>(without);
  const std::uint64_t ours =
      messages_of<Hierarchy>(with, std::move(monitors)) - messages_of<Hierarchy>(without);
  const auto each = [&](std::uint64_t all) {
    return static_cast<double>(all) / static_cast<double>(failures);
  };
  fmt::print(
      "{:>7}  {:>8}  {:>6.2f}  {:>9.1f}  {:>6.1f}  {:>7.2f}  {:>5.2f}  {:>8.1f}  {:>5.2f}\n", nodes,
      failures, each(height), each(ours), each(changed.chains), each(changed.parents),
      each(changed.ranks), each(changed.clusters),
      static_cast<double>(ours) / static_cast<double>(std::max<std::uint64_t>(1, changed.chains)));
}

struct Shape {
  std::vector<NodeIndex> leaders;  // by level
  double mean = 0;
  std::uint32_t most = 0;
};

/// Numbered as the protocol does: by id.
graph::Graph largest_component(const sim::RunSetup& setup) {
  const auto parts = graph::components(setup.network.nodes, setup.network.links);
  std::vector<NodeIndex> size(parts.count, 0);
  for (const std::uint32_t part : parts.of) ++size[part];
  const auto largest =
      static_cast<std::uint32_t>(std::max_element(size.begin(), size.end()) - size.begin());
  std::vector<std::pair<NodeId, NodeIndex>> order;
  for (NodeIndex u = 0; u < setup.network.nodes; ++u)
    if (parts.of[u] == largest) order.emplace_back(setup.ids[u], u);
  std::sort(order.begin(), order.end());
  std::vector<NodeIndex> place(setup.network.nodes, 0);
  for (NodeIndex i = 0; i < order.size(); ++i) place[order[i].second] = i;
  std::vector<graph::Edge> links;
  for (const graph::Edge& e : setup.network.links)
    if (parts.of[e.a] == largest) links.push_back({place[e.a], place[e.b]});
  return graph::Graph(static_cast<NodeIndex>(order.size()), links);
}

Shape central(NodeIndex nodes) {
  const Scenario s = network(nodes, 0);
  const sim::RunSetup setup = sim::make_setup(s);
  const graph::Graph graph = largest_component(setup);
  nodes = graph.size();
  const graph::Placement placed(graph, graph::most_central(graph).node,
                                std::vector<std::uint32_t>{3});
  Shape out;
  out.leaders.resize(placed.levels());
  std::uint64_t hops = 0;
  for (NodeIndex u = 0; u < nodes; ++u)
    for (std::size_t k = 1; k <= placed.rank(u); ++k) ++out.leaders[k - 1];
  for (NodeIndex u = 0; u < nodes; ++u) {
    if (placed.rank(u) == 0) continue;
    const auto far = graph::distances(graph, u);
    for (NodeIndex v = 0; v < nodes; ++v)
      if (placed.leader(v, 1) == u) {
        hops += far[v];
        out.most = std::max(out.most, far[v]);
      }
  }
  out.mean = static_cast<double>(hops) / nodes;
  return out;
}

}  // namespace

int main(int count, char** words) {
  const std::string_view what = count > 1 ? words[1] : "all";
  if (what == "cost" || what == "all") {
    fmt::print(
        "Single link failures in random geometric networks of mean degree 8, R = 3; per failure.\n"
        "chain: nodes whose chain of leaders is another; each of them, but the two ends of the\n"
        "link, has to hear of it, so that no algorithm needs fewer messages than about that.\n\n"
        "  nodes  failures  height  hierarchy   chain  parent   rank  level 1  sent per chain\n");
    for (const NodeIndex nodes : {100u, 1000u, 10000u}) print_cost(nodes, nodes / 50);
  }
  if (what == "losses" || what == "all") print_losses();
  if (what == "leaves" || what == "all") print_leaves();
  if (what == "built" || what == "all") print_built();
  if (what == "shape" || what == "all") {
    fmt::print("\ncentral-hierarchy, placed without messages, R = 3: leaders per level, hops\n");
    for (const NodeIndex nodes : {60u, 200u, 600u, 2000u, 10000u, 100000u}) {
      const Shape s = central(nodes);
      fmt::print("{:>7}  {}  mean {:.2f}, most {}\n", nodes, fmt::join(s.leaders, " "), s.mean,
                 s.most);
    }
  }
}
