// SPDX-License-Identifier: MIT
// Infinite runs. Faults are few, so such a run ends in a cycle of steps that are none;
// it is fair if whatever can be done all along the way is done. An election must not go on for
// ever while nodes of a component disagree.
//
//   1. Peel: states into which no step leads are taken away, again and again (Kahn). Nothing left:
//      every run ends, and its end was judged when it was met. This is the cheap case.
//   2. Else: strongly connected components of what is left (Tarjan). In one of them a run can go
//      round without end and take each of its steps; that run is fair unless some step is possible
//      in every state of the component and always leads out of it. Then no run in there is fair.
#pragma once

#include "bellwether/check/search.hpp"

namespace bellwether::check {

class Cycles {
 public:
  Cycles(Search& search, const std::vector<Root>& roots) : search_(search), roots_(roots) {}
  /// Adds to the findings what there is: acyclic or not, a violation with its lasso.
  void look(Findings& findings);

 private:
  struct Arc {
    StateRef to;
    std::uint64_t kind;  // what must not be put off permanently
  };
  std::vector<Arc> edges_of(StateRef ref);
  std::uint64_t peel();
  bool components(Findings& findings);
  bool judge(const std::vector<StateRef>& component, Findings& findings);
  void build_lasso(const std::vector<StateRef>& component, StateRef bad, Findings& findings);

  Search& search_;
  const std::vector<Root>& roots_;
};

}  // namespace bellwether::check
