// SPDX-License-Identifier: MIT
// What happens to a network during a run, as a stream in the order of time: links come and go,
// nodes crash and come back. Pulled by the driver, so that an endless stream costs nothing ahead.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "bellwether/core/problem.hpp"
#include "bellwether/world/channel.hpp"
#include "bellwether/world/network.hpp"

namespace bellwether::world {

using LinkIndex = std::uint32_t;

/// The last two concern the node that leads then: the driver knows it, the world does not.
enum class ChangeKind : unsigned char {
  link_up,
  link_down,
  crash,
  restart,
  crash_leader,
  restart_leader
};

struct Change {
  Time at{};
  ChangeKind kind{};
  LinkIndex link = 0;   // links: those of the network first, then new ones in order
  graph::Edge ends{};   // links: its two ends; crash and restart: the node is ends.a
  bool memory = false;  // restart: with what it knew
  friend bool operator==(const Change&, const Change&) = default;
};

/// Numbers for links: those of the network keep their place in its list.
class LinkBook {
 public:
  explicit LinkBook(const Network& network);
  LinkIndex number(graph::Edge ends);  // a new number for a new pair
  const graph::Edge& ends(LinkIndex link) const { return links_[link]; }
  std::size_t size() const { return links_.size(); }
  /// The links of the network itself.
  std::size_t original() const { return original_; }

 private:
  std::map<graph::Edge, LinkIndex> numbers_;
  std::vector<graph::Edge> links_;
  std::size_t original_;
};

class Changes {
 public:
  virtual ~Changes() = default;
  /// The next change, never earlier than the one before; nothing when there is no more.
  virtual std::optional<Change> next() = 0;
  /// From now on `next` has nothing after this time, until a later one is given: what has not
  /// been handed out can still be changed by hand. Streams that no hand can change need not listen.
  virtual void look_ahead(Time until) { static_cast<void>(until); }
};

/// Which [[change]] of a scenario something comes from, for errors; no part of its value.
struct ScriptEntry {
  std::uint32_t number = 0;  // from 1; 0 where there is no scenario
  friend bool operator==(const ScriptEntry&, const ScriptEntry&) { return true; }
};

/// One entry of a script. `restart` with memory = false restarts without memory.
struct ScriptedChange {
  Time at{};
  ChangeKind kind{};
  NodeId a{};
  NodeId b{};
  bool memory = false;
  ScriptEntry entry{};
  friend bool operator==(const ScriptedChange&, const ScriptedChange&) = default;
};

/// Cuts every link between two groups, or joins what was cut.
struct ScriptedPartition {
  Time at{};
  bool heal = false;
  std::vector<std::vector<NodeId>> groups;  // empty for heal
  ScriptEntry entry{};
  friend bool operator==(const ScriptedPartition&, const ScriptedPartition&) = default;
};

/// A node is put somewhere, and stays there.
struct ScriptedMove {
  Time at{};
  NodeId node{};
  Point to{};  // in metres
  ScriptEntry entry{};
  friend bool operator==(const ScriptedMove&, const ScriptedMove&) = default;
};

/// Random link failures: `rate` a second in the whole network, each over after `down` on average.
struct LinkChurnSpec {
  double rate = 0;
  Duration down = std::chrono::seconds(1);
  Time from{};
  Time until{};  // all links are up again by then
  friend bool operator==(const LinkChurnSpec&, const LinkChurnSpec&) = default;
};

/// Random crashes: `rate` a second in the whole network, each node back after `down` on average.
/// And crashes of the leader: one every `leader_every`; it is back after exactly `down`.
struct CrashChurnSpec {
  double rate = 0;
  Duration down = std::chrono::seconds(1);
  bool memory = false;
  Time from{};
  Time until{};             // all nodes are back by then
  Duration leader_every{};  // 0: never
  friend bool operator==(const CrashChurnSpec&, const CrashChurnSpec&) = default;
};

/// The edge-Markovian graph: each period, every absent link appears with probability `birth`
/// and every present one disappears with probability `death`.
struct MarkovSpec {
  double birth = 0;
  double death = 0;
  Duration period = std::chrono::seconds(1);
  Time until{};
  friend bool operator==(const MarkovSpec&, const MarkovSpec&) = default;
};

struct ChangeSpec {
  std::vector<ScriptedChange> script;
  std::vector<ScriptedPartition> partitions;
  std::vector<ScriptedMove> moves;  // for those who make nodes move: no part of make_changes
  LinkChurnSpec links;
  CrashChurnSpec crashes;
  MarkovSpec markov;
  friend bool operator==(const ChangeSpec&, const ChangeSpec&) = default;
  bool any() const {
    return !script.empty() || !partitions.empty() || links.rate > 0 || crashes.rate > 0 ||
           crashes.leader_every > Duration{0} || markov.birth > 0 || markov.death > 0;
  }
};

/// Whether any node may crash.
bool has_crashes(const ChangeSpec& spec);
/// Whether a script or a lot names links that come or go; failures of those there are do not count.
bool decides_links(const ChangeSpec& spec);

/// All sources of a scenario merged. Throws Problem when the script names a node that is not there.
/// The book may be shared with a caller that adds changes of its own.
std::unique_ptr<Changes> make_changes(const ChangeSpec& spec, const Network& network,
                                      const std::vector<NodeId>& ids, std::uint64_t seed,
                                      std::shared_ptr<LinkBook> book = nullptr);
/// Where each node of `moves` stands in the list. Throws Problem as above.
std::vector<NodeIndex> movers(const std::vector<ScriptedMove>& moves,
                              const std::vector<NodeId>& ids);

// The sources one by one, for tests and for other drivers.
std::unique_ptr<Changes> link_churn(const LinkChurnSpec&, std::shared_ptr<LinkBook>, core::Prng);
std::unique_ptr<Changes> crash_churn(const CrashChurnSpec&, NodeIndex nodes, core::Prng);
std::unique_ptr<Changes> edge_markovian(const MarkovSpec&, NodeIndex nodes,
                                        std::shared_ptr<LinkBook>, core::Prng);
std::unique_ptr<Changes> merged(std::vector<std::unique_ptr<Changes>> sources);

}  // namespace bellwether::world
