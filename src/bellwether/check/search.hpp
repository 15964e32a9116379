// SPDX-License-Identifier: MIT
// The search itself: every state that can be reached, breadth first or depth first, on all cores.
#pragma once

#include "bellwether/check/expand.hpp"
#include "bellwether/check/visited.hpp"

namespace bellwether::check {

/// One step of a run, with the handler calls it is made of and what the protocol chose in them.
struct PathStep {
  Action action;
  std::vector<CallTaken> calls;
  bool instant = false;  // a change of the network of which both ends are notified at once
};
using Path = std::vector<PathStep>;

PathStep step_of(const Action& action, const Expander& expander);

/// Thrown where a run of renumbered clocks has no counterpart with the readings as they are.
struct NotExact {};

/// Where the runs begin, and how to get there from nothing.
struct Root {
  StateVector slots;
  Path setup;
};

/// What a search has found.
struct Findings {
  SearchEnd ended = SearchEnd::complete;
  Breach breach;  // of a violation
  Path path;      // to it, from the root
  std::size_t root = 0;
  std::optional<std::size_t> lasso;  // the place in `path` to which its end leads back
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t rests = 0;
  unsigned depth = 0;
  bool cycles_searched = false;
  bool acyclic = true;
  std::uint64_t cyclic_states = 0;
  std::array<std::uint64_t, action_kinds> taken{};
  bool agreed = false;  // some component of two or more nodes was seen to agree
  std::uint64_t memory = 0;
  std::uint64_t stored = 0;  // bytes for the states alone
  double omission = 0;
  std::string note;
};

struct SearchSettings {
  bool reduce = false;
  bool cycles = true;
  unsigned threads = 1;
  std::function<void(const Number*)> on_rest = {};  // given every quiescent state; by any thread
};

class Search {
 public:
  Search(const Plan& plan, Machine& machine, Contents& contents, const SearchSettings& settings,
         OnSearchProgress on_progress);
  ~Search();
  Findings run(const std::vector<Root>& roots);

 private:
  friend class Cycles;
  struct Worker;
  struct Frontier;
  struct FoundViolation {
    StateRef at = no_state;  // the state, or the one before the step that broke something
    std::optional<PathStep> step;
    Breach breach;
  };

  void add_roots(const std::vector<Root>& roots, Frontier& first);
  void breadth_first(Frontier first);
  void depth_first(const Frontier& first);
  void visit(Worker& worker, StateRef ref, std::span<const std::uint8_t> key);
  template <class Process>
  void in_parallel(Process&& process);
  bool within_limits(Worker& worker);
  void stop(SearchEnd why);
  void report_violation(FoundViolation violation);
  std::uint64_t memory_now() const;
  bool is_at(const Number* slots, StateRef at) const;
  Path path_to(const std::vector<Root>& roots, StateRef ref, std::size_t& root);
  Path follow(std::span<const StateRef> chain);
  PathStep last_step(const PathStep& wrong);
  std::size_t key_of(const Number* slots, std::uint8_t* out) const;

  const Plan& plan_;
  Machine& machine_;
  Contents& contents_;
  SearchSettings settings_;
  OnSearchProgress on_progress_;
  MemoryBudget budget_;
  Visited visited_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::atomic<bool> stopped_{false};
  std::uint64_t waiting_ = 0;
  unsigned depth_ = 0;
  std::mutex mutex_;
  std::optional<FoundViolation> violation_;
  Findings findings_;
  StateVector end_of_path_;
  std::string_view phase_ = "search";
};

/// Room for the bytes of any state.
inline std::size_t most_key_bytes(const Plan& plan) {
  return plan.slots() * 5;
}

}  // namespace bellwether::check
