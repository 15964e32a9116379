// SPDX-License-Identifier: MIT
// Which nodes are in range of each other while they move, as a stream of changes with exact times.
//
// No node is polled. On two legs the distance of two nodes is the root of a quadratic in time, so
// that the moment of a crossing is computed. A grid of cells no smaller than the range says which
// pairs to look at: the 3 by 3 cells around a node when it begins a leg, the cells that become
// adjacent when it enters another cell. The cost of a change depends on the density of nodes, not
// on their number; a node that never moves costs nothing.
//
// Nothing scheduled ever becomes stale. A crossing of a pair is scheduled only within the legs that
// both are on, and legs are never cut short.
//
// A link is up at a nanosecond where the distance is at most the range. Its state follows its
// events, up and down in turn. At the joint of two legs a pair is compared with its state again,
// with a tolerance of a nanometre, so that rounding neither loses nor doubles a crossing, and
// touching without crossing changes nothing.
#pragma once

#include <vector>

#include "bellwether/world/changes.hpp"
#include "bellwether/world/mobility.hpp"
#include "bellwether/world/time_heap.hpp"

namespace bellwether::world {

class Proximity final : public Changes {
 public:
  /// Nodes without radio take no part; an empty list: all have one. There is no change after
  /// `until`: without it, a stream of changes among nodes that never meet would not end.
  Proximity(std::unique_ptr<Motion> motion, NodeIndex nodes, double range,
            std::vector<bool> radio = {}, LinkIndex first_link = 0, Time until = core::end_of_time);

  /// Those at time 0, ascending, numbered first_link, first_link + 1, ...
  const std::vector<graph::Edge>& links_at_start() const { return links_at_start_; }

  /// Only link_up and link_down, with ends.a < ends.b. The number of a link is free again as soon
  /// as it is down: the next link to come up takes the number that was freed last.
  std::optional<Change> next() override;

  void look_ahead(Time until) override { limit_ = std::min(until, until_); }

  /// This node is put there at this time, and stays. All that was to happen up to then must have
  /// been handed out, and what was handed out was not later. What becomes of its links: those that
  /// go down, then those that come up. A node that took no part does from now on.
  std::vector<Change> move(NodeIndex u, Point to, Time at);
  /// The same at times to come, in their order.
  struct Move {
    Time at{};
    NodeIndex node{};
    Point to{};
  };
  void plan(std::vector<Move> moves);

  /// Where a node is at the time of the last change handed out, or later on the leg that it was
  /// then on. Times before or after that leg count as its beginning or end.
  Point place(NodeIndex u, Time t) const;
  /// The time of the last change handed out; when there is no more, of the last event.
  Time now() const { return now_; }

  /// Crossings, leg ends and cell borders so far: what the work is proportional to.
  std::uint64_t events() const { return events_; }
  /// Pairs of nodes looked at so far.
  std::uint64_t pairs() const { return pairs_; }

 private:
  static constexpr NodeIndex nobody = 0xFFFF'FFFF;

  /// One cache line.
  struct MovingNode {
    Time begin{};
    Time end{};
    double x = 0;
    double y = 0;
    double vx = 0;
    double vy = 0;
    std::uint32_t column = 0;
    std::uint32_t row = 0;
    NodeIndex next = nobody;  // in the same cell
    NodeIndex previous = nobody;
  };
  struct InRange {
    NodeIndex node;
    LinkIndex link;
  };
  using Neighbours = std::vector<InRange>;  // ascending: few on average, so a list is fastest
  enum class Border : unsigned char { none, left, right, below, above };

  void lay_out_grid(const Extent& bounds);
  std::uint32_t cell_along(double at, double low, std::uint32_t cells) const;
  NodeIndex& first_in(std::uint32_t column, std::uint32_t row);
  void enter(NodeIndex u, std::uint32_t column, std::uint32_t row);
  void leave(NodeIndex u);
  template <class Visit>
  void visit(std::uint32_t from_column, std::uint32_t to_column, std::uint32_t from_row,
             std::uint32_t to_row, const Visit& visit) const;
  template <class Visit>
  void visit_around(const MovingNode& node, const Visit& visit) const;

  void set_leg(NodeIndex u);
  bool in_reach(NodeIndex u, NodeIndex v, bool up) const;
  std::optional<Change> next_planned();
  void require_room_for_links() const;
  void find_links_at_start();
  void schedule_node(NodeIndex u);
  void begin_leg(NodeIndex u);
  void cross_border(NodeIndex u, Border border);
  Time crossing(const MovingNode& u, const MovingNode& v, bool linked) const;
  void examine(NodeIndex u, NodeIndex v);
  std::optional<Change> cross(NodeIndex u, NodeIndex v, bool up);

  const InRange* find(NodeIndex u, NodeIndex v) const;
  LinkIndex link(NodeIndex u, NodeIndex v);
  LinkIndex unlink(NodeIndex u, NodeIndex v);

  std::unique_ptr<Motion> motion_;
  double range_;
  double tolerance_ = 0;  // of a squared distance
  std::vector<bool> radio_;
  Time until_;
  Time limit_;
  Time now_{};
  std::vector<bool> held_;  // which nodes were put somewhere; empty: none
  std::vector<Move> plan_;
  std::size_t planned_ = 0;      // how many of the plan have been made
  std::vector<Change> outcome_;  // of the last one
  std::size_t told_ = 0;         // how many of these have been handed out
  std::vector<MovingNode> nodes_;
  std::vector<Neighbours> neighbours_;
  Point origin_{};
  double side_ = 1;  // of a cell
  std::uint32_t columns_ = 1;
  std::uint32_t rows_ = 1;
  std::vector<NodeIndex> cells_;
  TimeHeap heap_;
  std::vector<graph::Edge> links_at_start_;
  std::vector<LinkIndex> free_;
  LinkIndex next_link_;
  std::uint64_t events_ = 0;
  std::uint64_t pairs_ = 0;
};

/// Which nodes of a network have a radio; empty: all.
std::vector<bool> radios(const Network& network);

}  // namespace bellwether::world
