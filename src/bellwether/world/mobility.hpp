// SPDX-License-Identifier: MIT
// How nodes move in the plane: metres and seconds. A path is a sequence of straight legs, each at
// constant speed, pulled one by one: a million nodes keep a few words each and no path ahead.
//
// Each node draws from its own stream, so that its path depends neither on the others nor on the
// order in which legs are asked for.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>

#include "bellwether/core/problem.hpp"
#include "bellwether/world/channel.hpp"
#include "bellwether/world/network.hpp"

namespace bellwether::world {

enum class MobilityModel : unsigned char {
  none,
  still,
  random_waypoint,
  random_walk,
  levy_walk,
  point_of_interest,
  gauss_markov,
  group,
  highway,
  trace
};
constexpr auto names_of(MobilityModel) {
  return std::array<std::string_view, 10>{
      "none",         "still", "random-waypoint", "random-walk", "levy-walk", "point-of-interest",
      "gauss-markov", "group", "highway",         "trace"};
}

/// What ends a leg of a random walk.
enum class WalkLeg : unsigned char { time, distance };
constexpr auto names_of(WalkLeg) {
  return std::array<std::string_view, 2>{"time", "distance"};
}

/// What a scenario says under [mobility]. Zero means "not given" where a key has no default.
struct MobilitySpec {
  MobilityModel model = MobilityModel::none;
  double width = 0;   // of the area, from x = 0 to the right
  double height = 0;  // of the area, from y = 0 upwards
  // Speeds and pause are those of Favier (2022, section 4.3.3).
  double speed_min = 5;
  double speed_max = 15;
  Duration pause = std::chrono::seconds(10);

  // Random walk. BonnMotion's RandomWalk has no default for what ends a leg; its limit is 60, be it
  // seconds or metres, and it has no pause: that is Favier's (section 5.3.2).
  WalkLeg leg = WalkLeg::time;
  Duration leg_time = std::chrono::seconds(60);
  double leg_distance = 60;

  // Levy walk. Exponents: Favier, section 5.3.2 (BonnMotion's TLW demands them and has no default).
  // Truncations: defaults of TLW. The time of a flight of l metres is k * l^(1-rho): TLW has k = 1
  // and rho = 0 built in; Rhee et al. (2011) measured k = 30.55 and rho = 0.89 below 500 m.
  double flight_alpha = 1;
  double flight_min = 5;
  double flight_max = 1000;
  double flight_k = 1;
  double flight_rho = 0;
  double pause_beta = 1;
  Duration pause_min = std::chrono::seconds(10);
  Duration pause_max = std::chrono::seconds(7200);

  // Point of interest: distance of the circles. The disc is connected for every range of at least
  // 1.25 times this, hence from 10 m on, the smallest range of Favier's section 4.3.
  double spacing = 8;

  // Gauss-Markov (Camp, Boleng and Davies 2002). Interval and deviations are the defaults of
  // BonnMotion's GaussMarkov, which has no memory of a mean; 0.75 is the memory of Camp's example.
  double memory = 0.75;
  double mean_speed = 0;  // 0: the middle of speed_min and speed_max
  double speed_deviation = 0.5;
  double direction_deviation = 0.3926990816987241;  // in radians: an eighth of pi
  Duration update = std::chrono::milliseconds(2500);
  double margin = 0;  // this near to the border, nodes turn inwards; 0: a tenth of the shorter side

  // Reference points (Hong et al. 1999).
  NodeIndex group_size = 5;
  double group_radius = 50;

  NodeIndex lanes = 2;  // highway: in each direction
  std::string file;     // trace
  friend bool operator==(const MobilitySpec&, const MobilitySpec&) = default;
};

std::span<const NamedFact> mobility_models();

/// Lanes of a highway are this many metres apart.
inline constexpr double lane_width = 4;

/// A straight piece of a path: at `from` when it begins, then at (vx, vy) metres a second.
struct Leg {
  Time begin{};
  Time end{};  // end_of_time: it never ends
  Point from{};
  double vx = 0;
  double vy = 0;
  Point at(Time t) const {
    const double s = core::seconds(t - begin);
    return {from.x + vx * s, from.y + vy * s};
  }
  friend bool operator==(const Leg&, const Leg&) = default;
};

struct Extent {
  Point low{};
  Point high{};
};

class Motion {
 public:
  virtual ~Motion() = default;
  /// The next leg of this node. Its first begins at time 0, each further one when and exactly where
  /// the one before ends; none is empty. After a leg without end, do not ask again.
  virtual Leg next(NodeIndex u) = 0;
  /// Where all nodes are at all times.
  virtual Extent bounds() const = 0;
};

/// Refuses what cannot be used, whatever the network. Throws Problem; keys have no "mobility.".
void require_sound(const MobilitySpec& spec);

/// Throws Problem where a trace is at fault. Fixed nodes stay at their places, scaled
/// to the area; wired ones are at the origin. Model and trace move the k-th mobile node as node k.
std::unique_ptr<Motion> make_motion(const MobilitySpec& spec, const Network& network,
                                    std::uint64_t seed);

}  // namespace bellwether::world
