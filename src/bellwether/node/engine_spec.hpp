// SPDX-License-Identifier: MIT
// From the configuration of a node to its engine. Apart from the daemon, so that who only reads a
// configuration compiles no sockets.
#pragma once

#include "bellwether/node/config.hpp"
#include "bellwether/node/engine.hpp"

namespace bellwether::node {

/// What an engine is made of for this configuration.
EngineSpec engine_spec(const Config& config, const core::Algorithm& algorithm,
                       std::size_t longest_frame, std::uint64_t seed);

}  // namespace bellwether::node
