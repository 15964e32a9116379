// SPDX-License-Identifier: MIT
// Included by rerun.hpp only.
#pragma once

namespace bellwether::check {

template <core::Protocol P>
Rerun<P>::Rerun(const Plan& plan, const TypedMachine<P>& machine, typename P::Options options)
    : plan_(plan),
      machine_(machine),
      options_(options),
      wanted_(plan.links.size(), false),
      flights_(plan.channels.size()) {
  step_.rebind({this, &Rerun::peer_of, &Rerun::choose_for});
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
    Node node;
    node.node = P(id(u), options);
    node.ends.resize(plan.sockets[u].size());
    node.untold.resize(plan.sockets[u].size());
    nodes_.push_back(std::move(node));
  }
}

template <core::Protocol P>
void Rerun<P>::begin(const Root& root) {
  schedule_.up.assign(plan_.links.size(), false);
  if (plan_.spec.from != From::cold) return;
  for (Number l = 0; l < plan_.links.size(); ++l)
    wanted_[l] = schedule_.up[l] = plan_.link(root.slots.data(), l).wanted;
  for (NodeIndex u = 0; u < plan_.nodes(); ++u)
    for (std::size_t s = 0; s < plan_.sockets[u].size(); ++s)
      if (wanted_[plan_.sockets[u][s].link]) nodes_[u].ends[s] = Port{nodes_[u].next_port++};
}

