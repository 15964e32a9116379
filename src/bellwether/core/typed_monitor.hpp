// SPDX-License-Identifier: MIT
// The properties that an algorithm brings, as watchers of configurations without types.
#pragma once

#include "bellwether/core/configuration.hpp"
#include "bellwether/core/property.hpp"

namespace bellwether::core {

/// A configuration, read through the type of its nodes. `Host` is Typed<P>.
template <class P, class Host>
class TypedSnapshot final : public Snapshot<P> {
 public:
  explicit TypedSnapshot(const Configuration& seen)
      : seen_(seen), nodes_(static_cast<const Host&>(seen.nodes())) {}

  NodeIndex size() const override { return seen_.size(); }
  const P& node(NodeIndex i) const override { return nodes_.node(seen_.place(i)); }
  NodeId id(NodeIndex i) const override { return seen_.id(i); }
  bool alive(NodeIndex i) const override { return seen_.alive(i); }
  Time clock(NodeIndex i) const override { return seen_.clock(i); }
  std::vector<ChannelView<typename P::Message>> channels(NodeIndex i) const override {
    std::vector<ChannelView<typename P::Message>> out;
    for (const ChannelState& channel : seen_.channels(i)) {
      out.push_back({channel.to, channel.port, channel.far_port, {}});
      for (const void* message : channel.transit)
        out.back().transit.push_back(static_cast<const typename P::Message*>(message));
    }
    return out;
  }

 private:
  const Configuration& seen_;
  const Host& nodes_;
};

template <class P, class Host>
class TypedMonitor final : public PropertyMonitor {
 public:
  explicit TypedMonitor(std::unique_ptr<Monitor<P>> inside) : inside_(std::move(inside)) {}

  std::string_view name() const override { return inside_->name(); }
  std::string_view says() const override { return inside_->says(); }
  void after(const Configuration& seen, const Happening& what) override {
    inside_->after(TypedSnapshot<P, Host>(seen), what);
  }
  void at_rest(const Configuration& seen) override {
    inside_->at_rest(TypedSnapshot<P, Host>(seen));
  }
  std::unique_ptr<PropertyMonitor> copy() const override {
    auto again = inside_->copy();
    return again ? std::make_unique<TypedMonitor>(std::move(again)) : nullptr;
  }
  Bytes memory() const override { return inside_->memory(); }
  bool reads_clocks() const override { return inside_->reads_clocks(); }

  static PropertyMonitors all(Monitors<P> monitors) {
    PropertyMonitors out;
    for (auto& each : monitors) out.push_back(std::make_unique<TypedMonitor>(std::move(each)));
    return out;
  }

 private:
  std::unique_ptr<Monitor<P>> inside_;
};

}  // namespace bellwether::core
