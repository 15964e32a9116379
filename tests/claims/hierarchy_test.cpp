// SPDX-License-Identifier: MIT
// What docs/algorithms/hierarchy.md claims of changes: how many nodes have another leader after one
// leaf has come or gone, and what the loss of the leader of all costs.
#include "bellwether/algorithms/moving/hierarchy.hpp"

#include <set>

#include "claims/claims.hpp"

namespace bellwether::claims {
namespace {

using algorithms::Height;
using algorithms::Hierarchy;
using algorithms::HierarchyPlaces;
using algorithms::Remoteness;

/// What changes from one rest to the next.
struct Change {
  NodeIndex chains = 0;  // nodes with other leaders
  NodeIndex level1 = 0;  // with another leader of level 1
  NodeIndex began = 0;   // nodes that lead now
  NodeIndex stopped = 0;
  NodeIndex elsewhere = 0;  // with another leader of level 1, though the old one stays and the new
                            // one was there before
};

class Rests final : public core::Monitor<Hierarchy> {
 public:
  explicit Rests(std::vector<Change>& out) : out_(out) {}
  std::string_view name() const override { return "rests"; }
  std::string_view says() const override { return "nothing: it counts"; }
  void at_rest(const core::Snapshot<Hierarchy>& all) override {
    std::vector<std::vector<NodeId>> chains;
    std::vector<bool> leads;
    for (NodeIndex u = 0; u < all.size(); ++u) {
      chains.push_back(all.node(u).leaders());
      leads.push_back(all.node(u).rank() > 0);
    }
    Change change;
    std::set<NodeId> moved;  // nodes that began or stopped
    for (NodeIndex u = 0; u < chains_.size(); ++u) {
      change.chains += chains[u] != chains_[u] ? 1 : 0;
      change.level1 += chains[u].front() != chains_[u].front() ? 1 : 0;
      change.began += leads[u] && !leads_[u] ? 1 : 0;
      change.stopped += leads_[u] && !leads[u] ? 1 : 0;
      if (leads[u] != leads_[u]) moved.insert(all.id(u));
    }
    for (NodeIndex u = 0; u < chains_.size(); ++u)
      if (chains[u].front() != chains_[u].front() && !moved.contains(chains[u].front()) &&
          !moved.contains(chains_[u].front()))
        ++change.elsewhere;
    if (!chains_.empty()) out_.push_back(change);
    chains_ = std::move(chains);
    leads_ = std::move(leads);
  }

