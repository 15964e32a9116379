// SPDX-License-Identifier: MIT
// What may happen in a state, and what it leads to. Partial orders are in persistent.cpp.
#include "bellwether/check/expand.hpp"

#include <algorithm>

namespace bellwether::check {
namespace {

using Kind = Occurrence::Kind;
using core::Cause;

constexpr std::optional<NodeIndex> nobody;

Action action_of(ActionKind kind, NodeIndex node, Number at = 0, Number what = 0) {
  return {kind, 0, node, at, what};
}

/// Nothing that can happen changes a link, and no notification is pending.
bool is_calm(const Spec& spec) {
  return spec.changes == 0 && spec.script.empty() && spec.crashes == 0;
}

}  // namespace

Expander::Expander(const Plan& plan, Machine& machine, Contents& contents)
    : plan_(plan), machine_(machine), contents_(contents), stack_(1), calm_(is_calm(plan.spec)) {}

Situation Expander::expand(const Number* slots, Successors& out, bool reduce) {
  if (reduce)
    if (const auto alone = persistent(slots)) {
      node_actions(slots, *alone, out);
      return {false, false};
    }
  Situation now;
  attempts_ = 0;
  for (NodeIndex u = 0; u < plan_.nodes(); ++u) node_actions(slots, u, out);
  now.quiet = attempts_ == 0;
  now.rest = now.quiet && situation(slots).rest;
  if (now.quiet && !now.rest) fire_late(slots, out);
  if (faults_left(slots)) faults(slots, out);
  return now;
}

Situation Expander::situation(const Number* slots) const {
  Situation now;
  for (Number c = 0; now.quiet && c < plan_.channels.size(); ++c)
    now.quiet = slots[plan_.channel_slot(c)] == 0;
  for (NodeIndex u = 0; u < plan_.nodes(); ++u) {
    const LocalFacts& local = facts(slots[u]);
    if (!local.alive) continue;
    if (!local.started) now.quiet = false;
    for (const AlarmFacts& alarm : local.alarms) (alarm.late ? now.rest : now.quiet) = false;
    for (std::uint8_t p = 0; now.quiet && p < plan_.sockets[u].size(); ++p)
      if (untold(slots, u, p)) now.quiet = false;
  }
  now.rest = now.rest && now.quiet;
  return now;
}

bool Expander::untold(const Number* slots, NodeIndex u, std::uint8_t port) const {
  if (calm_) return false;
  const PortWiring& socket = plan_.sockets[u][port];
  const LinkState link = plan_.link(slots, socket.link);
  if (plan_.spec.notify == Notify::edge) return (socket.first ? link.untold_a : link.untold_b) > 0;
  const bool believed = (facts(slots[u]).ports >> port & 1) != 0;
  return believed != physical(slots, plan_.links[socket.link], link);
}

const Outcome& Expander::outcome(LocalId local, const Occurrence& what) {
  const Memo::MemoKey key{std::uint64_t{local} << 32 | what.what,
                          Number{static_cast<std::uint8_t>(what.kind)} | Number{what.unknown} << 3 |
                              Number{what.port} << 4 | what.now << 9};
  const Number found = outcomes_.find(key);
  if (found != Memo::nothing) return *found_[found];
  const Outcome& fresh = machine_.outcome(local, what);
  outcomes_.add(key, static_cast<Number>(found_.size()));
  found_.push_back(&fresh);
  return fresh;
}

Number Expander::push(Number content, MessageId message) {
  const Memo::MemoKey key{std::uint64_t{content} << 32 | message, 0};
  Number found = pushes_.find(key);
  if (found == Memo::nothing) {
    found = contents_.with(content, message);
    pushes_.add(key, found);
  }
  return found;
}

Number Expander::drop(Number content, std::size_t place) {
  const Memo::MemoKey key{content, static_cast<Number>(place)};
  Number found = drops_.find(key);
  if (found == Memo::nothing) {
    found = contents_.without(content, place);
    drops_.add(key, found);
  }
  return found;
}

// What may happen, by kind.

void Expander::node_actions(const Number* slots, NodeIndex u, Successors& out) {
  const LocalFacts& local = facts(slots[u]);
  if (!local.alive) return;
  if (!local.started) {
    begin(slots);
    calls_.push_back({u, Cause::start, Occurrence{Kind::start, false, 0, 0, 0}, nobody});
    run(slots, action_of(ActionKind::start, u), out);
  }
  for (std::uint8_t p = 0; p < plan_.sockets[u].size(); ++p) {
    if (untold(slots, u, p)) tell(slots, u, p, out);
    const Number in = plan_.sockets[u][p].in;
    if (in != none && slots[plan_.channel_slot(in)] != 0)
      arrivals(slots, in, ActionKind::deliver, out);
  }
  for (Number a = 0; a < local.alarms.size(); ++a) {
    if (!may_fire(local, a)) continue;
    begin(slots);
    calls_.push_back({u, Cause::timeout, Occurrence{Kind::timeout, false, 0, a, 0}, nobody});
    run(slots, action_of(ActionKind::fire, u, a), out);
  }
}

/// A timer that was set before another, with no longer a bound, fires first.
bool Expander::may_fire(const LocalFacts& local, std::size_t alarm) const {
  const AlarmFacts& mine = local.alarms[alarm];
  if (mine.late) return false;
  for (std::size_t i = 0; i < alarm; ++i)
    if (!local.alarms[i].late && local.alarms[i].max <= mine.min) return false;
  return true;
}

void Expander::tell(const Number* slots, NodeIndex u, std::uint8_t port, Successors& out) {
  const PortWiring& socket = plan_.sockets[u][port];
  const bool up = (facts(slots[u]).ports >> port & 1) == 0;
  begin(slots);
  if (plan_.spec.notify == Notify::edge) {
    LinkState link = plan_.link(slots, socket.link);
    --(socket.first ? link.untold_a : link.untold_b);
    plan_.set_link(stack_[0].data(), socket.link, link);
  }
  calls_.push_back({u, up ? Cause::link_up : Cause::link_down,
                    Occurrence{up ? Kind::link_up : Kind::link_down, false, port, 0, 0},
                    socket.peer});
  run(slots, action_of(ActionKind::tell, u, port), out);
}

/// The head of a channel in order; each message that differs from the others in a bag.
void Expander::arrivals(const Number* slots, Number channel, ActionKind kind, Successors& out) {
  const auto& row = contents_[slots[plan_.channel_slot(channel)]];
  if (row.empty()) return;
  if (contents_.order() == ChannelOrder::fifo) return deliver(slots, channel, 0, kind, out);
  for (std::size_t i = 0; i < row.size(); ++i)
    if (i == 0 || row[i] != row[i - 1]) deliver(slots, channel, i, kind, out);
}

void Expander::deliver(const Number* slots, Number channel, std::size_t place, ActionKind kind,
                       Successors& out) {
  const Channel& c = plan_.channels[channel];
  const std::size_t slot = plan_.channel_slot(channel);
  const MessageId message = contents_[slots[slot]][place];
  begin(slots);
  StateVector& next = stack_[0];
  if (kind != ActionKind::duplicate) next[slot] = drop(slots[slot], place);
  Budget left = Budget::unpack(slots[plan_.budget_slot()]);
  if (kind == ActionKind::lose) --left.losses;
  if (kind == ActionKind::duplicate) --left.duplicates;
  next[plan_.budget_slot()] = left.pack();
  const LocalFacts& local = facts(slots[c.to]);
  const bool told = (local.ports >> c.in & 1) != 0;
  const bool heard = plan_.strangers || told;  // else it is lost
  if (kind != ActionKind::lose && heard && local.alive)
    calls_.push_back(
        {c.to, Cause::receive, Occurrence{Kind::receive, !told, c.in, message, 0}, c.from});
  run(slots, action_of(kind, c.to, channel, message), out);
}

/// When nothing else is under way, time passes until the next of the long timers.
void Expander::fire_late(const Number* slots, Successors& out) {
  Duration soonest = Duration::max();
  for (NodeIndex u = 0; u < plan_.nodes(); ++u) {
    const LocalFacts& local = facts(slots[u]);
    if (!local.alive) continue;
    for (const AlarmFacts& alarm : local.alarms) soonest = std::min(soonest, alarm.left);
  }
  for (NodeIndex u = 0; u < plan_.nodes(); ++u) {
    const LocalFacts& local = facts(slots[u]);
    if (!local.alive) continue;
    for (Number a = 0; a < local.alarms.size(); ++a) {
      if (local.alarms[a].left != soonest) continue;
      begin(slots);
      if (soonest > Duration{0})
        for (NodeIndex v = 0; v < plan_.nodes(); ++v)
          if (facts(slots[v]).alive) stack_[0][v] = machine_.elapsed(slots[v], soonest);
      calls_.push_back({u, Cause::timeout, Occurrence{Kind::timeout, false, 0, a, 0}, nobody});
      run(slots, action_of(ActionKind::fire, u, a), out);
    }
  }
}

void Expander::faults(const Number* slots, Successors& out) {
  const Budget left = Budget::unpack(slots[plan_.budget_slot()]);
  if (left.changes > 0) {
    Budget after = left;
    --after.changes;
    for (Number l = 0; l < plan_.links.size(); ++l) flip(slots, l, after, out);
  }
  if (left.script < plan_.spec.script.size()) scripted(slots, left, out);
  for (NodeIndex u = 0; u < plan_.nodes(); ++u) {
    const bool alive = facts(slots[u]).alive;
    Budget after = left;
    if (alive && left.crashes > 0) {
      --after.crashes;
      crash(slots, u, after, out);
    } else if (!alive && left.restarts > 0) {
      --after.restarts;
      restart(slots, u, after, out);
    }
  }
  for (Number c = 0; c < plan_.channels.size(); ++c) {
    if (slots[plan_.channel_slot(c)] == 0) continue;
    if (left.losses > 0) arrivals(slots, c, ActionKind::lose, out);
    if (left.duplicates > 0) arrivals(slots, c, ActionKind::duplicate, out);
  }
}

void Expander::scripted(const Number* slots, Budget left, Successors& out) {
  const ScriptStep& step = plan_.spec.script[left.script++];
  const bool alive = facts(slots[step.a]).alive;
  if (step.kind == ScriptStep::Kind::flip)
    flip(slots, plan_.link_between(step.a, step.b), left, out);
  if (step.kind == ScriptStep::Kind::crash && alive) crash(slots, step.a, left, out);
  if (step.kind == ScriptStep::Kind::restart && !alive) restart(slots, step.a, left, out);
}

/// An end has one more notification pending. False when it cannot keep count.
bool Expander::note_change(StateVector& slots, Number link, NodeIndex u) {
  if (plan_.spec.notify != Notify::edge) return true;
  LinkState state = plan_.link(slots.data(), link);
  unsigned& untold = plan_.links[link].a == u ? state.untold_a : state.untold_b;
  if (untold == 7) {
    overflow_ = true;
    return false;
  }
  ++untold;
  plan_.set_link(slots.data(), link, state);
  return true;
}

void Expander::flip(const Number* slots, Number link, Budget left, Successors& out) {
  const Wire& wire = plan_.links[link];
  begin(slots);
  StateVector& next = stack_[0];
  next[plan_.budget_slot()] = left.pack();
  LinkState state = plan_.link(slots, link);
  state.wanted = !state.wanted;
  plan_.set_link(next.data(), link, state);
  const bool both = facts(slots[wire.a]).alive && facts(slots[wire.b]).alive;
  if (both && !state.wanted && plan_.strangers) {
    next[plan_.channel_slot(wire.ab)] = 0;
    if (wire.ba != none) next[plan_.channel_slot(wire.ba)] = 0;
  }
  if (both)
    for (const auto& [u, v, port] :
         {std::tuple(wire.a, wire.b, wire.port_a), std::tuple(wire.b, wire.a, wire.port_b)}) {
      if (!note_change(next, link, u)) return;
      if (plan_.spec.notify != Notify::instant) continue;
      const bool up = state.wanted;
      calls_.push_back({u, up ? Cause::link_up : Cause::link_down,
                        Occurrence{up ? Kind::link_up : Kind::link_down, false, port, 0, 0}, v});
    }
  run(slots, action_of(ActionKind::flip, 0, link), out);
}

void Expander::crash(const Number* slots, NodeIndex u, Budget left, Successors& out) {
  begin(slots);
  StateVector& next = stack_[0];
  next[plan_.budget_slot()] = left.pack();
  next[u] = machine_.crashed(slots[u], plan_.spec.memory);
  calls_.push_back({u, Cause::crash, std::nullopt, nobody});
  for (const PortWiring& socket : plan_.sockets[u]) {
    LinkState link = plan_.link(slots, socket.link);
    const bool was_up = physical(slots, plan_.links[socket.link], link);
    (socket.first ? link.untold_a : link.untold_b) = 0;
    plan_.set_link(next.data(), socket.link, link);
    for (const Number c : {socket.out, socket.in})
      if (c != none) next[plan_.channel_slot(c)] = 0;
    if (!was_up) continue;
    if (!note_change(next, socket.link, socket.peer)) return;
    if (plan_.spec.notify != Notify::instant) continue;
    const Wire& wire = plan_.links[socket.link];
    const std::uint8_t port = socket.first ? wire.port_b : wire.port_a;
    calls_.push_back(
        {socket.peer, Cause::link_down, Occurrence{Kind::link_down, false, port, 0, 0}, u});
  }
  run(slots, action_of(ActionKind::crash, u), out);
}

void Expander::restart(const Number* slots, NodeIndex u, Budget left, Successors& out) {
  const bool memory = plan_.spec.memory;
  begin(slots);
  StateVector& next = stack_[0];
  next[plan_.budget_slot()] = left.pack();
  next[u] = machine_.revived(slots[u], memory);
  if (memory) {
    const LocalFacts& before = facts(slots[u]);
    calls_.push_back({u, Cause::restart, std::nullopt, nobody});
    if (!before.started)
      calls_.push_back({u, Cause::start, Occurrence{Kind::start, false, 0, 0, 0}, nobody});
    // In the order of the links, as the simulator tells it.
    for (const Wire& w : plan_.links) {
      if (w.a != u && w.b != u) continue;
      const std::uint8_t port = w.a == u ? w.port_a : w.port_b;
      if ((before.ports >> port & 1) != 0)
        calls_.push_back({u, Cause::link_down, Occurrence{Kind::link_down, false, port, 0, 0},
                          w.a == u ? w.b : w.a});
    }
  } else {
    calls_.push_back({u, Cause::restart, Occurrence{Kind::start, false, 0, 0, 0}, nobody});
  }
  for (std::uint8_t p = 0; p < plan_.sockets[u].size(); ++p) {
    const PortWiring& socket = plan_.sockets[u][p];
    const Wire& wire = plan_.links[socket.link];
    if (!plan_.link(slots, socket.link).wanted || !facts(slots[socket.peer]).alive) continue;
    if (!note_change(next, socket.link, u) || !note_change(next, socket.link, socket.peer)) return;
    if (plan_.spec.notify != Notify::instant) continue;
    const std::uint8_t far = socket.first ? wire.port_b : wire.port_a;
    calls_.push_back({u, Cause::link_up, Occurrence{Kind::link_up, false, p, 0, 0}, socket.peer});
    calls_.push_back({socket.peer, Cause::link_up, Occurrence{Kind::link_up, false, far, 0, 0}, u});
  }
  run(slots, action_of(ActionKind::restart, u), out);
}

// Carrying it out.

void Expander::begin(const Number* slots) {
  stack_[0].assign(slots, slots + plan_.slots());
  calls_.clear();
  taken_.clear();
  cut_ = false;
}

void Expander::run(const Number* before, const Action& action, Successors& out) {
  ++attempts_;
  if (stack_.size() < calls_.size() + 1) stack_.resize(calls_.size() + 1);
  Action numbered = action;
  run_from(0, stack_[0], before, numbered, out);
}

void Expander::run_from(std::size_t call, StateVector& here, const Number* before, Action& action,
                        Successors& out) {
  if (call == calls_.size()) {
    emit(here, before, action, out, 0);
    ++action.choice;
    return;
  }
  const HandlerCall& now = calls_[call];
  const auto go_on = [&](StateVector& next, const Alternative* end) {
    taken_.push_back({&now, end});
    // On a wire, what a node has sent is lost when its end goes down.
    if (now.cause == Cause::link_down && !plan_.strangers) {
      const Number lost = plan_.sockets[now.node][now.what->port].out;
      if (lost != none) next[plan_.channel_slot(lost)] = 0;
    }
    if (end != nullptr) apply(next.data(), now.node, *end);
    const Number wrong = end != nullptr ? end->broken : 0;
    const Number broken = wrong != 0 ? wrong : note(next.data(), now);
    if (broken != 0)
      emit(next, before, action, out, broken), ++action.choice;
    else
      run_from(call + 1, next, before, action, out);
    taken_.pop_back();
  };
  if (!now.what) return go_on(here, nullptr);
  Occurrence what = *now.what;
  what.now = machine_.now(here.data());
  const Outcome& result = outcome(here[now.node], what);
  // Where there is one way only, what was before is not needed again.
  if (result.alternatives.size() == 1) return go_on(here, &result.alternatives.front());
  for (const Alternative& chosen : result.alternatives) {
    StateVector& next = stack_[call + 1];
    next = here;
    go_on(next, &chosen);
  }
}

/// What a node sends at a port that is up to its knowledge gets onto the link; on the air only if
/// there really is one, and never to a node that is down.
bool Expander::conducts(const Number* slots, const PortWiring& socket) const {
  if (!plan_.strangers) return socket.out != none && facts(slots[socket.peer]).alive;
  return physical(slots, plan_.links[socket.link], plan_.link(slots, socket.link));
}

void Expander::apply(Number* slots, NodeIndex u, const Alternative& chosen) {
  slots[u] = chosen.next;
  if (plan_.sent_slot() != 0) slots[plan_.sent_slot()] += static_cast<Number>(chosen.sends.size());
  for (const Sent& sent : chosen.sends) {
    const PortWiring& socket = plan_.sockets[u][sent.port];
    if (!conducts(slots, socket)) continue;
    Number& content = slots[plan_.channel_slot(socket.out)];
    content = push(content, sent.message);
    if (contents_[content].size() > plan_.spec.transit) cut_ = overflow_ = true;
  }
}

Number Expander::note(Number* slots, const HandlerCall& call) {
  if (plan_.memory_slot() == 0) return 0;
  Number& memory = slots[plan_.memory_slot()];
  try {
    memory = machine_.watch(memory, slots, {call.cause, call.node, call.peer});
  } catch (const Breach& breach) {
    return machine_.note(breach);
  }
  return 0;
}

/// Properties look at a quiescent state when it is reached, and remember it.
Number Expander::note_rest(Number* slots) {
  if (!situation(slots).rest) return 0;
  Number& memory = slots[plan_.memory_slot()];
  try {
    memory = machine_.watch_rest(memory, slots);
  } catch (const Breach& breach) {
    return machine_.note(breach);
  }
  return 0;
}

void Expander::emit(StateVector& slots, const Number* before, const Action& action, Successors& out,
                    Number broken) {
  if (cut_) return;
  if (plan_.spec.absorb && machine_.absorbs()) absorb(slots, before);
  if (plan_.memory_slot() != 0 && broken == 0) broken = note_rest(slots.data());
  if (!exact_ && machine_.has_canonical()) machine_.canonical(slots.data());
  out.take(action, slots.data(), broken);
}

/// Messages that can never again have an effect are taken away.
void Expander::absorb(StateVector& slots, const Number* before) {
  for (Number c = 0; c < plan_.channels.size(); ++c) {
    const std::size_t slot = plan_.channel_slot(c);
    const Channel& channel = plan_.channels[c];
    if (slots[slot] == 0 ||
        (slots[slot] == before[slot] && slots[channel.to] == before[channel.to]))
      continue;
    slots[slot] = absorbed(slots[slot], slots[channel.to], channel.in);
  }
}

Number Expander::absorbed(Number content, LocalId local, std::uint8_t port) {
  const LocalFacts& node = facts(local);
  if (!node.alive || !node.started || (node.ports >> port & 1) == 0) return content;
  const Memo::MemoKey key{std::uint64_t{content} << 32 | local, port};
  const Number found = absorbed_.find(key);
  if (found != Memo::nothing) return found;
  std::vector<MessageId> row = contents_[content];
  std::erase_if(row, [&](MessageId message) {
    return machine_.no_op_lasts(message) &&
           outcome(local, {Kind::receive, false, port, message, 0}).no_op;
  });
  const Number less = row.size() == contents_[content].size() ? content : contents_.of(row);
  absorbed_.add(key, less);
  return less;
}

}  // namespace bellwether::check
