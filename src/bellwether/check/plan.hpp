// SPDX-License-Identifier: MIT
// The fixed part of a search: nodes, links that may ever be up, their ports and channels, and how
// a state is laid out as a row of numbers.
#pragma once

#include "bellwether/check/spec.hpp"

namespace bellwether::check {

using Number = std::uint32_t;
using StateVector = std::vector<Number>;
inline constexpr Number none = ~Number{0};

/// How a state or a step breaks what is asked for.
struct Breach {
  std::string property;  // "agreement", "invariant", the name of a monitor
  std::string sentence;
};

/// One direction of a link.
struct Channel {
  NodeIndex from;
  NodeIndex to;
  std::uint8_t out;  // the port at the sender
  std::uint8_t in;   // the port at the receiver
  Number link;
};

struct Wire {
  NodeIndex a;
  NodeIndex b;
  std::uint8_t port_a;
  std::uint8_t port_b;
  Number ab;  // the channel from a to b
  Number ba;  // none: the link goes one way
};

/// What stands at a port of a node.
struct PortWiring {
  Number link;
  Number out;  // the channel that begins here; none: nothing can be sent
  Number in;   // the channel that ends here; none: nothing comes
  NodeIndex peer;
  bool first;  // this is end a of the link
};

/// Faults that are left, in one number of a state.
struct Budget {
  unsigned changes = 0;
  unsigned crashes = 0;
  unsigned restarts = 0;
  unsigned losses = 0;
  unsigned duplicates = 0;
  unsigned script = 0;  // steps of the script that were done
  Number pack() const {
    return changes | crashes << 6 | restarts << 10 | losses << 14 | duplicates << 19 | script << 24;
  }
  static Budget unpack(Number n) {
    return {n & 63, n >> 6 & 15, n >> 10 & 15, n >> 14 & 31, n >> 19 & 31, n >> 24 & 255};
  }
};

/// A link in a state: whether the world wants it up, and the number of changes that each end has
/// yet to be notified of (edge).
struct LinkState {
  bool wanted;
  unsigned untold_a;
  unsigned untold_b;
};

class Plan {
 public:
  /// Throws Problem.
  explicit Plan(const Spec& spec, bool hears_strangers);

  const Spec spec;
  const bool strangers;
  std::vector<Wire> links;
  std::vector<Channel> channels;
  std::vector<std::vector<PortWiring>> sockets;  // by node and port

  NodeIndex nodes() const { return spec.nodes; }
  /// nothing: no link between the two may ever be up.
  Number link_between(NodeIndex a, NodeIndex b) const;

  // The layout of a state: nodes, channels, links (four to a number), faults, then, on request,
  // the messages sent so far and what the properties remember.
  std::size_t channel_slot(Number channel) const { return spec.nodes + channel; }
  std::size_t link_slot(Number link) const { return spec.nodes + channels.size() + link / 4; }
  std::size_t budget_slot() const { return budget_slot_; }
  std::size_t sent_slot() const { return sent_slot_; }      // 0: not kept
  std::size_t memory_slot() const { return memory_slot_; }  // 0: not kept
  std::size_t slots() const { return slots_; }
  void keep_sent();
  void keep_memory();

  // Four bits say which links are wanted, and then come six for each. So while no end has a
  // notification pending, the number is small, and short where it is kept.
  LinkState link(const Number* slots, Number link) const {
    const Number word = slots[link_slot(link)];
    const Number untold = word >> untold_shift(link);
    return {(word >> link % 4 & 1) != 0, untold & 7, untold >> 3 & 7};
  }
  void set_link(Number* slots, Number link, LinkState state) const {
    Number& word = slots[link_slot(link)];
    word &= ~(Number{1} << link % 4 | Number{63} << untold_shift(link));
    word |= (state.wanted ? 1u : 0u) << link % 4;
    word |= (state.untold_a | state.untold_b << 3) << untold_shift(link);
  }

 private:
  static Number untold_shift(Number link) { return 4 + link % 4 * 6; }
  void add_link(graph::Edge ends);
  std::size_t budget_slot_ = 0;
  std::size_t sent_slot_ = 0;
  std::size_t memory_slot_ = 0;
  std::size_t slots_ = 0;
};

/// Bytes that stand for a state, and back: numbers as base-128 groups. `out` has room for five
/// bytes each; how many were written.
std::size_t encode_state(std::span<const Number> slots, std::uint8_t* out);
void decode_state(std::span<const std::uint8_t> key, std::span<Number> slots);

}  // namespace bellwether::check
