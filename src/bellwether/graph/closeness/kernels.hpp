// SPDX-License-Identifier: MIT
// The methods behind graph/closeness/closeness.hpp, one file each. All are exact and follow the
// same tie rule; `most_central` picks one by size and shape, tests try them all.
#pragma once

#include <cstdint>
#include <span>

#include "bellwether/graph/closeness/closeness.hpp"

namespace bellwether::graph {

/// Which instructions a kernel may use.
enum class Processor : unsigned char { portable, avx2 };
/// The best that this machine has.
Processor this_processor();

/// At most 64 nodes as rows of bits. False where no node reaches all.
bool small_central(std::span<const std::uint64_t> rows, Processor processor, Central& best);
bool small_central(const Graph& graph, Processor processor, Central& best);

/// At most 1024 nodes. False where no node reaches all.
inline constexpr NodeIndex most_dense = 1024;
bool dense_central(const Graph& graph, Processor processor, Central& best);

/// The whole, by instructions of this kind.
Central most_central(const Graph& graph, Processor processor);
std::vector<std::vector<Central>> most_central_of_each(const Graph& graph, NodeIndex count,
                                                       Processor processor);

struct LocalGraph;
class Podium;

/// Large connected two-way graphs that lie in a plane, more or less. `kept` marks the nodes that do
/// not fold, `allowed` those that may win.
void plane_central(const LocalGraph& graph, const std::vector<std::uint8_t>& kept,
                   const std::vector<std::uint8_t>& allowed, Processor processor, Podium& podium);
/// Large connected two-way graphs with short distances.
void walk_central(const LocalGraph& graph, const std::vector<std::uint8_t>& allowed,
                  Processor processor, Podium& podium);

}  // namespace bellwether::graph
