// SPDX-License-Identifier: MIT
#include "bellwether/operate/small_program.hpp"

#include <unistd.h>

#include <filesystem>
#include <string_view>

namespace bellwether::operate {

void prefer_small_program(int argc, char** argv) {
  if (argc < 2 || std::string_view(argv[1]) != "node") return;
  std::error_code error;
  const auto here = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return;
  const auto small = here.parent_path() / "bellwether-node";
  // Or it would start itself again and again, under another name.
  if (here.filename() == small.filename() || std::filesystem::equivalent(here, small, error))
    return;
  if (access(small.c_str(), X_OK) == 0) execv(small.c_str(), argv);
}

}  // namespace bellwether::operate
