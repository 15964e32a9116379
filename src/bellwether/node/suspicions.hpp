// SPDX-License-Identifier: MIT
// What a mistake somewhere in the group looks like from here: frames that arrive and cannot be
// used, and where they come from. The node warns when it first sees a kind, and again each minute
// for as long as it goes on. A value: time is handed in.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bellwether/core/ids.hpp"
#include "bellwether/core/time.hpp"
#include "bellwether/node/frame_source.hpp"

namespace bellwether::node {

class Suspicions {
 public:
  enum class Reason : unsigned char {
    other_key,
    not_sealed,
    other_election,
    other_algorithm,
    same_id,
    own_id
  };

  /// Frames of this kind come from there. `who`: the id that two nodes use, or whose algorithm is
  /// another one; `what`: which.
  void add(core::Time now, Reason kind, const FrameSource& from, core::NodeId who = {},
           const std::string& what = {});

  /// What was seen within the last minute, each in one sentence.
  std::vector<std::string> sentences(core::Time now) const;
  /// Those that have not been logged for a minute. They count as logged.
  std::vector<std::string> take_unlogged(core::Time now);

 private:
  struct SuspicionKey {
    Reason kind;
    core::NodeId who;
    friend auto operator<=>(const SuspicionKey&, const SuspicionKey&) = default;
  };
  struct Sightings {
    core::Time last{};
    std::optional<core::Time> logged;
    std::vector<FrameSource> sources;  // the first few
    std::string what;
    bool more_sources = false;
  };
  static std::string sentence(const SuspicionKey& key, const Sightings& seen);

  std::map<SuspicionKey, Sightings> all_;
};

}  // namespace bellwether::node
