// SPDX-License-Identifier: MIT
#include "bellwether/world/mobility.hpp"

#include <cmath>
#include <numbers>

#include "bellwether/core/problem.hpp"
#include "bellwether/world/mobility_parts.hpp"
#include "bellwether/world/mobility_trace.hpp"
#include "bellwether/world/topology_parts.hpp"

namespace bellwether::world {

namespace parts {

Duration duration(double seconds) {
  const double ns = std::round(seconds * 1e9);
  if (!(ns < 9e18)) return Duration::max();
  return Duration{static_cast<std::int64_t>(std::max(ns, 0.0))};
}

Time after(Time now, Duration d) {
  return d >= core::end_of_time - now ? core::end_of_time : now + d;
}

double between(core::Prng& prng, double least, double most) {
  return least + (most - least) * prng.unit();
}

double gaussian(core::Prng& prng) {
  const double length = std::sqrt(-2 * std::log(1 - prng.unit()));  // Box and Muller
  return length * std::cos(2 * std::numbers::pi * prng.unit());
}

Point anywhere(core::Prng& prng, const Extent& box) {
  const double x = between(prng, box.low.x, box.high.x);
  return {x, between(prng, box.low.y, box.high.y)};
}

Point within_disc(core::Prng& prng, double radius) {
  const double length = radius * std::sqrt(prng.unit());
  const double direction = 2 * std::numbers::pi * prng.unit();
  return {length * std::cos(direction), length * std::sin(direction)};
}

double distance(Point a, Point b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

Leg straight(Time begin, Time end, Point from, Point to) {
  const double s = core::seconds(end - begin);
  return {begin, end, from, (to.x - from.x) / s, (to.y - from.y) / s};
}

Leg Track::stay(Duration d) {
  const Leg leg{now, after(now, std::max(d, Duration{1})), at, 0, 0};
  now = leg.end;
  return leg;
}

Leg Track::go(Point to, double speed) {
  const double length = distance(at, to);
  const Duration takes = length > 0 ? duration(length / speed) : Duration{1};
  const Time end = after(now, std::max(takes, Duration{1}));
  return end == core::end_of_time ? stay(Duration::max()) : go_until(to, end);
}

Leg Track::go_until(Point to, Time end) {
  const Leg leg = straight(now, end, at, to);
  at = to;
  now = end;
  return leg;
}

namespace {

/// Outwards at the border becomes inwards.
void reflect(double at, double low, double high, double& v) {
  if ((v > 0 && at >= high) || (v < 0 && at <= low)) v = -v;
}

double until_border(double at, double low, double high, double v) {
  if (v > 0) return (high - at) / v;
  return v < 0 ? (low - at) / v : std::numeric_limits<double>::infinity();
}

}  // namespace

Leg ReflectedPath::next(Track& track, const Extent& area) {
  const auto& [low, high] = area;
  reflect(track.at.x, low.x, high.x, vx);
  reflect(track.at.y, low.y, high.y, vy);
  if (vx == 0 && vy == 0) {
    const Leg leg = track.stay(left);
    left = {};
    return leg;
  }
  const double x = until_border(track.at.x, low.x, high.x, vx);
  const double y = until_border(track.at.y, low.y, high.y, vy);
  const double free = core::seconds(left);
  const double s = std::min({x, y, free});
  Point to{std::clamp(track.at.x + vx * s, low.x, high.x),
           std::clamp(track.at.y + vy * s, low.y, high.y)};
  if (x <= s) to.x = vx > 0 ? high.x : low.x;
  if (y <= s) to.y = vy > 0 ? high.y : low.y;
  const Duration takes = std::clamp(duration(s), Duration{1}, left);
  left -= takes;
  const Time end = after(track.now, takes);
  if (end == core::end_of_time) return track.stay(Duration::max());
  return track.go_until(to, end);
}

}  // namespace parts

namespace {

using parts::text;

constexpr std::array<NamedFact, 10> facts{{
    {core::name_of(MobilityModel::none), "nodes do not move; the topology decides the links"},
    {core::name_of(MobilityModel::still),
     "nodes do not move; their positions are random, or those of the topology (keys: width, "
     "height)"},
    {core::name_of(MobilityModel::random_waypoint),
     "each node moves straight to a random position at a random speed, pauses, and repeats (keys: "
     "width, height, "
     "speed_min, speed_max, pause)"},
    {core::name_of(MobilityModel::random_walk),
     "each node moves in a random direction at a random speed, is reflected at the border, and "
     "pauses (keys: width, "
     "height, speed_min, speed_max, pause, leg, leg_time, leg_distance)"},
    {core::name_of(MobilityModel::levy_walk),
     "truncated Levy walk: many short flights and few long ones, as people walk (keys: width, "
     "height, "
     "flight_alpha, flight_min, flight_max, flight_k, flight_rho, pause_beta, pause_min, "
     "pause_max)"},
    {core::name_of(MobilityModel::point_of_interest),
     "nodes move from circles around the centre to random positions and back; the next trip begins "
     "when all are back (keys: "
     "width, height, speed_min, speed_max, pause, spacing)"},
    {core::name_of(MobilityModel::gauss_markov),
     "speed and direction change gradually (keys: width, height, speed_min, speed_max, "
     "memory, mean_speed, speed_deviation, direction_deviation, update, margin)"},
    {core::name_of(MobilityModel::group),
     "groups move from position to position; members stay near the centre of their group (keys: "
     "width, height, "
     "speed_min, speed_max, pause, group_size, group_radius)"},
    {core::name_of(MobilityModel::highway),
     "each node drives along a straight road at its own speed, and back in the opposite direction "
     "(keys: width, "
     "speed_min, speed_max, lanes)"},
    {core::name_of(MobilityModel::trace),
     "nodes follow a BonnMotion or ns-2 file (keys: file, width, height)"},
}};

void refuse_unless(bool sound, const char* key, const std::string& sentence) {
  if (!sound) throw core::Problem(key, sentence);
}

/// Finite and not negative: what TOML lets through may still come from elsewhere.
void require_amounts(const MobilitySpec& s) {
  const std::array<std::pair<const char*, double>, 16> amounts{
      {{"width", s.width},
       {"height", s.height},
       {"speed_min", s.speed_min},
       {"speed_max", s.speed_max},
       {"leg_distance", s.leg_distance},
       {"flight_alpha", s.flight_alpha},
       {"flight_min", s.flight_min},
       {"flight_max", s.flight_max},
       {"flight_k", s.flight_k},
       {"flight_rho", s.flight_rho},
       {"pause_beta", s.pause_beta},
       {"spacing", s.spacing},
       {"mean_speed", s.mean_speed},
       {"speed_deviation", s.speed_deviation},
       {"direction_deviation", s.direction_deviation},
       {"margin", s.margin}}};
  for (const auto& [key, amount] : amounts)
    refuse_unless(amount >= 0 && amount <= 1e9, key, "must be from 0 to 1e9, not " + text(amount));
}

void require_speeds(const MobilitySpec& s) {
  refuse_unless(s.speed_min <= s.speed_max, "speed_min",
                "the lowest speed is " + text(s.speed_min) + ", the highest is " +
                    text(s.speed_max) + "; lower speed_min or raise speed_max");
  refuse_unless(s.speed_max > 0, "speed_max",
                "must be above 0, or no node moves; raise speed_max, or write model = \"still\"");
}

void require_levy(const MobilitySpec& s) {
  refuse_unless(
      s.flight_alpha >= 0.1 && s.flight_alpha <= 2, "flight_alpha",
      "the exponent of flight lengths must be from 0.1 to 2, not " + text(s.flight_alpha));
  refuse_unless(s.pause_beta >= 0.1 && s.pause_beta <= 2, "pause_beta",
                "the exponent of pauses must be from 0.1 to 2, not " + text(s.pause_beta));
  refuse_unless(s.flight_min > 0, "flight_min", "flights have a length; raise flight_min above 0");
  refuse_unless(s.flight_min <= s.flight_max, "flight_min",
                "the shortest flight is " + text(s.flight_min) + " m, the longest is " +
                    text(s.flight_max) + " m; lower flight_min or raise flight_max");
  refuse_unless(s.pause_min <= s.pause_max, "pause_min",
                "the shortest pause is " + core::to_text(s.pause_min) + ", the longest is " +
                    core::to_text(s.pause_max) + "; lower pause_min or raise pause_max");
  refuse_unless(s.flight_k > 0, "flight_k", "flights take time; raise flight_k above 0");
  refuse_unless(s.flight_rho <= 1, "flight_rho", "must be from 0 to 1, not " + text(s.flight_rho));
}

void require_group(const MobilitySpec& s) {
  refuse_unless(s.group_size > 0, "group_size",
                "a group has members; write for instance group_size = 5");
  refuse_unless(2 * s.group_radius <= std::min(s.width, s.height), "group_radius",
                "a group of radius " + text(s.group_radius) + " m does not fit into an area of " +
                    text(s.width) + " by " + text(s.height) +
                    " m; lower group_radius or enlarge the area");
}

/// Stays where it is: nodes that never move, and all that no model moves.
class Still final : public Motion {
 public:
  Still(std::vector<Point> places, Extent bounds) : places_(std::move(places)), bounds_(bounds) {}
  Leg next(NodeIndex u) override { return {Time{}, core::end_of_time, places_[u], 0, 0}; }
  Extent bounds() const override { return bounds_; }

