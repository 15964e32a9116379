// SPDX-License-Identifier: MIT
// When a node may play its next pulse: the five synchronizers. None of them knows the protocol that
// they carry; layers/synchronized.hpp does.
//
//   abd      delays are bounded by d: a pulse every 2d, from the moment of waking
//   simple   exactly one message on every link in every pulse; the next when all have come
//   alpha    acknowledgements; who is safe tells its neighbours; the next when all of them are
//   beta     acknowledgements; safety is gathered in a spanning tree, whose root gives the pulses
//   gamma    beta inside clusters, alpha between them
//
//   Papers   B. Awerbuch, "Complexity of network synchronization", JACM 32(4), 1985 (alpha, beta,
//            gamma); the lecture (abd, simple, alpha, beta).
//
// A neighbour is never more than one pulse ahead: counts are kept for the present and the next.
#pragma once

#include "bellwether/core/synchronizer.hpp"
#include "bellwether/layers/spanning_tree.hpp"

namespace bellwether::layers {

struct PulseOptions {
  core::Synchronizer kind = core::Synchronizer::simple;
  Pulse pulses = 0;                                     // to play; 0: never stop
  core::Duration delay = std::chrono::milliseconds(1);  // abd: the longest of a message
  std::uint32_t growth = 2;                             // gamma: of a cluster from layer to layer
  static constexpr auto fields = std::tuple{
      core::field("kind", &PulseOptions::kind, "Synchronizer that simulates the rounds."),
      core::field("pulses", &PulseOptions::pulses, "Number of rounds; 0: never stop."),
      core::field("delay", &PulseOptions::delay, "abd: longest delay of a message."),
      core::field("growth", &PulseOptions::growth,
                  "gamma: factor by which a cluster grows with each layer.")};
  friend bool operator==(const PulseOptions&, const PulseOptions&) = default;
};

/// Two counts, for pulses of either parity.
class Counts {
 public:
  std::uint32_t of(Pulse pulse) const { return count_[pulse % 2]; }
  void add(Pulse pulse) { ++count_[pulse % 2]; }
  void forget(Pulse pulse) { count_[pulse % 2] = 0; }
  friend bool operator==(const Counts&, const Counts&) = default;

 private:
  std::array<std::uint32_t, 2> count_{};

 public:
  static constexpr auto fields = std::tuple{core::field("count", &Counts::count_)};
};

class PulseControl {
 public:
  PulseControl() = default;
  explicit PulseControl(const PulseOptions& options);

  /// The node begins, or is reached for the first time.
  void wake(Turn& turn, bool by_itself);
  /// A pulse has been played, with that many messages of the protocol.
  void played(Turn& turn, std::uint32_t messages);
  /// A message of the protocol, or the lack of one, has arrived.
  void arrived(Turn& turn, core::Port port, Pulse pulse);
  void receive(Turn& turn, core::Port port, const Signal& signal);
  void tick(Turn& turn);

  /// Whether pulse number played() may be played now.
  bool may_play() const { return allowed_ > next_ && !over(); }
  bool over() const { return pulses_ > 0 && next_ >= pulses_; }
  Pulse next() const { return next_; }
  /// Whether every link carries exactly one message in each pulse.
  bool fills_links() const { return kind_ == core::Synchronizer::simple; }
  /// Whether the pulse that is to be played next is the last one.
  bool last() const { return pulses_ > 0 && next_ + 1 >= pulses_; }
  bool endless() const { return pulses_ == 0; }

  friend bool operator==(const PulseControl&, const PulseControl&) = default;

 private:
  bool acknowledges() const { return kind_ >= core::Synchronizer::alpha; }
  bool has_tree() const { return kind_ >= core::Synchronizer::beta; }
  Pulse current() const { return next_ - 1; }
  void advance_if_complete(Turn& turn);
  void advance_alpha(Turn& turn);
  void advance_tree(Turn& turn);
  void advance_cluster(Turn& turn);
  void go(Turn& turn, Pulse pulse);
  void settle_tree(Turn& turn);
  void take_place(Turn& turn, const Partition& partition);
  void cluster_is_safe(Turn& turn, Pulse pulse);

  core::Synchronizer kind_ = core::Synchronizer::simple;
  Pulse pulses_ = 0;
  core::Duration period_{};
  std::uint32_t growth_ = 2;

  bool awake_ = false;
  Pulse next_ = 0;             // to be played
  Pulse allowed_ = 0;          // pulses below this one may be played
  std::uint32_t unacked_ = 0;  // messages of the present pulse
  bool told_safe_ = false;     // in the present pulse
  bool told_ready_ = false;
  bool cluster_safe_ = false;
  Counts
      heard_;  // simple: links that have spoken; alpha: neighbours; trees: children that are safe
  Counts touching_;  // gamma: neighbouring clusters that are safe
  Counts ready_;     // gamma: children that are ready
  SpanningTree tree_;
  bool placed_ = false;  // trees: the places below are known
  std::optional<core::Port> parent_;
  std::vector<core::Port> children_;
  std::vector<core::Port> preferred_;

 public:
  static constexpr auto fields =
      std::tuple{core::field("awake", &PulseControl::awake_),
                 core::field("next", &PulseControl::next_),
                 core::field("allowed", &PulseControl::allowed_),
                 core::field("unacked", &PulseControl::unacked_),
                 core::field("told_safe", &PulseControl::told_safe_),
                 core::field("told_ready", &PulseControl::told_ready_),
                 core::field("cluster_safe", &PulseControl::cluster_safe_),
                 core::field("heard", &PulseControl::heard_),
                 core::field("touching", &PulseControl::touching_),
                 core::field("ready", &PulseControl::ready_),
                 core::field("tree", &PulseControl::tree_),
                 core::field("placed", &PulseControl::placed_),
                 core::field("parent", &PulseControl::parent_),
                 core::field("children", &PulseControl::children_),
                 core::field("preferred", &PulseControl::preferred_)};
};

}  // namespace bellwether::layers
