// SPDX-License-Identifier: MIT
// One step as a value: all that a handler can see, and all that it did. The same occasion can be
// played again on an equal state, and must have the same effects.
#pragma once

#include "bellwether/core/hand_host_test.hpp"
#include "conformance/subject.hpp"

namespace bellwether::conformance {

using Kind = core::Call::Handler;

struct Occasion {
  Kind kind = Kind::start;
  Port port = core::every_port;  // that the step is about
  AnyMessage message;
  core::TimerName timer;
  std::vector<core::Outcome::Send> inbox;      // of a round, by port
  std::vector<Port> ports;                     // up, and not only for listening
  std::vector<std::pair<Port, NodeId>> peers;  // that a node may ask for
  Time now{};
  std::uint64_t choices = 0;  // the seed of choose()
};

std::string text(const core::Nodes& nodes, const Occasion& occasion);

/// Plays occasions.
class Bench {
 public:
  Bench(core::Nodes& nodes, bool anonymous) : player_(nodes), anonymous_(anonymous) {}
  Bench(const Bench&) = delete;  // steps point back here
  Bench& operator=(const Bench&) = delete;

  core::Outcome play(AnyNode& node, const Occasion& occasion);
  /// The other effects that the driver is notified of.
  const core::Effects& effects() const { return player_.effects(); }

 private:
  static NodeId peer(void* self, Port port);
  static std::uint64_t choose(void* self, std::uint64_t n);

  core::Player player_;
  bool anonymous_;
  const Occasion* seen_ = nullptr;
  core::Prng prng_;
};

/// What `fields` shows of two states of one node is equal exactly when they are.
void require_fields(const AnyNode& a, const AnyNode& b);

/// Plays an occasion on a node, and all that must hold of any step: it is pure, and copies are
/// independent.
core::Outcome checked(Bench& bench, AnyNode& node, const Occasion& occasion);

}  // namespace bellwether::conformance
