// SPDX-License-Identifier: MIT
// The rival of bench/check.cpp: Spin, with the same protocol as a model of its own.
#pragma once

#include <filesystem>
#include <string>

#include "check_ours.hpp"

namespace bench {

/// A folder for what Spin makes, removed at the end.
class SpinFolder {
 public:
  SpinFolder();
  ~SpinFolder();
  SpinFolder(const SpinFolder&) = delete;
  SpinFolder& operator=(const SpinFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

bool spin_is_there();

/// Makes a verifier of bench/chang_roberts.pml: `macros` go to Spin, `flags` to the C compiler.
/// Where it is, or nothing.
std::optional<std::filesystem::path> make_verifier(const SpinFolder& folder,
                                                   const std::string& macros,
                                                   const std::string& flags);

/// Runs it. Its states, steps and memory are what it says; time and peak are measured like ours.
std::optional<Searched> run_verifier(const std::filesystem::path& verifier);

}  // namespace bench
