// SPDX-License-Identifier: MIT
// What every election owes: in each component of the network as it is, all live nodes name one and
// the same of them; and, if asked for, the one that the algorithm means to find.
#pragma once

#include <optional>
#include <string>

#include "bellwether/check/plan.hpp"
#include "bellwether/core/facts.hpp"

namespace bellwether::check {

class Machine;

struct JudgeSpec {
  bool agreement = true;
  bool best = false;
  core::Criterion criterion = core::Criterion::majority;
  std::optional<std::uint64_t> most_messages;
};

class Judge {
 public:
  Judge(const Plan& plan, const JudgeSpec& spec) : plan_(plan), spec_(spec) {}
  /// How the state breaks what is owed.
  std::optional<Breach> at_rest(const Machine& machine, const Number* slots) const;

 private:
  struct ComponentLeaders {
    std::vector<NodeIndex> nodes;
    std::vector<NodeId> leaders;  // the leaders that are named, 0 for none
  };
  std::optional<Breach> disagreement(const ComponentLeaders& part) const;
  NodeId best_of(const Machine& machine, const Number* slots, const ComponentLeaders& part) const;

  const Plan& plan_;
  JudgeSpec spec_;
};

}  // namespace bellwether::check