 private:
  std::vector<Point> places_;
  Extent bounds_;
};

std::unique_ptr<Motion> still(const MobilitySpec& spec, NodeIndex nodes, std::uint64_t seed) {
  std::vector<Point> places(nodes);
  for (NodeIndex u = 0; u < nodes; ++u) {
    core::Prng prng = core::stream(seed, "mobility", u);
    places[u] = parts::anywhere(prng, parts::area_of(spec));
  }
  return std::make_unique<Still>(std::move(places), parts::area_of(spec));
}

std::unique_ptr<Motion> trace(const MobilitySpec& spec, NodeIndex nodes, std::uint64_t) {
  return follow(read_trace_file(spec.file, {nodes, spec.width, spec.height}));
}

std::unique_ptr<Motion> nobody(const MobilitySpec&, NodeIndex, std::uint64_t) {
  throw core::Problem(
      "model", "nodes move only with a model; write for instance model = \"random-waypoint\"");
}

/// In the order of MobilityModel.
constexpr std::array<parts::MakeMotion, facts.size()> makers{
    nobody,
    still,
    parts::random_waypoint,
    parts::random_walk,
    parts::levy_walk,
    parts::point_of_interest,
    parts::gauss_markov,
    parts::group,
    parts::highway,
    trace,
};

/// Some nodes move by a model, the others stay.
class Mixed final : public Motion {
 public:
  Mixed(std::unique_ptr<Motion> mobile, std::vector<NodeIndex> rank, std::vector<Point> places)
      : mobile_(std::move(mobile)), rank_(std::move(rank)), places_(std::move(places)) {}

