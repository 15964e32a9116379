// SPDX-License-Identifier: MIT
// The ordered reliable link: over links that lose, double and reorder messages, the protocol inside
// sees links on which every message arrives once and in order while the link is up.
//
// Each end of a link gives each life of it a session number of its own; a packet carries that of
// its sender and, once known, that of its receiver. Messages are numbered, acknowledged and sent
// again until they are. When the other end has begun a new session (it saw the link go and come,
// and we did not, or it was reborn), ours cannot go on: the protocol inside is notified that the
// link went down and came up, as it would have been by a driver that sees everything.
//
//   Guarantee  What is handed inside on one life of a port is a prefix of what the other end sent
//              on one life of its port. If the link stays up and does not lose permanently, all of
//              it arrives. Both ends settle on one pair of sessions once messages get through.
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

class Reliable {
 public:
  static constexpr std::string_view name = "reliable";
  using SessionId = std::uint32_t;  // 0: not known
  using SequenceNumber = std::uint32_t;

  struct Options {
    ReliableOptions link;
    std::shared_ptr<core::Nodes> inner;
    static constexpr std::tuple<> fields{};  // set by the code that builds the stack
    friend bool operator==(const Options&, const Options&) = default;
  };

  /// What every packet says of the link.
  struct Heading {
    SessionId from = 0;
    SessionId to = 0;
    SequenceNumber acked = 0;  // all messages below this number have arrived
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
    SequenceNumber number = 0;
    core::AnyMessage body;
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
  using Timer = std::variant<Retry, InnerTimer>;
  using Step = core::Step<Message, Timer>;

  Reliable() = default;
  Reliable(NodeId id, const Options& options)
      : options_(options.link), inner_(*options.inner, id) {}
  static core::Facts facts_of(const Options& options) {
    return layer_facts(options.inner->facts());
  }

  void start(Step& step);
  void link_up(Step& step, Port port);
  void link_down(Step& step, Port port);
  void receive(Step& step, Port port, const Message& message);
  void timeout(Step& step, const Timer& timer);
  static bool is_silence(const Timer& timer) { return is_inner_silence(timer); }
  void set_priority(Step& step, std::uint32_t priority);

  std::optional<NodeId> leader() const { return inner_.leader(); }
  const core::AnyNode& inside() const { return inner_; }
  bool shows_inside() const { return inner_.is_described(); }

  friend bool operator==(const Reliable&, const Reliable&) = default;

 private:
  static constexpr std::size_t again_at_once = 8;  // packets sent again in one go
  static constexpr SequenceNumber ahead = 256;     // how far a packet may be early and be kept

  struct Link {
    Port outer{};
    Port inner{};
    SessionId mine = 0;
    SessionId theirs = 0;
    SequenceNumber first_unacked = 0;
    SequenceNumber expected = 0;
    std::vector<core::AnyMessage> unacked;
    std::map<SequenceNumber, core::AnyMessage> early;

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

  Link* find(Port outer);
  Link* find_inner(Port inner);
  Link& open(Step& step, Port port);
  static SessionId fresh_session(Step& step);
  bool settle(Step& step, Port port, const Heading& heading);
  void begin_anew(Step& step, Port port, SessionId theirs);
  void acknowledge(Step& step, Link& link, SequenceNumber acked);
  void take(Step& step, Port port, const Packet& packet);
  void run(Step& step, const core::Call& what, NodeId about_peer = {});
  void post(Step& step, Link& link, core::AnyMessage message);
  void send_packet(Step& step, const Link& link, std::size_t i);
  void arm_retry(Step& step, const Link& link);

  ReliableOptions options_;
  InnerPorts inner_ports_;
  std::vector<Link> links_;
  core::AnyNode inner_;

 public:
  static constexpr auto fields = std::tuple{
      core::field("inner_ports", &Reliable::inner_ports_), core::field("links", &Reliable::links_),
      core::field_when("inner", &Reliable::inner_, &Reliable::shows_inside)};
};

}  // namespace bellwether::layers
