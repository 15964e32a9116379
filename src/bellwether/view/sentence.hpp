// SPDX-License-Identifier: MIT
// What caused a step, in words: "a map from 24 with 24 nodes". The page folds the raw value away.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bellwether/core/happening.hpp"

namespace bellwether::view {

/// `message` and `timer` are JSON, or empty. A message that is a plain text is the sentence itself.
std::string sentence_of(core::Cause cause, std::optional<core::NodeId> peer,
                        std::string_view message, std::string_view timer);

/// The id, label or number that a token carries round a ring.
std::optional<double> carried_by(std::string_view message);

}  // namespace bellwether::view
