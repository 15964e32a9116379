// SPDX-License-Identifier: MIT
// EL_ND of Larrea and others, as A. Favier's thesis (2022), 2.9.2, tells it: if nobody leaves any
// more, a leader is elected in the end, and whoever joins afterwards adopts it. The first half is
// agreement at rest, and so are EL and EL_NI in runs where everything that happens comes to an end;
// this is the second half. An election that looks for a better leader when somebody joins breaks it
// on purpose.
#pragma once

#include <map>
#include <set>

#include "bellwether/observe/agreement.hpp"

namespace bellwether::observe {

template <class P>
class EventualLeaderNonDecreasing final
    : public core::Remembers<EventualLeaderNonDecreasing<P>, core::Monitor<P>> {
 public:
  std::string_view name() const override { return "el-nd"; }
  std::string_view says() const override {
    return "while nobody leaves, whoever joins nodes that have elected one of them adopts it";
  }
  void after(const core::Snapshot<P>&, const core::Happening& what) override {
    if (what.cause == core::Cause::crash || what.cause == core::Cause::link_down) elected_.clear();
  }
  void at_rest(const core::Snapshot<P>& all) override {
    std::map<core::NodeId, core::NodeId> now;
    for (const ComponentLeader& part : leaders_in(all)) {
      if (!part.agreed || part.size < 2) continue;
      // Who led when these nodes, or some of them, were last at rest together.
      std::set<core::NodeId> before;
      for (core::NodeIndex u = 0; u < all.size(); ++u) {
        if (!all.alive(u) || all.node(u).leader() != part.leader) continue;
        now[all.id(u)] = *part.leader;
        if (const auto known = elected_.find(all.id(u)); known != elected_.end())
          before.insert(known->second);
      }
      core::invariant(before.size() != 1 || *before.begin() == *part.leader, says());
    }
    elected_ = std::move(now);
  }

 private:
  std::map<core::NodeId, core::NodeId> elected_;  // by node, in components of two or more

 public:
  static constexpr auto fields =
      std::tuple{core::field("elected", &EventualLeaderNonDecreasing::elected_)};
};

}  // namespace bellwether::observe
