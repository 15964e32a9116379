// SPDX-License-Identifier: MIT
#include "bellwether/check/roots.hpp"

#include <algorithm>

#include "bellwether/core/problem.hpp"

namespace bellwether::check {
namespace {

/// Takes the first successor that is no fault, or all of one kind.
struct FirstOf final : Successors {
  explicit FirstOf(const Expander& e, std::size_t n) : expander(e), size(n) {}
  const Expander& expander;
  std::size_t size;
  bool faults = false;
  std::optional<PathStep> step;
  StateVector slots;
  void take(const Action& action, const Number* next, Number) override {
    if (step || is_fault(action.kind) != faults) return;
    step = step_of(action, expander);
    slots.assign(next, next + size);
  }
};

/// From nothing to a network where all of the graph's links are up and everything has settled.
class Settler {
 public:
  Settler(const Plan& plan, Machine& machine, Contents& contents,
          const std::vector<graph::Edge>& graph)
      : real_(plan), machine_(machine), plan_(rehearsal(plan, graph), plan.strangers) {
    if (plan.sent_slot() != 0) plan_.keep_sent();
    if (plan.memory_slot() != 0) plan_.keep_memory();
    expander_.emplace(plan_, machine, contents);
    expander_->stay_exact();
  }

  Root run() {
    Root root;
    root.slots.assign(plan_.slots(), 0);
    for (NodeIndex u = 0; u < plan_.nodes(); ++u) root.slots[u] = machine_.initial_state(u, 0);
    drain(root);
    while (step(root, true)) {
      root.setup.back().instant = true;
      drain(root);
    }
    root.slots[real_.budget_slot()] =
        Budget{real_.spec.changes, real_.spec.crashes,    real_.spec.restarts,
               real_.spec.losses,  real_.spec.duplicates, 0}
            .pack();
    if (real_.sent_slot() != 0) root.slots[real_.sent_slot()] = 0;
    return root;
  }

 private:
  /// The same links and ports, but the graph's links come up one by one, notified at once.
  static Spec rehearsal(const Plan& plan, const std::vector<graph::Edge>& graph) {
    Spec spec = plan.spec;
    spec.notify = Notify::instant;
    spec.script.clear();
    spec.graphs.assign(1, {});
    for (const Wire& wire : plan.links) spec.graphs.front().push_back({wire.a, wire.b});
    for (const graph::Edge& e : graph) spec.script.push_back({ScriptStep::Kind::flip, e.a, e.b});
    return spec;
  }
  bool step(Root& root, bool fault) {
    FirstOf first(*expander_, plan_.slots());
    first.faults = fault;
    expander_->expand(root.slots.data(), first, false);
    if (!first.step) return false;
    root.slots = first.slots;
    root.setup.push_back(*first.step);
    return true;
  }
  /// Until nothing is left to do. Elections with heartbeats get a while, and then it is enough that
  /// they agree.
  void drain(Root& root) {
    constexpr unsigned patience = 60;
    for (unsigned steps = 0, beats = 0; steps < 20'000; ++steps) {
      const Situation now = expander_->situation(root.slots.data());
      if (now.rest) return;
      if (now.quiet && ++beats > patience && !machine_.disagreement(root.slots.data())) return;
      if (!step(root, false)) return;
    }
    throw core::Problem(
        "the election does not settle when the links of the graph come up one by one; search from "
        "a "
        "cold start (--from cold)");
  }

  const Plan& real_;
  Machine& machine_;
  Plan plan_;
  std::optional<Expander> expander_;
};

/// Links are up, no node has started.
Root cold(const Plan& plan, Machine& machine, const std::vector<graph::Edge>& graph) {
  Root root;
  root.slots.assign(plan.slots(), 0);
  std::vector<Number> ports(plan.nodes(), 0);
  for (const graph::Edge& e : graph) {
    const Number link = plan.link_between(e.a, e.b);
    const Wire& wire = plan.links[link];
    plan.set_link(root.slots.data(), link, {true, 0, 0});
    ports[wire.a] |= Number{1} << wire.port_a;
    ports[wire.b] |= Number{1} << wire.port_b;
  }
  for (NodeIndex u = 0; u < plan.nodes(); ++u) root.slots[u] = machine.initial_state(u, ports[u]);
  root.slots[plan.budget_slot()] =
      Budget{plan.spec.changes, plan.spec.crashes,    plan.spec.restarts,
             plan.spec.losses,  plan.spec.duplicates, 0}
          .pack();
  return root;
}

}  // namespace

std::vector<Root> make_roots(const Plan& plan, Machine& machine, Contents& contents) {
  std::vector<Root> roots;
  for (const auto& graph : plan.spec.graphs) {
    Root root = plan.spec.from == From::cold ? cold(plan, machine, graph)
                                             : Settler(plan, machine, contents, graph).run();
    const bool known = std::any_of(roots.begin(), roots.end(),
                                   [&](const Root& r) { return r.slots == root.slots; });
    if (!known) roots.push_back(std::move(root));
  }
  return roots;
}

}  // namespace bellwether::check
