// SPDX-License-Identifier: MIT
// The properties that a protocol brings, over the states of a search: snapshots for them to read,
// and what they remember kept by number, so that it can be part of a state.
#pragma once

#include <map>

#include "bellwether/check/contents.hpp"

namespace bellwether::check {

/// A state, to be read. `M` is a TypedMachine.
template <class M>
class TypedSnapshot final : public core::Snapshot<typename M::Protocol> {
 public:
  using P = typename M::Protocol;
  TypedSnapshot(const M& machine, const Number* slots) : machine_(machine), slots_(slots) {}

  NodeIndex size() const override { return machine_.plan().nodes(); }
  const P& node(NodeIndex i) const override { return machine_.local(slots_[i]).node; }
  NodeId id(NodeIndex i) const override { return machine_.plan().spec.ids[i]; }
  bool alive(NodeIndex i) const override { return machine_.facts(slots_[i]).alive; }
  core::Time clock(NodeIndex i) const override {
    return machine_.clock_of(machine_.local(slots_[i]), machine_.now(slots_));
  }
  std::vector<core::ChannelView<typename P::Message>> channels(NodeIndex i) const override {
    const Plan& plan = machine_.plan();
    std::vector<core::ChannelView<typename P::Message>> out;
    if (!alive(i)) return out;
    for (std::uint8_t p = 0; p < plan.sockets[i].size(); ++p) {
      const Socket& socket = plan.sockets[i][p];
      if (socket.out == none || !up(i, p)) continue;
      const Channel& channel = plan.channels[socket.out];
      const auto far = up(channel.to, channel.in) ? std::optional(Port{channel.in}) : std::nullopt;
      out.push_back({channel.to, Port{p}, far, {}});
      for (const MessageId m : machine_.contents()[slots_[plan.channel_slot(socket.out)]])
        out.back().transit.push_back(&machine_.message(m));
    }
    return out;
  }

 private:
  /// As far as the node has been told.
  bool up(NodeIndex u, std::uint8_t port) const {
    const LocalFacts& local = machine_.facts(slots_[u]);
    return local.alive && (local.ports >> port & 1) != 0;
  }
  const M& machine_;
  const Number* slots_;
};

template <class P>
class Watcher {
 public:
  explicit Watcher(core::Monitors<P> monitors) : watches_(!monitors.empty()) {
    add(std::move(monitors));
  }
  bool watches() const { return watches_; }

  Number after(Number memory, const core::Snapshot<P>& seen, const core::Happening& what) {
    core::Monitors<P> copies = copy(memories_[memory]);
    for (std::size_t i = 0; i < copies.size(); ++i)
      name_what(*monitor(copies, i), [&](auto& m) { m.after(seen, what); });
    return add(std::move(copies));
  }
  /// What is remembered after it.
  Number at_rest(Number memory, const core::Snapshot<P>& seen) {
    core::Monitors<P> copies = copy(memories_[memory]);
    for (std::size_t i = 0; i < copies.size(); ++i)
      name_what(*monitor(copies, i), [&](auto& m) { m.at_rest(seen); });
    return add(std::move(copies));
  }

 private:
  static core::Monitors<P> copy(const core::Monitors<P>& from) {
    core::Monitors<P> out;
    for (const auto& each : from) out.push_back(each ? each->copy() : nullptr);
    return out;
  }
  /// Those that remember nothing are all one: the first.
  core::Monitor<P>* monitor(core::Monitors<P>& copies, std::size_t i) {
    return copies[i] ? copies[i].get() : memories_[0][i].get();
  }
  template <class Do>
  static void name_what(core::Monitor<P>& monitor, Do&& act) {
    try {
      act(monitor);
    } catch (const core::Violation& violation) {
      throw core::Violation(std::string(monitor.name()) + ": " + violation.what());
    }
  }
  Number add(core::Monitors<P> monitors) {
    std::vector<core::Bytes> key;
    for (const auto& each : monitors) key.push_back(each ? each->memory() : core::Bytes{});
    const auto [at, fresh] =
        numbers_.emplace(std::move(key), static_cast<Number>(memories_.size()));
    if (fresh) memories_.push_back(std::move(monitors));
    return at->second;
  }

  const bool watches_;
  std::vector<core::Monitors<P>> memories_;
  std::map<std::vector<core::Bytes>, Number> numbers_;
};

}  // namespace bellwether::check
