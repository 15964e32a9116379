// SPDX-License-Identifier: MIT
// A run with a watcher: it stops where the watcher wants, shows itself, and takes changes by
// hand. The watcher knows no protocol, and the run no watcher.
#pragma once

#include <string>
#include <vector>

#include "bellwether/observe/metrics/run_report.hpp"
#include "bellwether/sim/run_spec.hpp"

namespace bellwether::sim {

struct TimerDue {
  std::string timer;  // JSON
  Time due{};         // end_of_time: never
};

struct LiveLink {
  NodeIndex a = 0;
  NodeIndex b = 0;
  bool wireless = false;
};

/// The inside of a run between two events.
class RunView {
 public:
  virtual ~RunView() = default;
  virtual Time now() const = 0;
  virtual NodeIndex size() const = 0;
  virtual bool alive(NodeIndex u) const = 0;
  virtual std::optional<NodeId> leader(NodeIndex u) const = 0;
  virtual bool leads(NodeIndex u) const = 0;
  virtual std::string state(NodeIndex u) const = 0;  // JSON; empty: it has no description
  virtual std::vector<TimerDue> timers(NodeIndex u) const = 0;
  virtual std::vector<NodeId> believed_neighbours(NodeIndex u) const = 0;
  /// Of a hierarchy: the highest level that it leads at, and its leader of level 1.
  virtual bool ranked() const = 0;
  virtual std::uint32_t rank(NodeIndex u) const = 0;
  virtual std::optional<NodeId> head(NodeIndex u) const = 0;
  /// Whether nodes have heights; then a link leads from the higher (1: a, 2: b) to the lower.
  virtual bool has_heights() const = 0;
  virtual int higher(NodeIndex a, NodeIndex b) const = 0;
  /// Which node is to be elected: by this the metrics judge the nodes, too.
  virtual core::Criterion criterion() const = 0;

  /// Messages go from the first end of a link to the second, and never back.
  virtual bool one_way() const = 0;

  /// Links between live nodes. The version differs where they do.
  virtual std::vector<LiveLink> links() const = 0;
  virtual std::uint64_t links_version() const = 0;
  virtual bool at_rest() const = 0;
  virtual Progress progress() const = 0;

  /// False where a run cannot be changed: rounds, and what follows a schedule.
  virtual bool takes_changes() const = 0;
  virtual void apply(const world::Change& change) = 0;
  /// The watcher's next turn; replaces an earlier request.
  virtual void pace_at(Time at) = 0;
};

class Pacer {
 public:
  virtual ~Pacer() = default;
  /// The network, before anything happens.
  virtual void setup(const RunSetup& setup) = 0;
  /// Before the first event; the first turn is asked for here.
  virtual void begin(RunView& inside) = 0;
  virtual void turn(RunView& inside) = 0;
  /// A property that was watched does not hold. The run goes on without its monitor.
  virtual void broken(RunView& inside, const std::string& sentence) = 0;
  /// Nothing happens any more, but can still be asked about.
  virtual void end(RunView& inside, observe::Ended ended, const std::string& violation) = 0;
};

}  // namespace bellwether::sim
