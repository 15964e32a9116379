// SPDX-License-Identifier: MIT
// `bellwether doctor`: what this machine has, what it lacks, and how to get it.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace bellwether::terminal {
class Command;
}

namespace bellwether::operate {

/// One thing that was looked at. Missing: a whole part does not work; a note: it works otherwise,
/// or in part.
struct Diagnosis {
  enum class Severity : unsigned char { good, note, missing } state = Severity::good;
  std::string part;   // of the program: "node"
  std::string what;   // "UDP port 7745"
  std::string found;  // "is free"
  std::string cure;   // what to type or to install; empty: nothing to do
};
using Diagnoses = std::vector<Diagnosis>;

/// Whether a node can run here.
Diagnoses examine_node();
/// Where a program of that name is, in the folders of $PATH; else empty.
std::string in_path(const std::string& program);

/// `more`: what else to look at.
void add_doctor(terminal::Command& app, std::function<Diagnoses()> more, int& status);

}  // namespace bellwether::operate
