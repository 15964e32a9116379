// SPDX-License-Identifier: MIT
// What holds in every run of an election that keeps `known`, as published or not.
#pragma once

#include <algorithm>

#include "bellwether/algorithms/moving/knowledge.hpp"
#include "bellwether/core/property.hpp"

namespace bellwether::algorithms {

/// The past of a node that forgets in a restart is nobody's claim.
template <class P>
class ClocksRise final : public core::Remembers<ClocksRise<P>, core::Monitor<P>> {
 public:
  std::string_view name() const override { return "clocks-rise"; }
  std::string_view says() const override {
    return "from step to step no entry of what a node knows goes back to an earlier clock";
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

/// Of elections in which a node alone writes its own entry. Who comes back with memory is told of
/// the links that it has lost one by one, and until then claims those that it was not told of.
template <class P>
class OwnEntry final : public core::Monitor<P> {
 public:
  std::string_view name() const override { return "own-entry"; }
  std::string_view says() const override {
    return "the own entry of a node that is awake is exactly itself and the neighbours that it has "
           "been told of";
  }
  void after(const core::Snapshot<P>& seen, const core::Happening& what) override {
    if (what.cause == core::Cause::crash || !seen.node(what.node).awake()) return;
    Ids told{seen.id(what.node)};
    for (const auto& channel : seen.channels(what.node)) told.push_back(seen.id(channel.to));
    std::sort(told.begin(), told.end());
    told.erase(std::unique(told.begin(), told.end()), told.end());
    const View* own = find(seen.node(what.node).known(), seen.id(what.node));
    core::invariant(own != nullptr, says());
    if (own->unusual()) std::erase(told, own->id);  // a priority stands for it
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
