// SPDX-License-Identifier: MIT
// Neighbour detection by probes. The driver offers one hop of broadcast and nothing else: whatever
// a node sends may be heard by whoever is near, and nobody is told who that is. This layer sends
// probes, concludes from what it hears who is a neighbour and from silence who no longer is, and
// shows the protocol inside a port for each neighbour. The simulator's radio and the daemon's
// sockets use the same code.
//
//   Source     Thesis (2022), 4.3.2: probes every 400 ms, a neighbour is lost after 450 ms without
//              one; 5.2.4 and 5.3.1: link-layer beacons every 102.4 ms ("cross-layer mechanism").
//
// Where we differ
//   - Every frame is a sign of life, not only a probe: what a stranger sends makes it a neighbour
//     before it is handed inside.
//   - The first probe leaves at a moment drawn from the first period, and `jitter` spreads the
//     later ones, so that neighbours that started together do not collide for ever.
//   - A message for one neighbour is heard by all near it; those that it is not meant for drop it.
//   - What does not fit a frame is split into parts and put together again; a message of which a
//     part is lost is lost as a whole.
//   - Who leaves on purpose says so (`farewell`), and is lost at once.
#pragma once

#include "bellwether/core/codec.hpp"
#include "bellwether/layers/inner.hpp"

namespace bellwether::layers {

struct ProbeOptions {
  Duration period = std::chrono::milliseconds(400);
  Duration timeout = std::chrono::milliseconds(450);
  Duration jitter{};
  std::uint32_t mtu = 1500;  // the longest frame in bytes
  static constexpr auto fields = std::tuple{
      core::field("period", &ProbeOptions::period, "Time between two probes."),
      core::field("timeout", &ProbeOptions::timeout, "Silence after which a neighbour is lost."),
      core::field("jitter", &ProbeOptions::jitter, "How far a probe may be early or late."),
      core::field("mtu", &ProbeOptions::mtu, "The longest frame in bytes.")};
  friend bool operator==(const ProbeOptions&, const ProbeOptions&) = default;
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

template <core::Protocol P>
class Probed {
 public:
  static constexpr std::string_view name = P::name;
  static constexpr bool airborne = true;  // needs no links from its driver
  static constexpr core::Facts facts = layer_facts<P>();
  using Inner = P;

  struct Options {
    ProbeOptions probes;
    typename P::Options inner;
    static constexpr std::tuple<> fields{};  // whoever puts the layers on sets them
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
    std::optional<NodeId> to;  // nobody in particular: all who hear it
    typename P::Message body;
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
  struct Bye {  // the sender leaves: nobody need wait for its silence
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
  using Timer = std::variant<ProbeTime, Silence, InnerTimer<typename P::Timer>>;
  using Step = core::Step<Message, Timer>;

  Probed() = default;
  Probed(NodeId id, Options options)
      : id_(id), probes_(options.probes), inner_(id, options.inner) {}

  void start(Step& step) {
    step.arm(ProbeTime{}, Duration{0}, probes_.period);
    run(step, core::every_port, {}, [](P& p, auto& s) { p.start(s); });
  }
  // What lies below has no neighbours to report.
  void link_up(Step&, Port) {}
  void link_down(Step&, Port) {}

  void receive(Step& step, Port, const Message& message) {
    std::visit([&](const auto& m) { take(step, m); }, message);
  }

  void timeout(Step& step, const Timer& timer) {
    if (std::holds_alternative<ProbeTime>(timer)) {
      step.broadcast(Probe{id_});
      step.arm(ProbeTime{}, probes_.period - probes_.jitter, probes_.period + probes_.jitter);
    } else if (const auto* silence = std::get_if<Silence>(&timer)) {
      lose(step, silence->of);
    } else {
      const auto inner = std::get<InnerTimer<typename P::Timer>>(timer).timer;
      run(step, core::every_port, {}, [&](P& p, auto& s) { p.timeout(s, inner); });
    }
  }

  /// For a driver that ends this node on purpose: the last that it says.
  void farewell(Step& step) { step.broadcast(Bye{id_}); }

  /// For a driver that tells the protocol inside something that the contract does not know.
  template <class Call>
  void tell(Step& step, Call&& call) {
    run(step, core::every_port, {}, std::forward<Call>(call));
  }

  std::optional<NodeId> leader() const { return inner_.leader(); }
  decltype(auto) leaders() const requires core::Ranked<P> { return inner_.leaders(); }
  std::uint32_t rank() const requires core::Ranked<P> { return inner_.rank(); }
  const P& inner() const { return inner_; }
  const InnerPorts& neighbours() const { return neighbours_; }

  /// A frame that only says that somebody is there: costs are told apart by it.
  static bool is_beacon(const Message& message) { return std::holds_alternative<Probe>(message); }

  friend bool operator==(const Probed&, const Probed&) = default;

