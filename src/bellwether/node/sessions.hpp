// SPDX-License-Identifier: MIT
// Which frames are fresh. A node begins a session when it starts; each frame of it has a number. Of
// a session that has proved to be alive, every number is accepted once. A session that is not known
// yet is asked to name a number that was drawn for it: a recording cannot. So frames of the past
// are refused even by a node that has just begun, without clocks; and a sender that is believed has
// heard this node: links are checked both ways.
//
// A node that restarts replaces its session of before, which then is silent permanently. If that
// session goes on, two nodes use one id: the later is believed for as long as it is heard, and the
// earlier is not; to believe both by turns would upset the whole group.
#pragma once

#include <functional>
#include <map>

#include "bellwether/node/frame.hpp"

namespace bellwether::node {

enum class Freshness : unsigned char {
  fresh,         // accept it
  began,         // accept it: the first frame of a session that has just proved to be alive
  restarted,     // the same, and the session before is over
  repeated,      // heard before, or too old
  unproven,      // of a session that has not proved to be alive
  duplicate_id,  // of a session that was replaced by another of the same id, which goes on, too
};

class Sessions {
 public:
  using Draw = std::function<std::uint64_t()>;
  struct Limits {
    std::size_t most_known = 2048;  // senders; the longest unheard is forgotten first
    std::size_t most_asked = 512;
    Duration ask_again = std::chrono::milliseconds(50);
    Duration double_patience = std::chrono::seconds(2);  // the later session may be silent for this
  };

  Sessions(NodeId self, Draw draw, Limits limits)
      : self_(self), draw_(std::move(draw)), limits_(limits) {}
  Sessions(NodeId self, Draw draw) : Sessions(self, std::move(draw), Limits{}) {}

  /// Without a look inside: whether it is worth opening. Changes nothing.
  bool worth_opening(const FrameHeader& heading) const;
  /// Of a frame that was opened.
  Freshness judge(Time now, const FrameHeader& heading, const std::vector<Challenge>& proofs);

  /// Whom to ask, if it is time to: after frames that were unproven.
  std::vector<Challenge> take_asks(Time now);
  bool has_asks() const { return !to_ask_.empty(); }

 private:
  struct Life {
    std::uint64_t session = 0;
    std::uint64_t highest = 0;
  };
  struct PeerSession : Life {
    std::uint64_t window = 0;  // bit i: highest - i has been heard
    Time heard{};
    std::optional<Life> before;  // the session that this one has replaced
  };
  struct Asked {
    std::uint64_t number = 0;
    std::optional<Time> last;
  };
  static constexpr std::uint64_t window_size = 64;

  static bool seen(const PeerSession& known, std::uint64_t number);
  static void take(PeerSession& known, std::uint64_t number);
  void ask(Time now, NodeId who);
  template <class Map, class Age>
  static void make_room(Map& map, std::size_t most, Age&& age);

  NodeId self_;
  Draw draw_;
  Limits limits_;
  std::map<NodeId, PeerSession> known_;
  std::map<NodeId, Asked> asked_;
  std::vector<NodeId> to_ask_;
};

}  // namespace bellwether::node
