// SPDX-License-Identifier: MIT
#include "bellwether/world/proximity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bellwether/core/invariant.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/world/topology_parts.hpp"

namespace bellwether::world {

namespace {

constexpr Time never = core::end_of_time;

/// What an event is, in 64 bits. Of one time, nodes come before pairs: a crossing at the joint of
/// two legs is decided when both nodes are on their new legs.
constexpr std::uint64_t is_pair = std::uint64_t{1} << 63;
constexpr std::uint64_t is_down = std::uint64_t{1} << 62;

constexpr std::uint64_t node_event(NodeIndex u, unsigned border) {
  return std::uint64_t{border} << 32 | u;
}
constexpr std::uint64_t pair_event(NodeIndex u, NodeIndex v, bool up) {
  return is_pair | (up ? 0 : is_down) | std::uint64_t{u} << 31 | v;
}

double nanoseconds(Duration d) {
  return static_cast<double>(d.count());
}

}  // namespace

std::vector<bool> radios(const Network& network) {
  std::vector<bool> out;
  for (const NodeKind kind : network.kinds) out.push_back(kind != NodeKind::wired);
  return out;
}

Proximity::Proximity(std::unique_ptr<Motion> motion, NodeIndex nodes, double range,
                     std::vector<bool> radio, LinkIndex first_link, Time until)
    : motion_(std::move(motion)),
      range_(range),
      radio_(std::move(radio)),
      until_(until),
      limit_(until),
      nodes_(nodes),
      neighbours_(nodes),
      next_link_(first_link) {
  parts::require_nodes(nodes);
  if (!(range > 0 && range <= 1e9))
    throw core::Problem("range",
                        "must be above 0 and at most 1e9 metres, not " + parts::text(range));
  if (radio_.empty()) radio_.assign(nodes, true);
  lay_out_grid(motion_->bounds());
  for (NodeIndex u = 0; u < nodes; ++u)
    if (radio_[u]) set_leg(u);
  find_links_at_start();
  for (NodeIndex u = 0; u < nodes; ++u)
    if (radio_[u]) schedule_node(u);
}

// The grid.

void Proximity::lay_out_grid(const Extent& bounds) {
  origin_ = bounds.low;
  const double width = bounds.high.x - bounds.low.x;
  const double height = bounds.high.y - bounds.low.y;
  // A nanometre, and what coordinates of this size cannot express.
  const double extent = std::max({std::abs(bounds.low.x), std::abs(bounds.low.y),
                                  std::abs(bounds.high.x), std::abs(bounds.high.y)});
  const double slack = 1e-9 + 1e-15 * extent;
  tolerance_ = 2 * range_ * slack;
  // A little more than the range: a node is notified of a border up to a nanosecond late.
  side_ = range_ * 1.001 + slack;
  // Not many more cells than nodes: empty ones cost memory, too.
  const double most = 2.0 * static_cast<double>(nodes_.size()) + 16;
  const auto count = [&](double length) { return std::floor(length / side_) + 1; };
  while (count(width) * count(height) > most) side_ *= 1.1;
  columns_ = static_cast<std::uint32_t>(count(width));
  rows_ = static_cast<std::uint32_t>(count(height));
  cells_.assign(std::size_t{columns_} * rows_, nobody);
}

/// A node outside belongs to the border, which keeps near ones near.
std::uint32_t Proximity::cell_along(double at, double low, std::uint32_t cells) const {
  return static_cast<std::uint32_t>(
      std::clamp((at - low) / side_, 0.0, static_cast<double>(cells - 1)));
}

NodeIndex& Proximity::first_in(std::uint32_t column, std::uint32_t row) {
  return cells_[std::size_t{row} * columns_ + column];
}

void Proximity::enter(NodeIndex u, std::uint32_t column, std::uint32_t row) {
  MovingNode& node = nodes_[u];
  NodeIndex& first = first_in(column, row);
  node.column = column;
  node.row = row;
  node.previous = nobody;
  node.next = first;
  if (first != nobody) nodes_[first].previous = u;
  first = u;
}

void Proximity::leave(NodeIndex u) {
  const MovingNode& node = nodes_[u];
  if (node.previous != nobody) {
    nodes_[node.previous].next = node.next;
  } else {
    first_in(node.column, node.row) = node.next;
  }
  if (node.next != nobody) nodes_[node.next].previous = node.previous;
}

template <class Visit>
void Proximity::visit(std::uint32_t from_column, std::uint32_t to_column, std::uint32_t from_row,
                      std::uint32_t to_row, const Visit& visit) const {
  for (std::uint32_t row = from_row; row <= to_row; ++row)
    for (std::uint32_t column = from_column; column <= to_column; ++column)
      for (NodeIndex v = cells_[std::size_t{row} * columns_ + column]; v != nobody;
           v = nodes_[v].next)
        visit(v);
}

template <class Visit>
void Proximity::visit_around(const MovingNode& node, const Visit& each) const {
  visit(node.column - (node.column > 0 ? 1 : 0), std::min(node.column + 1, columns_ - 1),
        node.row - (node.row > 0 ? 1 : 0), std::min(node.row + 1, rows_ - 1), each);
}

// Links.

const Proximity::InRange* Proximity::find(NodeIndex u, NodeIndex v) const {
  const Neighbours& list = neighbours_[u];
  const auto found = std::ranges::lower_bound(list, v, {}, &InRange::node);
  return found != list.end() && found->node == v ? &*found : nullptr;
}

LinkIndex Proximity::link(NodeIndex u, NodeIndex v) {
  LinkIndex number = next_link_;
  if (free_.empty()) {
    ++next_link_;
  } else {
    number = free_.back();
    free_.pop_back();
  }
  const auto add = [&](NodeIndex at, NodeIndex other) {
    Neighbours& list = neighbours_[at];
    list.insert(std::ranges::lower_bound(list, other, {}, &InRange::node), {other, number});
  };
  add(u, v);
  add(v, u);
  return number;
}

LinkIndex Proximity::unlink(NodeIndex u, NodeIndex v) {
  const LinkIndex number = find(u, v)->link;
  const auto remove = [&](NodeIndex at, NodeIndex other) {
    Neighbours& list = neighbours_[at];
    list.erase(std::ranges::lower_bound(list, other, {}, &InRange::node));
  };
  remove(u, v);
  remove(v, u);
  free_.push_back(number);
  return number;
}

// Crossings.

/// When the pair changes its state on the legs that both are on now; never, if they do not.
Time Proximity::crossing(const MovingNode& u, const MovingNode& v, bool linked) const {
  const double su = core::seconds(now_ - u.begin);
  const double sv = core::seconds(now_ - v.begin);
  const double dx = (v.x + v.vx * sv) - (u.x + u.vx * su);
  const double dy = (v.y + v.vy * sv) - (u.y + u.vy * su);
  const double vx = v.vx - u.vx;
  const double vy = v.vy - u.vy;
  // In s seconds the square of the distance exceeds that of the range by a*s^2 + 2*b*s + c.
  const double a = vx * vx + vy * vy;
  const double b = dx * vx + dy * vy;
  const double c = dx * dx + dy * dy - range_ * range_;
  const double left = nanoseconds(std::min(u.end, v.end) - now_);
  double ns = 0;
  if (!linked) {
    if (c < -tolerance_) return now_;
    if (b >= 0) return never;
    const double root = b * b - a * c;
    if (root <= a * tolerance_) return never;  // they touch at best
    const double s = std::sqrt(root);
    ns = std::ceil(std::max(0.0, c / (s - b)) * 1e9);
    if (ns > (s - b) / a * 1e9) return never;  // out again within the nanosecond
  } else {
    if (c > tolerance_) return now_;
    if (a == 0) return never;
    const double s = std::sqrt(std::max(0.0, b * b - a * c));
    ns = std::floor(std::max(0.0, b > 0 ? -c / (s + b) : (s - b) / a) * 1e9) + 1;
  }
  // What falls on the joint of two legs is decided there. Refuses what is not a number, too.
  return ns < left ? now_ + Duration{static_cast<std::int64_t>(ns)} : never;
}

void Proximity::examine(NodeIndex u, NodeIndex v) {
  ++pairs_;
  const bool linked = find(u, v) != nullptr;
  const Time at = crossing(nodes_[u], nodes_[v], linked);
  if (at != never) heap_.push({at, pair_event(std::min(u, v), std::max(u, v), !linked)});
}

/// Nothing if the pair has been there before: two nodes may meet a second time in adjacent cells
/// before their first crossing.
std::optional<Change> Proximity::cross(NodeIndex u, NodeIndex v, bool up) {
  const bool linked = find(u, v) != nullptr;
  if (linked == up) return std::nullopt;
  const MovingNode& a = nodes_[u];
  const MovingNode& b = nodes_[v];
  // One of them may have been put elsewhere since this was computed.
  if (!held_.empty() && (held_[u] || held_[v]) && !in_reach(u, v, up)) return std::nullopt;
  // At the joint of two legs the other node may since have begun one that decides otherwise.
  if ((a.begin == now_ || b.begin == now_) && crossing(a, b, linked) != now_) return std::nullopt;
  const LinkIndex number = up ? link(u, v) : unlink(u, v);
  examine(u, v);
  return Change{now_, up ? ChangeKind::link_up : ChangeKind::link_down, number, {u, v}, false};
}

// Nodes.

void Proximity::set_leg(NodeIndex u) {
  const Leg leg = motion_->next(u);
  MovingNode& node = nodes_[u];
  node.begin = leg.begin;
  node.end = leg.end;
  node.x = leg.from.x;
  node.y = leg.from.y;
  node.vx = leg.vx;
  node.vy = leg.vy;
  const std::uint32_t column = cell_along(node.x, origin_.x, columns_);
  const std::uint32_t row = cell_along(node.y, origin_.y, rows_);
  if (leg.begin == Time{}) return enter(u, column, row);
  if (column == node.column && row == node.row) return;
  leave(u);
  enter(u, column, row);
}

void Proximity::require_room_for_links() const {
  require_room(static_cast<double>(nodes_.size()),
               static_cast<double>(links_at_start_.size()) + next_link_, "range");
}

void Proximity::find_links_at_start() {
  for (NodeIndex u = 0; u < nodes_.size(); ++u) {
    if (!radio_[u]) continue;
    if (u % 1024 == 0) require_room_for_links();
    const std::size_t first = links_at_start_.size();
    visit_around(nodes_[u], [&](NodeIndex v) {
      if (v <= u) return;
      const double dx = nodes_[v].x - nodes_[u].x;
      const double dy = nodes_[v].y - nodes_[u].y;
      if (dx * dx + dy * dy <= range_ * range_) links_at_start_.push_back({u, v});
    });
    std::sort(links_at_start_.begin() + static_cast<std::ptrdiff_t>(first), links_at_start_.end());
  }
  require_room_for_links();
  for (const auto& [u, v] : links_at_start_) link(u, v);
  for (NodeIndex u = 0; u < nodes_.size(); ++u) {
    if (!radio_[u]) continue;
    visit_around(nodes_[u], [&](NodeIndex v) {
      if (v > u) examine(u, v);
    });
  }
}

/// The end of its leg, or the border of a cell before that.
void Proximity::schedule_node(NodeIndex u) {
  const MovingNode& node = nodes_[u];
  double soonest = std::numeric_limits<double>::infinity();
  Border border = Border::none;
  const auto consider = [&](double from, double v, std::uint32_t cell, std::uint32_t cells,
                            double low, Border lower, Border higher) {
    if (v == 0 || cell == (v > 0 ? cells - 1 : 0)) return;
    const double s = (low + side_ * (cell + (v > 0 ? 1.0 : 0.0)) - from) / v;
    if (s >= soonest) return;
    soonest = s;
    border = v > 0 ? higher : lower;
  };
  consider(node.x, node.vx, node.column, columns_, origin_.x, Border::left, Border::right);
  consider(node.y, node.vy, node.row, rows_, origin_.y, Border::below, Border::above);
  const double ns = std::ceil(std::max(0.0, soonest) * 1e9);
  if (ns < nanoseconds(node.end - node.begin)) {
    const Time at = std::max(now_, node.begin + Duration{static_cast<std::int64_t>(ns)});
    heap_.push({at, node_event(u, static_cast<unsigned>(border))});
  } else if (node.end != core::end_of_time) {
    heap_.push({node.end, node_event(u, 0)});
  }
}

void Proximity::begin_leg(NodeIndex u) {
  set_leg(u);
  const MovingNode& node = nodes_[u];
  core::invariant(node.begin == now_ && node.end > now_, "legs follow each other without a gap");
  visit_around(node, [&](NodeIndex v) {
    if (v != u) examine(u, v);
  });
  // Who went faster than a cell in a nanosecond has left neighbours behind.
  const auto far = [](std::uint32_t x, std::uint32_t y) { return (x > y ? x - y : y - x) > 1; };
  for (const InRange& each : neighbours_[u]) {
    const MovingNode& other = nodes_[each.node];
    if (far(node.column, other.column) || far(node.row, other.row)) examine(u, each.node);
  }
  schedule_node(u);
}

void Proximity::cross_border(NodeIndex u, Border border) {
  const MovingNode& node = nodes_[u];
  std::uint32_t column = node.column;
  std::uint32_t row = node.row;
  if (border == Border::left) --column;
  if (border == Border::right) ++column;
  if (border == Border::below) --row;
  if (border == Border::above) ++row;
  leave(u);
  enter(u, column, row);
  const bool sideways = border == Border::left || border == Border::right;
  const bool ahead = border == Border::right || border == Border::above;
  const std::uint32_t at = sideways ? column : row;
  if (at != (ahead ? (sideways ? columns_ : rows_) - 1 : 0)) {
    // Only the three cells ahead are new.
    const std::uint32_t next = ahead ? at + 1 : at - 1;
    const auto look = [&](NodeIndex v) { examine(u, v); };
    const std::uint32_t across = sideways ? row : column;
    const std::uint32_t from = across - (across > 0 ? 1 : 0);
    const std::uint32_t to = std::min(across + 1, (sideways ? rows_ : columns_) - 1);
    sideways ? visit(next, next, from, to, look) : visit(from, to, next, next, look);
  }
  schedule_node(u);
}

/// Whether the pair is where it would be for its link to come up, or to go down. With a tolerance:
/// crossings are at whole nanoseconds.
bool Proximity::in_reach(NodeIndex u, NodeIndex v, bool up) const {
  const Point a = place(u, now_), b = place(v, now_);
  const double speed =
      std::hypot(nodes_[u].vx, nodes_[u].vy) + std::hypot(nodes_[v].vx, nodes_[v].vy);
  const double slack = tolerance_ + 4e-9 * speed * range_;
  const double beyond = (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) - range_ * range_;
  return up ? beyond <= slack : beyond >= -slack;
}

std::vector<Change> Proximity::move(NodeIndex u, Point to, Time at) {
  now_ = std::max(now_, at);
  if (held_.empty()) held_.resize(nodes_.size(), false);
  if (radio_[u]) leave(u);
  radio_[u] = true;
  held_[u] = true;
  MovingNode& node = nodes_[u];
  node.begin = now_;
  node.end = core::end_of_time;
  node.x = to.x;
  node.y = to.y;
  node.vx = node.vy = 0;
  enter(u, cell_along(to.x, origin_.x, columns_), cell_along(to.y, origin_.y, rows_));
  std::vector<Change> out;
  const auto near = [&](NodeIndex v) {
    const Point p = place(v, now_);
    return (p.x - to.x) * (p.x - to.x) + (p.y - to.y) * (p.y - to.y) <= range_ * range_;
  };
  const auto say = [&](ChangeKind kind, LinkIndex number, NodeIndex v) {
    out.push_back({now_, kind, number, {std::min(u, v), std::max(u, v)}, false});
  };
  const Neighbours before = neighbours_[u];
  for (const InRange& each : before)
    if (!near(each.node)) say(ChangeKind::link_down, unlink(u, each.node), each.node);
  std::vector<NodeIndex> around;
  visit_around(node, [&](NodeIndex v) {
    if (v != u) around.push_back(v);
  });
  std::sort(around.begin(), around.end());
  for (const NodeIndex v : around)
    if (!find(u, v) && near(v)) say(ChangeKind::link_up, link(u, v), v);
  for (const NodeIndex v : around) examine(u, v);
  return out;
}

void Proximity::plan(std::vector<Move> moves) {
  plan_ = std::move(moves);
  std::ranges::stable_sort(plan_, {}, &Move::at);
}

/// What the plan leads to before anything else happens.
std::optional<Change> Proximity::next_planned() {
  while (true) {
    if (told_ < outcome_.size()) return outcome_[told_++];
    if (planned_ == plan_.size() || plan_[planned_].at > limit_) return std::nullopt;
    const Move& next = plan_[planned_];
    if (!heap_.empty() && heap_.top().at <= next.at) return std::nullopt;
    outcome_ = move(next.node, next.to, next.at);
    told_ = 0;
    ++planned_;
  }
}

std::optional<Change> Proximity::next() {
  while (true) {
    if (const auto planned = next_planned()) return planned;
    if (heap_.empty() || heap_.top().at > limit_) return std::nullopt;
    const auto [at, what] = heap_.top();
    heap_.pop();
    ++events_;
    now_ = at;
    if (what & is_pair) {
      constexpr std::uint64_t index = (std::uint64_t{1} << 31) - 1;
      const auto u = static_cast<NodeIndex>(what >> 31 & index);
      if (const auto change = cross(u, static_cast<NodeIndex>(what & index), !(what & is_down)))
        return change;
      continue;
    }
    const auto u = static_cast<NodeIndex>(what);
    if (!held_.empty() && held_[u]) continue;
    const auto border = static_cast<Border>(what >> 32);
    border == Border::none ? begin_leg(u) : cross_border(u, border);
  }
}

Point Proximity::place(NodeIndex u, Time t) const {
  const MovingNode& node = nodes_[u];
  const double s = core::seconds(std::clamp(t, node.begin, node.end) - node.begin);
  return {node.x + node.vx * s, node.y + node.vy * s};
}

}  // namespace bellwether::world
