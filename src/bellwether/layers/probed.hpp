// SPDX-License-Identifier: MIT
// Neighbour detection by probes. The driver offers one hop of broadcast and nothing else: whatever
// a node sends may be heard by any node nearby, and no node is notified which those are. This layer
// sends probes, concludes from what it hears who is a neighbour and from silence who no longer is,
// and shows the protocol inside a port for each neighbour. The simulator's radio and the daemon's
// sockets use the same code.
//
//   Source     Thesis (2022), 4.3.2: probes every 400 ms, a neighbour is lost after 450 ms without
//              one; 5.2.4 and 5.3.1: link-layer beacons every 102.4 ms ("cross-layer mechanism").
//
// Where we differ
//   - Every frame is a sign of life, not only a probe: what a stranger sends makes it a neighbour
//     before it is handed inside.
//   - The first probe leaves at a moment drawn from the first period, and `jitter` spreads the
//     later ones, so that neighbours that started together do not collide permanently.
//   - A message for one neighbour is heard by all near it; those that it is not meant for drop it.
//   - `spare`: where the election's own frames show often enough that a node is there, they serve
//     as probes, and one frame does the work of two. A probe leaves only when no frame of this node
//     has left for that many periods.
//   - What does not fit a frame is split into parts and put together again; a message of which a
//     part is lost is lost as a whole.
//   - Who leaves on purpose says so (`Bye`), and is lost at once; the protocol inside gets a
//   farewell.
//   - Neighbours, the map inside and messages in parts do not grow beyond limits, whatever a
//     neighbour says: a message that would make them is dropped as a whole. Here messages that
//     came in parts are whole again.
#pragma once

#include "bellwether/layers/inner.hpp"

namespace bellwether::layers {

struct ProbeOptions {
  Duration period = std::chrono::milliseconds(400);
  Duration timeout = std::chrono::milliseconds(450);
  Duration jitter{};
  std::uint32_t mtu = 1500;  // the longest frame in bytes
  std::uint32_t spare = 0;   // periods
  static constexpr auto fields = std::tuple{
      core::field("period", &ProbeOptions::period, "Time between two probes."),
      core::field("timeout", &ProbeOptions::timeout, "Silence after which a neighbour is lost."),
      core::field("jitter", &ProbeOptions::jitter,
                  "Largest random shift of a probe, earlier or later."),
      core::field("mtu", &ProbeOptions::mtu, "The longest frame in bytes."),
      core::field("spare", &ProbeOptions::spare,
                  "Periods without a frame of its own after which a node sends a probe; "
                  "0: a probe in each.")};
  friend bool operator==(const ProbeOptions&, const ProbeOptions&) = default;
};

/// The most that neighbours can make a node keep, whatever they say.
struct ProbeLimits {
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::size_t neighbours = none;
  std::size_t members = none;  // of the map or list that the stack keeps
  std::size_t message = none;  // bytes of one that comes in parts
  friend bool operator==(const ProbeLimits&, const ProbeLimits&) = default;
};

/// A message that comes in parts: those of one sender that are there so far.
struct Assembly {
  NodeId from{};
  std::uint32_t serial = 0;
  std::uint32_t missing = 0;
  std::vector<std::vector<std::uint8_t>> parts;
  static constexpr auto fields = std::tuple{
      core::field("from", &Assembly::from), core::field("serial", &Assembly::serial),
      core::field("missing", &Assembly::missing), core::field("parts", &Assembly::parts)};
  friend bool operator==(const Assembly&, const Assembly&) = default;
};

class Probed {
 public:
  static constexpr std::string_view name = "probed";
  static constexpr bool airborne = true;  // needs no links from its driver

  struct Options {
    ProbeOptions probes;
    std::shared_ptr<core::Nodes> inner;
    ProbeLimits limits;
    static constexpr std::tuple<> fields{};  // set by the code that builds the stack
    friend bool operator==(const Options&, const Options&) = default;
  };

  struct Probe {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "probe";
    NodeId from{};
    static constexpr auto fields = std::tuple{core::field("from", &Probe::from)};
    friend bool operator==(const Probe&, const Probe&) = default;
  };
  struct Data {
    static constexpr std::uint8_t tag = 2;
    static constexpr std::string_view name = "data";
    NodeId from{};
    std::optional<NodeId> to;  // none in particular: all that hear it
    core::AnyMessage body;
    static constexpr auto fields =
        std::tuple{core::field("from", &Data::from), core::field("to", &Data::to),
                   core::field("body", &Data::body)};
    friend bool operator==(const Data&, const Data&) = default;
  };
  struct Part {  // of a message that does not fit a frame
    static constexpr std::uint8_t tag = 3;
    static constexpr std::string_view name = "part";
    NodeId from{};
    std::optional<NodeId> to;
    std::uint32_t serial = 0;
    std::uint32_t index = 0;
    std::uint32_t count = 0;
    std::vector<std::uint8_t> bytes;
    static constexpr auto fields =
        std::tuple{core::field("from", &Part::from),     core::field("to", &Part::to),
                   core::field("serial", &Part::serial), core::field("index", &Part::index),
                   core::field("count", &Part::count),   core::field("bytes", &Part::bytes)};
    friend bool operator==(const Part&, const Part&) = default;
  };
  struct Bye {  // the sender leaves: no node need wait for its silence
    static constexpr std::uint8_t tag = 4;
    static constexpr std::string_view name = "bye";
    NodeId from{};
    static constexpr auto fields = std::tuple{core::field("from", &Bye::from)};
    friend bool operator==(const Bye&, const Bye&) = default;
  };
  using Message = std::variant<Probe, Data, Part, Bye>;

