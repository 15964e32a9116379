// SPDX-License-Identifier: MIT
// What a leader concludes from four hundred waves, in words: the story of BeatHandover and of its
// mutants. Beside the leader, 5, there are a heavy child, 3, and a light one, 7; what they report
// is made up, so that each rule decides something somewhere.
#pragma once

#include <map>
#include <string>

#include "bellwether/algorithms/moving/drumbeat_tree.hpp"

namespace bellwether::searches {

/// The stories of the mutants, by name: mutants.cmake.
const std::map<std::string, std::string (*)()>& handovers();

/// The tree of a leader whose neighbours report whatever a story says.
class ToldTree {
 public:
  /// How the network is at a wave.
  struct Scene {
    std::uint32_t heavy = 6, light = 3;             // nodes below the children
    std::uint32_t far = 40;                         // to the leader
    std::uint32_t priority = core::usual_priority;  // of the light child
    bool moving = false;
    std::uint32_t nearer = 0;  // in hundredths, of whoever is on trial
    std::uint32_t spread = 1;  // more of it for some
  };

  void hear(algorithms::WaveNews& news, const Scene& scene);
  const algorithms::BeatTree& tree() const { return tree_; }

 private:
  void child(std::uint64_t id, std::uint32_t below, std::uint32_t priority,
             const algorithms::WaveNews& news, const Scene& scene);

  algorithms::BeatTree tree_{core::NodeId{5}};
  std::uint32_t waves_ = 0;
};

std::string words_of(const algorithms::WaveNews& news, std::uint32_t weight);
/// The scene of each wave, and the priority of the leader.
ToldTree::Scene scene_of(std::uint32_t wave);
std::uint32_t priority_at(std::uint32_t wave);

template <class Handover>
std::string tell_story() {
  std::string out;
  ToldTree told;
  Handover leader;
  algorithms::WaveNews news;
  leader.begin(1);
  for (std::uint32_t wave = 0; wave < 400; ++wave) {
    told.hear(news, scene_of(wave));
    const std::uint32_t priority = priority_at(wave);
    if (priority != priority_at(wave - 1))
      out += leader.give_way(told.tree(), news, priority) ? "gives way\n" : "stays\n";
    leader.on_echo(told.tree(), news, core::NodeId{5}, priority, wave, {50, 100});
    out += words_of(news, leader.weight());
  }
  return out;
}

}  // namespace bellwether::searches
