// SPDX-License-Identifier: MIT
#include "bellwether/node/engine_spec.hpp"

#include <algorithm>

#include "bellwether/node/frame.hpp"

namespace bellwether::node {

EngineSpec engine_spec(const Config& config, const core::Algorithm& algorithm,
                       std::size_t longest_frame, std::uint64_t seed) {
  EngineSpec spec;
  spec.algorithm = config.algorithm;
  spec.self = NodeId{config.id};
  spec.seed = seed;
  const auto longest_body = static_cast<std::uint32_t>(
      std::max<std::size_t>(longest_frame, frame_overhead + 128) - frame_overhead);
  spec.options = config.options;
  spec.probes = layers::deployed_probes(algorithm, config.options, config.period, config.timeout,
                                        longest_body);
  spec.priority = config.priority;
  spec.limits.members = config.most_members;
  spec.limits.neighbours = config.most_neighbours;
  return spec;
}

}  // namespace bellwether::node
