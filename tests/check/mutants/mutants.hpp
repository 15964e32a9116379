// SPDX-License-Identifier: MIT
// Algorithms with a fault put in on purpose (mutants.cmake), by name.
#pragma once

#include <map>
#include <string>

#include "bellwether/check/check.hpp"

namespace bellwether::searches {

using Searched = check::Verdict (*)(const check::Spec&, const check::OnProgress&);

inline std::map<std::string, Searched>& mutants() {
  static std::map<std::string, Searched> all;
  return all;
}

struct Register {
  Register(const char* name, Searched search) { mutants().emplace(name, search); }
};

}  // namespace bellwether::searches