template <core::Protocol P>
void Rerun<P>::run(const Root& root, const Path& path, bool endless) {
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

template <core::Protocol P>
void Rerun<P>::act(const PathStep& step) {
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
template <core::Protocol P>
bool Rerun<P>::wakes(const Action& action, const Call& c) const {
  return action.kind == ActionKind::restart && plan_.spec.memory && c.node == action.node &&
         c.cause != core::Cause::link_up;
}

/// A change of a link, as one end will hear of it.
template <core::Protocol P>
void Rerun<P>::note_change(Number link, NodeIndex u) {
  const Wire& w = plan_.links[link];
  if (plan_.spec.one_way && w.a != u) return;
  auto& times = schedule_.notices[notices_row(link, u)].times;
  nodes_[u].untold[w.a == u ? w.port_a : w.port_b].push_back(times.size());
  times.emplace_back();  // never, unless it is told of it
}

template <core::Protocol P>
void Rerun<P>::change_network(const PathStep& step) {
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
  Node& node = nodes_[u];
  const bool back = action.kind == ActionKind::restart;
  schedule_.changes.push_back({now_, back ? Upheaval::restart : Upheaval::crash, id(u), NodeId{},
                               back && plan_.spec.memory});
  for (const Socket& s : plan_.sockets[u]) {
    if (s.out != none) flush(s.out);
    if (s.in != none) flush(s.in);
    if (!wanted_[s.link] || !nodes_[s.peer].alive) continue;
    if (back) note_change(s.link, u);
    note_change(s.link, s.peer);
  }
  if (back) {
    node.alive = true;
    if (!plan_.spec.memory) {
      node.node = P(id(u), options_);
      node.alarms.clear();
    }
  } else {
    node.alive = false;
    node.asleep = node.ends;
    std::fill(node.ends.begin(), node.ends.end(), std::nullopt);
    for (auto& each : node.untold) each.clear();
  }
}

/// What dies with a wire has been under way until then; on the air it was lost from the first.
template <core::Protocol P>
void Rerun<P>::flush(Number channel) {
  for (const Flight& f : flights_[channel])
    if (!plan_.strangers && schedule_.flights[f.row].arrivals[f.ordinal].empty())
      schedule_.flights[f.row].arrivals[f.ordinal].emplace_back();
  flights_[channel].clear();
}

template <core::Protocol P>
void Rerun<P>::arrive(const PathStep& step) {
  auto& way = flights_[step.action.at];
  const auto place = [&] {
    return std::find_if(way.begin(), way.end(),
                        [&](const Flight& f) { return f.tag == step.action.what; });
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

/// A message arrives. Without a call it dies, or, where the node would hear it, changes nothing.
template <core::Protocol P>
void Rerun<P>::hear(Number channel, std::size_t place, const CallTaken* taken, bool keep) {
  const Flight flight = flights_[channel][place];
  const Channel& c = plan_.channels[channel];
  schedule_.flights[flight.row].arrivals[flight.ordinal].push_back(now_);
  observe::TraceSend& send = trace_.steps[flight.step].sends[flight.send];
  if (send.fate == observe::Fate::sent) send.fate = observe::Fate::doubled;
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
  const Call heard{c.to, core::Cause::receive,
                   Occurrence{Occurrence::Kind::receive, !told, c.in, flight.tag, 0}, c.from};
  call(taken ? *taken : CallTaken{heard, nullptr}, &flight.message);
}

/// What is left under way at rest changes nothing.
template <core::Protocol P>
void Rerun<P>::deliver_rest() {
  for (Number c = 0; c < flights_.size(); ++c)
    while (!flights_[c].empty()) {
      skip_time();
      hear(c, 0, nullptr, false);
    }
}

template <core::Protocol P>
void Rerun<P>::call(const CallTaken& taken, const Message* message) {
  const Call& c = taken.call;
  Node& node = nodes_[c.node];
  observe::TraceStep step;
  step.number = trace_.steps.size() + 1;
  step.at = now_;
  step.node = id(c.node);
  step.cause = c.cause;
  if (c.peer) step.peer = id(*c.peer);
  if (message != nullptr) step.message = core::text_of(*message);
  step.leader_before = node.node.leader();
  stepping_ = c.node;
  choices_ = taken.end != nullptr ? taken.end->choices : std::vector<std::uint64_t>{};
  chosen_ = 0;
  const Port port = port_of(c);
  about_ = {port, c.peer.value_or(c.node)};
  ports_.clear();
  for (std::size_t s = 0; s < node.ends.size(); ++s)
    if (node.ends[s] && plan_.sockets[c.node][s].out != none) ports_.push_back(*node.ends[s]);
  std::sort(ports_.begin(), ports_.end());
  step_.begin(ports_, now_);
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
  step.leader_after = node.node.leader();
  step.state = core::text_of(node.node);
  if (taken.end != nullptr && taken.end->broken == 0 && node.alive &&
      machine_.facts(taken.end->next).leader != step.leader_after)
    as_found_ = false;
  trace_.steps.push_back(std::move(step));
}

/// The port that a call is about; an end that comes up takes the next number of its node.
template <core::Protocol P>
Port Rerun<P>::port_of(const Call& c) {
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

/// A node is told of a change: of every one in turn, or of the last one only.
template <core::Protocol P>
void Rerun<P>::note_told(NodeIndex u, std::size_t socket) {
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

template <core::Protocol P>
void Rerun<P>::handle(const Call& c, Port port, const Message* message, observe::TraceStep& step) {
  using Kind = Occurrence::Kind;
  P& node = nodes_[c.node].node;
  switch (c.what->kind) {
    case Kind::start:
      if (c.cause == core::Cause::start) schedule_.starts.push_back({id(c.node), now_});
      return node.start(step_);
    case Kind::link_up:
      return node.link_up(step_, port);
    case Kind::link_down:
      return node.link_down(step_, port);
    case Kind::receive:
      return node.receive(step_, port, *message);
    case Kind::timeout: {
      auto& alarms = nodes_[c.node].alarms;
      if (c.what->what >= alarms.size()) {
        as_found_ = false;
        return;
      }
      const Alarm alarm = alarms[c.what->what];
      alarms.erase(alarms.begin() + static_cast<std::ptrdiff_t>(c.what->what));
      schedule_.alarms[c.node].times[alarm.ordinal] = now_;
      step.timer = core::text_of(alarm.timer);
      return node.timeout(step_, alarm.timer);
    }
  }
}

template <core::Protocol P>
void Rerun<P>::drain(NodeIndex u, observe::TraceStep& step, const Alternative* end) {
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
  for (const auto& send : step_.sends()) {
    for (const Port port : ports_) {
      if (send.port != core::every_port && send.port != port) continue;
      const std::size_t socket = socket_of(u, port);
      post(u, socket, send.message, tag_of(socket), step);
    }
  }
  for (const auto& alarm : step_.alarms()) {
    auto& armed = nodes_[u].alarms;
    std::erase_if(armed, [&](const Alarm& a) { return a.timer == alarm.timer; });
    if (!alarm.armed) continue;
    auto& times = schedule_.alarms[u].times;
    armed.push_back({alarm.timer, times.size()});
    times.emplace_back();
  }
}

template <core::Protocol P>
void Rerun<P>::post(NodeIndex u, std::size_t socket, const Message& message, MessageId tag,
                    observe::TraceStep& step) {
  const Socket& s = plan_.sockets[u][socket];
  auto& arrivals = schedule_.flights[s.out].arrivals;
  if (plan_.strangers ? physical(s.link) : nodes_[s.peer].alive)
    flights_[s.out].push_back(
        {tag, message, s.out, arrivals.size(), trace_.steps.size(), step.sends.size()});
  arrivals.emplace_back();
  // Until it arrives somewhere, it is lost.
  step.sends.push_back({id(s.peer), core::text_of(message), observe::Fate::lost, Time{}});
}

template <core::Protocol P>
observe::Trace Rerun<P>::take_trace() {
  trace_.header = {std::string(P::name), "check", plan_.spec.seed, plan_.spec.ids, schedule_};
  trace_.complete = true;
  return std::move(trace_);
}

template <core::Protocol P>
NodeId Rerun<P>::peer_of(void* self, Port port) {
  auto& r = *static_cast<Rerun*>(self);
  if (port == r.about_.first) return r.id(r.about_.second);
  const std::size_t socket = r.socket_of(r.stepping_, port);
  core::invariant(socket < r.plan_.sockets[r.stepping_].size(), "the peer of a port that is down");
  return r.id(r.plan_.sockets[r.stepping_][socket].peer);
}

template <core::Protocol P>
std::uint64_t Rerun<P>::choose_for(void* self, std::uint64_t n) {
  auto& r = *static_cast<Rerun*>(self);
  const std::uint64_t value = r.chosen_ < r.choices_.size() ? r.choices_[r.chosen_] : 0;
  ++r.chosen_;
  return std::min(value, n - 1);
}

}  // namespace bellwether::check
