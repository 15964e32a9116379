// SPDX-License-Identifier: MIT
// The ordered reliable link: over links that lose, double and reorder messages, the protocol inside
// sees links on which every message arrives once and in order while the link is up.
//
// Each end of a link gives each life of it a session number of its own; a packet carries that of
// its sender and, once known, that of its receiver. Messages are numbered, acknowledged and sent
// again until they are. When the other end has begun a new session (it saw the link go and come,
// and we did not, or it was reborn), ours cannot go on: the protocol inside is told that the link
// went down and came up, as it would have been by a driver that sees everything.
//
//   Guarantee  What is handed inside on one life of a port is a prefix of what the other end sent
//              on one life of its port. If the link stays up and loses not for ever, all of it
//              arrives. Both ends settle on one pair of sessions once messages get through.
//   Cost       One acknowledgement per packet; a packet is sent again every `retry` to 2 `retry`.
#pragma once

#include <map>

#include "bellwether/layers/inner.hpp"

namespace bellwether::layers {

struct ReliableOptions {
  Duration retry = std::chrono::milliseconds(100);
  static constexpr auto fields = std::tuple{core::field(
      "retry", &ReliableOptions::retry, "Time without acknowledgement before sending again.")};
  friend bool operator==(const ReliableOptions&, const ReliableOptions&) = default;
};

template <core::Protocol P>
class Reliable {
 public:
  static constexpr std::string_view name = P::name;
  static constexpr core::Facts facts = layer_facts<P>();
  using Inner = P;
  using Session = std::uint32_t;  // 0: not known
  using Number = std::uint32_t;

  struct Options {
    ReliableOptions link;
    typename P::Options inner;
    static constexpr std::tuple<> fields{};  // whoever puts the layers on sets them
    friend bool operator==(const Options&, const Options&) = default;
  };

  /// What every packet says of the link.
  struct Heading {
    Session from = 0;
    Session to = 0;
    Number acked = 0;  // all messages below this number have arrived
    static constexpr auto fields =
        std::tuple{core::field("from", &Heading::from), core::field("to", &Heading::to),
                   core::field("acked", &Heading::acked)};
    friend bool operator==(const Heading&, const Heading&) = default;
  };
  struct Ack {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "ack";
    Heading link;
    static constexpr auto fields = std::tuple{core::field("link", &Ack::link)};
    friend bool operator==(const Ack&, const Ack&) = default;
  };
  struct Packet {
    static constexpr std::uint8_t tag = 2;
    static constexpr std::string_view name = "packet";
    Heading link;
    Number number = 0;
    typename P::Message body;
    static constexpr auto fields =
        std::tuple{core::field("link", &Packet::link), core::field("number", &Packet::number),
                   core::field("body", &Packet::body)};
    friend bool operator==(const Packet&, const Packet&) = default;
  };
  using Message = std::variant<Ack, Packet>;

  struct Retry {
    static constexpr std::uint8_t tag = 2;
    static constexpr std::string_view name = "retry";
    Port port{};
    static constexpr auto fields = std::tuple{core::field("port", &Retry::port)};
    friend bool operator==(const Retry&, const Retry&) = default;
  };
  using Timer = std::variant<Retry, InnerTimer<typename P::Timer>>;
  using Step = core::Step<Message, Timer>;

  Reliable() = default;
  Reliable(NodeId id, Options options) : options_(options.link), inner_(id, options.inner) {}

