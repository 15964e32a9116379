// SPDX-License-Identifier: MIT
// Nodes that share something: a place to meet, a group, a road.
#include <cmath>
#include <numbers>

#include "bellwether/core/problem.hpp"
#include "bellwether/world/mobility_parts.hpp"

namespace bellwether::world::parts {

namespace {

/// Circles around the centre of the area: one node in the middle, 6 on the first circle, 12 on the
/// second, and so on; those of the last one are spread evenly. Neighbours on a circle are at most
/// 1.05 spacings apart, and each node is within 1.25 spacings of the circle below.
Point circle_place(NodeIndex u, NodeIndex nodes, double spacing, Point centre) {
  if (u == 0) return centre;
  // Before circle k there are 1 + 3k(k-1) nodes.
  const auto before = [](std::uint64_t k) { return 1 + 3 * k * (k - 1); };
  auto circle = static_cast<std::uint64_t>((3 + std::sqrt(12.0 * u - 3)) / 6);
  while (before(circle) > u) --circle;
  while (before(circle + 1) <= u) ++circle;
  const std::uint64_t first = before(circle);
  const double on_it = static_cast<double>(std::min(6 * circle, nodes - first));
  const double direction = 2 * std::numbers::pi * static_cast<double>(u - first) / on_it;
  const double radius = spacing * static_cast<double>(circle);
  return {centre.x + radius * std::cos(direction), centre.y + radius * std::sin(direction)};
}

/// The cycle of Favier (2022), section 4.3.3. Its end depends on all nodes. What a node does in a
/// cycle is drawn from the numbers of both, so that the first caller can find the end.
class PointOfInterest final : public Motion {
 public:
  PointOfInterest(const MobilitySpec& spec, NodeIndex nodes, std::uint64_t seed)
      : spec_(spec), seed_(seed), states_(nodes) {
    if (nodes == 0) return;
    const Point centre{spec.width / 2, spec.height / 2};
    if (2 * distance(place(nodes - 1), centre) > std::min(spec.width, spec.height))
      throw core::Problem("spacing",
                          "circles for all nodes do not fit into the area; lower spacing");
    for (NodeIndex u = 0; u < nodes; ++u) states_[u].at = place(u);
  }

  Leg next(NodeIndex u) override {
    VisitorState& state = states_[u];
    Track track{core::Prng{}, state.at, state.now};
    const Leg leg = next(u, state, track);
    state.at = track.at;
    state.now = track.now;
    return leg;
  }
  Extent bounds() const override { return area_of(spec_); }

 private:
  enum class VisitStage : unsigned char { at_home, out, there, back };
  struct VisitorState {
    Point at{};
    Time now{};
    std::uint32_t cycle = 0;
    VisitStage stage = VisitStage::at_home;
  };
  struct VisitPlan {
    Point to;
    double speed_out;
    double speed_back;
  };

  Point place(NodeIndex u) const {
    return circle_place(u, static_cast<NodeIndex>(states_.size()), spec_.spacing,
                        {spec_.width / 2, spec_.height / 2});
  }

  VisitPlan plan(NodeIndex u, std::uint32_t cycle) const {
    core::Prng prng = core::stream(core::stream_seed(seed_, "mobility", u), "cycle", cycle);
    const Point to = anywhere(prng, area_of(spec_));
    const double out = between(prng, spec_.speed_min, spec_.speed_max);
    return {to, out, between(prng, spec_.speed_min, spec_.speed_max)};
  }

  /// When all nodes set out.
  Time departure(std::uint32_t cycle) {
    while (gathered_.size() <= cycle) {
      const auto last = static_cast<std::uint32_t>(gathered_.size() - 1);
      Time all_back{};
      for (NodeIndex u = 0; u < states_.size(); ++u) {
        const VisitPlan p = plan(u, last);
        Track track{core::Prng{}, place(u), after(gathered_[last], spec_.pause)};
        track.go(p.to, p.speed_out);
        if (spec_.pause > Duration{0}) track.stay(spec_.pause);
        track.go(place(u), p.speed_back);
        all_back = std::max(all_back, track.now);
      }
      gathered_.push_back(all_back);
    }
    return after(gathered_[cycle], spec_.pause);
  }

  Leg next(NodeIndex u, VisitorState& state, Track& track) {
    const VisitPlan p = plan(u, state.cycle);
    switch (state.stage) {
      case VisitStage::at_home: {
        state.stage = VisitStage::out;
        const Time leaves = departure(state.cycle);
        if (leaves > track.now) return track.stay(leaves - track.now);
        [[fallthrough]];
      }
      case VisitStage::out:
        state.stage = VisitStage::there;
        return track.go(p.to, p.speed_out);
      case VisitStage::there:
        state.stage = VisitStage::back;
        if (spec_.pause > Duration{0}) return track.stay(spec_.pause);
        [[fallthrough]];
      case VisitStage::back:
        break;
    }
    state.stage = VisitStage::at_home;
    ++state.cycle;
    return track.go(place(u), p.speed_back);
  }

