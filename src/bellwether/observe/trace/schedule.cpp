// SPDX-License-Identifier: MIT
#include "bellwether/observe/trace/schedule.hpp"

#include <algorithm>
#include <set>

#include "bellwether/observe/trace/trace.hpp"

namespace bellwether::observe {
namespace {

/// Looks at one part after the other and stops at the first fault.
class Inspector {
 public:
  explicit Inspector(const Schedule& schedule) : schedule_(schedule) {}

  std::string fault() {
    nodes();
    links();
    starts();
    changes();
    flights();
    for (const auto& each : schedule_.notices) {
      channel("notices", each.node, each.peer, notices_);
      times("notices", each.times);
    }
    for (const auto& each : schedule_.alarms) {
      once("alarms", each.node, alarms_);
      times("alarms", each.times);
    }
    for (const auto& each : schedule_.choices) once("choices", each.node, choices_);
    return fault_;
  }

 private:
  using Pair = std::pair<NodeId, NodeId>;

  void complain(const std::string& key, const std::string& sentence) {
    if (fault_.empty()) fault_ = key + ": " + sentence;
  }
  static std::string name(NodeId id) { return std::to_string(core::raw(id)); }
  static std::string name(const Pair& pair) {
    return "from " + name(pair.first) + " to " + name(pair.second);
  }

  void nodes() {
    if (schedule_.ids.empty()) complain("ids", "there must be at least one node");
    for (const NodeId id : schedule_.ids)
      if (!ids_.insert(id).second) complain("ids", "node " + name(id) + " is there twice");
  }

  bool known(const std::string& key, NodeId id) {
    if (ids_.contains(id)) return true;
    complain(key, "there is no node " + name(id) + " in this schedule");
    return false;
  }

  void links() {
    for (const Pair& link : schedule_.links) {
      known("links", link.first);
      known("links", link.second);
      if (link.first == link.second)
        complain("links", "node " + name(link.first) + " cannot be linked to itself");
      const bool both = !schedule_.one_way;
      if (!ends_.insert(link).second || (both && !ends_.insert({link.second, link.first}).second))
        complain("links", "the link " + name(link) + " is there twice");
    }
    if (schedule_.up.size() != schedule_.links.size())
      complain("up", "must say true or false for each of the " +
                         std::to_string(schedule_.links.size()) + " links");
  }

  void once(const std::string& key, NodeId id, std::set<NodeId>& seen) {
    known(key, id);
    if (!seen.insert(id).second) complain(key, "node " + name(id) + " is there twice");
  }

  void time(const std::string& key, Time at) {
    if (at < Time{0} || at > latest_time)
      complain(key, "a time must lie between 0 and 4e18 nanoseconds");
  }
  void times(const std::string& key, const Schedule::Moments& moments) {
    for (const auto& moment : moments)
      if (moment) time(key, *moment);
  }

  void starts() {
    for (const Schedule::NodeStart& each : schedule_.starts) {
      once("starts", each.node, starts_);
      time("starts", each.at);
    }
  }

  void changes() {
    Time last{};
    for (const Schedule::ScheduledChange& change : schedule_.changes) {
      time("changes", change.at);
      if (change.at < last) complain("changes", "they must stand in the order of time");
      last = change.at;
      known("changes", change.a);
      if (change.kind != Upheaval::link_up && change.kind != Upheaval::link_down) continue;
      linked("changes", {change.a, change.b});
    }
  }

  void linked(const std::string& key, const Pair& pair) {
    if (known(key, pair.first) && known(key, pair.second) && !ends_.contains(pair))
      complain(key, "there is no link " + name(pair));
  }

  /// One direction of a link, which may be named once.
  void channel(const std::string& key, NodeId from, NodeId to, std::set<Pair>& seen) {
    linked(key, {from, to});
    if (!seen.insert({from, to}).second)
      complain(key, "the link " + name({from, to}) + " is there twice");
  }

  void flights() {
    for (const Schedule::Flights& each : schedule_.flights) {
      channel("flights", each.from, each.to, flights_);
      for (const auto& copies : each.arrivals) times("flights", copies);
    }
  }

  const Schedule& schedule_;
  std::string fault_;
  std::set<NodeId> ids_, starts_, alarms_, choices_;
  std::set<Pair> ends_, flights_, notices_;  // by sender, or by the end that is notified
};

}  // namespace

std::string fault_of(const Schedule& schedule) {
  return Inspector(schedule).fault();
}

}  // namespace bellwether::observe
