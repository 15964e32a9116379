// SPDX-License-Identifier: MIT
// What every layer needs: it runs the handlers of the protocol that it carries in a step of their
// own and takes over their effects.
#pragma once

#include <algorithm>
#include <vector>

#include "bellwether/core/host.hpp"
#include "bellwether/core/protocol.hpp"

namespace bellwether::layers {

using core::Duration;
using core::NodeId;
using core::Port;

/// The ports that a layer shows to the protocol inside, and who is behind each. Ports count up and
/// are never used twice, so that they are always in ascending order.
class InnerPorts {
 public:
  std::span<const Port> ports() const { return ports_; }
  std::size_t size() const { return ports_.size(); }
  NodeId peer(std::size_t place) const { return peers_[place]; }
  const std::vector<NodeId>& peers() const { return peers_; }
  Port port(std::size_t place) const { return ports_[place]; }

  /// The place of a peer, or of a port; size() where there is none.
  std::size_t find(NodeId peer) const {
    return static_cast<std::size_t>(std::find(peers_.begin(), peers_.end(), peer) - peers_.begin());
  }
  std::size_t find(Port port) const {
    const auto at = std::lower_bound(ports_.begin(), ports_.end(), port);
    return at != ports_.end() && *at == port ? static_cast<std::size_t>(at - ports_.begin())
                                             : size();
  }
  /// Behind all others.
  Port add(NodeId peer) {
    ports_.push_back(Port{next_++});
    peers_.push_back(peer);
    return ports_.back();
  }
  void remove(std::size_t place) {
    ports_.erase(ports_.begin() + static_cast<std::ptrdiff_t>(place));
    peers_.erase(peers_.begin() + static_cast<std::ptrdiff_t>(place));
  }

  friend bool operator==(const InnerPorts&, const InnerPorts&) = default;

 private:
  std::vector<Port> ports_;
  std::vector<NodeId> peers_;
  std::uint32_t next_ = 0;

 public:
  static constexpr auto fields = std::tuple{core::field("ports", &InnerPorts::ports_),
                                            core::field("peers", &InnerPorts::peers_),
                                            core::field("next", &InnerPorts::next_)};
};

/// The facts of the protocol inside; the layer needs names, and tolerates what a channel may do.
core::Facts layer_facts(core::Facts inside);

/// A timer of the protocol inside, among those of the layer.
struct InnerTimer {
  static constexpr std::uint8_t tag = 1;
  static constexpr std::string_view name = "inner";
  core::AnyTimer timer;
  static constexpr auto fields = std::tuple{core::field("timer", &InnerTimer::timer)};
  friend bool operator==(const InnerTimer&, const InnerTimer&) = default;
};

/// Whether a timer of the layer is one of the protocol inside that waits for a silence.
template <class Timer>
bool is_inner_silence(const Timer& timer) {
  const auto* inner = std::get_if<InnerTimer>(&timer);
  return inner != nullptr && inner->timer.is_silence();
}

/// One step inside a step. `about` is the port that it is about, with its peer: it may be gone
/// already. `Step` is the step of the layer.
template <class Step>
class InnerStep {
 public:
  InnerStep(Step& outer, const InnerPorts& ports, Port about = core::every_port,
            NodeId about_peer = {})
      : outer_(outer), ports_(ports), about_(about), about_peer_(about_peer) {}
  InnerStep(const InnerStep&) = delete;
  InnerStep& operator=(const InnerStep&) = delete;

  core::Effects& call(core::AnyNode& node, const core::Call& what) {
    return node.call(what, {{this, &peer, &choose}, ports_.ports(), outer_.now()});
  }

 private:
  static NodeId peer(void* self, Port port) {
    const auto& s = *static_cast<const InnerStep*>(self);
    if (port == s.about_) return s.about_peer_;
    const std::size_t place = s.ports_.find(port);
    core::invariant(place < s.ports_.size(),
                    "a protocol asked who is behind a port that it does not have");
    return s.ports_.peer(place);
  }
  static std::uint64_t choose(void* self, std::uint64_t n) {
    return static_cast<InnerStep*>(self)->outer_.choose(n);
  }

  Step& outer_;
  const InnerPorts& ports_;
  Port about_;
  NodeId about_peer_;
};

/// What the protocol inside sees where a layer shows it its own ports.
template <class Step>
core::Surroundings surroundings_of(Step& step) {
  constexpr auto peer = [](void* s, Port port) { return static_cast<Step*>(s)->peer(port); };
  constexpr auto choose = [](void* s, std::uint64_t n) { return static_cast<Step*>(s)->choose(n); };
  return {{&step, peer, choose}, step.ports(), step.now()};
}

/// Hands the timers of the protocol inside on. `Wrapped` is a timer of the layer that carries them.
template <class Wrapped = InnerTimer, class Step>
void pass_alarms_on(Step& step, const core::Nodes& inside, const core::Effects& effects) {
  for (const core::Effects::Alarm& alarm : effects.alarms) {
    const Wrapped timer{core::AnyTimer(inside, alarm.timer)};
    if (alarm.armed)
      step.arm(timer, alarm.min, alarm.max);
    else
      step.disarm(timer);
  }
}

/// A message of the protocol inside, taken out of its effects.
inline core::AnyMessage taken(const core::Nodes& inside, const core::Effects::Send& send) {
  return core::AnyMessage::moved(inside.messages(), send.message);
}

}  // namespace bellwether::layers
