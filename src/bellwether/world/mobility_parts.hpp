// SPDX-License-Identifier: MIT
// The makers behind mobility.hpp; no other source includes this.
#pragma once

#include <algorithm>
#include <vector>

#include "bellwether/world/mobility.hpp"

namespace bellwether::world::parts {

/// Saturates, so that what takes centuries never ends.
Duration duration(double seconds);
Time after(Time now, Duration d);

double between(core::Prng& prng, double least, double most);
/// Mean 0, deviation 1.
double gaussian(core::Prng& prng);
Point anywhere(core::Prng& prng, const Extent& box);
Point within_disc(core::Prng& prng, double radius);
double distance(Point a, Point b);

Leg straight(Time begin, Time end, Point from, Point to);

/// Where a node is, since when, and its draws.
struct Track {
  core::Prng prng;
  Point at{};
  Time now{};

  Leg stay(Duration d);
  /// At least a nanosecond; at speed 0 it stays where it is.
  Leg go(Point to, double speed);
  Leg go_until(Point to, Time end);
};

/// A path that is reflected at the border of the area.
struct ReflectedPath {
  double vx = 0;
  double vy = 0;
  Duration left{};

  Leg next(Track& track, const Extent& area);  // something must be left
};

inline Extent area_of(const MobilitySpec& spec) {
  return {{0, 0}, {spec.width, spec.height}};
}

/// Nodes that move each on its own: Walker(spec, node, its stream, seed), Leg next(spec).
template <class Walker>
class Walkers final : public Motion {
 public:
  Walkers(const MobilitySpec& spec, NodeIndex nodes, std::uint64_t seed) : spec_(spec) {
    walkers_.reserve(nodes);
    for (NodeIndex u = 0; u < nodes; ++u)
      walkers_.emplace_back(spec_, u, core::stream(seed, "mobility", u), seed);
  }
  Leg next(NodeIndex u) override { return walkers_[u].next(spec_); }
  Extent bounds() const override { return Walker::bounds(spec_); }

 private:
  MobilitySpec spec_;
  std::vector<Walker> walkers_;
};

using MakeMotion = std::unique_ptr<Motion> (*)(const MobilitySpec& spec, NodeIndex nodes,
                                               std::uint64_t seed);

std::unique_ptr<Motion> random_waypoint(const MobilitySpec&, NodeIndex nodes, std::uint64_t seed);
std::unique_ptr<Motion> random_walk(const MobilitySpec&, NodeIndex nodes, std::uint64_t seed);
std::unique_ptr<Motion> levy_walk(const MobilitySpec&, NodeIndex nodes, std::uint64_t seed);
std::unique_ptr<Motion> point_of_interest(const MobilitySpec&, NodeIndex nodes, std::uint64_t seed);
std::unique_ptr<Motion> gauss_markov(const MobilitySpec&, NodeIndex nodes, std::uint64_t seed);
std::unique_ptr<Motion> group(const MobilitySpec&, NodeIndex nodes, std::uint64_t seed);
std::unique_ptr<Motion> highway(const MobilitySpec&, NodeIndex nodes, std::uint64_t seed);

}  // namespace bellwether::world::parts
