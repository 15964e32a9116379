// SPDX-License-Identifier: MIT
// What is known of a run that takes place elsewhere, or has taken place: its nodes, their leaders,
// its links. It is read-only.
#pragma once

#include <map>
#include <set>

#include "bellwether/sim/pace.hpp"

namespace bellwether::view {

using core::NodeId;
using core::NodeIndex;
using core::Time;

class ObservedRun : public sim::RunView {
 public:
  Time now() const override { return now_; }
  NodeIndex size() const override { return static_cast<NodeIndex>(ids_.size()); }
  bool alive(NodeIndex u) const override { return seats_[u].alive; }
  std::optional<NodeId> leader(NodeIndex u) const override { return seats_[u].leader; }
  bool leads(NodeIndex u) const override { return alive(u) && leader(u) == ids_[u]; }
  std::string state(NodeIndex u) const override { return seats_[u].state; }
  std::vector<sim::TimerDue> timers(NodeIndex) const override { return {}; }
  std::vector<NodeId> believed_neighbours(NodeIndex u) const override;
  bool ranked() const override { return false; }
  std::uint32_t rank(NodeIndex) const override { return 0; }
  std::optional<NodeId> head(NodeIndex) const override { return std::nullopt; }
  bool has_heights() const override { return false; }
  int higher(NodeIndex, NodeIndex) const override { return 0; }
  /// A recording does not say which node is to be elected.
  core::Criterion criterion() const override { return core::Criterion::majority; }
  bool one_way() const override { return false; }
  std::vector<sim::LiveLink> links() const override;
  std::uint64_t links_version() const override { return version_; }
  bool takes_changes() const override { return false; }
  void apply(const world::Change&) override {}
  void pace_at(Time at) override { due_ = at; }

 protected:
  struct Seat {
    bool alive = true;
    std::optional<NodeId> leader;
    std::string state;  // JSON
  };

  void seat(NodeId id);
  /// Of an unknown node: the first.
  NodeIndex place(NodeId id) const;
  void set_alive(NodeIndex u, bool alive);
  void link(NodeIndex a, NodeIndex b, bool up);
  sim::RunSetup setup() const;

  std::vector<NodeId> ids_;
  std::vector<Seat> seats_;
  std::set<std::pair<NodeIndex, NodeIndex>> links_;  // the smaller end first
  Time now_{};
  Time due_ = core::end_of_time;  // of the watcher's next turn

 private:
  std::map<NodeId, NodeIndex> indices_;
  std::uint64_t version_ = 0;
};

}  // namespace bellwether::view