 private:
  std::vector<Change>& out_;
  std::vector<std::vector<NodeId>> chains_;
  std::vector<bool> leads_;
};

std::vector<Change> changes_of(const Play& play, std::uint16_t remoteness) {
  std::vector<Change> out;
  const auto run = staged<Hierarchy>(play, {.remoteness = Remoteness(remoteness)});
  run->watch(std::make_unique<Rests>(out));
  core::Monitors<Hierarchy> all = Hierarchy::monitors();
  run->watch(std::move(all));
  const RunReport report = run->run();
  EXPECT_EQ(report.violation, "");
  EXPECT_EQ(report.ended, observe::Ended::quiescent);
  return out;
}

// The leader is at one end. Node after node joins at the other, and then they leave again.
TEST(HierarchyClaims, ALeafOfALineMovesItsFlockOnly) {
  constexpr NodeIndex n = 100, leaves = 100;
  for (const auto r : std::array<std::uint16_t, 3>{2, 3, 6}) {
    SCOPED_TRACE(r);
    Play play{on("line", n + leaves), {}, {}};
    play = play_of(play.scenario);
    play.network.links.resize(n - 1);
    for (NodeIndex i = 0; i < leaves; ++i) play.join(seconds(100 + 10 * i), n + i - 1, n + i);
    for (NodeIndex i = leaves; i-- > 0;)
      play.cut(seconds(100 + 20 * leaves - 10 * i), n + i - 1, n + i);
    play.scenario.stop.time = seconds(10000);
    const auto changes = changes_of(play, r);
    ASSERT_EQ(changes.size(), 2 * leaves);
    double chains = 0;
    for (const Change& each : changes) {
      EXPECT_LE(each.level1, r + 1u);
      EXPECT_LE(each.began, 2u) << "who is alone leads itself";
      EXPECT_LE(each.stopped, 2u);
      chains += each.chains;
    }
    EXPECT_LE(chains / (2 * leaves), 3.0 * (r + 1));
  }
}

// In trees of any shape, leaves come and go one at a time.
TEST(HierarchyClaims, ALeafOfATreeMovesAtMostOneLeader) {
  std::size_t moved = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    const auto r = static_cast<std::uint16_t>(2 + seed % 5);
    Scenario s = on("line", 60, seed);
    random_delays(s);
    Play play = play_of(s);
    play.network.links.clear();
    core::Prng draw = core::stream(seed, "tree");
    const auto parent = [&](NodeIndex u) {
      return seed % 2 == 0 ? static_cast<NodeIndex>(draw.below(u))
                           : static_cast<NodeIndex>(u - 1 - draw.below(std::min(u, 3u)));
    };
    std::vector<NodeIndex> up(60);
    for (NodeIndex u = 1; u < 60; ++u) {
      up[u] = parent(u);
      if (u < 40) play.network.links.push_back({up[u], u});
    }
    for (NodeIndex u = 40; u < 60; ++u) play.join(seconds(100 + 10 * u), up[u], u);
    for (NodeIndex u = 60; u-- > 20;) play.cut(seconds(2000 - 10 * u), up[u], u);
    play.scenario.stop.time = seconds(5000);
    const auto changes = changes_of(play, r);
    ASSERT_EQ(changes.size(), 60u);
    for (std::size_t i = 0; i < changes.size(); ++i) {
      const Change& each = changes[i];
      EXPECT_LE(each.began, i < 20 ? 1u : 2u) << "one; and, where a leaf has gone, that leaf";
      EXPECT_LE(each.stopped, 2u) << "one; and the leaf that was alone, or whom the root reaches";
      EXPECT_EQ(each.elsewhere, 0u);
      moved += each.began + each.stopped;
    }
  }
  EXPECT_GT(moved, 100u) << "leaders did begin and stop";
}

template <class P>
std::uint64_t cost_of_loss(NodeIndex n, std::uint64_t seed, typename P::Options options,
                           NodeIndex& chains) {
  Scenario s = on("geometric", n, seed);
  s.network.degree = 7;
  s.network.ids = "random";
  random_delays(s, milliseconds(1), milliseconds(5));
  s.stop.time = seconds(100);
  Play play = play_of(s);
  play.ids = world::assign_ids(s.network, n, seed);
  const auto ask = [&](const auto& run) {
    std::vector<std::vector<NodeId>> all;
    for (NodeIndex u = 0; u < n; ++u)
      if constexpr (requires { run->node(u).leaders(); })
        all.push_back(run->alive(u) ? run->node(u).leaders() : std::vector<NodeId>{});
    return all;
  };
  const auto before = staged<P>(play, options);
  const std::uint64_t built = before->run().messages;
  std::map<NodeId, NodeIndex> votes;
  for (NodeIndex u = 0; u < n; ++u) ++votes[*before->node(u).leader()];
  const auto most = std::max_element(
      votes.begin(), votes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  play.scenario.changes.script.push_back(
      {seconds(100), world::ChangeKind::crash, most->first, NodeId{}, false});
  play.scenario.stop.time = seconds(200);
  const auto after = staged<P>(play, options);
  const std::uint64_t all = after->run().messages;
  const auto was = ask(before), now = ask(after);
  chains = 0;
  for (std::size_t u = 0; u < was.size(); ++u) chains += was[u] != now[u] ? 1 : 0;
  return all - built;
}

TEST(HierarchyClaims, TheLossOfTheLeaderCostsAtMostThreeTimesThatOfTheHeights) {
  for (const NodeIndex n : {40u, 100u, 200u}) {
    std::uint64_t heights = 0, ours = 0, chains = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      NodeIndex changed = 0;
      heights += cost_of_loss<Height>(n, seed, {}, changed);
      ours += cost_of_loss<Hierarchy>(n, seed, {.remoteness = Remoteness(2)}, changed);
      chains += changed;
    }
    EXPECT_LE(ours, 3 * heights + 4 * chains) << n;
    EXPECT_GT(heights, 5u * n) << "a search took place";
  }
}

}  // namespace
}  // namespace bellwether::claims