  void start(Step& step) {
    for (const Port port : step.ports()) open(step, port);
    run(step, core::every_port, {}, [](P& p, auto& s) { p.start(s); });
  }
  void link_up(Step& step, Port port) {
    Link& link = open(step, port);
    const Port inner = link.inner;
    run(step, inner, step.peer(port), [&](P& p, auto& s) { p.link_up(s, inner); });
  }
  void link_down(Step& step, Port port) {
    Link* link = find(port);
    if (!link) return;
    step.disarm(Retry{port});
    const NodeId peer = step.peer(port);
    const Port inner = link->inner;
    inner_ports_.remove(inner_ports_.find(inner));
    links_.erase(links_.begin() + (link - links_.data()));
    run(step, inner, peer, [&](P& p, auto& s) { p.link_down(s, inner); });
  }
  void receive(Step& step, Port port, const Message& message) {
    if (!find(port)) {  // woken by what reaches it: the links were up all along
      for (const Port each : step.ports()) open(step, each);
      open(step, port);
    }
    const Heading& heading =
        std::visit([](const auto& m) -> const Heading& { return m.link; }, message);
    if (!settle(step, port, heading)) return;
    acknowledge(step, *find(port), heading.acked);
    if (const auto* packet = std::get_if<Packet>(&message)) take(step, port, *packet);
  }
  void timeout(Step& step, const Timer& timer) {
    if (const auto* retry = std::get_if<Retry>(&timer)) {
      Link* link = find(retry->port);
      if (!link || link->unacked.empty()) return;
      const auto last = std::min<std::size_t>(link->unacked.size(), again_at_once);
      for (std::size_t i = 0; i < last; ++i) send_packet(step, *link, i);
      arm_retry(step, *link);
      return;
    }
    const auto inner = std::get<InnerTimer<typename P::Timer>>(timer).timer;
    run(step, core::every_port, {}, [&](P& p, auto& s) { p.timeout(s, inner); });
  }

  std::optional<NodeId> leader() const { return inner_.leader(); }
  decltype(auto) leaders() const requires core::Ranked<P> { return inner_.leaders(); }
  std::uint32_t rank() const requires core::Ranked<P> { return inner_.rank(); }
  const P& inner() const { return inner_; }

  friend bool operator==(const Reliable&, const Reliable&) = default;

 private:
  static constexpr std::size_t again_at_once = 8;  // packets sent again in one go
  static constexpr Number ahead = 256;             // how far a packet may be early and be kept

  struct Link {
    Port outer{};
    Port inner{};
    Session mine = 0;
    Session theirs = 0;
    Number first_unacked = 0;
    Number expected = 0;
    std::vector<typename P::Message> unacked;
    std::map<Number, typename P::Message> early;

    /// Nothing of this session has got through in either direction.
    bool untouched() const { return first_unacked == 0 && expected == 0; }
    Heading heading() const { return {mine, theirs, expected}; }
    static constexpr auto fields = std::tuple{
        core::field("outer", &Link::outer),         core::field("inner", &Link::inner),
        core::field("mine", &Link::mine),           core::field("theirs", &Link::theirs),
        core::field("acked", &Link::first_unacked), core::field("expected", &Link::expected),
        core::field("unacked", &Link::unacked),     core::field("early", &Link::early)};
    friend bool operator==(const Link&, const Link&) = default;
  };

