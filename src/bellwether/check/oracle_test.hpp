// SPDX-License-Identifier: MIT
// What the search is held against: the same runs, followed in the plainest way. Whole nodes in
// vectors, whole messages in vectors, whole states as strings in a set. Slow, and meant to be read.
// It has types and a driver of its own, and stands neither on core::Nodes nor on the host of tests:
// what the search is compared with shares nothing with it but the protocols.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <set>

#include "bellwether/check/spec.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/facts.hpp"
#include "bellwether/core/print.hpp"
#include "bellwether/core/protocol.hpp"

namespace bellwether::check {

template <core::Protocol P>
class Oracle {
 public:
  using Message = typename P::Message;
  using Timer = typename P::Timer;
  struct ArmedTimer {
    Timer timer;
    Duration min, max, left;
    bool late;
  };
  struct Node {
    P node;
    bool alive = true;
    bool started = false;
    unsigned lives = 1;
    std::set<std::size_t> up;  // links that it was notified of
    std::vector<ArmedTimer> alarms;
  };
  struct Link {
    bool wanted = false;
    std::array<std::vector<bool>, 2> notices;  // by end: up or down, notification pending
    std::array<std::vector<Message>, 2> way;   // by sending end
  };
  struct State {
    std::vector<Node> nodes;
    std::vector<Link> links;
    unsigned changes = 0, crashes = 0, restarts = 0, losses = 0, duplicates = 0;
    std::size_t script = 0;
  };
  struct Result {
    std::uint64_t states = 0;
    std::uint64_t rests = 0;
    std::set<std::string> outcomes;        // the nodes in quiescent states
    std::optional<std::size_t> violation;  // how many actions lead to the nearest disagreement
    std::optional<std::size_t> broken;     // ... to the nearest broken invariant
  };

  Oracle(const Spec& spec, typename P::Options options) : spec_(spec), options_(options) {
    std::set<std::pair<NodeIndex, NodeIndex>> seen;
    const auto add = [&](NodeIndex a, NodeIndex b) {
      const auto key = spec.one_way ? std::pair(a, b) : std::minmax({a, b});
      if (seen.insert(key).second) ends_.push_back({a, b});
    };
    for (const auto& graph : spec.graphs)
      for (const auto& e : graph) add(e.a, e.b);
    for (const ScriptStep& each : spec.script)
      if (each.kind == ScriptStep::Kind::flip) add(each.a, each.b);
    for (NodeIndex a = 0; spec.changes > 0 && a < spec.nodes; ++a)
      for (NodeIndex b = a + 1; b < spec.nodes; ++b) add(a, b);
    // A node's ports: links that it begins, then links that it ends.
    ports_.resize(spec.nodes);
    for (int end = 0; end < 2; ++end)
      for (std::size_t l = 0; l < ends_.size(); ++l) ports_[ends_[l][end]].push_back(l);
    step_.rebind({this, &Oracle::peer_of, &Oracle::choose_for});
  }

  Result run() {
    Result result;
    std::set<std::string> seen;
    std::deque<std::pair<State, std::size_t>> queue;
    for (const auto& graph : spec_.graphs) {
      State root = spec_.from == From::cold ? cold(graph) : settled(graph);
      root.changes = spec_.changes;
      root.crashes = spec_.crashes;
      root.restarts = spec_.restarts;
      root.losses = spec_.losses;
      root.duplicates = spec_.duplicates;
      if (seen.insert(key(root)).second) queue.emplace_back(root, 0);
    }
    while (!queue.empty()) {
      auto [state, depth] = std::move(queue.front());
      queue.pop_front();
      ++result.states;
      if (at_rest(state)) {
        ++result.rests;
        result.outcomes.insert(outcome(state));
        if (!result.violation && !agree(state)) result.violation = depth;
      }
      broken_ = false;
      std::vector<State> next = steps(state);
      for (State& each : faults(state)) next.push_back(std::move(each));
      if (broken_ && !result.broken) result.broken = depth + 1;
      for (State& each : next)
        if (seen.insert(key(each)).second) queue.emplace_back(std::move(each), depth + 1);
    }
    return result;
  }

 private:
  using Handler = std::function<void(Node&, core::StepOf<P>&)>;
  using States = std::vector<State>;

