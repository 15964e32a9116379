// SPDX-License-Identifier: MIT
// What changes in a hierarchy when the network does: messages, and nodes with other leaders.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bellwether/algorithms/moving/hierarchy.hpp"
#include "bellwether/algorithms/moving/vector_hierarchy.hpp"
#include "bellwether/sim/simulation_of.hpp"
#include "bellwether/world/topology.hpp"
#include "hierarchy.hpp"

namespace {

using namespace bellwether;
using namespace std::chrono_literals;
using algorithms::Height;
using algorithms::Hierarchy;
using algorithms::Remoteness;
using algorithms::VectorHierarchy;
using core::NodeId;
using core::NodeIndex;
using scenario::Scenario;

constexpr core::Duration settled = 100s;
constexpr core::Duration between = 20s;

Scenario network(const char* topology, NodeIndex nodes, std::uint64_t seed) {
  Scenario s;
  s.seed = seed;
  s.network.topology = topology;
  s.network.nodes = nodes;
  s.network.degree = 7;
  s.network.ids = "random";
  s.channel.delay = world::Delay::uniform;
  s.channel.min = 1ms;
  s.channel.max = 5ms;
  s.stop.time = settled;
  return s;
}

/// What a run has come to.
struct Rest {
  std::uint64_t messages = 0;
  NodeId leader{};
  std::vector<std::vector<NodeId>> chains;  // by node; none where it is dead or does not know
  std::vector<std::uint32_t> ranks;
  std::vector<NodeId> ids;
};

template <class P>
typename P::Options with(std::uint32_t remoteness) {
  typename P::Options options;
  if constexpr (requires { options.remoteness; })
    options.remoteness = Remoteness(static_cast<std::uint16_t>(remoteness));
  return options;
}

template <class P>
Rest run(const Scenario& s, std::uint32_t remoteness) {
  sim::SimulationOf<P> simulation(sim::make_setup(s), s, with<P>(remoteness));
  Rest out;
  out.messages = simulation.run().messages;
  std::map<NodeId, NodeIndex> votes;
  for (NodeIndex u = 0; u < simulation.size(); ++u) {
    out.ids.push_back(simulation.id(u));
    out.chains.emplace_back();
    out.ranks.push_back(0);
    if (!simulation.alive(u)) continue;
    const P& node = simulation.node(u);
    ++votes[*node.leader()];
    if constexpr (!std::is_same_v<P, Height>) {
      out.chains.back() = node.leaders();
      out.ranks.back() = node.rank();
    }
  }
  NodeIndex most = 0;
  for (const auto& [id, count] : votes)
    if (count > most) most = count, out.leader = id;
  return out;
}

struct Changed {
  double messages = 0, kept = 0, level1 = 0, chains = 0, leaders = 0;
  void add(const Rest& before, const Rest& after, NodeId lost) {
    messages += static_cast<double>(after.messages - before.messages);
    std::uint64_t led = 0, still = 0;
    for (std::size_t u = 0; u < before.ids.size(); ++u) {
      if (before.ids[u] == lost) continue;
      if (before.ranks[u] > 0) {
        ++led;
        still += after.ranks[u] > 0 ? 1 : 0;
      }
      leaders += after.ranks[u] > 0 ? 1 : 0;
      if (after.chains[u] != before.chains[u]) chains += 1;
      const auto first = [](const auto& c) { return c.empty() ? NodeId{} : c.front(); };
      if (first(after.chains[u]) != first(before.chains[u])) level1 += 1;
    }
    kept += led > 0 ? static_cast<double>(still) / static_cast<double>(led) : 1;
  }
};

template <class P>
Changed losses(NodeIndex nodes, std::uint32_t remoteness, std::uint64_t networks) {
  Changed sum;
  for (std::uint64_t seed = 1; seed <= networks; ++seed) {
    Scenario s = network("geometric", nodes, seed);
    Rest before = run<P>(s, remoteness);
    for (int loss = 0; loss < 3; ++loss) {
      s.changes.script.push_back(
          {s.stop.time, world::ChangeKind::crash, before.leader, NodeId{}, false});
      s.stop.time = s.stop.time + between;
      Rest after = run<P>(s, remoteness);
      sum.add(before, after, before.leader);
      before = std::move(after);
    }
  }
  const double each = 3.0 * static_cast<double>(networks);
  return {sum.messages / each, sum.kept / each, sum.level1 / each, sum.chains / each,
          sum.leaders / each};
}

template <class P>
class Rests final : public core::Monitor<P> {
 public:
  explicit Rests(std::vector<Changed>& out) : out_(out) {}
  std::string_view name() const override { return "rests"; }
  std::string_view says() const override { return "nothing: it counts"; }
  void at_rest(const core::Snapshot<P>& all) override {
    std::vector<std::vector<NodeId>> chains;
    for (NodeIndex u = 0; u < all.size(); ++u) chains.push_back(all.node(u).leaders());
    Changed change;
    for (NodeIndex u = 0; u < chains_.size(); ++u) {
      change.chains += chains[u] != chains_[u] ? 1 : 0;
      change.level1 += chains[u].front() != chains_[u].front() ? 1 : 0;
    }
    if (!chains_.empty()) out_.push_back(change);
    chains_ = std::move(chains);
  }