  Link* find(Port outer) {
    const auto at = std::find_if(links_.begin(), links_.end(),
                                 [&](const Link& link) { return link.outer == outer; });
    return at == links_.end() ? nullptr : &*at;
  }
  Link* find_inner(Port inner) {
    const auto at = std::find_if(links_.begin(), links_.end(),
                                 [&](const Link& link) { return link.inner == inner; });
    return at == links_.end() ? nullptr : &*at;
  }
  Link& open(Step& step, Port port) {
    if (Link* there = find(port)) return *there;
    Link link;
    link.outer = port;
    link.inner = inner_ports_.add(step.peer(port));
    link.mine = fresh_session(step);
    links_.push_back(std::move(link));
    return links_.back();
  }
  /// Drawn, so that a reborn node does not go on with a session of its former life.
  static Session fresh_session(Step& step) {
    return static_cast<Session>(step.choose(0x7FFF'FFFF)) + 1;
  }

  /// Whether a packet belongs to the present sessions; may begin a new one.
  bool settle(Step& step, Port port, const Heading& heading) {
    Link& link = *find(port);
    if (heading.from == 0) return false;
    if (heading.to != 0 && heading.to != link.mine) {
      // Meant for an earlier session of ours. If its sender goes on with one that we do not know,
      // it has not seen our new one: show it.
      if (heading.from != link.theirs) step.send(port, Ack{{link.mine, 0, 0}});
      return false;
    }
    if (heading.from == link.theirs) return true;
    if (link.theirs == 0 || link.untouched()) {
      link.theirs = heading.from;
      link.early.clear();  // of another session, if of any
      return true;
    }
    begin_anew(step, port, heading.from);
    return true;
  }

  void begin_anew(Step& step, Port port, Session theirs) {
    Link& link = *find(port);
    const NodeId peer = step.peer(port);
    const Port old = link.inner;
    step.disarm(Retry{port});
    inner_ports_.remove(inner_ports_.find(old));
    link = Link{};
    link.outer = port;
    link.mine = fresh_session(step);
    link.theirs = theirs;
    link.inner = core::every_port;  // nothing can be sent on it while the old one is reported
    run(step, old, peer, [&](P& p, auto& s) { p.link_down(s, old); });
    Link& again = *find(port);
    const Port inner = again.inner = inner_ports_.add(peer);
    run(step, inner, peer, [&](P& p, auto& s) { p.link_up(s, inner); });
    if (find(port)->unacked.empty()) step.send(port, Ack{find(port)->heading()});
  }

  void acknowledge(Step& step, Link& link, Number acked) {
    if (acked <= link.first_unacked || acked - link.first_unacked > link.unacked.size()) return;
    const auto gone = static_cast<std::ptrdiff_t>(acked - link.first_unacked);
    link.unacked.erase(link.unacked.begin(), link.unacked.begin() + gone);
    link.first_unacked = acked;
    if (link.unacked.empty())
      step.disarm(Retry{link.outer});
    else
      arm_retry(step, link);
  }

  void take(Step& step, Port port, const Packet& packet) {
    Link& link = *find(port);
    if (packet.number >= link.expected && packet.number - link.expected < ahead)
      link.early.try_emplace(packet.number, packet.body);
    const Session session = link.mine;
    for (;;) {  // a handler may change the links: look again each time
      Link* now = find(port);
      if (!now || now->mine != session) return;
      const auto next = now->early.begin();
      if (next == now->early.end() || next->first != now->expected) break;
      const auto body = std::move(next->second);
      now->early.erase(next);
      ++now->expected;
      const Port inner = now->inner;
      const NodeId peer = inner_ports_.peer(inner_ports_.find(inner));
      run(step, inner, peer, [&](P& p, auto& s) { p.receive(s, inner, body); });
    }
    step.send(port, Ack{find(port)->heading()});
  }

  /// One step of the protocol inside; its messages are numbered and kept until acknowledged.
  template <class Call>
  void run(Step& step, Port about, NodeId about_peer, Call&& call) {
    InnerStep<P, Step> inner(step, inner_ports_, about, about_peer);
    call(inner_, *inner);
    for (auto& send : inner->sends()) {
      if (send.port != core::every_port) {
        if (Link* link = find_inner(send.port)) post(step, *link, std::move(send.message));
      } else {
        for (Link& link : links_)
          if (link.inner != core::every_port) post(step, link, send.message);
      }
    }
    inner.drain_alarms();
  }

  void post(Step& step, Link& link, typename P::Message message) {
    link.unacked.push_back(std::move(message));
    send_packet(step, link, link.unacked.size() - 1);
    if (link.unacked.size() == 1) arm_retry(step, link);
  }
  void send_packet(Step& step, const Link& link, std::size_t i) {
    step.send(link.outer,
              Packet{link.heading(), link.first_unacked + static_cast<Number>(i), link.unacked[i]});
  }
  void arm_retry(Step& step, const Link& link) {
    step.arm(Retry{link.outer}, options_.retry, 2 * options_.retry);
  }

  ReliableOptions options_;
  InnerPorts inner_ports_;
  std::vector<Link> links_;
  P inner_;

 public:
  static constexpr auto fields = layer_fields<P>(
      core::field("inner", &Reliable::inner_), core::field("inner_ports", &Reliable::inner_ports_),
      core::field("links", &Reliable::links_));
};

}  // namespace bellwether::layers
