// SPDX-License-Identifier: MIT
// What the elections of Favier's thesis share: each node's map of its component, one entry for each
// node, with the neighbours that this node had at a value of its logical clock; how two maps are
// merged; and which node leads in a map.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>

#include "bellwether/core/fields.hpp"
#include "bellwether/core/ids.hpp"
#include "bellwether/core/members.hpp"
#include "bellwether/graph/graph.hpp"

namespace bellwether::algorithms {

using core::Ids;
using core::Known;
using core::MemberView;
using core::usual_priority;

/// What a node knows at first: itself, at clock 0.
Known initial_knowledge(core::NodeId id);

const MemberView* find(const Known& known, core::NodeId id);
/// The entry of `id`, to be changed; a new one is at clock 0, without neighbours.
MemberView& entry(Known& known, core::NodeId id);

bool contains(const Ids& ids, core::NodeId id);
void insert(core::Shared<Ids>& ids, core::NodeId id);
void erase(core::Shared<Ids>& ids, core::NodeId id);
Ids united(const Ids& a, const Ids& b);
Ids without(const Ids& a, const Ids& b);
/// Whether this can be a set: input from the network need not be one.
bool is_set(const Ids& ids);

/// How two entries of one node with the same clock are resolved.
enum class Ties : unsigned char { keep, unite };

/// Each entry of `theirs` that is new or has a later clock replaces ours; says whether that changed
/// anything. Input that is not a map, or would make an entry that is not a set, is rejected as a
/// whole. Nothing is copied where nothing changes; a result that equals `theirs` is shared with it.
bool merge(Known& ours, const Known& theirs, Ties ties);

/// Which links of a map count: those that one end claims, in its direction; those that either end
/// claims; or those that both claim.
enum class Edges : unsigned char { directed, either, mutual };
constexpr auto names_of(Edges) {
  return std::array<std::string_view, 3>{"directed", "either", "mutual"};
}
inline constexpr std::string_view edges_about =
    "Links of the map that count: those that one end claims, in its direction (directed), those "
    "that either end claims (either), or those that both ends claim (mutual).";

/// What makes a node central.
enum class Measure : unsigned char { closeness, degree };
constexpr auto names_of(Measure) {
  return std::array<std::string_view, 2>{"closeness", "degree"};
}

/// Contents whose type only one source file knows, made on first use.
template <class T>
class OnDemand {
 public:
  T& operator*() {
    if (!contents_) contents_ = {new T, [](T* contents) { delete contents; }};
    return *contents_;
  }

 private:
  std::unique_ptr<T, void (*)(T*)> contents_{nullptr, nullptr};
};

/// A change reaches all nodes, and all of them derive the same result from the same map: one of
/// them computes it. The driver caches it for them (`Cache` in core/capabilities.hpp).
struct KnowledgeCache {
  OnDemand<class LeaderCache> leaders;
  OnDemand<class PlanCache> plans;  // central_plan.hpp
};

/// The most central of the nodes that `self` reaches in the map; ties: the highest id.
core::NodeId leader_of(KnowledgeCache& cache, const Known& known, core::NodeId self, Edges edges,
                       Measure measure);

/// The most central of those with the highest priority; none, where that is 0.
std::optional<core::NodeId> priority_leader_of(KnowledgeCache& cache, const Known& known,
                                               core::NodeId self, Edges edges, Measure measure);

/// The component of `self` in the map, by links that both ends claim.
struct Component {
  Ids ids;             // ascending
  graph::Graph graph;  // of their indices
  bool whole = false;  // every link that a member claims is in it: the component is complete
};
Component component_of(const Known& known, core::NodeId self);

/// Forgets all nodes that are farther from `self` than this in the map.
void forget_beyond(Known& known, core::NodeId self, Edges edges, std::uint32_t hops);

/// Whether a smaller neighbour has the same neighbours: it must have received the same, and
/// forwards it.
bool pruned_by_neighbour(const Known& known, core::NodeId self);

/// True with probability rho, in steps of a thousandth. Certain outcomes are not drawn.
template <class Step>
bool gossips(Step& step, double rho) {
  if (rho >= 1) return true;
  if (!(rho > 0)) return false;
  return step.choose(1000) < static_cast<std::uint64_t>(std::lround(rho * 1000));
}

/// Whether no entry that is in both has an earlier clock after than before.
bool clocks_rise(const Known& before, const Known& after);

/// "1:2{1,3} 3:1{1,3}": entries as the counterexamples write them. "5:2{1,3}@0": with a priority.
std::string to_text(const Known& known);

}  // namespace bellwether::algorithms
