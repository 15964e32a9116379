// SPDX-License-Identifier: MIT
// An election beside a map: the members of the component and the routes to them come from a map of
// it. Elections that keep one themselves (`known()`) need no other; beside any other election runs
// `cel-2`, whose map is exact once changes cease and which is silent at rest. Its leader is not
// asked.
#pragma once

#include "bellwether/algorithms/cel_2.hpp"
#include "bellwether/layers/inner.hpp"

namespace bellwether::node {

using core::Duration;
using core::NodeId;
using core::Port;

/// A protocol that keeps a map of its component.
template <class P>
concept KeepsMap = requires(const P& seen) {
  { seen.known() } -> std::convertible_to<const algorithms::Known&>;
};

template <core::Protocol P>
class Mapped {
 public:
  static constexpr std::string_view name = P::name;
  static constexpr core::Facts facts = layers::layer_facts<P>();
  using Inner = P;
  using Map = algorithms::Cel2;

  struct Options {
    Map::Options map;
    typename P::Options inner;
    static constexpr std::tuple<> fields{};  // whoever puts the two together sets them
    friend bool operator==(const Options&, const Options&) = default;
  };

  struct OfMap {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "map";
    Map::Message body;
    static constexpr auto fields = std::tuple{core::field("body", &OfMap::body)};
    friend bool operator==(const OfMap&, const OfMap&) = default;
  };
  struct OfElection {
    static constexpr std::uint8_t tag = 2;
    static constexpr std::string_view name = "election";
    typename P::Message body;
    static constexpr auto fields = std::tuple{core::field("body", &OfElection::body)};
    friend bool operator==(const OfElection&, const OfElection&) = default;
  };
  using Message = std::variant<OfMap, OfElection>;

  struct MapTimer {
    static constexpr std::uint8_t tag = 2;
    static constexpr std::string_view name = "map";
    Map::Timer timer{};
    static constexpr auto fields = std::tuple{core::field("timer", &MapTimer::timer)};
    friend bool operator==(const MapTimer&, const MapTimer&) = default;
  };
  using ElectionTimer = layers::InnerTimer<typename P::Timer>;
  using Timer = std::variant<ElectionTimer, MapTimer>;
  using Step = core::Step<Message, Timer>;

  Mapped() = default;
  Mapped(NodeId id, Options options) : map_(id, options.map), inner_(id, options.inner) {}

  void start(Step& step) {
    both(step, [](auto& p, auto& s) { p.start(s); });
  }
  void link_up(Step& step, Port port) {
    both(step, [&](auto& p, auto& s) { p.link_up(s, port); });
  }
  void link_down(Step& step, Port port) {
    both(step, [&](auto& p, auto& s) { p.link_down(s, port); });
  }
  void receive(Step& step, Port port, const Message& message) {
    if (const auto* of_map = std::get_if<OfMap>(&message))
      run<OfMap, MapTimer>(step, map_, [&](Map& p, auto& s) { p.receive(s, port, of_map->body); });
    else
      run<OfElection, ElectionTimer>(step, inner_, [&](P& p, auto& s) {
        p.receive(s, port, std::get<OfElection>(message).body);
      });
  }
  void timeout(Step& step, const Timer& timer) {
    if (const auto* of_map = std::get_if<MapTimer>(&timer))
      run<OfMap, MapTimer>(step, map_, [&](Map& p, auto& s) { p.timeout(s, of_map->timer); });
    else
      run<OfElection, ElectionTimer>(
          step, inner_, [&](P& p, auto& s) { p.timeout(s, std::get<ElectionTimer>(timer).timer); });
  }

  std::optional<NodeId> leader() const { return inner_.leader(); }
  decltype(auto) leaders() const requires core::Ranked<P> { return inner_.leaders(); }
  std::uint32_t rank() const requires core::Ranked<P> { return inner_.rank(); }
  const algorithms::Known& known() const { return map_.known(); }
  const P& inner() const { return inner_; }

  friend bool operator==(const Mapped&, const Mapped&) = default;

 private:
  template <class Call>
  void both(Step& step, Call&& call) {
    run<OfMap, MapTimer>(step, map_, call);
    run<OfElection, ElectionTimer>(step, inner_, call);
  }

  /// One step of one of the two, on the ports of both.
  template <class Wrapped, class WrappedTimer, class Q, class Call>
  static void run(Step& step, Q& part, Call&& call) {
    core::StepOf<Q> inner({&step, &peer, &choose});
    inner.begin(step.ports(), step.now());
    call(part, inner);
    for (auto& send : inner.sends()) step.send(send.port, Wrapped{std::move(send.message)});
    for (const auto& alarm : inner.alarms()) {
      if (alarm.armed)
        step.arm(WrappedTimer{alarm.timer}, alarm.min, alarm.max);
      else
        step.disarm(WrappedTimer{alarm.timer});
    }
  }
  static NodeId peer(void* step, Port port) { return static_cast<Step*>(step)->peer(port); }
  static std::uint64_t choose(void* step, std::uint64_t n) {
    return static_cast<Step*>(step)->choose(n);
  }

  Map map_;
  P inner_;

 public:
  static constexpr auto fields = layers::layer_fields<P>(core::field("inner", &Mapped::inner_),
                                                         core::field("map", &Mapped::map_));
};

}  // namespace bellwether::node
