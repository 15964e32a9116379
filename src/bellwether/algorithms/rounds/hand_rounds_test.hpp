// SPDX-License-Identifier: MIT
// Rounds by hand, for the unit tests of synchronous algorithms: what is sent in one round is read
// in the next. Not the simulator: written to be obviously right.
#pragma once

#include "bellwether/algorithms/rounds/inbox_test.hpp"
#include "bellwether/core/hand_host_test.hpp"
#include "bellwether/core/prng.hpp"

namespace bellwether::algorithms {

/// From, to. A node's ports count up in the order of the arcs that leave it; those that only come
/// in have ports behind them.
using Arcs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Arcs ring_arcs(std::uint32_t n);  // clockwise
Arcs line_arcs(std::uint32_t n);
Arcs star_arcs(std::uint32_t n);
Arcs complete_arcs(std::uint32_t n);
/// Each arc, and then each the other way round: on a ring the first port leads clockwise.
Arcs both_ways(Arcs arcs);

/// A run without the type of its protocol.
class RoundsRun : public core::HandHost {
 public:
  RoundsRun(std::unique_ptr<core::Nodes> nodes, const std::vector<core::NodeId>& ids,
            const Arcs& arcs, std::uint64_t seed);
  ~RoundsRun() override;

  /// One round of all nodes; false when all have halted and nothing was sent.
  bool round();
  /// Until it is over.
  void run(std::uint64_t most = 1'000'000);

  std::size_t sent() const { return sent_; }
  /// Rounds so far; the last one of a finished run found nothing left to do.
  std::uint64_t rounds() const { return rounds_; }

 private:
  /// Until something reaches it.
  virtual bool sleeps(core::NodeIndex) const { return false; }

  using Mail = std::vector<core::Outcome::Send>;  // by the port that it comes in on

  void on_send(core::NodeIndex i, core::Port port, const core::AnyMessage& message) override;
  std::uint64_t choose(std::uint64_t n) override { return prng_.below(n); }

  std::vector<Mail> inboxes_;
  std::vector<Mail> next_;
  core::Prng prng_;
  std::size_t sent_ = 0;
  std::uint64_t rounds_ = 0;
};

template <core::RoundProtocol P>
class HandRounds : public RoundsRun {
 public:
  HandRounds(const std::vector<core::NodeId>& ids, const Arcs& arcs, typename P::Options options,
             std::uint64_t seed = 0)
      : RoundsRun(core::hosted<P>(std::move(options)), ids, arcs, seed) {}

  const P& node(core::NodeIndex i) const { return as<P>(i); }
};

}  // namespace bellwether::algorithms
