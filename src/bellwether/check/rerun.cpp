// SPDX-License-Identifier: MIT
#include "bellwether/check/rerun.hpp"

#include <algorithm>

#include "bellwether/core/print.hpp"

namespace bellwether::check {

Rerun::Rerun(const Plan& plan, const Machine& machine, std::unique_ptr<core::Nodes> hosted)
    : plan_(plan),
      machine_(machine),
      hosted_(std::move(hosted)),
      wanted_(plan.links.size(), false),
      flights_(plan.channels.size()) {
  schedule_.options = plan.spec.options;
  schedule_.ids = plan.spec.ids;
  schedule_.one_way = plan.spec.one_way;
  for (const Wire& w : plan.links) {
    schedule_.links.emplace_back(id(w.a), id(w.b));
    schedule_.notices.push_back({id(w.a), id(w.b), {}});
    if (!plan.spec.one_way) schedule_.notices.push_back({id(w.b), id(w.a), {}});
  }
  for (const Channel& c : plan.channels) schedule_.flights.push_back({id(c.from), id(c.to), {}});
  for (NodeIndex u = 0; u < plan.nodes(); ++u) {
    schedule_.alarms.push_back({id(u), {}});
    schedule_.choices.push_back({id(u), {}});
    hosted_->add(id(u));
    NodeState node;
    node.ends.resize(plan.sockets[u].size());
    node.untold.resize(plan.sockets[u].size());
    nodes_.push_back(std::move(node));
  }
}

void Rerun::begin(const Root& root) {
  schedule_.up.assign(plan_.links.size(), false);
  if (plan_.spec.from != From::cold) return;
  for (Number l = 0; l < plan_.links.size(); ++l)
    wanted_[l] = schedule_.up[l] = plan_.link(root.slots.data(), l).wanted;
  for (NodeIndex u = 0; u < plan_.nodes(); ++u)
    for (std::size_t s = 0; s < plan_.sockets[u].size(); ++s)
      if (wanted_[plan_.sockets[u][s].link]) nodes_[u].ends[s] = Port{nodes_[u].next_port++};
}

void Rerun::run(const Root& root, const Path& path, bool endless) {
  begin(root);
  for (const PathStep& step : root.setup) act(step);
  setup_steps_ = trace_.steps.size();
  for (const PathStep& step : path) {
    action_steps_.push_back(trace_.steps.size());
    act(step);
  }
  action_steps_.push_back(trace_.steps.size());
  if (!endless) return deliver_rest();
  for (Number c = 0; c < flights_.size(); ++c) flush(c);
}

void Rerun::act(const PathStep& step) {
  instant_ = step.instant || plan_.spec.notify == Notify::instant;
  skip_time();
  switch (step.action.kind) {
    case ActionKind::deliver:
    case ActionKind::lose:
    case ActionKind::duplicate:
      return arrive(step);
    case ActionKind::flip:
    case ActionKind::crash:
    case ActionKind::restart:
      change_network(step);
      break;
    case ActionKind::start:
    case ActionKind::tell:
    case ActionKind::fire:
      break;
  }
  for (const CallTaken& taken : step.calls) {
    waking_ = wakes(step.action, taken.call);
    call(taken, nullptr);
    if (!waking_) skip_time();
  }
  waking_ = false;
}

/// With its memory a node does all this in the moment when it comes back: it starts, if it has not
/// yet, and misses the links that it had.
bool Rerun::wakes(const Action& action, const HandlerCall& c) const {
  return action.kind == ActionKind::restart && plan_.spec.memory && c.node == action.node &&
         c.cause != core::Cause::link_up;
}

/// A change of a link, as one end will hear of it.
void Rerun::note_change(Number link, NodeIndex u) {
  const Wire& w = plan_.links[link];
  if (plan_.spec.one_way && w.a != u) return;
  auto& times = schedule_.notices[notices_row(link, u)].times;
  nodes_[u].untold[w.a == u ? w.port_a : w.port_b].push_back(times.size());
  times.emplace_back();  // never, unless it is notified
}

void Rerun::change_network(const PathStep& step) {
  using observe::Upheaval;
  const Action& action = step.action;
  if (action.kind == ActionKind::flip) {
    const Wire& w = plan_.links[action.at];
    const bool up = !wanted_[action.at];
    wanted_[action.at] = up;
    schedule_.changes.push_back(
        {now_, up ? Upheaval::link_up : Upheaval::link_down, id(w.a), id(w.b), false});
    if (!nodes_[w.a].alive || !nodes_[w.b].alive) return skip_time();
    if (!up && plan_.strangers) flush(w.ab);
    if (!up && plan_.strangers && w.ba != none) flush(w.ba);
    note_change(action.at, w.a);
    note_change(action.at, w.b);
    return skip_time();
  }
  const NodeIndex u = action.node;
  NodeState& node = nodes_[u];
  const bool back = action.kind == ActionKind::restart;
  schedule_.changes.push_back({now_, back ? Upheaval::restart : Upheaval::crash, id(u), NodeId{},
                               back && plan_.spec.memory});
  for (const PortWiring& s : plan_.sockets[u]) {
    if (s.out != none) flush(s.out);
    if (s.in != none) flush(s.in);
    if (!wanted_[s.link] || !nodes_[s.peer].alive) continue;
    if (back) note_change(s.link, u);
    note_change(s.link, s.peer);
  }
  if (back) {
    node.alive = true;
    if (!plan_.spec.memory) {
      hosted_->reset(u, id(u));
      node.alarms.clear();
    }
  } else {
    node.alive = false;
    node.asleep = node.ends;
    std::fill(node.ends.begin(), node.ends.end(), std::nullopt);
    for (auto& each : node.untold) each.clear();
  }
}

/// What is lost with a wire has been in transit until then; on the air it was lost from the first.
void Rerun::flush(Number channel) {
  for (const PendingMessage& f : flights_[channel])
    if (!plan_.strangers && schedule_.flights[f.row].arrivals[f.ordinal].empty())
      schedule_.flights[f.row].arrivals[f.ordinal].emplace_back();
  flights_[channel].clear();
}

void Rerun::arrive(const PathStep& step) {
  auto& way = flights_[step.action.at];
  const auto place = [&] {
    return std::find_if(way.begin(), way.end(),
                        [&](const PendingMessage& f) { return f.tag == step.action.what; });
  };
  // What the search has taken away because it changes nothing stands before others in the order.
  if (plan_.spec.order == ChannelOrder::fifo)
    while (!way.empty() && place() != way.end() && place() != way.begin()) {
      hear(step.action.at, 0, nullptr, false);
      skip_time();
    }
  const auto found = place();
  if (found == way.end()) {
    as_found_ = false;
    return;
  }
  const auto at = static_cast<std::size_t>(found - way.begin());
  if (step.action.kind == ActionKind::lose) {
    way.erase(found);
    return;
  }
  hear(step.action.at, at, step.calls.empty() ? nullptr : &step.calls.front(),
       step.action.kind == ActionKind::duplicate);
}

/// A message arrives. Without a call it is lost, or, where the node would receive it, changes
/// nothing.
void Rerun::hear(Number channel, std::size_t place, const CallTaken* taken, bool keep) {
  const PendingMessage flight = flights_[channel][place];
  const Channel& c = plan_.channels[channel];
  schedule_.flights[flight.row].arrivals[flight.ordinal].push_back(now_);
  observe::TraceSend& send = trace_.steps[flight.step].sends[flight.send];
  if (send.fate == observe::Fate::sent) send.fate = observe::Fate::duplicated;
  if (send.fate == observe::Fate::lost) {
    send.fate = observe::Fate::sent;
    send.arrives = now_;
  }
  if (!keep)
    flights_[channel].erase(flights_[channel].begin() + static_cast<std::ptrdiff_t>(place));
  const bool told = nodes_[c.to].ends[c.in].has_value();
  if (!told && !plan_.strangers) {
    trace_.drops.push_back({now_, id(c.from), id(c.to), core::text_of(flight.message),
                            "the receiver's end is down", trace_.steps.size()});
    return;
  }
  const HandlerCall heard{c.to, core::Cause::receive,
                          Occurrence{Occurrence::Kind::receive, !told, c.in, flight.tag, 0},
                          c.from};
  call(taken ? *taken : CallTaken{heard, nullptr}, &flight.message);
}

/// What is left in transit in a quiescent state changes nothing.
void Rerun::deliver_rest() {
  for (Number c = 0; c < flights_.size(); ++c)
    while (!flights_[c].empty()) {
      skip_time();
      hear(c, 0, nullptr, false);
    }
}

void Rerun::call(const CallTaken& taken, const core::AnyMessage* message) {
  const HandlerCall& c = taken.call;
  NodeState& node = nodes_[c.node];
  observe::TraceStep step;
  step.number = trace_.steps.size() + 1;
  step.at = now_;
  step.node = id(c.node);
  step.cause = c.cause;
  if (c.peer) step.peer = id(*c.peer);
  if (message != nullptr) step.message = core::text_of(*message);
  step.leader_before = hosted_->leader(c.node);
  stepping_ = c.node;
  choices_ = taken.end != nullptr ? taken.end->choices : std::vector<std::uint64_t>{};
  chosen_ = 0;
  const Port port = port_of(c);
  about_ = {port, c.peer.value_or(c.node)};
  ports_.clear();
  for (std::size_t s = 0; s < node.ends.size(); ++s)
    if (node.ends[s] && plan_.sockets[c.node][s].out != none) ports_.push_back(*node.ends[s]);
  std::sort(ports_.begin(), ports_.end());
  effects_.sends.clear();
  effects_.alarms.clear();
  if (c.what) {
    try {
      handle(c, port, message, step);
    } catch (const core::Violation&) {
      // This is what the search has found; the trace ends here.
    }
    auto& values = schedule_.choices[c.node].values;
    values.insert(
        values.end(), choices_.begin(),
        choices_.begin() + static_cast<std::ptrdiff_t>(std::min(chosen_, choices_.size())));
  }
  drain(c.node, step, taken.end);
  step.leader_after = hosted_->leader(c.node);
  step.state = hosted_->text(c.node);
  if (taken.end != nullptr && taken.end->broken == 0 && node.alive &&
      machine_.facts(taken.end->next).leader != step.leader_after)
    as_found_ = false;
  trace_.steps.push_back(std::move(step));
}

/// The port that a call is about; an end that comes up takes the next number of its node.
Port Rerun::port_of(const HandlerCall& c) {
  const std::size_t socket = c.what ? c.what->port : 0;
  if (c.cause == core::Cause::receive) return nodes_[c.node].ends[socket].value_or(core::stranger);
  // Else no port that a node may ask about.
  if (c.cause != core::Cause::link_up && c.cause != core::Cause::link_down) return core::every_port;
  if (waking_) return nodes_[c.node].asleep[socket].value_or(Port{});
  note_told(c.node, socket);
  auto& end = nodes_[c.node].ends[socket];
  if (c.cause == core::Cause::link_up) end = Port{nodes_[c.node].next_port++};
  const Port port = end.value_or(Port{});
  if (c.cause == core::Cause::link_down) {
    end.reset();
    const Number out = plan_.sockets[c.node][socket].out;
    if (!plan_.strangers && out != none) flush(out);
  }
  return port;
}

/// A node is notified of a change: of every one in turn, or of the last one only.
void Rerun::note_told(NodeIndex u, std::size_t socket) {
  auto& untold = nodes_[u].untold[socket];
  if (untold.empty()) return;
  const bool last = plan_.spec.notify == Notify::level && !instant_;
  const std::size_t ordinal = last ? untold.back() : untold.front();
  schedule_.notices[notices_row(plan_.sockets[u][socket].link, u)].times[ordinal] = now_;
  if (last)
    untold.clear();
  else
    untold.erase(untold.begin());
}

void Rerun::handle(const HandlerCall& c, Port port, const core::AnyMessage* message,
                   observe::TraceStep& step) {
  using Kind = Occurrence::Kind;
  const auto handler = [&](const core::Call& which) {
    hosted_->call(c.node, which, {{this, &Rerun::peer_of, &Rerun::choose_for}, ports_, now_},
                  effects_);
  };
  switch (c.what->kind) {
    case Kind::start:
      if (c.cause == core::Cause::start) schedule_.starts.push_back({id(c.node), now_});
      return handler(core::Call::start());
    case Kind::link_up:
      return handler(core::Call::link_up(port));
    case Kind::link_down:
      return handler(core::Call::link_down(port));
    case Kind::receive:
      return handler(core::Call::receive(port, message->value()));
    case Kind::timeout: {
      auto& alarms = nodes_[c.node].alarms;
      if (c.what->what >= alarms.size()) {
        as_found_ = false;
        return;
      }
      const PendingTimer alarm = alarms[c.what->what];
      alarms.erase(alarms.begin() + static_cast<std::ptrdiff_t>(c.what->what));
      schedule_.alarms[c.node].times[alarm.ordinal] = now_;
      step.timer = hosted_->text(alarm.timer);
      return handler(core::Call::timeout(alarm.timer));
    }
  }
}

void Rerun::drain(NodeIndex u, observe::TraceStep& step, const Alternative* end) {
  // The k-th message on a socket here is the k-th there.
  std::vector<std::size_t> sent(nodes_[u].ends.size(), 0);
  const auto tag_of = [&](std::size_t socket) {
    std::size_t k = sent[socket]++;
    if (end != nullptr)
      for (const Sent& s : end->sends)
        if (s.port == socket && k-- == 0) return s.message;
    as_found_ = as_found_ && end == nullptr;
    return none;
  };
  for (const auto& send : effects_.sends) {
    const auto message = core::AnyMessage::moved(hosted_->messages(), send.message);
    for (const Port port : ports_) {
      if (send.port != core::every_port && send.port != port) continue;
      const std::size_t socket = socket_of(u, port);
      post(u, socket, message, tag_of(socket), step);
    }
  }
  for (const auto& alarm : effects_.alarms) {
    auto& armed = nodes_[u].alarms;
    std::erase_if(armed, [&](const PendingTimer& a) { return a.timer == alarm.timer; });
    if (!alarm.armed) continue;
    auto& times = schedule_.alarms[u].times;
    armed.push_back({alarm.timer, times.size()});
    times.emplace_back();
  }
}

void Rerun::post(NodeIndex u, std::size_t socket, const core::AnyMessage& message, MessageId tag,
                 observe::TraceStep& step) {
  const PortWiring& s = plan_.sockets[u][socket];
  auto& arrivals = schedule_.flights[s.out].arrivals;
  if (plan_.strangers ? physical(s.link) : nodes_[s.peer].alive)
    flights_[s.out].push_back(
        {tag, message, s.out, arrivals.size(), trace_.steps.size(), step.sends.size()});
  arrivals.emplace_back();
  // Until it arrives somewhere, it is lost.
  step.sends.push_back({id(s.peer), core::text_of(message), observe::Fate::lost, Time{}});
}

observe::Trace Rerun::take_trace() {
  trace_.header = {std::string(hosted_->name()), "check", plan_.spec.seed, plan_.spec.ids,
                   schedule_};
  trace_.complete = true;
  return std::move(trace_);
}

NodeId Rerun::peer_of(void* self, Port port) {
  auto& r = *static_cast<Rerun*>(self);
  if (port == r.about_.first) return r.id(r.about_.second);
  const std::size_t socket = r.socket_of(r.stepping_, port);
  core::invariant(socket < r.plan_.sockets[r.stepping_].size(), "the peer of a port that is down");
  return r.id(r.plan_.sockets[r.stepping_][socket].peer);
}

std::uint64_t Rerun::choose_for(void* self, std::uint64_t n) {
  auto& r = *static_cast<Rerun*>(self);
  const std::uint64_t value = r.chosen_ < r.choices_.size() ? r.choices_[r.chosen_] : 0;
  ++r.chosen_;
  return std::min(value, n - 1);
}

}  // namespace bellwether::check
