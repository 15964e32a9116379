// SPDX-License-Identifier: MIT
// Properties of every run of an election that keeps `known`, as published or repaired.
#pragma once

#include <algorithm>

#include "bellwether/algorithms/moving/knowledge.hpp"
#include "bellwether/core/property.hpp"

namespace bellwether::algorithms {

/// Nothing is claimed about the past of a node that restarts without memory.
template <class P>
class ClocksRise final : public core::Remembers<ClocksRise<P>, core::Monitor<P>> {
 public:
  std::string_view name() const override { return "clocks-rise"; }
  std::string_view says() const override {
    return "no step sets an entry of a node's map back to an earlier clock";
  }
  void after(const core::Snapshot<P>& seen, const core::Happening& what) override {
    last_.resize(seen.size());
    const Known& now = seen.node(what.node).known();
    const bool forgets = what.cause == core::Cause::crash || what.cause == core::Cause::restart;
    core::invariant(forgets || clocks_rise(last_[what.node], now), says());
    last_[what.node] = now;
  }

 private:
  std::vector<Known> last_;

 public:
  static constexpr auto fields = std::tuple{core::field("last", &ClocksRise::last_)};
};

/// Of elections in which only a node itself writes its entry. A node that restarts with memory is
/// notified of its lost links one by one, and until then still claims the others.
template <class P>
class OwnEntry final : public core::Monitor<P> {
 public:
  std::string_view name() const override { return "own-entry"; }
  std::string_view says() const override {
    return "a node that is awake lists in its own entry exactly itself and the neighbours that it "
           "has been notified of";
  }
  void after(const core::Snapshot<P>& seen, const core::Happening& what) override {
    if (what.cause == core::Cause::crash || !seen.node(what.node).awake()) return;
    Ids told{seen.id(what.node)};
    for (const auto& channel : seen.channels(what.node)) told.push_back(seen.id(channel.to));
    std::sort(told.begin(), told.end());
    told.erase(std::unique(told.begin(), told.end()), told.end());
    const MemberView* own = find(seen.node(what.node).known(), seen.id(what.node));
    core::invariant(own != nullptr, says());
    if (own->unusual()) std::erase(told, own->id);  // a priority replaces it
    Ids claimed = *own->neighbours;
    if (what.cause == core::Cause::restart || what.cause == core::Cause::start ||
        what.cause == core::Cause::link_down) {
      const bool gone = what.peer && !contains(told, seen.id(*what.peer));
      core::invariant(!gone || !contains(claimed, seen.id(*what.peer)), says());
      std::erase_if(claimed, [&](core::NodeId id) { return !contains(told, id); });
    }
    core::invariant(claimed == told, says());
  }
};

}  // namespace bellwether::algorithms
