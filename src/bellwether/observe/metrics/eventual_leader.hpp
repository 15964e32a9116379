// SPDX-License-Identifier: MIT
// EL_ND of Larrea and others, as A. Favier's thesis (2022), 2.9.2, states it: if no node leaves any
// more, a leader is elected eventually, and a node that joins afterwards adopts it. The first half
// is agreement when quiescent, and so are EL and EL_NI in runs where everything that happens comes
// to an end; this is the second half. An election that looks for a better leader when a node
// joins breaks it on purpose.
#pragma once

#include <map>

#include "bellwether/core/configuration.hpp"

namespace bellwether::observe {

class EventualLeaderNonDecreasing final : public core::PropertyMonitor {
 public:
  std::string_view name() const override { return "el-nd"; }
  std::string_view says() const override {
    return "while no node leaves, a node that joins others that have elected one of them adopts "
           "that leader";
  }
  void after(const core::Configuration&, const core::Happening& what) override;
  void at_rest(const core::Configuration& all) override;
  std::unique_ptr<core::PropertyMonitor> copy() const override {
    return std::make_unique<EventualLeaderNonDecreasing>(*this);
  }
  core::Bytes memory() const override { return core::encode(elected_); }

 private:
  std::map<core::NodeId, core::NodeId> elected_;  // by node, in components of two or more
};

}  // namespace bellwether::observe