  NodeIndex peer(NodeIndex u, std::size_t l) const {
    return ends_[l][0] == u ? ends_[l][1] : ends_[l][0];
  }
  std::size_t end(NodeIndex u, std::size_t l) const { return ends_[l][0] == u ? 0 : 1; }
  bool sends(NodeIndex u, std::size_t l) const { return !spec_.one_way || end(u, l) == 0; }
  Port port(NodeIndex u, std::size_t l) const {
    std::uint32_t p = 0;
    while (ports_[u][p] != l) ++p;
    return Port{p};
  }
  bool physical(const State& s, std::size_t l) const {
    return s.links[l].wanted && s.nodes[ends_[l][0]].alive && s.nodes[ends_[l][1]].alive;
  }

  // One handler call, with every series of choices.

  States call(const State& before, NodeIndex u, std::size_t about, const Handler& act) {
    States out;
    choices_.clear();
    do {
      State s = before;
      asked_ = 0;
      stepping_ = u;
      about_ = about;
      Node& node = s.nodes[u];
      try {
        act(node, step_);
        drain(s, u);
        out.push_back(std::move(s));
      } catch (const core::Violation&) {
        broken_ = true;
      }
    } while (more_choices());
    return out;
  }
  void begin(Node& node, NodeIndex u) {
    live_ports_.clear();
    for (const std::size_t l : ports_[u])
      if (node.up.contains(l) && sends(u, l)) live_ports_.push_back(port(u, l));
    const bool reads = core::clock_use_of<P>(options_) == core::ClockUse::at_start;
    step_.begin(live_ports_, reads ? core::Time{std::chrono::seconds(node.lives)} : core::Time{});
  }
  void drain(State& s, NodeIndex u) {
    const auto sends = step_.sends();
    const auto alarms = step_.alarms();
    for (const auto& each : sends)
      for (const Port p : live_ports_) {
        if (each.port != core::every_port && each.port != p) continue;
        const std::size_t l = ports_[u][core::raw(p)];
        if (P::facts.model.hears_strangers ? physical(s, l) : s.nodes[peer(u, l)].alive)
          s.links[l].way[end(u, l)].push_back(each.message);
      }
    for (const auto& each : alarms) {
      auto& armed = s.nodes[u].alarms;
      std::erase_if(armed, [&](const ArmedTimer& a) { return a.timer == each.timer; });
      if (!each.armed) continue;
      if (each.min <= spec_.delay)
        armed.push_back({each.timer, each.min, each.max, Duration{0}, false});
      else if (each.min < each.max && choose_for(this, 2) == 1)
        armed.push_back({each.timer, Duration{0}, Duration{0}, each.max, true});
      else
        armed.push_back({each.timer, Duration{0}, Duration{0}, each.min, true});
    }
  }
  static NodeId peer_of(void* self, Port p) {
    auto& o = *static_cast<Oracle*>(self);
    const std::size_t l = p == core::stranger ? o.about_ : o.ports_[o.stepping_].at(core::raw(p));
    return o.spec_.ids[o.peer(o.stepping_, l)];
  }
  static std::uint64_t choose_for(void* self, std::uint64_t n) {
    auto& o = *static_cast<Oracle*>(self);
    if (o.asked_ == o.choices_.size()) o.choices_.push_back({0, n});
    return o.choices_[o.asked_++].first;
  }
  bool more_choices() {
    while (!choices_.empty() && choices_.back().first + 1 == choices_.back().second)
      choices_.pop_back();
    if (choices_.empty()) return false;
    ++choices_.back().first;
    return true;
  }

  // What handlers there are.

  States start(const State& s, NodeIndex u) {
    return call(s, u, 0, [&](Node& node, auto& step) {
      node.started = true;
      begin(node, u);
      node.node.start(step);
    });
  }
  States told(State s, NodeIndex u, std::size_t l, bool up) {
    // On a wire, what was sent is lost when the sender's end goes down.
    if (!up && !P::facts.model.hears_strangers) s.links[l].way[end(u, l)].clear();
    return call(s, u, l, [&](Node& node, auto& step) {
      up ? (void)node.up.insert(l) : (void)node.up.erase(l);
      begin(node, u);
      up ? node.node.link_up(step, port(u, l)) : node.node.link_down(step, port(u, l));
    });
  }
  States arrived(const State& s, NodeIndex u, std::size_t l, const Message& message) {
    const bool known = s.nodes[u].up.contains(l);
    if (!P::facts.model.hears_strangers && !known) return {s};
    return call(s, u, l, [&](Node& node, auto& step) {
      begin(node, u);
      node.node.receive(step, known ? port(u, l) : core::stranger, message);
    });
  }
  States expired(const State& s, NodeIndex u, std::size_t place) {
    return call(s, u, 0, [&](Node& node, auto& step) {
      const Timer timer = node.alarms[place].timer;
      node.alarms.erase(node.alarms.begin() + static_cast<std::ptrdiff_t>(place));
      begin(node, u);
      node.node.timeout(step, timer);
    });
  }
  template <class Then>
  static States chain(const States& states, Then&& then) {
    States out;
    for (const State& s : states)
      for (State& each : then(s)) out.push_back(std::move(each));
    return out;
  }

