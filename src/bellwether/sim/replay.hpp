// SPDX-License-Identifier: MIT
// The simulator's side of a schedule (observe/trace/schedule.hpp): hands out what it says, in the
// order in which the run asks. Knows no protocol.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bellwether/observe/trace/schedule.hpp"
#include "bellwether/sim/links.hpp"
#include "bellwether/sim/run_spec.hpp"

namespace bellwether::sim {

/// The network and the changes of a schedule, which must outlive the stage. Throws Problem.
RunSetup make_setup(const observe::Schedule& schedule);

/// The rest of a replay, as a scenario: name, seed, algorithm, options, and every property to be
/// watched. The header has a schedule; `where` is its place, for errors.
scenario::Scenario replay_scenario(const observe::RunHeader& header, const core::Location& where);

class Replay {
 public:
  Replay(const observe::Schedule& schedule, const Links& links, const std::vector<NodeId>& ids);

  const observe::Schedule& schedule() const { return schedule_; }
  /// When each node starts; end_of_time: never.
  std::vector<std::pair<NodeIndex, Time>> starts() const;
  /// When the copies of the next message from this end arrive.
  std::span<const std::optional<Time>> flight(End e);
  /// When this end is notified of the next change; likewise an alarm of a node.
  std::optional<Time> notice(End e) { return next(notices_[e]); }
  std::optional<Time> alarm(NodeIndex u) { return next(alarms_[u]); }
  std::uint64_t choice(NodeIndex u, std::uint64_t n);

  // Messages that never arrive are under way until their sender's end goes down.
  void linger(End e);
  void forget(End e);
  bool lingering() const { return all_lingering_ > 0; }

 private:
  /// A list of the schedule, and how much of it has been asked for.
  template <class T>
  struct RecordedValues {
    std::span<const T> values;
    std::size_t asked = 0;
    const T* next() { return asked < values.size() ? &values[asked++] : nullptr; }
  };
  using RecordedTime = std::optional<Time>;
  static RecordedTime next(RecordedValues<RecordedTime>& row) {
    const RecordedTime* moment = row.next();
    return moment ? *moment : std::nullopt;
  }

  const observe::Schedule& schedule_;
  std::vector<NodeIndex> starters_;  // the nodes of schedule_.starts
  std::vector<RecordedValues<observe::Schedule::Moments>> flights_;  // by end
  std::vector<RecordedValues<RecordedTime>> notices_;                // by end
  std::vector<RecordedValues<RecordedTime>> alarms_;                 // by node
  std::vector<RecordedValues<std::uint64_t>> choices_;               // by node
  std::vector<std::uint64_t> lingering_;                             // by end
  std::uint64_t all_lingering_ = 0;
};

}  // namespace bellwether::sim
