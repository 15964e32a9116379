// SPDX-License-Identifier: MIT
#include "bellwether/embedded/scenarios.hpp"

#include "bellwether/embedded/files.hpp"

namespace bellwether::embedded {

const std::vector<std::pair<std::string, std::string>>& scenarios() {
  static const auto all = [] {
    std::vector<std::pair<std::string, std::string>> out;
    for (const File& file : files())
      if (file.name.starts_with("scenarios/"))
        out.emplace_back(file.name.substr(10, file.name.size() - 15), file.content);
    return out;
  }();
  return all;
}

}  // namespace bellwether::embedded
