// SPDX-License-Identifier: MIT
// The most messages that an algorithm claims to send in the networks of a search.
#pragma once

#include "bellwether/check/plan.hpp"

namespace bellwether::check {

/// Where links count, the densest of the graphs decides. Throws BadCheck where nothing is claimed.
template <class P>
std::uint64_t message_bound_of(const Spec& spec, const typename P::Options& options) {
  if constexpr (requires { P::message_bound(spec.nodes, spec.nodes, options); }) {
    std::uint64_t links = 0;
    for (const auto& graph : spec.graphs) links = std::max<std::uint64_t>(links, graph.size());
    return P::message_bound(spec.nodes, links, options);
  } else if constexpr (requires { P::message_bound(spec.nodes, options); }) {
    return P::message_bound(spec.nodes, options);
  } else {
    throw BadCheck("message-bound: no bound on the messages of " + std::string(P::name) +
                   " is known");
  }
}

}  // namespace bellwether::check
