// SPDX-License-Identifier: MIT
// What a mistake somewhere in the group looks like from here: frames that are heard and cannot be
// used. Each kind is told when it is first seen, and again each minute for as long as it goes on.
// A value: time is handed in.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bellwether/core/ids.hpp"
#include "bellwether/core/time.hpp"

namespace bellwether::node {

class Suspicions {
 public:
  enum class Kind : unsigned char { other_key, not_sealed, other_election, same_id };

  /// `who`: the id that two nodes use; of the others nobody is known.
  void see(core::Time now, Kind kind, core::NodeId who = {});

  /// What was seen within the last minute, each in one sentence.
  std::vector<std::string> sentences(core::Time now) const;
  /// Those that have not been told for a minute. They count as told.
  std::vector<std::string> take_untold(core::Time now);

 private:
  struct Key {
    Kind kind;
    core::NodeId who;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct Times {
    core::Time seen{};
    std::optional<core::Time> told;
  };
  static std::string sentence(const Key& key);

  std::map<Key, Times> all_;
};

}  // namespace bellwether::node
