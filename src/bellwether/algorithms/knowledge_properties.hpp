// SPDX-License-Identifier: MIT
// What holds in every run of an election that keeps `known`, as published or not.
#pragma once

#include "bellwether/algorithms/knowledge.hpp"
#include "bellwether/core/property.hpp"

namespace bellwether::algorithms {

/// The past of a node that forgets in a restart is nobody's claim.
template <class P>
class ClocksRise final : public core::Monitor<P> {
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
};

}  // namespace bellwether::algorithms
