// SPDX-License-Identifier: MIT
// A node's part in the election of its group: the engine, the epoch, whom it names as the leader
// and since when, whether it stands, and how late it is. Time and what was heard are handed in;
// bodies to be sent are taken out. It knows no socket and no event loop: `next_alarm` says when it
// wants to be rung.
#pragma once

#include <map>

#include "bellwether/node/engine.hpp"
#include "bellwether/node/fence.hpp"
#include "bellwether/node/frame.hpp"
#include "bellwether/node/slack.hpp"
#include "bellwether/node/system.hpp"

namespace bellwether::node {

/// What a node says of its leader has changed.
struct LeaderChange {
  LeaderState before, now;
  bool other_leader = false;  // else another role, chain or epoch of the same one
  bool epoch_kept = true;     // in its file, if it has one
};

class NodeElection {
 public:
  /// Throws core::Problem on an option that the algorithm does not have. `listen_first` zero: one
  /// timeout.
  NodeElection(const core::Algorithm& algorithm, const EngineSpec& spec, Duration listen_first,
               EpochFile epoch_file);

  /// Every call of the engine goes through this decorator from now on.
  void decorate(std::unique_ptr<EngineInputs> decorator) { decorator_ = std::move(decorator); }
  Engine& engine() { return engine_; }
  const Engine& engine() const { return engine_; }
  const EpochFile& epoch_file() const { return epoch_file_; }

  void start(Time now);
  /// Bodies to be sent now.
  std::vector<core::Bytes> take_outgoing(Time now);
  /// Says goodbye: the bodies are to be taken out.
  void farewell(Time now);
  /// The end: this node names no leader any more, and its file has the epoch exactly.
  LeaderChange end(Time now);

  /// When a frame of this age counts as heard: not before the last call of the engine, since what
  /// this node has seen since cannot be undone.
  Time moment(Time now, Duration age) const;
  /// A neighbour says this of itself, and to the election; an empty body says: I am here.
  FrameResult on_frame(Time at, NodeId from, const Said& said, std::span<const std::uint8_t> body);
  /// The life of this neighbour is over: it has begun another.
  void on_neighbour_lost(Time at, NodeId neighbour);
  /// Forgets what those said that are no neighbours any more.
  void forget_strangers(Time now);

  /// A timer of this node that was due then has rung now.
  void rang(Time now, Time due) { slack_.rang(now, due); }
  /// Does what is due. The slack, if this node has just become late.
  std::optional<Duration> ring(Time now);
  std::optional<Time> next_alarm() const;
  /// After each thing that happened: what has changed of the leader. A process that was stopped
  /// listens again, as a new one does, before it leads.
  std::optional<LeaderChange> update(Time now);

  /// Refused where the algorithm has no priorities.
  CommandResult stand(Time now, Candidacy candidacy);
  CommandResult set_priority(Time now, std::uint32_t priority);
  Candidacy candidacy() const { return candidacy_; }
  std::uint32_t priority() const { return spec_.priority; }  // as set
  std::uint32_t effective_priority() const;                  // as `candidacy` makes it

  std::optional<NodeId> leader() const { return now_.leader; }  // as published
  Role role() const { return now_.role; }
  std::uint64_t epoch() const { return fence_.epoch(); }
  Duration slack() const { return slack_now_; }
  Said said() const;
  std::uint64_t leader_changes() const { return leader_changes_; }
  Duration uptime(Time now) const { return now - began_; }

  /// Whom it names.
  LeaderState present(Time now) const;
  /// The same, for who asks. A process that was stopped does not know what it missed: it claims
  /// nothing until it has listened.
  LeaderState leadership(Time now) const;
  std::vector<NeighbourStatus> neighbours(Time now) const;
  std::vector<ComponentMember> members(Time now) const;

 private:
  /// What was published last.
  struct LeaderView {
    std::optional<NodeId> leader;
    Role role = Role::listening;
    std::vector<NodeId> chain;
    std::uint64_t epoch = 0;
    Time since{};  // the leader leads
  };
  struct NeighbourNews {
    Time heard{};
    std::uint32_t slack_ms = 0;
  };

  /// The engine, or its decorator, for a call at this time.
  EngineInputs& at(Time now);
  bool asleep(Time now) const;
  void turn(Time now);
  std::optional<NodeId> leader_to_publish(Time now) const;
  Role role_at(Time now) const;
  LeaderState claimed(Time now) const;
  Duration age_of(Time now, NodeId neighbour) const;

  EngineSpec spec_;
  Engine engine_;
  std::unique_ptr<EngineInputs> decorator_;
  Fence fence_;
  EpochFile epoch_file_;
  Slack slack_;
  Duration slack_now_{};
  Candidacy candidacy_ = Candidacy::eligible;
  bool has_quiet_nodes_;   // a leaf of a tree may have nothing to send for some periods
  Duration missed_after_;  // by others, if it is silent
  Duration listen_first_;
  Time began_{};
  Time listen_until_{};
  Time awake_{};  // last: it sent something, or, where it may be quiet, it ran
  Time told_{};   // the engine, last
  LeaderView now_;
  std::map<NodeId, NeighbourNews> news_;
  std::uint64_t leader_changes_ = 0;
};

}  // namespace bellwether::node
