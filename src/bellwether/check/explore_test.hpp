// SPDX-License-Identifier: MIT
// An exhaustive search that judges nothing and records what it saw in quiescent states.
#pragma once

#include "bellwether/check/check.hpp"
#include "bellwether/check/oracle_test.hpp"
#include "bellwether/check/prepare.hpp"
#include "bellwether/check/roots.hpp"
#include "bellwether/core/algorithm_of.hpp"

namespace bellwether::check {

struct Explored {
  Findings found;
  std::set<std::string> outcomes;
};

template <core::Protocol P>
Verdict check(const Spec& spec, const OnSearchProgress& on_progress = {}) {
  return check(core::algorithm_of<P>(), spec, on_progress);
}

/// A configuration with the types that it has.
template <core::Protocol P>
using TypedView = core::TypedSnapshot<P, core::Typed<P>>;

/// For nodes without the type of their protocol; `text` renders a node of a quiescent state.
using TextOfNode = std::function<std::string(const core::Configuration&, NodeIndex)>;
Explored explore(std::unique_ptr<core::Nodes> nodes, const Spec& spec, bool agreement,
                 const TextOfNode& text);

template <core::Protocol P>
Explored explore(std::unique_ptr<core::Nodes> nodes, const Spec& spec, bool agreement = false) {
  return explore(std::move(nodes), spec, agreement,
                 [](const core::Configuration& all, NodeIndex u) {
                   const auto& typed = static_cast<const core::Typed<P>&>(all.nodes());
                   return Oracle<P>::outcome_of(all.alive(u), typed.node(all.place(u)));
                 });
}
/// Of a protocol that is not in the catalogue.
template <core::Protocol P>
Explored explore(const Spec& spec, const typename P::Options& options) {
  return explore<P>(std::make_unique<core::Typed<P>>(options), spec);
}

/// A specification as `bellwether check` would make it, without what makes it faster.
template <core::Protocol P>
Spec plain_spec(const std::string& graph) {
  Spec spec;
  spec.algorithm = P::name;
  set_graph(spec, graph);
  const core::Model& model = P::facts.model;
  spec.order = model.tolerates_reordering ? ChannelOrder::unordered : ChannelOrder::fifo;
  spec.from = model.tolerates_changes ? From::settled : From::cold;
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
