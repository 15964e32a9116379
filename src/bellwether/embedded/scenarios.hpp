// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace bellwether::embedded {

/// The scenarios that come with the program, by name: {"first-election", its text}, ...
const std::vector<std::pair<std::string, std::string>>& scenarios();

}  // namespace bellwether::embedded
