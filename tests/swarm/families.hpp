// SPDX-License-Identifier: MIT
// A family turns a seed into a scenario and says what its run must come to.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "bellwether/scenario/scenario.hpp"

namespace bellwether::swarm {

using scenario::Scenario;

enum class Demand : unsigned char {
  rest,     // the run becomes quiescent, and every component agrees on one of its nodes
  agreed,   // every component agrees when the time is over
  steady,   // ... or nearly so for a while before that: losses never end
  right,    // and on the node that the algorithm's criterion names
  nothing,  // no property breaks and nothing is thrown
};

struct Trial {
  Scenario scenario;
  Demand demand = Demand::agreed;
  double may_be_wrong = 0.05;  // of the time, where steady is demanded
};

struct Family {
  std::string_view name;
  Trial (*draw)(std::uint64_t seed);
};
std::span<const Family> families();

Trial draw_height(std::uint64_t seed);
Trial draw_hierarchy(std::uint64_t seed);
Trial draw_bully(std::uint64_t seed);
/// Algorithms that assume a static network, in whatever their model allows.
Trial draw_classical(std::uint64_t seed);

/// As published, without hello, a node can be the neighbour of one that is not its own neighbour
/// (the sources' Fig. 4.1). It then reflects a search that its neighbour never joined.
Scenario draw_one_sided(std::uint64_t seed);

/// Height over probes and ordered reliable links, by radio that loses: nodes stand still or move.
Trial draw_height_radio(std::uint64_t seed);
Trial draw_hierarchy_radio(std::uint64_t seed);

/// The elections for networks that move. Their guarantees cover links and nodes that come and go,
/// or, for those that name the most central node, links that are there from the start.
Trial draw_topology_aware(std::uint64_t seed);
Trial draw_cel(std::uint64_t seed);
Trial draw_topology_aware_2(std::uint64_t seed);
Trial draw_cel_2(std::uint64_t seed);
Trial draw_flooding(std::uint64_t seed);
Trial draw_vasudevan(std::uint64_t seed);
Trial draw_gomez_calzado(std::uint64_t seed);
Trial draw_drumbeat(std::uint64_t seed);
Trial draw_drumbeat_ideal(std::uint64_t seed);
Trial draw_drumbeat_lossy(std::uint64_t seed);
Trial draw_drumbeat_bursts(std::uint64_t seed);
Trial draw_drumbeat_csma(std::uint64_t seed);
/// And faults outside their guarantees. One kind of fault each, by the seed: see Fault. Of the
/// repaired ones every second four seeds get all kinds at once.
Trial draw_topology_aware_harsh(std::uint64_t seed);
Trial draw_cel_harsh(std::uint64_t seed);
Trial draw_topology_aware_2_harsh(std::uint64_t seed);
Trial draw_cel_2_harsh(std::uint64_t seed);
Trial draw_central_hierarchy(std::uint64_t seed);
Trial draw_flooding_harsh(std::uint64_t seed);
Trial draw_vasudevan_harsh(std::uint64_t seed);
Trial draw_gomez_calzado_harsh(std::uint64_t seed);
Trial draw_drumbeat_harsh(std::uint64_t seed);

}  // namespace bellwether::swarm
