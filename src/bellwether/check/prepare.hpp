// SPDX-License-Identifier: MIT
// What can be said about a specification before the search: all that needs no protocol's type.
#pragma once

#include "bellwether/check/plan.hpp"
#include "bellwether/core/facts.hpp"
#include "bellwether/core/host.hpp"

namespace bellwether::check {

/// "line:4", "ring:5", "star:4", "complete:3", "empty:3", or links: "12,23" or "1-2,2-13". Sets the
/// nodes, their ids and one graph. Throws Problem.
void set_graph(Spec& spec, const std::string& text);
/// Every labelled graph of these nodes; connected ones only, or rings in every order of the ids,
/// or the complete one, as the model asks.
void set_all_graphs(Spec& spec, NodeIndex nodes, const core::Model& model, bool connected);
/// Of these graphs the ones with at most so many links: the others take the most states. Throws
/// Problem where none is left.
void keep_sparse_graphs(Spec& spec, std::size_t most_links);
/// "12,24,x3,r3": links that flip, nodes that crash and come back.
void set_script(Spec& spec, const std::string& text);

/// Refuses what the algorithm's model excludes. Throws Problem.
void check_model(const Spec& spec, std::string_view algorithm, const core::Model& model);

/// The most messages that the algorithm claims to send in these networks; where links count, the
/// densest of the graphs decides. Throws Problem where nothing is claimed.
std::uint64_t message_bound_of(const core::Nodes& nodes, const Spec& spec);
/// Whether properties are asked for that look at each step.
bool watches(const Spec& spec);
void refuse_unknown_property(const std::string& name, const std::vector<std::string>& known);

/// All ways to rename the nodes that leave the links as they are; the identity first.
std::vector<std::vector<NodeIndex>> symmetries_of(const Plan& plan);

}  // namespace bellwether::check
