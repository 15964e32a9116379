// SPDX-License-Identifier: MIT
// A search with nothing to judge, which looks at all there is and writes down what it saw at rest.
#pragma once

#include "bellwether/check/check.hpp"
#include "bellwether/check/oracle_test.hpp"

namespace bellwether::check {

struct Explored {
  Findings found;
  std::set<std::string> outcomes;
};

template <core::Protocol P>
Explored explore(const Spec& spec, const typename P::Options& options, bool agreement = false) {
  Explored result;
  Plan plan(spec, P::facts.model.hears_strangers);
  Contents contents(spec.order);
  JudgeSpec judge;
  judge.agreement = agreement;
  TypedMachine<P> machine(plan, options, {}, judge);
  machine.read_channels_from(contents);
  if constexpr (is_symmetric<P>)
    if (spec.symmetry) machine.use_symmetries(symmetries_of(plan));
  const std::vector<Root> roots = make_roots(plan, machine, contents);
  std::mutex mutex;
  const auto record = [&](const Number* slots) {
    const TypedSnapshot<TypedMachine<P>> all(machine, slots);
    std::string out;
    for (NodeIndex u = 0; u < all.size(); ++u)
      out += Oracle<P>::outcome_of(all.alive(u), all.node(u));
    const std::lock_guard guard(mutex);
    result.outcomes.insert(out);
  };
  const SearchSettings settings{
      .reduce = spec.reduce, .cycles = spec.cycles, .threads = spec.threads, .on_rest = record};
  Search search(plan, machine, contents, settings, {});
  result.found = search.run(roots);
  return result;
}

/// A specification as `bellwether check` would make it, without what makes it faster.
template <core::Protocol P>
Spec plain_spec(const std::string& graph) {
  Spec spec;
  spec.algorithm = P::name;
  set_graph(spec, graph);
  const core::Model& model = P::facts.model;
  spec.order = model.bears_reordering ? ChannelOrder::unordered : ChannelOrder::fifo;
  spec.from = model.bears_changes ? From::settled : From::cold;
  spec.clocks = ClockValues::exact;
  spec.beyond_model = true;
  spec.reduce = spec.absorb = spec.symmetry = false;
  return spec;
}
template <core::Protocol P>
Spec plain_spec_all(NodeIndex nodes, bool connected) {
  Spec spec = plain_spec<P>("empty:" + std::to_string(nodes));
  set_all_graphs(spec, nodes, P::facts.model, connected);
  return spec;
}

/// The same for a protocol whose readings of clocks are to be ranked.
template <core::Protocol P>
Spec toy_spec(const std::string& graph) {
  Spec spec = plain_spec<P>(graph);
  spec.clocks = ClockValues::rank;
  return spec;
}

}  // namespace bellwether::check
