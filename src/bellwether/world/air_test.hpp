// SPDX-License-Identifier: MIT
// A little event loop around the medium, for its tests.
#pragma once

#include <map>
#include <queue>
#include <set>
#include <tuple>
#include <vector>

#include "bellwether/core/invariant.hpp"
#include "bellwether/world/csma.hpp"

namespace bellwether::world {

/// Short slots, and a free medium is used at once: times are easy to predict.
inline RadioSpec short_slots() {
  RadioSpec spec;
  spec.csma.slot = std::chrono::microseconds(9);
  spec.csma.aligned = false;
  return spec;
}

struct Air {
  struct Arrival {
    Time at;
    std::uint32_t frame;
    NodeIndex by;
    friend auto operator<=>(const Arrival&, const Arrival&) = default;
  };
  struct Event {
    enum Kind { wake, send, off, on } kind;
    Time at;
    std::uint64_t order;
    NodeIndex node;
    std::uint32_t name;  // of the frame; or the serial of a wake
    std::size_t bytes;
    bool operator<(const Event& other) const {
      return std::tie(at, order) > std::tie(other.at, other.order);
    }
  };

  Air(const RadioSpec& spec, NodeIndex nodes, std::uint64_t seed = 1)
      : medium(spec, nodes, seed), csma(spec.csma) {}

  void push(Event::Kind kind, Time at, NodeIndex node, std::uint32_t name = 0,
            std::size_t bytes = 0) {
    events.push({kind, at, order++, node, name, bytes});
    if (kind == Event::send) size[name] = bytes;
  }
  void send(Time at, NodeIndex node, std::uint32_t frame, std::size_t bytes = 60) {
    push(Event::send, at, node, frame, bytes);
  }

  void step() {
    const Event event = events.top();
    events.pop();
    core::invariant(event.at >= now, "time goes on");
    now = event.at;
    effects.clear();
    switch (event.kind) {
      case Event::wake:
        ++wakes;
        medium.wake(event.node, event.name, now, effects);
        break;
      case Event::send:
        medium.send(event.node, event.name, event.bytes, now, effects);
        break;
      case Event::off:
      case Event::on:
        medium.power(event.node, event.kind == Event::on, now, effects);
        break;
    }
    for (const auto& each : effects.wakes) push(Event::wake, each.at, each.node, each.serial);
    for (const auto& each : effects.heard) heard.insert({now, each.frame, each.by});
    for (const auto frame : effects.done)
      core::invariant(done.emplace(frame, now).second, "a frame is done once");
  }
  void run(Time until = core::end_of_time) {
    while (!events.empty() && events.top().at <= until) step();
  }

  /// Who got a frame.
  std::set<NodeIndex> got(std::uint32_t frame) const {
    std::set<NodeIndex> out;
    for (const Arrival& each : heard)
      if (each.frame == frame) out.insert(each.by);
    return out;
  }
  /// When a frame that reached its end had begun.
  Time began(std::uint32_t frame) const { return done.at(frame) - csma.airtime(size.at(frame)); }

  Csma medium;
  CsmaSpec csma;
  MediumEffects effects;
  std::priority_queue<Event> events;
  std::set<Arrival> heard;
  std::map<std::uint32_t, Time> done;
  std::map<std::uint32_t, std::size_t> size;
  Time now{};
  std::uint64_t order = 0;
  std::uint64_t wakes = 0;
};

}  // namespace bellwether::world
