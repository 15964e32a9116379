// SPDX-License-Identifier: MIT
// For tests: a folder that goes away with its owner.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace bellwether::experiment {

class Folder {
 public:
  Folder() {
    char name[] = "/tmp/bellwether-XXXXXX";
    path_ = mkdtemp(name);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace bellwether::experiment
