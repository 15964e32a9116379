// SPDX-License-Identifier: MIT
#include "check_spin.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <cstdio>
#include <stdexcept>
#include <string_view>

namespace bench {
namespace {

bool succeeds(const std::string& command) {
  return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

/// The number that stands before these words, on the same line; 0 if they are not there.
double number_before(std::string_view text, std::string_view words) {
  const std::size_t at = text.find(words);
  if (at == std::string_view::npos) return 0;
  const std::size_t line = text.rfind('\n', at) + 1;
  return std::strtod(std::string(text.substr(line, at - line)).c_str(), nullptr);
}

Searched read(std::string_view text) {
  Searched found;
  found.complete = text.find("errors: 0") != std::string_view::npos &&
                   text.find("max search depth too small") == std::string_view::npos &&
                   text.find("Search not completed") == std::string_view::npos;
  found.states = static_cast<std::uint64_t>(number_before(text, " states, stored"));
  found.transitions = static_cast<std::uint64_t>(number_before(text, " transitions (="));
  found.stored =
      static_cast<std::uint64_t>(number_before(text, "\tactual memory usage for states") * 1048576);
  return found;
}

}  // namespace

SpinFolder::SpinFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "bellwether-spin-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder can be made");
  path_ = name;
}

SpinFolder::~SpinFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

bool spin_is_there() {
  return succeeds("command -v spin") && succeeds("command -v gcc");
}

std::optional<std::filesystem::path> make_verifier(const SpinFolder& folder,
                                                   const std::string& macros,
                                                   const std::string& flags) {
  const std::string model = BELLWETHER_SOURCE_DIR "/bench/chang_roberts.pml";
  const std::string name =
      fmt::format("pan-{}", std::distance(std::filesystem::directory_iterator(folder.path()), {}));
  const bool made = succeeds(
      fmt::format("cd '{}' && spin {} -a '{}' && gcc -O2 -DSAFETY -DMEMLIM=4096 {} -o {} pan.c",
                  folder.path().string(), macros, model, flags, name));
  if (!made) return std::nullopt;
  return folder.path() / name;
}

std::optional<Searched> run_verifier(const std::filesystem::path& verifier) {
  return in_child([&] {
    // -m: the longest path; -n: without a list of unreached lines. Exec: no shell is left to count.
    const std::string command = fmt::format("exec '{}' -m100000 -n", verifier.string());
    std::FILE* output = popen(command.c_str(), "r");
    if (output == nullptr) throw std::runtime_error("the verifier cannot be run");
    std::string text;
    for (int c = std::fgetc(output); c != EOF; c = std::fgetc(output)) text += static_cast<char>(c);
    pclose(output);
    return read(text);
  });
}

}  // namespace bench
