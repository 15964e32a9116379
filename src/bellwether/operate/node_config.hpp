// SPDX-License-Identifier: MIT
// The configuration of a node from a TOML file and from flags of the same names.
#pragma once

#include <string>
#include <vector>

#include "bellwether/node/config.hpp"

namespace bellwether::operate {

/// A key that was given on the command line.
struct GivenKey {
  std::string name;
  std::vector<std::string> texts;
};

/// Reads the text of a file into `config`. Throws Problem with place, key and cure. A timeout that
/// is not given is three periods.
void read_node_config(node::Config& config, const std::string& text, const std::string& path);

/// File first, then flags; both may be absent. Validated. Throws Problem.
node::Config node_config(const std::string& path, const std::vector<GivenKey>& flags,
                         const std::vector<std::string>& options);

}  // namespace bellwether::operate
