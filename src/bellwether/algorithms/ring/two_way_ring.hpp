// SPDX-License-Identifier: MIT
// What the elections on rings with two-way links share: the state of a node, how it begins, and how
// the announcement of the leader travels.
#pragma once

#include "bellwether/algorithms/ring/ring.hpp"

namespace bellwether::algorithms {

/// Active: it may still win. Passive: it has lost, or never competed, and only forwards.
enum class RingState : std::uint8_t { sleep, active, passive, leader };
constexpr auto names_of(RingState) {
  return std::array<std::string_view, 4>{"sleep", "active", "passive", "leader"};
}

/// The counter-clockwise port, on a ring with a sense of direction.
template <class Step>
core::Port counter_clockwise(const Step& step) {
  return onward(step, clockwise(step));
}

/// An active node's id on its way to the next active node.
struct Bid {
  static constexpr std::uint8_t tag = 1;
  static constexpr std::string_view name = "bid";
  core::NodeId id{};
  static constexpr auto fields = std::tuple{core::field("id", &Bid::id)};
  friend bool operator==(const Bid&, const Bid&) = default;
};

/// A node of an election in which the best initiator wins.
template <class News>
class TwoWayRingNode {
 public:
  using Options = RingOptions;
  using Leader = News;

  std::optional<core::NodeId> leader() const { return leader_; }
  RingState ring_state() const { return ring_state_; }
  bool initiator() const { return initiator_; }
  bool announces() const { return announce_; }
  Extremum extremum() const { return extremum_; }

  friend bool operator==(const TwoWayRingNode&, const TwoWayRingNode&) = default;

 protected:
  TwoWayRingNode() = default;
  TwoWayRingNode(core::NodeId id, const Options& options)
      : id_(id), extremum_(options.extremum), announce_(options.announce) {}

  bool beaten_by(core::NodeId other) const { return better(extremum_, other, id_); }

  /// Whether a start makes this node compete. A node that has forwarded anything does not: the
  /// others rely on this. A single node has won.
  template <class Step>
  bool enters(Step& step) {
    if (ring_state_ != RingState::sleep) return false;
    ring_state_ = RingState::active;
    initiator_ = true;
    if (!step.ports().empty()) return true;
    lead(step);
    return false;
  }

  template <class Step>
  void lead(Step& step) {
    leader_ = id_;
    ring_state_ = RingState::leader;
    if (announce_ && !step.ports().empty()) step.send(clockwise(step), Leader{id_});
  }

  /// It is forwarded until it has travelled the whole ring.
  template <class Step>
  void hear(Step& step, core::Port port, const Leader& news) {
    if (news.id == id_) return;
    leader_ = news.id;
    step.send(onward(step, port), news);
  }

  core::NodeId id_{};
  std::optional<core::NodeId> leader_;
  RingState ring_state_ = RingState::sleep;
  bool initiator_ = false;
  Extremum extremum_ = Extremum::max;
  bool announce_ = true;
};

}  // namespace bellwether::algorithms