  MobilitySpec spec_;
  std::uint64_t seed_;
  std::vector<VisitorState> states_;
  std::vector<Time> gathered_{Time{}};  // by cycle: when all are at home
};

/// Every member walks the path of the middle for itself, from the group's stream: that costs a few
/// draws and saves looking after a shared path.
class GroupWalker {
 public:
  GroupWalker(const MobilitySpec& spec, NodeIndex u, core::Prng prng, std::uint64_t seed)
      : middle_{core::stream(seed, "mobility-group", u / spec.group_size)}, prng_(prng) {
    middle_.at = anywhere(middle_.prng, ground(spec));
    offset_ = within_disc(prng_, spec.group_radius);
    at_ = {middle_.at.x + offset_.x, middle_.at.y + offset_.y};
  }

  Leg next(const MobilitySpec& spec) {
    const Leg leg = step(spec);
    if (leg.end == core::end_of_time) return {leg.begin, leg.end, at_, 0, 0};
    // A new place relative to the middle, or as near to it as the member gets at its speed.
    const Point wish = within_disc(prng_, spec.group_radius);
    const double way = distance(offset_, wish);
    const double reach = spec.speed_max * core::seconds(leg.end - leg.begin);
    const double part = way > reach ? reach / way : 1;
    offset_ = {offset_.x + part * (wish.x - offset_.x), offset_.y + part * (wish.y - offset_.y)};
    const Point to{std::clamp(middle_.at.x + offset_.x, 0.0, spec.width),
                   std::clamp(middle_.at.y + offset_.y, 0.0, spec.height)};
    return straight(leg.begin, leg.end, std::exchange(at_, to), to);
  }

  static Extent bounds(const MobilitySpec& spec) { return area_of(spec); }

 private:
  /// Where the middle may be, so that all members are in the area.
  static Extent ground(const MobilitySpec& spec) {
    const double r = spec.group_radius;
    return {{r, r}, {spec.width - r, spec.height - r}};
  }

  Leg step(const MobilitySpec& spec) {
    if (std::exchange(arrived_, false) && spec.pause > Duration{0}) return middle_.stay(spec.pause);
    arrived_ = true;
    const Point to = anywhere(middle_.prng, ground(spec));
    return middle_.go(to, between(middle_.prng, spec.speed_min, spec.speed_max));
  }

  Track middle_;
  core::Prng prng_;
  Point offset_{};
  Point at_{};
  bool arrived_ = false;
};

/// Lanes lie above each other, those to the right below those to the left; the outermost lane of
/// one direction turns into the outermost of the other.
class HighwayWalker {
 public:
  HighwayWalker(const MobilitySpec& spec, NodeIndex, core::Prng prng, std::uint64_t)
      : track_{prng} {
    lane_ = static_cast<NodeIndex>(track_.prng.below(spec.lanes));
    rightwards_ = track_.prng.below(2) == 0;
    speed_ = between(track_.prng, spec.speed_min, spec.speed_max);
    track_.at = {spec.width * track_.prng.unit(), lane_y(spec)};
  }

  Leg next(const MobilitySpec& spec) {
    if (!std::exchange(at_end_, !at_end_))
      return track_.go({rightwards_ ? spec.width : 0, track_.at.y}, speed_);
    rightwards_ = !rightwards_;
    return track_.go({track_.at.x, lane_y(spec)}, speed_);
  }

  static Extent bounds(const MobilitySpec& spec) {
    return {{0, 0}, {spec.width, 2 * lane_width * spec.lanes}};
  }

 private:
  double lane_y(const MobilitySpec& spec) const {
    return lane_width * ((rightwards_ ? lane_ : 2 * spec.lanes - 1 - lane_) + 0.5);
  }

  Track track_;
  double speed_ = 0;
  NodeIndex lane_ = 0;
  bool rightwards_ = true;
  bool at_end_ = false;
};

}  // namespace

std::unique_ptr<Motion> point_of_interest(const MobilitySpec& spec, NodeIndex nodes,
                                          std::uint64_t seed) {
  return std::make_unique<PointOfInterest>(spec, nodes, seed);
}

std::unique_ptr<Motion> group(const MobilitySpec& spec, NodeIndex nodes, std::uint64_t seed) {
  return std::make_unique<Walkers<GroupWalker>>(spec, nodes, seed);
}

std::unique_ptr<Motion> highway(const MobilitySpec& spec, NodeIndex nodes, std::uint64_t seed) {
  return std::make_unique<Walkers<HighwayWalker>>(spec, nodes, seed);
}

}  // namespace bellwether::world::parts
