// SPDX-License-Identifier: MIT
// Random walks, and runs made shorter.
#include <algorithm>

#include "bellwether/check/roots.hpp"
#include "bellwether/core/prng.hpp"

namespace bellwether::check {
namespace {

/// All that may follow a state.
struct SuccessorList final : Successors {
  SuccessorList(const Expander& e, std::size_t n) : expander(e), size(n) {}
  const Expander& expander;
  std::size_t size;
  struct Next {
    PathStep step;
    StateVector slots;
    Number broken;
  };
  std::vector<Next> next;
  void take(const Action& action, const Number* slots, Number broken) override {
    next.push_back({step_of(action, expander), StateVector(slots, slots + size), broken});
  }
};

bool same(const Action& a, const Action& b) {
  return a.kind == b.kind && a.node == b.node && a.at == b.at && a.what == b.what;
}

/// Follows a path as far as its steps are possible, then whatever is left, until rest.
class PathFollower {
 public:
  PathFollower(const Plan& plan, Machine& machine, Contents& contents)
      : plan_(plan), machine_(machine), expander_(plan, machine, contents) {
    expander_.stay_exact();
  }

  /// The steps that were taken, if it goes wrong.
  std::optional<Path> wrong(const Root& root, const Path& path, std::size_t without,
                            std::size_t longest, Breach& breach) {
    StateVector now = root.slots;
    Path taken;
    std::size_t at = 0;
    while (taken.size() < longest) {
      SuccessorList all(expander_, plan_.slots());
      const Situation here = expander_.expand(now.data(), all, false);
      if (here.rest) {
        if (auto wrong = machine_.disagreement(now.data())) {
          breach = *wrong;
          return taken;
        }
      }
      const SuccessorList::Next* next = nullptr;
      for (; at < path.size() && next == nullptr; ++at)
        if (at != without) next = find(all, path[at].action);
      for (std::size_t i = 0; next == nullptr && i < all.next.size(); ++i)
        if (!is_fault(all.next[i].step.action.kind)) next = &all.next[i];
      if (next == nullptr) return std::nullopt;
      taken.push_back(next->step);
      if (next->broken != 0) {
        breach = machine_.breach(next->broken);
        return taken;
      }
      now = next->slots;
    }
    return std::nullopt;
  }

 private:
  static const SuccessorList::Next* find(const SuccessorList& all, const Action& wanted) {
    for (const auto& each : all.next)
      if (same(each.step.action, wanted) && each.step.action.choice == wanted.choice) return &each;
    return nullptr;
  }
  const Plan& plan_;
  Machine& machine_;
  Expander expander_;
};

}  // namespace

Path shortened(const Plan& plan, Machine& machine, Contents& contents, const Root& root, Path path,
               Breach& breach) {
  PathFollower follower(plan, machine, contents);
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = path.size(); i-- > 0;) {
      Breach how;
      auto less = follower.wrong(root, path, i, path.size() - 1, how);
      if (!less) continue;
      path = std::move(*less);
      breach = how;
      again = true;
      i = std::min(i, path.size());
    }
  }
  return path;
}

Findings walk(const Plan& plan, Machine& machine, Contents& contents,
              const std::vector<Root>& roots, const OnSearchProgress& on_progress) {
  Findings found;
  found.ended = SearchEnd::complete;
  Expander expander(plan, machine, contents);
  expander.stay_exact();
  for (std::uint64_t number = 0; number < plan.spec.walks; ++number) {
    found.memory = machine.bytes() + contents.bytes();
    core::Prng prng = core::stream(plan.spec.seed, "walk", number);
    found.root = static_cast<std::size_t>(prng.below(roots.size()));
    StateVector now = roots[found.root].slots;
    found.path.clear();
    for (unsigned steps = 0; steps < plan.spec.walk_steps; ++steps) {
      SuccessorList all(expander, plan.slots());
      const Situation here = expander.expand(now.data(), all, false);
      ++found.states;
      found.transitions += all.next.size();
      if (here.rest) {
        ++found.rests;
        if (auto wrong = machine.disagreement(now.data())) {
          found.breach = *wrong;
          found.ended = SearchEnd::violation;
          break;
        }
        found.agreed = true;
      }
      if (all.next.empty()) break;
      const auto& next = all.next[prng.below(all.next.size())];
      ++found.taken[static_cast<std::size_t>(next.step.action.kind)];
      found.path.push_back(next.step);
      found.depth = std::max(found.depth, steps + 1);
      if (next.broken != 0) {
        found.breach = machine.breach(next.broken);
        found.ended = SearchEnd::violation;
        break;
      }
      now = next.slots;
    }
    if (found.ended == SearchEnd::violation) {
      found.note = "found by walk " + std::to_string(number + 1) + " of seed " +
                   std::to_string(plan.spec.seed) + ", with " + std::to_string(found.path.size()) +
                   " steps";
      found.path = shortened(plan, machine, contents, roots[found.root], std::move(found.path),
                             found.breach);
      return found;
    }
    if (number % 16 == 0 && on_progress &&
        !on_progress({found.states, found.transitions, plan.spec.walks - number, found.depth,
                      found.memory, "walks"})) {
      found.ended = SearchEnd::stopped;
      return found;
    }
  }
  return found;
}

}  // namespace bellwether::check