  // What may happen.

  static void append(States& out, States more) {
    for (State& each : more) out.push_back(std::move(each));
  }
  bool wants_notice(const State& s, NodeIndex u, std::size_t l) const {
    if (spec_.notify == Notify::edge || !s.links[l].notices[end(u, l)].empty())
      return !s.links[l].notices[end(u, l)].empty();
    return spec_.notify == Notify::level && s.nodes[u].up.contains(l) != physical(s, l);
  }
  /// Places of the messages of a channel that may be next.
  std::vector<std::size_t> heads(const std::vector<Message>& way) const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < way.size(); ++i) {
      if (i > 0 && spec_.order == ChannelOrder::fifo) break;
      if (std::find(way.begin(), way.begin() + static_cast<std::ptrdiff_t>(i), way[i]) ==
          way.begin() + static_cast<std::ptrdiff_t>(i))
        out.push_back(i);
    }
    return out;
  }
  States steps(const State& s) {
    States out;
    for (NodeIndex u = 0; u < spec_.nodes; ++u) {
      const Node& node = s.nodes[u];
      if (!node.alive) continue;
      if (!node.started) append(out, start(s, u));
      for (const std::size_t l : ports_[u]) {
        if (wants_notice(s, u, l)) {
          State next = s;
          auto& notices = next.links[l].notices[end(u, l)];
          const bool up = notices.empty() ? !node.up.contains(l) : notices.front();
          if (!notices.empty()) notices.erase(notices.begin());
          append(out, told(next, u, l, up));
        }
        const auto& way = s.links[l].way[1 - end(u, l)];
        for (const std::size_t i : heads(way)) {
          State next = s;
          auto& rest = next.links[l].way[1 - end(u, l)];
          rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
          append(out, arrived(next, u, l, way[i]));
        }
      }
      for (std::size_t a = 0; a < node.alarms.size(); ++a) {
        bool first = !node.alarms[a].late;
        for (std::size_t b = 0; b < a; ++b)
          if (!node.alarms[b].late && node.alarms[b].max <= node.alarms[a].min) first = false;
        if (first) append(out, expired(s, u, a));
      }
    }
    if (out.empty() && !broken_) append(out, late(s));
    return out;
  }
  States late(const State& s) {
    Duration soonest = Duration::max();
    for (const Node& node : s.nodes)
      for (const ArmedTimer& a : node.alarms)
        if (node.alive) soonest = std::min(soonest, a.left);
    States out;
    for (NodeIndex u = 0; u < spec_.nodes; ++u)
      for (std::size_t a = 0; s.nodes[u].alive && a < s.nodes[u].alarms.size(); ++a) {
        if (s.nodes[u].alarms[a].left != soonest) continue;
        State next = s;
        for (Node& node : next.nodes)
          for (ArmedTimer& each : node.alarms)
            if (node.alive) each.left -= soonest;
        append(out, expired(next, u, a));
      }
    return out;
  }

  // Faults.

  /// The link has changed: its two ends learn of it, sooner or later.
  States spread(State s, std::size_t l, bool up, std::vector<NodeIndex> whom) {
    if (!up && P::facts.model.hears_strangers) s.links[l].way = {};
    if (spec_.notify == Notify::edge)
      for (const NodeIndex u : whom) s.links[l].notices[end(u, l)].push_back(up);
    States out{std::move(s)};
    if (spec_.notify == Notify::instant)
      for (const NodeIndex u : whom)
        out = chain(out, [&](const State& each) { return told(each, u, l, up); });
    return out;
  }
  States flip(State s, std::size_t l) {
    s.links[l].wanted = !s.links[l].wanted;
    if (!s.nodes[ends_[l][0]].alive || !s.nodes[ends_[l][1]].alive) return {s};
    const bool up = s.links[l].wanted;
    return spread(std::move(s), l, up, {ends_[l][0], ends_[l][1]});
  }
  States crash(State s, NodeIndex u) {
    std::vector<std::size_t> were_up;
    for (const std::size_t l : ports_[u])
      if (physical(s, l)) were_up.push_back(l);
    Node& node = s.nodes[u];
    if (!spec_.memory) {
      const unsigned lives = node.lives;
      node = {P(spec_.ids[u], options_), false, false, lives, {}, {}};
    }
    node.alive = false;
    for (const std::size_t l : ports_[u]) {
      s.links[l].notices[end(u, l)].clear();
      s.links[l].way = {};
    }
    States out{std::move(s)};
    for (const std::size_t l : were_up)
      out = chain(out, [&](const State& each) { return spread(each, l, false, {peer(u, l)}); });
    return out;
  }
  States restart(State s, NodeIndex u) {
    s.nodes[u].alive = true;
    if (!spec_.memory) ++s.nodes[u].lives;
    const std::set<std::size_t> had = std::exchange(s.nodes[u].up, {});
    const bool started = s.nodes[u].started;
    std::vector<std::size_t> links;
    for (const std::size_t l : ports_[u])
      if (physical(s, l)) links.push_back(l);
    States out{std::move(s)};
    if (!started) out = chain(out, [&](const State& each) { return start(each, u); });
    for (const std::size_t l : had)
      out = chain(out, [&](const State& each) { return told(each, u, l, false); });
    for (const std::size_t l : links)
      out = chain(out, [&](const State& each) { return spread(each, l, true, {u, peer(u, l)}); });
    return out;
  }
  States faults(const State& s) {
    States out;
    for (std::size_t l = 0; s.changes > 0 && l < ends_.size(); ++l) {
      State next = s;
      --next.changes;
      append(out, flip(next, l));
    }
    if (s.script < spec_.script.size()) append(out, scripted(s));
    for (NodeIndex u = 0; u < spec_.nodes; ++u) {
      State next = s;
      if (s.nodes[u].alive && s.crashes > 0) {
        --next.crashes;
        append(out, crash(next, u));
      }
      if (!s.nodes[u].alive && s.restarts > 0) {
        --next.restarts;
        append(out, restart(next, u));
      }
    }
    for (std::size_t l = 0; l < ends_.size(); ++l)
      for (std::size_t from = 0; from < 2; ++from)
        for (const std::size_t i : heads(s.links[l].way[from])) {
          if (s.losses > 0) {
            State next = s;
            --next.losses;
            auto& way = next.links[l].way[from];
            way.erase(way.begin() + static_cast<std::ptrdiff_t>(i));
            out.push_back(std::move(next));
          }
          if (s.duplicates > 0) {
            State next = s;
            --next.duplicates;
            append(out, arrived(next, ends_[l][1 - from], l, s.links[l].way[from][i]));
          }
        }
    return out;
  }
  States scripted(const State& s) {
    const ScriptStep& what = spec_.script[s.script];
    State next = s;
    ++next.script;
    using Kind = ScriptStep::Kind;
    if (what.kind == Kind::flip) {
      for (std::size_t l = 0; l < ends_.size(); ++l)
        if (std::minmax(ends_[l][0], ends_[l][1]) == std::minmax(what.a, what.b))
          return flip(next, l);
    }
    if (what.kind == Kind::crash && s.nodes[what.a].alive) return crash(next, what.a);
    if (what.kind == Kind::restart && !s.nodes[what.a].alive) return restart(next, what.a);
    return {};
  }

  // Where the runs begin.

  State cold(const std::vector<graph::Edge>& graph) {
    State s;
    for (NodeIndex u = 0; u < spec_.nodes; ++u)
      s.nodes.push_back({P(spec_.ids[u], options_), true, false, 1, {}, {}});
    s.links.resize(ends_.size());
    for (const graph::Edge& e : graph) {
      const std::size_t l = link_of(e);
      s.links[l].wanted = true;
      s.nodes[e.a].up.insert(l);
      s.nodes[e.b].up.insert(l);
    }
    return s;
  }
  std::size_t link_of(graph::Edge e) const {
    for (std::size_t l = 0; l < ends_.size(); ++l)
      if ((ends_[l][0] == e.a && ends_[l][1] == e.b) ||
          (!spec_.one_way && ends_[l][0] == e.b && ends_[l][1] == e.a))
        return l;
    return ends_.size();
  }
  State settled(const std::vector<graph::Edge>& graph) {
    const Notify notify = std::exchange(spec_.notify, Notify::instant);
    State s = cold({});
    const auto drain_all = [&] {
      while (!at_rest(s)) s = State(steps(s).front());
    };
    drain_all();
    for (const graph::Edge& e : graph) {
      s = State(flip(s, link_of(e)).front());
      drain_all();
    }
    spec_.notify = notify;
    return s;
  }

  // What a state is.

  bool at_rest(const State& s) const {
    for (NodeIndex u = 0; u < spec_.nodes; ++u) {
      const Node& node = s.nodes[u];
      if (!node.alive) continue;
      if (!node.started || !node.alarms.empty()) return false;
      for (const std::size_t l : ports_[u])
        if (wants_notice(s, u, l)) return false;
    }
    for (const Link& link : s.links)
      if (!link.way[0].empty() || !link.way[1].empty()) return false;
    return true;
  }
  bool agree(const State& s) const {
    for (NodeIndex u = 0; u < spec_.nodes; ++u) {
      if (!s.nodes[u].alive) continue;
      std::set<NodeIndex> part{u};
      for (std::size_t again = 0; again < spec_.nodes; ++again)
        for (std::size_t l = 0; l < ends_.size(); ++l)
          if (physical(s, l) && (part.contains(ends_[l][0]) || part.contains(ends_[l][1])))
            part.insert({ends_[l][0], ends_[l][1]});
      bool inside = false;
      for (const NodeIndex v : part) {
        if (s.nodes[v].node.leader() != s.nodes[u].node.leader()) return false;
        inside = inside || s.nodes[u].node.leader() == spec_.ids[v];
      }
      if (!inside) return false;
    }
    return true;
  }

 public:
  static std::string outcome_of(bool alive, const P& node) {
    return (alive ? core::text_of(node) : std::string("-")) + "\n";
  }

 private:
  std::string outcome(const State& s) const {
    std::string out;
    for (const Node& node : s.nodes) out += outcome_of(node.alive, node.node);
    return out;
  }
  template <class T>
  static void put(std::string& out, const T& value) {
    const auto bytes = core::encode(value);
    out += std::to_string(bytes.size()) + ":";
    for (const auto byte : bytes) out += static_cast<char>(byte);
  }
  std::string key(const State& s) const {
    std::string out;
    for (const Node& node : s.nodes) {
      put(out, node.node);
      out += node.alive ? 'a' : 'd';
      out += node.started ? 's' : 'n';
      out += std::to_string(node.lives) + "(";
      for (const std::size_t l : node.up) out += std::to_string(l) + ",";
      for (const ArmedTimer& a : node.alarms) {
        put(out, a.timer);
        for (const Duration d : {a.min, a.max, a.left}) out += std::to_string(d.count()) + ",";
      }
      out += ")";
    }
    for (const Link& link : s.links) {
      out += link.wanted ? 'u' : 'd';
      for (const auto& notices : link.notices) out += std::to_string(notices.size());
      for (const auto& way : link.way) {
        std::vector<std::string> texts;
        for (const Message& m : way) put(texts.emplace_back(), m);
        if (spec_.order == ChannelOrder::unordered) std::sort(texts.begin(), texts.end());
        for (const std::string& text : texts) out += text;
        out += ";";
      }
    }
    for (const std::size_t n :
         {std::size_t{s.changes}, std::size_t{s.crashes}, std::size_t{s.restarts},
          std::size_t{s.losses}, std::size_t{s.duplicates}, s.script})
      out += std::to_string(n) + ",";
    return out;
  }

  Spec spec_;
  const typename P::Options options_;
  std::vector<std::array<NodeIndex, 2>> ends_;   // by link
  std::vector<std::vector<std::size_t>> ports_;  // by node: its links
  core::StepOf<P> step_;
  std::vector<Port> live_ports_;
  NodeIndex stepping_ = 0;
  std::size_t about_ = 0;
  std::size_t asked_ = 0;
  bool broken_ = false;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> choices_;
};

}  // namespace bellwether::check