 private:
  /// The port of somebody just heard; nobody hears itself.
  std::optional<Port> hear(Step& step, NodeId from) {
    if (from == id_) return std::nullopt;
    step.arm(Silence{from}, probes_.timeout, probes_.timeout);
    const std::size_t place = neighbours_.find(from);
    if (place < neighbours_.size()) return neighbours_.port(place);
    const Port port = neighbours_.add(from);
    run(step, port, from, [&](P& p, auto& s) { p.link_up(s, port); });
    return port;
  }

  void lose(Step& step, NodeId peer) {
    const std::size_t place = neighbours_.find(peer);
    if (place == neighbours_.size()) return;
    const Port port = neighbours_.port(place);
    neighbours_.remove(place);
    std::erase_if(assemblies_, [&](const Assembly& a) { return a.from == peer; });
    run(step, port, peer, [&](P& p, auto& s) { p.link_down(s, port); });
  }

  void take(Step& step, const Probe& probe) { hear(step, probe.from); }

  void take(Step& step, const Bye& bye) {
    step.disarm(Silence{bye.from});
    lose(step, bye.from);
  }

  void take(Step& step, const Data& data) {
    const auto port = hear(step, data.from);
    if (port && (!data.to || *data.to == id_)) hand_in(step, *port, data.from, data.body);
  }

  void take(Step& step, const Part& part) {
    const auto port = hear(step, part.from);
    if (!port || (part.to && *part.to != id_)) return;
    if (const auto body = assemble(part)) hand_in(step, *port, part.from, *body);
  }

  void hand_in(Step& step, Port port, NodeId from, const typename P::Message& body) {
    run(step, port, from, [&](P& p, auto& s) { p.receive(s, port, body); });
  }

  /// One step of the protocol inside; its messages leave as frames.
  template <class Call>
  void run(Step& step, Port about, NodeId about_peer, Call&& call) {
    InnerStep<P, Step> inner(step, neighbours_, about, about_peer);
    call(inner_, *inner);
    for (auto& send : inner->sends()) {
      std::optional<NodeId> to;
      if (send.port != core::every_port) {
        const std::size_t place = neighbours_.find(send.port);
        if (place == neighbours_.size()) continue;  // it has been lost meanwhile
        to = neighbours_.peer(place);
      }
      post(step, Data{id_, to, std::move(send.message)});
    }
    inner.drain_alarms();
  }

  void post(Step& step, Data data) {
    // What is small in memory is small on the wire: no number takes more than ten bytes.
    constexpr bool small =
        std::is_trivially_copyable_v<typename P::Message> && sizeof(typename P::Message) <= 64;
    if (!small || probes_.mtu < 1000)
      if (1 + core::encoded_size(data) > probes_.mtu) return post_parts(step, data);
    step.broadcast(std::move(data));
  }

  void post_parts(Step& step, const Data& data) {
    constexpr std::size_t heading = 40;  // the fields of a part but its bytes, at their longest
    const auto bytes = core::encode(data.body);
    const std::size_t room = std::max<std::size_t>(probes_.mtu, heading + 1) - heading;
    const auto count = static_cast<std::uint32_t>((bytes.size() + room - 1) / room);
    const std::uint32_t serial = next_serial_++;
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(i * room);
      const auto to =
          bytes.begin() + static_cast<std::ptrdiff_t>(std::min(bytes.size(), (i + 1) * room));
      step.broadcast(Part{id_, data.to, serial, i, count, {from, to}});
    }
  }

  /// The whole message when this part was the last one missing. One message of each sender is
  /// put together at a time: the parts of an older one will not come any more.
  std::optional<typename P::Message> assemble(const Part& part) {
    constexpr std::uint32_t most_parts = 4096;  // a forged count must not take our memory
    if (part.count == 0 || part.count > most_parts || part.index >= part.count) return {};
    auto found = std::find_if(assemblies_.begin(), assemblies_.end(),
                              [&](const Assembly& a) { return a.from == part.from; });
    if (found == assemblies_.end())
      found = assemblies_.insert(assemblies_.end(), Assembly{part.from, part.serial, 0, {}});
    if (found->serial != part.serial || found->parts.size() != part.count) {
      *found = Assembly{part.from, part.serial, part.count, {}};
      found->parts.resize(part.count);
    }
    auto& place = found->parts[part.index];
    if (!place.empty() || part.bytes.empty()) return {};
    place = part.bytes;
    if (--found->missing > 0) return {};
    std::vector<std::uint8_t> whole;
    for (const auto& each : found->parts) whole.insert(whole.end(), each.begin(), each.end());
    assemblies_.erase(found);
    return core::decode<typename P::Message>(whole);
  }

  NodeId id_{};
  ProbeOptions probes_;
  InnerPorts neighbours_;
  std::vector<Assembly> assemblies_;
  std::uint32_t next_serial_ = 0;
  P inner_;

 public:
  static constexpr auto fields = layer_fields<P>(core::field("inner", &Probed::inner_),
                                                 core::field("neighbours", &Probed::neighbours_),
                                                 core::field("assemblies", &Probed::assemblies_),
                                                 core::field("next_serial", &Probed::next_serial_));
};

}  // namespace bellwether::layers
