// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "bellwether/core/facts.hpp"

namespace bellwether::cli {

/// Words of `text` on lines of at most `width` columns; all lines but the first are indented.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

/// What an algorithm requires and tolerates, in words.
std::string model_text(const core::Model& model);

}  // namespace bellwether::cli
