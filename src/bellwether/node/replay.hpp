// SPDX-License-Identifier: MIT
// Replays a recording of a node through the same code.
#pragma once

#include <functional>
#include <iosfwd>

#include "bellwether/node/recorder.hpp"

namespace bellwether::node {

struct EngineReplay {
  EngineSpec spec;
  std::uint64_t calls = 0;
  std::uint64_t frames = 0;  // that the node sent
  Time first{};
  Time last{};
  struct LeaderChange {
    Time at{};
    std::optional<NodeId> leader;
  };
  std::vector<LeaderChange> changes;  // of the leader, as replayed
  std::vector<NodeId> neighbours;     // at the end
  std::size_t members = 0;            // at the end
  std::string state;                  // at the end
  std::string difference;             // the first answer that was not as recorded; empty: none
};

/// Notified of each call, with the engine's answer and the engine itself after it.
using OnCall =
    std::function<void(const EngineCall& call, const CallResult& answer, const Engine& after)>;

/// `path` is for complaints. A last line that is cut short is left out: the node was killed. Throws
/// Problem where the algorithm is not there.
EngineReplay replay(std::istream& in, const std::string& path,
                    const catalogue::Algorithms& algorithms, const OnCall& on_call = {});

}  // namespace bellwether::node
