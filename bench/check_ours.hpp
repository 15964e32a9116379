// SPDX-License-Identifier: MIT
// Our side of bench/check.cpp: searches of the checker, each in a process of its own.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "bellwether/check/spec.hpp"

namespace bench {

/// What a search, ours or a rival's, has found, and what it took.
struct Searched {
  bool complete = false;  // all states, no violation
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t rests = 0;   // states where nothing is left to do; ours only
  std::uint64_t stored = 0;  // bytes for the states alone; 0: not known
  double cpu = 0;            // seconds, of all threads
  double wall = 0;
  std::uint64_t peak = 0;  // bytes that were resident at most
};

/// Carries out `search` in a child: its memory is fresh, and all of its time and memory is counted.
/// Nothing if the child failed.
std::optional<Searched> in_child(const std::function<Searched()>& search);

/// The better of two runs of the same search, in everything that varies.
Searched best_of(const Searched& a, const Searched& b);

/// One search of an algorithm of the catalogue, in a child.
std::optional<Searched> search(const bellwether::check::Spec& spec);

}  // namespace bench
