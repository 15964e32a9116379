// SPDX-License-Identifier: MIT
// A state of the search as a configuration, for properties to read.
#pragma once

#include "bellwether/check/machine.hpp"

namespace bellwether::check {

/// While the machine is locked.
class StateView final : public core::Configuration {
 public:
  StateView(const Machine& machine, const Number* slots) : machine_(machine), slots_(slots) {}

  NodeIndex size() const override { return machine_.plan_.nodes(); }
  const core::Nodes& nodes() const override { return *machine_.nodes_; }
  NodeIndex place(NodeIndex i) const override { return machine_.locals_[slots_[i]].at; }
  NodeId id(NodeIndex i) const override { return machine_.plan_.spec.ids[i]; }
  bool alive(NodeIndex i) const override { return machine_.facts(slots_[i]).alive; }
  core::Time clock(NodeIndex i) const override;
  std::vector<core::ChannelState> channels(NodeIndex i) const override;

 private:
  /// As far as the node has been notified.
  bool up(NodeIndex u, std::uint8_t port) const;

  const Machine& machine_;
  const Number* slots_;
};

}  // namespace bellwether::check
