// SPDX-License-Identifier: MIT
// A schedule decides everything in a run that is otherwise drawn: when messages arrive, when ends
// are notified of changes, when alarms ring, what is chosen. With the same algorithm it gives the
// same steps, so a trace that carries its schedule can be run again. The simulator follows one
// (sim/replay.hpp); a program that writes one must count as the simulator does:
//
// Ports. A node's first ports are those of the links that are up at the beginning: first the links
//   that it begins, then those that it ends, each in the order of `links`. Whenever an end comes
//   up, it takes the next number of its node. Ports go on counting through crashes and restarts,
//   and so do the ordinals below.
// Messages. The k-th message from one node to another counts whatever the sender was able to put on
//   the link: a broadcast is one for each port that is up. It arrives whatever has become of the
//   two ends, if the receiver is alive: on the receiver's port where that end is up, else on the
//   port `stranger` where the algorithm hears strangers; else it dies.
// Notices. An end of a link is notified, in the order of `changes` and one ordinal each:
//   - link_up, link_down: both ends, if both nodes are alive and the link was not so already;
//   - crash: the far end of each link that is there (up at the beginning or brought up, and not
//     taken down since), if its node is alive; the ends of the node that crashes go down at once,
//     without a notice;
//   - restart: both ends of each link that is there, if the other node is alive; first the end of
//     the node that comes back. What a restart does at once (its own step; with memory then a start
//     that was missed and a link_down for each link that it had, in the order of `links`) takes no
//     ordinal.
//   Of a one-way link only the first end is notified, and the second comes up with it. A notice for
//   a node that is down, or of what its end knows already, is no step.
// Alarms. Each `arm` counts, also one that moves an armed timer; `disarm` does not. What expires
//   while its node is down rings when the node comes back with its memory; else it is gone.
// Choices. Each `choose(n)` with n > 1 counts. What is not below n counts as n - 1.
// Clocks. `now()` is the time of the run, so times rise from one start of a node to the next.
//
// A time that has passed when it is asked for means at once. Times of their own for all things
// leave no doubt about the order; of several at one time that one comes first that was known first:
// a start from the beginning, a change since the one before it, all else since the step or change
// behind it. What has no time, or is not mentioned, never happens, but might: a message is under
// way until its sender's end goes down, an armed timer stays armed, an end does not know yet. Such
// a configuration is not quiescent. Only a message without any arrival is lost at once. Choices not
// mentioned are 0.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bellwether/core/fields.hpp"
#include "bellwether/core/ids.hpp"
#include "bellwether/core/time.hpp"

namespace bellwether::observe {

enum class Upheaval : unsigned char { link_up, link_down, crash, restart };
constexpr auto names_of(Upheaval) {
  return std::array<std::string_view, 4>{"link-up", "link-down", "crash", "restart"};
}

struct Schedule {
  using NodeId = core::NodeId;
  using Time = core::Time;
  using Moments = std::vector<std::optional<Time>>;  // without a value: never

  struct NodeStart {
    NodeId node{};
    Time at{};
    static constexpr auto fields =
        std::tuple{core::field("node", &NodeStart::node), core::field("at_ns", &NodeStart::at)};
    friend bool operator==(const NodeStart&, const NodeStart&) = default;
  };
  struct ScheduledChange {
    Time at{};
    Upheaval kind{};
    NodeId a{};           // crash, restart: the node; links: one end
    NodeId b{};           // links: the other end; else of no meaning
    bool memory = false;  // restart: with what it knew
    static constexpr auto fields = std::tuple{
        core::field("at_ns", &ScheduledChange::at), core::field("kind", &ScheduledChange::kind),
        core::field("a", &ScheduledChange::a), core::field("b", &ScheduledChange::b),
        core::field("memory", &ScheduledChange::memory)};
    friend bool operator==(const ScheduledChange&, const ScheduledChange&) = default;
  };
  /// By message: when its copies arrive. Two: it is duplicated. None: it is lost.
  struct Flights {
    NodeId from{};
    NodeId to{};
    std::vector<Moments> arrivals;
    static constexpr auto fields =
        std::tuple{core::field("from", &Flights::from), core::field("to", &Flights::to),
                   core::field("arrivals_ns", &Flights::arrivals)};
    friend bool operator==(const Flights&, const Flights&) = default;
  };
  /// The notifications of `node` about its link to `peer`.
  struct Notices {
    NodeId node{};
    NodeId peer{};
    Moments times;
    static constexpr auto fields =
        std::tuple{core::field("node", &Notices::node), core::field("peer", &Notices::peer),
                   core::field("times_ns", &Notices::times)};
    friend bool operator==(const Notices&, const Notices&) = default;
  };
  struct Alarms {
    NodeId node{};
    Moments times;
    static constexpr auto fields =
        std::tuple{core::field("node", &Alarms::node), core::field("times_ns", &Alarms::times)};
    friend bool operator==(const Alarms&, const Alarms&) = default;
  };
  struct Choices {
    NodeId node{};
    std::vector<std::uint64_t> values;
    static constexpr auto fields =
        std::tuple{core::field("node", &Choices::node), core::field("values", &Choices::values)};
    friend bool operator==(const Choices&, const Choices&) = default;
  };

  std::vector<std::pair<std::string, std::string>> options;  // of the algorithm, as texts
  std::vector<NodeId> ids;
  bool one_way = false;                          // messages go from the first to the second only
  std::vector<std::pair<NodeId, NodeId>> links;  // all that there ever are
  std::vector<bool> up;                          // by link: up at both ends from the beginning
  std::vector<NodeStart> starts;                 // others never start by themselves
  std::vector<ScheduledChange> changes;          // in the order of time
  std::vector<Flights> flights;
  std::vector<Notices> notices;
  std::vector<Alarms> alarms;
  std::vector<Choices> choices;

  static constexpr auto fields = std::tuple{
      core::field("options", &Schedule::options), core::field("ids", &Schedule::ids),
      core::field("one_way", &Schedule::one_way), core::field("links", &Schedule::links),
      core::field("up", &Schedule::up),           core::field("starts", &Schedule::starts),
      core::field("changes", &Schedule::changes), core::field("flights", &Schedule::flights),
      core::field("notices", &Schedule::notices), core::field("alarms", &Schedule::alarms),
      core::field("choices", &Schedule::choices)};
  friend bool operator==(const Schedule&, const Schedule&) = default;
};

/// What is wrong with a schedule, whatever the algorithm, as "key: sentence"; empty: nothing.
std::string fault_of(const Schedule& schedule);

}  // namespace bellwether::observe
