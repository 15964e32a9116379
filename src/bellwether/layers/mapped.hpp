// SPDX-License-Identifier: MIT
// An election beside a map: the members of the component and the routes to them come from a map of
// it. Elections that keep one themselves (`known()`) need no other; beside any other election runs
// one whose map is exact once changes cease and which is silent when quiescent (`cel-2`). Its
// leader is not asked.
#pragma once

#include "bellwether/layers/inner.hpp"

namespace bellwether::layers {

class Mapped {
 public:
  static constexpr std::string_view name = "mapped";

  struct Options {
    std::shared_ptr<core::Nodes> map;
    std::shared_ptr<core::Nodes> inner;
    static constexpr std::tuple<> fields{};  // set by the code that builds the stack
    friend bool operator==(const Options&, const Options&) = default;
  };

  struct OfMap {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "map";
    core::AnyMessage body;
    static constexpr auto fields = std::tuple{core::field("body", &OfMap::body)};
    friend bool operator==(const OfMap&, const OfMap&) = default;
  };
  struct OfElection {
    static constexpr std::uint8_t tag = 2;
    static constexpr std::string_view name = "election";
    core::AnyMessage body;
    static constexpr auto fields = std::tuple{core::field("body", &OfElection::body)};
    friend bool operator==(const OfElection&, const OfElection&) = default;
  };
  using Message = std::variant<OfMap, OfElection>;

  struct MapTimer {
    static constexpr std::uint8_t tag = 2;
    static constexpr std::string_view name = "map";
    core::AnyTimer timer;
    static constexpr auto fields = std::tuple{core::field("timer", &MapTimer::timer)};
    friend bool operator==(const MapTimer&, const MapTimer&) = default;
  };
  using Timer = std::variant<InnerTimer, MapTimer>;
  using Step = core::Step<Message, Timer>;

  Mapped() = default;
  Mapped(NodeId id, const Options& options) : map_(*options.map, id), inner_(*options.inner, id) {}
  static core::Facts facts_of(const Options& options) {
    return layer_facts(options.inner->facts());
  }
  /// Which of the two it belongs to decides how the rest is read.
  static bool read(core::Reader& in, Message& message, const Options& options);
  static bool read(core::Reader& in, Timer& timer, const Options& options);

  void start(Step& step) { both(step, core::Call::start()); }
  void link_up(Step& step, Port port) { both(step, core::Call::link_up(port)); }
  void link_down(Step& step, Port port) { both(step, core::Call::link_down(port)); }
  void receive(Step& step, Port port, const Message& message);
  void timeout(Step& step, const Timer& timer);
  static bool is_silence(const Timer& timer) { return is_inner_silence(timer); }

  std::optional<NodeId> leader() const { return inner_.leader(); }
  const core::Known& known() const { return *map_.nodes().known(map_.index()); }
  const core::AnyNode& inside() const { return inner_; }
  bool shows_inside() const { return inner_.is_described(); }

  friend bool operator==(const Mapped&, const Mapped&) = default;

 private:
  void both(Step& step, const core::Call& what);
  void call_map(Step& step, const core::Call& what);
  void call_election(Step& step, const core::Call& what);

  core::AnyNode map_;
  core::AnyNode inner_;

 public:
  static constexpr auto fields =
      std::tuple{core::field("map", &Mapped::map_),
                 core::field_when("inner", &Mapped::inner_, &Mapped::shows_inside)};
};

}  // namespace bellwether::layers
