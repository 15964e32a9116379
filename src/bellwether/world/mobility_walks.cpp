// SPDX-License-Identifier: MIT
// Nodes that walk each on its own: random waypoint, random walk, Levy walk, Gauss-Markov.
#include <cmath>
#include <numbers>

#include "bellwether/world/mobility_parts.hpp"

namespace bellwether::world::parts {

namespace {

constexpr double full_turn = 2 * std::numbers::pi;

class WaypointWalker {
 public:
  WaypointWalker(const MobilitySpec& spec, NodeIndex, core::Prng prng, std::uint64_t)
      : track_{prng} {
    track_.at = anywhere(track_.prng, area_of(spec));
  }

  Leg next(const MobilitySpec& spec) {
    if (std::exchange(arrived_, false) && spec.pause > Duration{0}) return track_.stay(spec.pause);
    arrived_ = true;
    const Point to = anywhere(track_.prng, area_of(spec));
    return track_.go(to, between(track_.prng, spec.speed_min, spec.speed_max));
  }

  static Extent bounds(const MobilitySpec& spec) { return area_of(spec); }

 private:
  Track track_;
  bool arrived_ = false;
};

class RandomWalker {
 public:
  RandomWalker(const MobilitySpec& spec, NodeIndex, core::Prng prng, std::uint64_t) : track_{prng} {
    track_.at = anywhere(track_.prng, area_of(spec));
  }

  Leg next(const MobilitySpec& spec) {
    if (heading_.left == Duration{0}) {
      if (std::exchange(walked_, false) && spec.pause > Duration{0}) return track_.stay(spec.pause);
      walked_ = true;
      const double direction = full_turn * track_.prng.unit();
      const double speed = between(track_.prng, spec.speed_min, spec.speed_max);
      const Duration takes =
          spec.leg == WalkLeg::time ? spec.leg_time : duration(spec.leg_distance / speed);
      heading_ = {speed * std::cos(direction), speed * std::sin(direction),
                  std::max(takes, Duration{1})};
    }
    return heading_.next(track_, area_of(spec));
  }

  static Extent bounds(const MobilitySpec& spec) { return area_of(spec); }

 private:
  Track track_;
  ReflectedPath heading_;
  bool walked_ = false;
};

/// A draw of the symmetric stable law (Chambers, Mallows and Stuck 1976).
double stable(core::Prng& prng, double exponent, double scale) {
  const double angle = std::numbers::pi * (prng.unit() - 0.5);
  const double wait = -std::log(1 - prng.unit());
  if (exponent == 1) return scale * std::tan(angle);
  const double rest = (1 - exponent) * angle;
  return scale * std::sin(exponent * angle) / std::pow(std::cos(angle), 1 / exponent) *
         std::pow(std::cos(rest) / wait, (1 - exponent) / exponent);
}

/// A stable draw between two bounds. Where these are so far out that draws hardly ever fall there,
/// the law is a power law as good as exactly, and that is drawn directly.
double truncated(core::Prng& prng, double exponent, double scale, double least, double most) {
  for (int tries = 0; tries < 1000; ++tries) {
    const double length = std::abs(stable(prng, exponent, scale));
    if (length >= least && length <= most) return length;
  }
  if (!(least > 0)) return between(prng, least, most);
  const double low = std::pow(least, -exponent);
  const double high = std::pow(most, -exponent);
  return std::clamp(std::pow(low - prng.unit() * (low - high), -1 / exponent), least, most);
}

/// Scales are those that BonnMotion's TLW has built in: 10 m for flights and 1 s for pauses. Unlike
/// TLW we neither round to metres and seconds nor look at the node only once a minute.
class LevyWalker {
 public:
  LevyWalker(const MobilitySpec& spec, NodeIndex, core::Prng prng, std::uint64_t) : track_{prng} {
    track_.at = anywhere(track_.prng, area_of(spec));
  }