  struct ProbeTime {
    static constexpr std::uint8_t tag = 2;
    static constexpr std::string_view name = "probe";
    static constexpr std::tuple<> fields{};
    friend bool operator==(const ProbeTime&, const ProbeTime&) = default;
  };
  struct Silence {
    static constexpr std::uint8_t tag = 3;
    static constexpr std::string_view name = "silence";
    NodeId of{};
    static constexpr auto fields = std::tuple{core::field("of", &Silence::of)};
    friend bool operator==(const Silence&, const Silence&) = default;
  };
  using Timer = std::variant<ProbeTime, Silence, InnerTimer>;
  using Step = core::Step<Message, Timer>;

  Probed() = default;
  Probed(NodeId id, const Options& options)
      : id_(id), probes_(options.probes), limits_(options.limits), inner_(*options.inner, id) {}
  static core::Facts facts_of(const Options& options) {
    return layer_facts(options.inner->facts());
  }

  void start(Step& step);
  // What lies below has no neighbours to report.
  void link_up(Step&, Port) {}
  void link_down(Step&, Port) {}
  void receive(Step& step, Port, const Message& message);
  void timeout(Step& step, const Timer& timer);
  void set_priority(Step& step, std::uint32_t priority);
  /// Of the election; whose silence a timer of the probes waits for, `silent_neighbour` says.
  static bool is_silence(const Timer& timer) { return is_inner_silence(timer); }
  /// Whose silence a timer waits for.
  static std::optional<NodeId> silent_neighbour(const core::TimerName& timer);

  std::optional<NodeId> leader() const { return inner_.leader(); }
  const core::AnyNode& inside() const { return inner_; }
  bool shows_inside() const { return inner_.is_described(); }
  const InnerPorts& neighbours() const { return neighbours_; }
  /// Messages that went beyond a limit.
  std::uint64_t dropped() const;

  /// A frame that only announces its sender: costs are counted apart by it.
  static bool is_beacon(const Message& message) { return std::holds_alternative<Probe>(message); }

  /// What was dropped is counted for people: it decides nothing.
  friend bool operator==(const Probed& a, const Probed& b) {
    return a.id_ == b.id_ && a.probes_ == b.probes_ && a.neighbours_ == b.neighbours_ &&
           a.assemblies_ == b.assemblies_ && a.next_serial_ == b.next_serial_ &&
           a.quiet_ == b.quiet_ && a.limits_ == b.limits_ && a.inner_ == b.inner_;
  }

 private:
  std::optional<Port> hear(Step& step, NodeId from);
  void lose(Step& step, NodeId peer, core::Call (*how)(Port));
  bool spares() const { return probes_.spare > 0; }
  void take(Step& step, const Probe& probe) { hear(step, probe.from); }
  void take(Step& step, const Bye& bye);
  void take(Step& step, const Data& data);
  void take(Step& step, const Part& part);
  void hand_in(Step& step, Port port, NodeId from, const core::AnyMessage& body);
  bool is_beyond_limits(const Message& message) const;
  bool names_too_many(const core::AnyMessage& body) const;
  void run(Step& step, const core::Call& what, NodeId about_peer = {});
  void post(Step& step, Data data);
  void post_parts(Step& step, const Data& data);
  std::optional<core::AnyMessage> assemble(const Part& part);

  NodeId id_{};
  ProbeOptions probes_;
  InnerPorts neighbours_;
  std::vector<Assembly> assemblies_;
  std::uint32_t next_serial_ = 0;
  std::uint32_t quiet_ = 0;  // periods that began since this node sent something, if it spares
  ProbeLimits limits_;
  std::uint64_t dropped_ = 0;
  core::AnyNode inner_;

 public:
  static constexpr auto fields =
      std::tuple{core::field("neighbours", &Probed::neighbours_),
                 core::field("assemblies", &Probed::assemblies_),
                 core::field("next_serial", &Probed::next_serial_),
                 core::field_when("quiet", &Probed::quiet_, &Probed::spares),
                 core::field_when("inner", &Probed::inner_, &Probed::shows_inside)};
};

}  // namespace bellwether::layers