  static constexpr NodeIndex stays = 0xFFFF'FFFF;

  Leg next(NodeIndex u) override {
    if (rank_[u] != stays) return mobile_->next(rank_[u]);
    return {Time{}, core::end_of_time, places_[u], 0, 0};
  }
  Extent bounds() const override {
    Extent box = mobile_->bounds();
    for (NodeIndex u = 0; u < rank_.size(); ++u) {
      if (rank_[u] != stays) continue;
      box.low = {std::min(box.low.x, places_[u].x), std::min(box.low.y, places_[u].y)};
      box.high = {std::max(box.high.x, places_[u].x), std::max(box.high.y, places_[u].y)};
    }
    return box;
  }

 private:
  std::unique_ptr<Motion> mobile_;
  std::vector<NodeIndex> rank_;
  std::vector<Point> places_;
};

std::vector<Point> scaled(const Network& network, const MobilitySpec& spec) {
  std::vector<Point> places(network.nodes);
  for (NodeIndex u = 0; u < network.places.size(); ++u)
    places[u] = {network.places[u].x * spec.width, network.places[u].y * spec.height};
  return places;
}

}  // namespace

std::span<const NamedFact> mobility_models() {
  return facts;
}

void require_sound(const MobilitySpec& spec) {
  using enum MobilityModel;
  require_amounts(spec);
  const MobilityModel model = spec.model;
  if (model == none) return;
  if (model == trace) {
    refuse_unless(
        !spec.file.empty(), "file",
        "model \"trace\" needs the path of a trace; write for instance file = \"my.movements\"");
    return;
  }
  refuse_unless(spec.width > 0, "width",
                "nodes that move need an area; write for instance width = 900 (metres)");
  refuse_unless(spec.height > 0 || model == highway, "height",
                "nodes that move need an area; write for instance height = 900 (metres)");
  if (model != still && model != levy_walk) require_speeds(spec);
  if (model == levy_walk) require_levy(spec);
  if (model == group) require_group(spec);
  if (model == random_walk) {
    refuse_unless(spec.leg_distance > 0, "leg_distance", "a leg has a length; raise it above 0");
    refuse_unless(spec.leg_time > Duration{0}, "leg_time", "a leg takes time; raise it above 0");
  }
  if (model == gauss_markov) {
    refuse_unless(spec.memory >= 0 && spec.memory <= 1, "memory",
                  "must be from 0 (no memory) to 1 (no change), not " + text(spec.memory));
    refuse_unless(spec.update > Duration{0}, "update", "updates take time; raise it above 0");
  }
  refuse_unless(spec.lanes > 0 && spec.lanes <= 1000, "lanes",
                "must be from 1 to 1000 lanes in each direction, not " + text(spec.lanes));
}

std::unique_ptr<Motion> make_motion(const MobilitySpec& spec, const Network& network,
                                    std::uint64_t seed) {
  require_sound(spec);
  const auto make = makers[static_cast<std::size_t>(spec.model)];
  std::vector<NodeIndex> rank(network.nodes);
  NodeIndex mobile = 0;
  for (NodeIndex u = 0; u < network.nodes; ++u)
    rank[u] = kind_of(network, u) == NodeKind::mobile ? mobile++ : Mixed::stays;
  if (spec.model == MobilityModel::still && network.places.size() == network.nodes &&
      mobile == network.nodes)
    return std::make_unique<Still>(scaled(network, spec), parts::area_of(spec));
  auto motion = make(spec, mobile, seed);
  if (mobile == network.nodes) return motion;
  return std::make_unique<Mixed>(std::move(motion), std::move(rank), scaled(network, spec));
}

}  // namespace bellwether::world
