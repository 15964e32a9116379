// SPDX-License-Identifier: MIT
// Messages and states as people write them. An algorithm whose generic text is hard to read has a
// text of its own in pretty.cpp.
#pragma once

#include "golden/stage.hpp"

namespace bellwether::golden {

std::string message_text(const core::Nodes& nodes, const AnyMessage& message);

/// Empty where a protocol shows no state.
std::string state_text(const core::Nodes& nodes, NodeIndex u, Time now, const Around& around,
                       bool closely);

}  // namespace bellwether::golden
