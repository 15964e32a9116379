// SPDX-License-Identifier: MIT
#include "bellwether/check/machine.hpp"

#include <algorithm>

#include "bellwether/check/state_view.hpp"

namespace bellwether::check {

Machine::Machine(const Plan& plan, std::unique_ptr<core::Nodes> nodes,
                 core::PropertyMonitors monitors, const JudgeSpec& judge)
    : plan_(plan),
      nodes_(std::move(nodes)),
      can_(nodes_->can()),
      clock_(nodes_->clock_use()),
      ranks_(can_.stamps && plan.spec.clocks == ClockValues::rank),
      watcher_(std::move(monitors)),
      judge_(plan, judge),
      draft_(nodes_->add(NodeId{})),
      node_bytes_(nodes_->layout().stride),
      messages_(*nodes_, has_restarts(plan.spec)) {
  breaches_.add({});  // numbers from 1
}

LocalState Machine::taken_up(LocalId id) {
  const StoredState& kept = locals_[id];
  nodes_->assign(draft_, kept.at);
  return kept.state;
}

LocalId Machine::number_of(LocalState&& local) {
  if (can_.forgets && plan_.spec.forget) nodes_->forget_unused(draft_);
  const std::uint64_t digest = local.digest(nodes_->digest(draft_));
  for (auto [at, end] = local_numbers_.equal_range(digest); at != end; ++at) {
    const StoredState& kept = locals_[at->second];
    if (kept.state == local && nodes_->same(kept.at, draft_)) return at->second;
  }
  LocalFacts facts = local.facts(nodes_->leader(draft_));
  if (can_.stamps) {
    nodes_->for_each_stamp(draft_, &note_stamp, &facts.stamps);
    nodes_->for_each_bound(draft_, &note_stamp, &facts.bounds);
  }
  facts_.add(std::move(facts));
  const LocalId id = locals_.add({std::move(local), draft_});
  draft_ = nodes_->add(NodeId{});
  local_numbers_.emplace(digest, id);
  return id;
}

LocalId Machine::initial_state(NodeIndex node, Number ports) {
  const std::lock_guard guard(mutex_);
  nodes_->reset(draft_, plan_.spec.ids[node]);
  LocalState local;
  local.index = node;
  local.ports = ports;
  return number_of(std::move(local));
}

LocalId Machine::crashed(LocalId id, bool memory) {
  const std::lock_guard guard(mutex_);
  LocalState local = taken_up(id);
  if (!memory) {
    nodes_->reset(draft_, plan_.spec.ids[local.index]);
    local.ports = 0;
    local.alarms.clear();
    local.started = false;
  }
  local.alive = false;
  return number_of(std::move(local));
}

LocalId Machine::revived(LocalId id, bool memory) {
  const std::lock_guard guard(mutex_);
  LocalState local = taken_up(id);
  local.alive = true;
  local.ports = 0;  // it will be notified of the links that it has lost
  if (!memory) ++local.lives;
  return number_of(std::move(local));
}

LocalId Machine::elapsed(LocalId id, Duration time) {
  const std::lock_guard guard(mutex_);
  LocalState local = taken_up(id);
  for (auto& alarm : local.alarms)
    if (alarm.late) alarm.left -= time;
  return number_of(std::move(local));
}

const Outcome& Machine::outcome(LocalId local, const Occurrence& what) {
  const std::lock_guard guard(mutex_);
  const OutcomeKey key{local, what.what, what.now,
                       Number{static_cast<std::uint8_t>(what.kind)} | Number{what.unknown} << 3 |
                           Number{what.port} << 4};
  const auto [at, fresh] = outcome_numbers_.emplace(key, outcomes_.size());
  if (fresh) outcomes_.add(find_out(local, what));
  return outcomes_[at->second];
}

/// Runs the handler once for each series of choices that it can make.
Outcome Machine::find_out(LocalId id, const Occurrence& what) {
  Outcome result;
  choices_.clear();
  do {
    LocalState local = taken_up(id);
    Alternative end;
    chosen_ = 0;
    try {
      call(local, what);
      end = collect(std::move(local));
    } catch (const core::Violation& violation) {
      end.next = id;
      end.broken = breaches_.add({"invariant", violation.what()});
    }
    if (std::find(result.alternatives.begin(), result.alternatives.end(), end) !=
        result.alternatives.end())
      continue;
    for (const auto& [value, among] : choices_) end.choices.push_back(value);
    result.alternatives.push_back(std::move(end));
  } while (next_choices());
  const Alternative& first = result.alternatives.front();
  result.no_op = result.alternatives.size() == 1 && first.next == id && first.sends.empty() &&
                 first.broken == 0;
  return result;
}

/// The next series of choices; false when all were tried.
bool Machine::next_choices() {
  while (!choices_.empty()) {
    if (++choices_.back().first < choices_.back().second) return true;
    choices_.pop_back();
  }
  return false;
}

core::Time Machine::clock_of(const LocalState& local, Number now) const {
  if (clock_ == core::ClockUse::always) return core::Time{now};
  return clock_ == core::ClockUse::at_start ? core::Time{std::chrono::seconds(local.lives)}
                                            : core::Time{0};
}

void Machine::call(LocalState& local, const Occurrence& what) {
  using Kind = Occurrence::Kind;
  stepping_ = local.index;
  about_ = what.port;
  const Number bit = Number{1} << what.port;
  if (what.kind == Kind::link_up) local.ports |= bit;
  if (what.kind == Kind::link_down) local.ports &= ~bit;
  ports_.clear();
  const auto& sockets = plan_.sockets[local.index];
  for (std::uint32_t p = 0; p < sockets.size(); ++p)
    if ((local.ports >> p & 1) != 0 && sockets[p].out != none) ports_.push_back(Port{p});
  const core::Surroundings around{
      {this, &Machine::peer_of, &Machine::choose_for}, ports_, clock_of(local, what.now)};
  const auto handler = [&](const core::Call& which) {
    nodes_->call(draft_, which, around, effects_);
  };
  switch (what.kind) {
    case Kind::start:
      local.started = true;
      return handler(core::Call::start());
    case Kind::link_up:
      return handler(core::Call::link_up(Port{what.port}));
    case Kind::link_down:
      return handler(core::Call::link_down(Port{what.port}));
    case Kind::receive:
      return handler(core::Call::receive(what.unknown ? core::stranger : Port{what.port},
                                         messages_[what.what]));
    case Kind::timeout: {
      const core::TimerName timer = local.alarms[what.what].timer;
      local.alarms.erase(local.alarms.begin() + static_cast<std::ptrdiff_t>(what.what));
      return handler(core::Call::timeout(timer));
    }
  }
}

/// The effects of the handler that has just run.
Alternative Machine::collect(LocalState&& local) {
  Alternative end;
  for (const auto& send : effects_.sends) {
    const MessageId message = messages_.number_of(send.message);
    if (send.port == core::every_port)
      for (const Port port : ports_)
        end.sends.push_back({static_cast<std::uint8_t>(core::raw(port)), message});
    else if (std::find(ports_.begin(), ports_.end(), send.port) != ports_.end())
      end.sends.push_back({static_cast<std::uint8_t>(core::raw(send.port)), message});
  }
  for (const auto& alarm : effects_.alarms) {
    // A long timer with a range: both of its ends are tried.
    const bool open = alarm.armed && alarm.min > plan_.spec.delay && alarm.min < alarm.max;
    local.set(alarm, plan_.spec.delay, open && choose_for(this, 2) == 1);
  }
  end.next = number_of(std::move(local));
  return end;
}

NodeId Machine::peer_of(void* self, Port port) {
  auto& m = *static_cast<Machine*>(self);
  const auto& sockets = m.plan_.sockets[m.stepping_];
  const std::size_t place = port == core::stranger ? m.about_ : core::raw(port);
  core::invariant(place < sockets.size(), "the peer of a port that never was");
  return m.plan_.spec.ids[sockets[place].peer];
}

std::uint64_t Machine::choose_for(void* self, std::uint64_t n) {
  auto& m = *static_cast<Machine*>(self);
  core::invariant(n <= 4096, "a choice among more than 4096 cannot be tried out");
  if (m.chosen_ == m.choices_.size()) m.choices_.push_back({0, n});
  return m.choices_[m.chosen_++].first;
}

Number Machine::watch(Number memory, const Number* slots, const core::Happening& what) {
  const std::lock_guard guard(mutex_);
  return watcher_.after(memory, StateView(*this, slots), what);
}

Number Machine::watch_rest(Number memory, const Number* slots) {
  const std::lock_guard guard(mutex_);
  return watcher_.at_rest(memory, StateView(*this, slots));
}

void Machine::show(const Number* slots,
                   const std::function<void(const core::Configuration&)>& look) {
  const std::lock_guard guard(mutex_);
  look(StateView(*this, slots));
}

Number Machine::note(Breach breach) {
  const std::lock_guard guard(mutex_);
  return breaches_.add(std::move(breach));
}

std::uint64_t Machine::bytes() const {
  return std::uint64_t{locals_.size()} *
             (node_bytes_ + sizeof(LocalState) + sizeof(LocalFacts) + 200) +
         std::uint64_t{outcomes_.size()} * (sizeof(Outcome) + 160) + messages_.bytes();
}

}  // namespace bellwether::check
