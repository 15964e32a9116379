// SPDX-License-Identifier: MIT
// One step of one node without its type, as a value: for tests that drive nodes by hand.
#pragma once

#include <algorithm>

#include "bellwether/core/host.hpp"

namespace bellwether::core {

/// What a step did.
struct Outcome {
  struct Send {
    Port port;  // every_port for a broadcast
    AnyMessage message;
    friend bool operator==(const Send&, const Send&) = default;
  };
  std::vector<Send> sends;
  std::vector<Effects::Alarm> alarms;
  bool halted = false;  // rounds

  friend bool operator==(const Outcome& a, const Outcome& b) {
    const auto same_alarm = [](const Effects::Alarm& x, const Effects::Alarm& y) {
      return x.timer == y.timer && x.armed == y.armed && x.min == y.min && x.max == y.max;
    };
    return a.sends == b.sends && a.halted == b.halted &&
           std::equal(a.alarms.begin(), a.alarms.end(), b.alarms.begin(), b.alarms.end(),
                      same_alarm);
  }
};

class Player {
 public:
  explicit Player(Nodes& nodes) : nodes_(nodes) {}

  Outcome play(NodeIndex u, const Call& call, const Surroundings& around) {
    nodes_.call(u, call, around, effects_);
    Outcome out;
    for (const Effects::Send& send : effects_.sends) {
      out.sends.push_back({send.port, AnyMessage::moved(nodes_.messages(), send.message)});
      invariant(send.bytes == out.sends.back().message.encoded_size(),
                "a message takes other bytes than its driver is told");
    }
    out.alarms = effects_.alarms;
    out.halted = effects_.halted;
    return out;
  }
  /// What came of the last one beside what it wants done.
  const Effects& effects() const { return effects_; }

 private:
  Nodes& nodes_;
  Effects effects_;
};

}  // namespace bellwether::core
