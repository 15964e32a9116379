// SPDX-License-Identifier: MIT
#include "bellwether/sim/replay.hpp"

#include <map>

#include "bellwether/core/problem.hpp"
#include "bellwether/observe/trace/trace.hpp"

namespace bellwether::sim {
namespace {

using observe::Schedule;
using observe::Upheaval;

std::map<NodeId, NodeIndex> places_of(const std::vector<NodeId>& ids) {
  std::map<NodeId, NodeIndex> places;
  for (const NodeId id : ids) places.emplace(id, static_cast<NodeIndex>(places.size()));
  return places;
}

world::ChangeKind kind_of(Upheaval kind) {
  switch (kind) {
    case Upheaval::link_up:
      return world::ChangeKind::link_up;
    case Upheaval::link_down:
      return world::ChangeKind::link_down;
    case Upheaval::crash:
      return world::ChangeKind::crash;
    case Upheaval::restart:
      return world::ChangeKind::restart;
  }
  return {};
}

class ScheduledChanges final : public world::Changes {
 public:
  ScheduledChanges(const Schedule& schedule, const std::vector<graph::Edge>& links)
      : changes_(schedule.changes), links_(links), places_(places_of(schedule.ids)) {
    for (std::size_t i = 0; i < schedule.links.size(); ++i) {
      const auto& [a, b] = schedule.links[i];
      numbers_[{a, b}] = static_cast<world::LinkIndex>(i);
      if (!schedule.one_way) numbers_[{b, a}] = static_cast<world::LinkIndex>(i);
    }
  }

  std::optional<world::Change> next() override {
    if (given_ == changes_.size()) return std::nullopt;
    const Schedule::ScheduledChange& change = changes_[given_++];
    world::Change out{change.at, kind_of(change.kind)};
    out.memory = change.memory;
    if (change.kind == Upheaval::crash || change.kind == Upheaval::restart) {
      out.ends.a = places_.at(change.a);
    } else {
      out.link = numbers_.at({change.a, change.b});
      out.ends = links_[out.link];
    }
    return out;
  }

 private:
  const std::vector<Schedule::ScheduledChange>& changes_;
  std::vector<graph::Edge> links_;
  std::map<NodeId, NodeIndex> places_;
  std::map<std::pair<NodeId, NodeId>, world::LinkIndex> numbers_;
  std::size_t given_ = 0;
};

}  // namespace

RunSetup make_setup(const Schedule& schedule) {
  if (const std::string fault = observe::fault_of(schedule); !fault.empty())
    throw core::Problem("schedule", fault);
  const auto places = places_of(schedule.ids);
  RunSetup setup;
  setup.ids = schedule.ids;
  setup.network.nodes = static_cast<NodeIndex>(schedule.ids.size());
  if (schedule.one_way) setup.network.direction = graph::Direction::one_way;
  for (const auto& [a, b] : schedule.links)
    setup.network.links.push_back({places.at(a), places.at(b)});
  setup.wired = static_cast<std::uint32_t>(schedule.links.size());
  setup.schedule = &schedule;
  setup.up = schedule.up;
  setup.changes = std::make_unique<ScheduledChanges>(schedule, setup.network.links);
  setup.has_changes = true;
  setup.has_crashes = true;
  return setup;
}

scenario::Scenario replay_scenario(const observe::RunHeader& header, const core::Location& where) {
  scenario::Scenario s;
  s.name = header.scenario;
  s.seed = header.seed;
  s.algorithm = header.algorithm;
  s.where["algorithm"] = where;
  s.stop.time = observe::latest_time;
  s.properties = {"all"};
  for (const auto& [name, text] : header.schedule->options) s.options[name] = {text, where};
  return s;
}

Replay::Replay(const Schedule& schedule, const Links& links, const std::vector<NodeId>& ids)
    : schedule_(schedule),
      flights_(links.end_count()),
      notices_(links.end_count()),
      alarms_(ids.size()),
      choices_(ids.size()),
      lingering_(links.end_count()) {
  const auto places = places_of(ids);
  std::map<std::pair<NodeId, NodeId>, End> ends;  // by owner and other end
  for (End e = 0; e < links.end_count(); ++e)
    if (!links.one_way() || e % 2 == 0)
      ends[{ids[links.owner(e)], ids[links.owner(Links::sister(e))]}] = e;
  for (const auto& each : schedule.starts) starters_.push_back(places.at(each.node));
  for (const auto& each : schedule.flights)
    flights_[ends.at({each.from, each.to})].values = each.arrivals;
  for (const auto& each : schedule.notices)
    notices_[ends.at({each.node, each.peer})].values = each.times;
  for (const auto& each : schedule.alarms) alarms_[places.at(each.node)].values = each.times;
  for (const auto& each : schedule.choices) choices_[places.at(each.node)].values = each.values;
}

std::vector<std::pair<NodeIndex, Time>> Replay::starts() const {
  std::vector<std::pair<NodeIndex, Time>> out;
  for (std::size_t i = 0; i < starters_.size(); ++i)
    out.emplace_back(starters_[i], schedule_.starts[i].at);
  return out;
}

std::span<const std::optional<Time>> Replay::flight(End e) {
  static constexpr std::array<RecordedTime, 1> never{};
  const observe::Schedule::Moments* copies = flights_[e].next();
  return copies ? std::span<const RecordedTime>(*copies) : std::span<const RecordedTime>(never);
}

std::uint64_t Replay::choice(NodeIndex u, std::uint64_t n) {
  const std::uint64_t* value = choices_[u].next();
  return value ? std::min(*value, n - 1) : 0;
}

void Replay::linger(End e) {
  ++lingering_[e];
  ++all_lingering_;
}

void Replay::forget(End e) {
  all_lingering_ -= lingering_[e];
  lingering_[e] = 0;
}

}  // namespace bellwether::sim
