// SPDX-License-Identifier: MIT
#include "bellwether/check/cycles.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "bellwether/check/search_parts.hpp"
#include "bellwether/core/digest.hpp"

namespace bellwether::check {

void Cycles::look(Findings& findings) {
  const std::uint64_t left = peel();
  if (search_.stopped_) {
    findings.note = "stopped before the search for cycles was complete";
    return;
  }
  findings.cycles_searched = true;
  findings.acyclic = left == 0;
  if (left == 0) return;
  if (search_.memory_now() + left * 120 > search_.plan_.spec.memory_limit) {
    findings.ended = SearchEnd::memory;
    findings.cycles_searched = false;
    findings.note = "there are cycles, and not enough memory to judge them";
    return;
  }
  if (!components(findings)) findings.ended = SearchEnd::violation;
}

/// How many states are left when all that no step leads into have been taken away.
std::uint64_t Cycles::peel() {
  Visited& visited = search_.visited_;
  std::atomic<std::uint64_t> left{0};
  std::vector<StateRef> current;
  visited.for_each([&](StateRef ref) {
    ++left;
    if (visited.count(ref) == 0) current.push_back(ref);
  });
  struct Peeler final : Successors {
    Search* search;
    std::vector<std::uint8_t> key;
    std::vector<StateRef> free;
    void take(const Action& action, const Number* slots, Number broken) override {
      if (broken != 0 || is_fault(action.kind)) return;
      const std::size_t size = encode_state({slots, search->plan_.slots()}, key.data());
      const StateRef to = search->visited_.find({key.data(), size});
      if (to != no_state && search->visited_.lower_count(to) == 0) free.push_back(to);
    }
  };
  while (!current.empty() && !search_.stopped_) {
    left -= current.size();
    search_.waiting_ = current.size();
    std::atomic<std::size_t> place{0};
    std::mutex mutex;
    std::vector<StateRef> next;
    search_.in_parallel([&](Search::Worker& worker) {
      Peeler peeler;
      peeler.search = &search_;
      peeler.key.resize(most_key_bytes(search_.plan_));
      for (;;) {
        const std::size_t i = place.fetch_add(1);
        if (i >= current.size() || search_.stopped_) break;
        decode_state(visited.key(current[i]), worker.slots);
        worker.expander.expand(worker.slots.data(), peeler, search_.settings_.reduce);
        if (++worker.since_look >= 4096) {
          worker.since_look = 0;
          if (!search_.within_limits(worker)) break;
        }
      }
      const std::lock_guard guard(mutex);
      next.insert(next.end(), peeler.free.begin(), peeler.free.end());
    });
    current = std::move(next);
  }
  return left;
}

std::vector<Cycles::Arc> Cycles::edges_of(StateRef ref) {
  struct Collector final : Successors {
    Search* search;
    const StateVector* from;
    std::vector<std::uint8_t> key;
    std::vector<Arc> edges;
    std::uint64_t kind_of(const Action& a) const {
      std::uint64_t what = a.what;
      if (a.kind == ActionKind::fire)
        what = search->machine_.facts((*from)[a.node]).alarms[a.at].timer;
      const std::uint64_t at = a.kind == ActionKind::fire ? 0 : a.at;
      return core::mix(static_cast<std::uint64_t>(a.kind) << 48 | std::uint64_t{a.node} << 32 | at,
                       what);
    }
    void take(const Action& action, const Number* slots, Number broken) override {
      if (broken != 0 || is_fault(action.kind)) return;
      const std::size_t size = encode_state({slots, search->plan_.slots()}, key.data());
      edges.push_back({search->visited_.find({key.data(), size}), kind_of(action)});
    }
  };
  Search::Worker& worker = *search_.workers_.front();
  decode_state(search_.visited_.key(ref), worker.slots);
  const StateVector from = worker.slots;
  Collector collector;
  collector.search = &search_;
  collector.from = &from;
  collector.key.resize(most_key_bytes(search_.plan_));
  worker.expander.expand(from.data(), collector, false);
  return std::move(collector.edges);
}

/// Tarjan's algorithm over what was not peeled, without recursion. False: a violation was found.
bool Cycles::components(Findings& findings) {
  struct TarjanEntry {
    std::uint64_t index = 0;
    std::uint64_t low = 0;
    bool on_stack = true;
  };
  struct Frame {
    StateRef ref;
    std::vector<StateRef> to;
    std::size_t next = 0;
    bool loops = false;
  };
  std::unordered_map<StateRef, TarjanEntry> entries;
  std::vector<StateRef> stack;
  std::vector<Frame> frames;
  std::uint64_t index = 0;
  bool good = true;
  const auto enter = [&](StateRef ref) {
    entries[ref] = {index, index, true};
    ++index;
    stack.push_back(ref);
    Frame frame{ref, {}, 0, false};
    for (const Arc& edge : edges_of(ref)) {
      if (edge.to == ref) frame.loops = true;
      if (edge.to != no_state && search_.visited_.count(edge.to) != 0) frame.to.push_back(edge.to);
    }
    frames.push_back(std::move(frame));
  };
  const auto leave = [&] {
    Frame frame = std::move(frames.back());
    frames.pop_back();
    TarjanEntry& mine = entries[frame.ref];
    if (!frames.empty()) {
      TarjanEntry& above = entries[frames.back().ref];
      above.low = std::min(above.low, mine.low);
    }
    if (mine.low != mine.index) return;
    std::vector<StateRef> component;
    do {
      component.push_back(stack.back());
      entries[stack.back()].on_stack = false;
      stack.pop_back();
    } while (component.back() != frame.ref);
    if (component.size() == 1 && !frame.loops) return;
    findings.cyclic_states += component.size();
    good = good && judge(component, findings);
  };
  std::vector<StateRef> starts;
  search_.visited_.for_each([&](StateRef ref) {
    if (search_.visited_.count(ref) != 0) starts.push_back(ref);
  });
  for (const StateRef start : starts) {
    if (entries.contains(start)) continue;
    enter(start);
    while (!frames.empty() && good) {
      Frame& frame = frames.back();
      if (frame.next == frame.to.size()) {
        leave();
        continue;
      }
      const StateRef to = frame.to[frame.next++];
      const auto known = entries.find(to);
      if (known == entries.end())
        enter(to);
      else if (known->second.on_stack)
        entries[frame.ref].low = std::min(entries[frame.ref].low, known->second.index);
    }
    if (!good) return false;
  }
  return true;
}

bool Cycles::judge(const std::vector<StateRef>& component, Findings& findings) {
  StateRef bad = no_state;
  StateVector slots(search_.plan_.slots());
  for (const StateRef ref : component) {
    decode_state(search_.visited_.key(ref), slots);
    if (auto breach = search_.machine_.disagreement(slots.data())) {
      findings.breach = {breach->property, breach->sentence + ", again and again, without end"};
      bad = ref;
      break;
    }
  }
  if (bad == no_state) {
    findings.agreed = true;
    return true;
  }
  const std::unordered_set<StateRef> inside(component.begin(), component.end());
  std::unordered_map<std::uint64_t, std::size_t> possible;
  std::unordered_set<std::uint64_t> done;
  for (const StateRef ref : component) {
    std::set<std::uint64_t> here;
    for (const Arc& edge : edges_of(ref)) {
      here.insert(edge.kind);
      if (inside.contains(edge.to)) done.insert(edge.kind);
    }
    for (const std::uint64_t kind : here) ++possible[kind];
  }
  for (const auto& [kind, states] : possible)
    if (states == component.size() && !done.contains(kind)) return true;  // no run in here is fair
  build_lasso(component, bad, findings);
  return false;
}

/// To the component, then round in it: through the state that is wrong, past a moment where each
/// kind of step is done or cannot be done, and back.
void Cycles::build_lasso(const std::vector<StateRef>& component, StateRef bad, Findings& findings) {
  const std::unordered_set<StateRef> inside(component.begin(), component.end());
  findings.path = search_.path_to(roots_, bad, findings.root);
  findings.lasso = findings.path.size();
  std::vector<StateRef> round;
  const auto go = [&](StateRef from, auto&& there) {
    std::unordered_map<StateRef, StateRef> back;
    std::deque<StateRef> queue{from};
    while (!queue.empty()) {
      const StateRef at = queue.front();
      queue.pop_front();
      for (const Arc& edge : edges_of(at)) {
        if (!inside.contains(edge.to)) continue;
        const bool found = there(at, edge);
        if (!found && (edge.to == from || back.contains(edge.to))) continue;
        if (found) {
          std::vector<StateRef> way{edge.to};
          for (StateRef s = at; s != from; s = back.at(s)) way.push_back(s);
          round.insert(round.end(), way.rbegin(), way.rend());
          return edge.to;
        }
        back.emplace(edge.to, at);
        queue.push_back(edge.to);
      }
    }
    return no_state;
  };
  StateRef now = bad;
  std::set<std::uint64_t> always;
  for (const Arc& edge : edges_of(bad)) always.insert(edge.kind);
  // Each kind that is possible here: do it somewhere, or pass a state where it cannot be done.
  for (const std::uint64_t kind : always) {
    const StateRef to = go(now, [&](StateRef, const Arc& edge) {
      if (edge.kind == kind) return true;
      const auto next = edges_of(edge.to);
      return std::none_of(next.begin(), next.end(), [&](const Arc& e) { return e.kind == kind; });
    });
    if (to != no_state) now = to;
  }
  if (now != bad) go(now, [&](StateRef, const Arc& edge) { return edge.to == bad; });
  const Path way = search_.follow(round);
  findings.path.insert(findings.path.end(), way.begin(), way.end());
}

}  // namespace bellwether::check
