// SPDX-License-Identifier: MIT
#include "bellwether/check/search.hpp"

#include <algorithm>
#include <cstring>

#include "bellwether/check/cycles.hpp"
#include "bellwether/check/search_parts.hpp"

namespace bellwether::check {
namespace {

/// Looks for the step to one state.
struct StepFinder final : Successors {
  StepFinder(const Expander& e, std::size_t n, std::function<bool(const Number*)> is_wanted)
      : expander(e), size(n), wanted(std::move(is_wanted)) {}
  const Expander& expander;
  std::size_t size;
  std::function<bool(const Number*)> wanted;
  std::optional<PathStep> step;
  StateVector slots;
  void take(const Action& action, const Number* next, Number broken) override {
    if (step || broken != 0 || !wanted(next)) return;
    step = step_of(action, expander);
    slots.assign(next, next + size);
  }
};

}  // namespace

/// The hash under which 64 bits in place of a state are kept: that of their bytes.
static std::uint64_t rehash(std::uint64_t hash) {
  std::array<std::uint8_t, 8> bytes;
  std::memcpy(bytes.data(), &hash, 8);
  return hash_bytes(bytes);
}

PathStep step_of(const Action& action, const Expander& expander) {
  return {action, expander.taken(), false};
}

Search::Search(const Plan& plan, Machine& machine, Contents& contents,
               const SearchSettings& settings, OnSearchProgress on_progress)
    : plan_(plan),
      machine_(machine),
      contents_(contents),
      settings_(settings),
      on_progress_(std::move(on_progress)),
      budget_(plan.spec.memory_limit),
      visited_(budget_, settings.threads <= 1) {
  for (unsigned i = 0; i < std::max(1u, settings.threads); ++i)
    workers_.push_back(std::make_unique<Worker>(*this));
}
Search::~Search() = default;

/// The bytes that stand for a state in the table: all of it, or 64 bits on request.
std::size_t Search::key_of(const Number* slots, std::uint8_t* out) const {
  const std::size_t size = encode_state({slots, plan_.slots()}, out);
  if (!plan_.spec.compact) return size;
  const std::uint64_t hash = hash_bytes({out, size});
  std::memcpy(out, &hash, 8);
  return 8;
}

void Search::Worker::take(const Action& action, const Number* next_slots, Number broken) {
  transitions.store(transitions.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  ++taken[static_cast<std::size_t>(action.kind)];
  if (broken != 0)
    return search.report_violation(
        {from, step_of(action, expander), search.machine_.breach(broken)});
  if (keys_end + most_key_bytes(search.plan_) > keys.size()) settle();
  std::uint8_t* place = keys.data() + keys_end;
  const std::size_t size = encode_state({next_slots, search.plan_.slots()}, place);
  const std::uint64_t hash = hash_bytes({place, size});
  search.visited_.fetch_slot(search.plan_.spec.compact ? rehash(hash) : hash);
  waiting.push_back({hash, from, static_cast<std::uint32_t>(keys_end),
                     static_cast<std::uint32_t>(size), depth, is_fault(action.kind)});
  keys_end += size;
}

void Search::Worker::settle() {
  const bool compact = search.plan_.spec.compact;
  if (!compact)
    for (const QueuedState& each : waiting) search.visited_.fetch_record(each.hash);
  for (const QueuedState& each : waiting) {
    const std::span<const std::uint8_t> whole{keys.data() + each.begin, each.size};
    std::array<std::uint8_t, 8> hashed;
    std::memcpy(hashed.data(), &each.hash, 8);
    const Visited::Found found = compact
                                     ? search.visited_.insert(hashed, rehash(each.hash), each.from)
                                     : search.visited_.insert(whole, each.hash, each.from);
    if (found.outcome == Visited::Outcome::full) {
      search.stop(SearchEnd::memory);
      break;
    }
    if (search.settings_.cycles && !each.fault) search.visited_.add_to_count(found.ref);
    if (found.outcome != Visited::Outcome::fresh) continue;
    if (search.plan_.spec.search == SearchOrder::depth && !compact)
      stack.emplace_back(found.ref, each.depth + 1);
    else
      next.add(found.ref, compact ? whole : std::span<const std::uint8_t>{});
  }
  waiting.clear();
  keys_end = 0;
}

void Search::visit(Worker& worker, StateRef ref, std::span<const std::uint8_t> key) {
  decode_state(key, worker.slots);
  worker.from = ref;
  const Situation now = worker.expander.expand(worker.slots.data(), worker, settings_.reduce);
  const bool breadth = plan_.spec.search == SearchOrder::breadth || plan_.spec.compact;
  if (!breadth || worker.waiting.size() >= Worker::together) worker.settle();
  if (now.rest) {
    ++worker.rests;
    if (settings_.on_rest) settings_.on_rest(worker.slots.data());
    if (auto wrong = machine_.disagreement(worker.slots.data()))
      report_violation({ref, std::nullopt, *wrong});
    else
      worker.agreed = true;
  }
  if (++worker.since_look < 2048) return;
  worker.since_look = 0;
  if (!within_limits(worker)) stopped_ = true;
}

/// Now and then: memory, the number of states, and the caller.
bool Search::within_limits(Worker& worker) {
  worker.held = worker.expander.bytes() + worker.next.memory() + worker.stack.capacity() * 16;
  const std::uint64_t used = memory_now();
  if (used > plan_.spec.memory_limit) stop(SearchEnd::memory);
  const std::uint64_t states = visited_.size();
  if (plan_.spec.max_states != 0 && states >= plan_.spec.max_states) stop(SearchEnd::states);
  if (&worker == workers_.front().get() && on_progress_) {
    std::uint64_t transitions = 0;
    for (const auto& each : workers_) transitions += each->transitions.load();
    const unsigned depth = plan_.spec.search == SearchOrder::depth ? worker.depth : depth_;
    if (!on_progress_({states, transitions, waiting_, depth, used, phase_}))
      stop(SearchEnd::stopped);
  }
  return !stopped_;
}

std::uint64_t Search::memory_now() const {
  std::uint64_t used = budget_.used() + machine_.bytes() + contents_.bytes();
  for (const auto& worker : workers_) used += worker->held;
  return used + waiting_ * 8;
}

void Search::stop(SearchEnd why) {
  const std::lock_guard guard(mutex_);
  if (findings_.ended == SearchEnd::complete) findings_.ended = why;
  stopped_ = true;
}

/// A state that is wrong ends the search; a step that is wrong leads one step farther, so a wrong
/// state that is as near comes first.
void Search::report_violation(FoundViolation violation) {
  const std::lock_guard guard(mutex_);
  const bool state = !violation.step;
  if (violation_ && (!violation_->step || !state)) return;
  violation_ = std::move(violation);
  findings_.ended = SearchEnd::violation;
  if (state || plan_.spec.search == SearchOrder::depth) stopped_ = true;
}

void Search::add_roots(const std::vector<Root>& roots, Frontier& first) {
  std::vector<std::uint8_t> whole(most_key_bytes(plan_));
  std::vector<std::uint8_t> key(most_key_bytes(plan_));
  for (const Root& root : roots) {
    StateVector twin = root.slots;
    if (machine_.has_canonical()) machine_.canonical(twin.data());
    const std::size_t size = key_of(twin.data(), key.data());
    const auto found = visited_.insert({key.data(), size}, no_state);
    if (found.outcome == Visited::Outcome::full) return stop(SearchEnd::memory);
    if (found.outcome != Visited::Outcome::fresh) continue;
    const std::size_t all = encode_state(twin, whole.data());
    first.add(found.ref, plan_.spec.compact ? std::span<const std::uint8_t>{whole.data(), all}
                                            : std::span<const std::uint8_t>{});
  }
}

void Search::breadth_first(Frontier current) {
  for (depth_ = 0; !current.refs.empty() && !stopped_; ++depth_) {
    if (plan_.spec.max_depth != 0 && depth_ > plan_.spec.max_depth) return stop(SearchEnd::depth);
    waiting_ = current.refs.size();
    std::atomic<std::size_t> place{0};
    constexpr std::size_t portion = 128;
    in_parallel([&](Worker& worker) {
      for (;;) {
        const std::size_t from = place.fetch_add(portion);
        if (from >= current.refs.size() || stopped_) return worker.settle();
        for (std::size_t i = from; i < std::min(from + portion, current.refs.size()); ++i) {
          if (stopped_) return;
          const StateRef ref = current.refs[i];
          constexpr std::size_t ahead = 8;
          if (i + ahead < current.refs.size()) visited_.fetch(current.refs[i + ahead]);
          visit(worker, ref, plan_.spec.compact ? current.key(i) : visited_.key(ref));
        }
      }
    });
    if (violation_) return;
    Frontier next;
    for (auto& worker : workers_) next.append(worker->next);
    current = std::move(next);
    if (current.refs.empty()) return;
  }
}

/// Each thread has a stack of its own; who has nothing left takes half of another's.
void Search::depth_first(const Frontier& first) {
  for (std::size_t i = 0; i < first.refs.size(); ++i)
    workers_[i % workers_.size()]->stack.emplace_back(first.refs[i], 0);
  std::mutex shared_mutex;
  std::vector<std::pair<StateRef, unsigned>> shared;
  std::atomic<std::size_t> busy{workers_.size()};
  const unsigned deepest = plan_.spec.max_depth == 0 ? ~0u : plan_.spec.max_depth;
  in_parallel([&](Worker& worker) {
    unsigned reached = 0;
    for (bool working = true; !stopped_;) {
      if (worker.stack.empty()) {
        const std::lock_guard guard(shared_mutex);
        if (shared.empty()) {
          if (std::exchange(working, false)) --busy;
          if (busy == 0) break;
        } else {
          if (!std::exchange(working, true)) ++busy;
          const std::size_t half = (shared.size() + 1) / 2;
          worker.stack.assign(shared.end() - static_cast<std::ptrdiff_t>(half), shared.end());
          shared.resize(shared.size() - half);
        }
      }
      if (worker.stack.empty()) {
        std::this_thread::yield();
        continue;
      }
      const auto [ref, depth] = worker.stack.back();
      worker.stack.pop_back();
      worker.depth = depth;
      reached = std::max(reached, depth);
      if (depth > deepest) {
        const std::lock_guard guard(mutex_);
        if (findings_.ended == SearchEnd::complete) findings_.ended = SearchEnd::depth;
        continue;
      }
      visit(worker, ref, visited_.key(ref));
      if (workers_.size() > 1 && worker.stack.size() > 64 && busy < workers_.size()) {
        const std::lock_guard guard(shared_mutex);
        const auto half =
            worker.stack.begin() + static_cast<std::ptrdiff_t>(worker.stack.size() / 2);
        shared.insert(shared.end(), worker.stack.begin(), half);
        worker.stack.erase(worker.stack.begin(), half);
      }
    }
    const std::lock_guard guard(mutex_);
    depth_ = std::max(depth_, reached);
  });
}

bool Search::is_at(const Number* slots, StateRef at) const {
  StateVector twin(slots, slots + plan_.slots());
  if (machine_.has_canonical()) machine_.canonical(twin.data());
  std::vector<std::uint8_t> key(most_key_bytes(plan_));
  const std::size_t size = key_of(twin.data(), key.data());
  const auto stored = visited_.key(at);
  return std::equal(stored.begin(), stored.end(), key.begin(),
                    key.begin() + static_cast<std::ptrdiff_t>(size));
}

/// From a root to a state. States on the way are exact: clocks have the readings that they really
/// have, and nodes their names.
Path Search::path_to(const std::vector<Root>& roots, StateRef ref, std::size_t& root) {
  std::vector<StateRef> chain;
  for (StateRef at = ref; at != no_state; at = visited_.parent(at)) chain.push_back(at);
  std::reverse(chain.begin(), chain.end());
  for (root = 0; root + 1 < roots.size() && !is_at(roots[root].slots.data(), chain.front());)
    ++root;
  end_of_path_ = roots[root].slots;
  return follow({chain.begin() + 1, chain.end()});
}

/// The actions that lead on, from the end of the path so far, through these states.
Path Search::follow(std::span<const StateRef> chain) {
  Path path;
  Expander expander(plan_, machine_, contents_);
  expander.stay_exact();
  for (const StateRef next : chain) {
    StepFinder finder(expander, plan_.slots(),
                      [&](const Number* slots) { return is_at(slots, next); });
    expander.expand(end_of_path_.data(), finder, false);
    if (!finder.step) throw NotExact();
    end_of_path_ = finder.slots;
    path.push_back(*finder.step);
  }
  return path;
}

/// The step that broke something, from the exact state.
PathStep Search::last_step(const PathStep& wrong) {
  struct Breaker final : Successors {
    Breaker(const Expander& e, const Action& a) : expander(e), wanted(a) {}
    const Expander& expander;
    const Action& wanted;
    std::optional<PathStep> step;
    void take(const Action& action, const Number*, Number broken) override {
      // Messages and places may have other numbers here: the kind and the node are enough.
      if (broken != 0 && !step && action.kind == wanted.kind && action.node == wanted.node)
        step = step_of(action, expander);
    }
  };
  Expander expander(plan_, machine_, contents_);
  expander.stay_exact();
  Breaker breaker(expander, wrong.action);
  expander.expand(end_of_path_.data(), breaker, false);
  if (!breaker.step) throw NotExact();
  return *breaker.step;
}

Findings Search::run(const std::vector<Root>& roots) {
  Frontier first;
  add_roots(roots, first);
  if (plan_.spec.search == SearchOrder::depth && !plan_.spec.compact)
    depth_first(first);
  else
    breadth_first(std::move(first));
  Findings& f = findings_;
  f.states = visited_.size();
  f.depth = depth_;
  for (const auto& worker : workers_) {
    f.transitions += worker->transitions;
    f.rests += worker->rests;
    f.agreed = f.agreed || worker->agreed;
    for (std::size_t i = 0; i < action_kinds; ++i) f.taken[i] += worker->taken[i];
    if (worker->expander.met_transit_limit() && f.ended == SearchEnd::complete) {
      f.ended = SearchEnd::transit;
      f.note =
          "a channel held more than " + std::to_string(plan_.spec.transit) +
          " messages, or an end of a link had more than 7 notifications pending; states beyond "
          "that were not searched";
    }
  }
  f.stored = budget_.used();
  f.memory = memory_now();
  if (plan_.spec.compact) {
    const auto n = static_cast<double>(f.states);
    f.omission = n * n / 2 / 18446744073709551616.0;
  }
  if (violation_) {
    f.breach = violation_->breach;
    f.path = path_to(roots, violation_->at, f.root);
    if (violation_->step) f.path.push_back(last_step(*violation_->step));
    return f;
  }
  if (f.ended == SearchEnd::complete && settings_.cycles && !plan_.spec.compact) {
    phase_ = "cycles";
    Cycles(*this, roots).look(f);
  }
  return f;
}

}  // namespace bellwether::check