  Leg next(const MobilitySpec& spec) {
    if (heading_.left == Duration{0}) {
      if (std::exchange(flew_, false)) {
        const double pause =
            truncated(track_.prng, spec.pause_beta, 1, core::seconds(spec.pause_min),
                      core::seconds(spec.pause_max));
        if (pause > 0) return track_.stay(duration(pause));
      }
      flew_ = true;
      const double direction = full_turn * track_.prng.unit();
      const double length =
          truncated(track_.prng, spec.flight_alpha, 10, spec.flight_min, spec.flight_max);
      const double takes = spec.flight_k * std::pow(length, 1 - spec.flight_rho);
      const double speed = length / takes;
      heading_ = {speed * std::cos(direction), speed * std::sin(direction),
                  std::max(duration(takes), Duration{1})};
    }
    return heading_.next(track_, area_of(spec));
  }

  static Extent bounds(const MobilitySpec& spec) { return area_of(spec); }

 private:
  Track track_;
  ReflectedPath heading_;
  bool flew_ = false;
};

/// Near the border the mean direction turns inwards, as in Camp et al.; a node that reaches the
/// border all the same is reflected.
class GaussMarkovWalker {
 public:
  GaussMarkovWalker(const MobilitySpec& spec, NodeIndex, core::Prng prng, std::uint64_t)
      : track_{prng} {
    track_.at = anywhere(track_.prng, area_of(spec));
    mean_ = direction_ = full_turn * track_.prng.unit();
    speed_ = mean_speed(spec);
  }

  Leg next(const MobilitySpec& spec) {
    if (heading_.left == Duration{0}) {
      update(spec);
      heading_ = {speed_ * std::cos(direction_), speed_ * std::sin(direction_), spec.update};
    }
    const Leg leg = heading_.next(track_, area_of(spec));
    // What the border has reflected is where it goes on.
    if (heading_.vx != 0 || heading_.vy != 0) direction_ = std::atan2(heading_.vy, heading_.vx);
    return leg;
  }

  static Extent bounds(const MobilitySpec& spec) { return area_of(spec); }

 private:
  static double mean_speed(const MobilitySpec& spec) {
    return spec.mean_speed > 0 ? spec.mean_speed : (spec.speed_min + spec.speed_max) / 2;
  }

  void update(const MobilitySpec& spec) {
    const double margin = spec.margin > 0 ? spec.margin : std::min(spec.width, spec.height) / 10;
    const auto inwards = [margin](double at, double size) {
      return (at < margin ? 1.0 : 0.0) - (at > size - margin ? 1.0 : 0.0);
    };
    const double x = inwards(track_.at.x, spec.width);
    const double y = inwards(track_.at.y, spec.height);
    if (x != 0 || y != 0) mean_ = std::atan2(y, x);
    const double keep = spec.memory;
    const double noise = std::sqrt(1 - keep * keep);
    speed_ = keep * speed_ + (1 - keep) * mean_speed(spec) +
             noise * spec.speed_deviation * gaussian(track_.prng);
    speed_ = std::clamp(speed_, spec.speed_min, spec.speed_max);
    // The shorter way round.
    direction_ += (1 - keep) * std::remainder(mean_ - direction_, full_turn) +
                  noise * spec.direction_deviation * gaussian(track_.prng);
  }

  Track track_;
  ReflectedPath heading_;
  double speed_ = 0;
  double direction_ = 0;
  double mean_ = 0;
};

}  // namespace

std::unique_ptr<Motion> random_waypoint(const MobilitySpec& spec, NodeIndex nodes,
                                        std::uint64_t seed) {
  return std::make_unique<Walkers<WaypointWalker>>(spec, nodes, seed);
}

std::unique_ptr<Motion> random_walk(const MobilitySpec& spec, NodeIndex nodes, std::uint64_t seed) {
  return std::make_unique<Walkers<RandomWalker>>(spec, nodes, seed);
}

std::unique_ptr<Motion> levy_walk(const MobilitySpec& spec, NodeIndex nodes, std::uint64_t seed) {
  return std::make_unique<Walkers<LevyWalker>>(spec, nodes, seed);
}

std::unique_ptr<Motion> gauss_markov(const MobilitySpec& spec, NodeIndex nodes,
                                     std::uint64_t seed) {
  return std::make_unique<Walkers<GaussMarkovWalker>>(spec, nodes, seed);
}

}  // namespace bellwether::world::parts