 private:
  std::vector<Changed>& out_;
  std::vector<std::vector<NodeId>> chains_;
};

/// A line led from one end; leaves join at the other, one by one.
template <class P>
void print_leaves(const char* name, NodeIndex leaves) {
  constexpr NodeIndex n = 1000;
  Scenario s = network("line", n + leaves, 1);
  s.network.ids = "ascending";
  world::Network line = world::build_network(s.network, s.seed);
  const std::vector<NodeId> ids = world::assign_ids(s.network, line.nodes, s.seed);
  line.links.resize(n - 1);
  const auto messages = [&](NodeIndex joined, std::vector<Changed>& changes) {
    s.changes.script.clear();
    for (NodeIndex i = 0; i < joined; ++i)
      s.changes.script.push_back({settled + between * std::int64_t{i}, world::ChangeKind::link_up,
                                  ids[n + i - 1], ids[n + i], false});
    s.stop.time = settled + between * std::int64_t{leaves + 1};
    sim::RunSetup setup;
    setup.network = line;
    setup.ids = ids;
    const world::ChangeSpec spec = scenario::effective_changes(s);
    setup.has_changes = spec.any();
    setup.changes = world::make_changes(spec, setup.network, setup.ids, s.seed);
    sim::SimulationOf<P> run(std::move(setup), s, with<P>(3));
    run.watch(std::make_unique<Rests<P>>(changes));
    return run.run().messages;
  };
  std::vector<Changed> changes;
  const std::uint64_t built = messages(0, changes);
  changes.clear();
  const std::uint64_t all = messages(leaves, changes);
  double most = 0, level1 = 0, chains = 0;
  for (const Changed& each : changes) {
    most = std::max(most, each.level1);
    level1 += each.level1;
    chains += each.chains;
  }
  const auto joins = static_cast<double>(changes.size());
  fmt::print("{:<18} {:>5}  {:>10.1f}  {:>7.0f}  {:>7.2f}  {:>12.1f}\n", name, changes.size(),
             static_cast<double>(all - built) / joins, most, level1 / joins, chains / joins);
}

template <class P>
void print_built(const char* name) {
  fmt::print("{:<18}", name);
  for (const char* topology : {"geometric", "grid", "line", "star", "tree"})
    for (const std::uint32_t r : {2u, 3u, 6u}) {
      double leaders = 0;
      for (std::uint64_t seed = 1; seed <= 3; ++seed)
        for (const auto rank : run<P>(network(topology, 400, seed), r).ranks)
          leaders += rank > 0 ? 1 : 0;
      fmt::print(" {:>6.1f}", leaders / 3);
    }
  fmt::print("\n");
}

}  // namespace

void print_losses() {
  fmt::print(
      "The component's leader is lost: random geometric networks of mean degree 7, R = 2, means.\n"
      "nodes  algorithm            messages  at most   kept %  other L1 %  other chain  leaders\n");
  for (const NodeIndex nodes : {40u, 100u, 400u, 1000u}) {
    const std::uint64_t networks = nodes <= 100 ? 10 : 3;
    const Changed heights = losses<Height>(nodes, 2, networks);
    const auto row = [&](const char* name, const Changed& c) {
      fmt::print("{:>5}  {:<18} {:>10.0f} {:>8.0f} {:>8.1f} {:>11.1f} {:>12.1f} {:>8.1f}\n", nodes,
                 name, c.messages, 3 * heights.messages + 4 * c.chains, 100 * c.kept,
                 100 * c.level1 / nodes, c.chains, c.leaders);
    };
    fmt::print("{:>5}  {:<18} {:>10.0f}\n", nodes, "height", heights.messages);
    if (nodes <= 400) row("vector-hierarchy", losses<VectorHierarchy>(nodes, 2, networks));
    row("hierarchy", losses<Hierarchy>(nodes, 2, networks));
  }
}

void print_leaves() {
  fmt::print(
      "\nLeaves join the end of a line of 1,000 nodes, R = 3; nodes whose leader of level 1, and\n"
      "whose chain, is another.\n"
      "algorithm          joins    messages  most L1  mean L1  mean chains\n");
  print_leaves<VectorHierarchy>("vector-hierarchy", 12);
  print_leaves<Hierarchy>("hierarchy", 1000);
}

void print_built() {
  fmt::print(
      "\nLeaders of level 1 among 400 nodes, mean of three networks; R = 2, 3, 6 of each kind.\n"
      "{:18} {:<20} {:<20} {:<20} {:<20} {:<20}\n",
      "", "geometric", "grid", "line", "star", "tree");
  print_built<VectorHierarchy>("vector-hierarchy");
  print_built<Hierarchy>("hierarchy");
}
