// SPDX-License-Identifier: MIT
// The makers behind topology.hpp; no other source includes this.
#pragma once

#include <charconv>
#include <string>
#include <string_view>

#include "bellwether/world/topology.hpp"

namespace bellwether::world::parts {

using Make = Network (*)(const NetworkSpec& spec, core::Prng& prng);

// Regular ones draw nothing.
Network line(const NetworkSpec& spec, core::Prng& prng);
Network ring(const NetworkSpec& spec, core::Prng& prng);
Network star(const NetworkSpec& spec, core::Prng& prng);
Network tree(const NetworkSpec& spec, core::Prng& prng);
Network grid(const NetworkSpec& spec, core::Prng& prng);
Network torus(const NetworkSpec& spec, core::Prng& prng);
Network hypercube(const NetworkSpec& spec, core::Prng& prng);
Network complete(const NetworkSpec& spec, core::Prng& prng);
Network single(const NetworkSpec& spec, core::Prng& prng);
Network highway_network(const NetworkSpec& spec, core::Prng& prng);

Network erdos_renyi(const NetworkSpec& spec, core::Prng& prng);
Network geometric(const NetworkSpec& spec, core::Prng& prng);
Network barabasi_albert(const NetworkSpec& spec, core::Prng& prng);
Network watts_strogatz(const NetworkSpec& spec, core::Prng& prng);

/// The shortest text of a number.
template <class Number>
std::string text(Number n) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, n).ptr};
}

/// Refuses a missing number of nodes, and more than there is room for.
void require_nodes(std::uint64_t nodes, std::string_view key = "nodes");

}  // namespace bellwether::world::parts
