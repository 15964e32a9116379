// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/height.hpp"

#include <algorithm>
#include <limits>

namespace bellwether::algorithms {

static_assert(core::Protocol<Height>);
static_assert(sizeof(HeightTuple) == 48);  // large networks keep one for each neighbour

namespace {

/// Heights come from the network: a value that cannot grow stays as it is.
std::int32_t plus(std::int32_t a, std::int32_t b) {
  std::int32_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum))
    return b > 0 ? std::numeric_limits<std::int32_t>::max()
                 : std::numeric_limits<std::int32_t>::min();
  return sum;
}

/// The position of the neighbour at a port, or where it would be inserted: they are sorted by port.
template <class Neighbours>
auto place_of(Neighbours& all, Port port) {
  return std::lower_bound(all.begin(), all.end(), port,
                          [](const auto& n, Port p) { return n.port < p; });
}

constexpr std::uint64_t latest = std::numeric_limits<std::int64_t>::max();

std::uint64_t after(std::uint64_t t) {
  return std::min(t, latest - 1) + 1;
}

std::uint64_t physical(core::Time now) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(now.count(), 0));
}

}  // namespace

std::string to_text(const HeightTuple& h) {
  using std::to_string;
  return "(" + to_string(h.rl.tau) + "," + to_string(raw(h.rl.oid)) + "," + to_string(h.rl.r) +
         "|" + to_string(h.delta) + "|" + to_string(h.lp.nlts) + "," + to_string(raw(h.lp.lid)) +
         "|" + to_string(raw(h.id)) + ")";
}

// Every node begins as the leader of a component of its own.
Height::Height(NodeId id, Options options) : options_(options) {
  self_.lp.lid = id;
  self_.id = id;
}

void Height::start(Step& step) {
  neighbours_.reserve(step.ports().size());  // in networks of millions of nodes the memory counts
  for (const Port port : step.ports())
    if (find(port) == neighbours_.end()) link_up(step, port);
}

void Height::link_up(Step& step, Port port) {
  event_at(step.now());
  const auto place = place_of(neighbours_, port);
  if (place != neighbours_.end() && place->port == port) return;  // notified twice
  neighbours_.insert(place, {port, false, {}});
  step.send(port, update(options_.hello));
}

void Height::link_down(Step& step, Port port) {
  event_at(step.now());
  const auto lost = find(port);
  if (lost == neighbours_.end()) return;
  neighbours_.erase(lost);
  if (no_neighbours()) {
    if (options_.rejoin == Rejoin::yield)
      self_ = {{}, 0, {0, self_.id}, self_.id};  // the oldest of all leaders: any other pair wins
    else
      elect_self(step.now());
    send_all(step);
  } else if (sink()) {
    start_new_ref_level(step.now());
    send_all(step);
  }
}

void Height::receive(Step& step, Port port, const Message& message) {
  const auto& [theirs, stamp, hello] = std::get<Update>(message);
  if (!plausible(theirs, stamp)) return;
  receipt(stamp, step.now());
  auto sender = find(port);
  if (sender == neighbours_.end()) {  // in neither forming nor N: we have not started yet
    start(step);
    sender = find(port);
    if (sender == neighbours_.end()) return;
  }
  sender->height = theirs;
  sender->formed = true;

  const HeightTuple old = self_;
  bool answer = hello && options_.hello;
  if (self_.lp == theirs.lp) {
    if (sink()) become_no_sink(step.now());
  } else if (!adopt_lp_if_priority(theirs, step.now())) {
    answer = true;  // they follow an older leader
  }
  if (self_ != old)
    send_all(step);
  else if (answer)
    step.send(port, update(false));
}

// Property A, and what the types cannot say: a pair or a level from the future would beat every
// later one, so an invalid message with one must be rejected.
bool Height::plausible(const HeightTuple& h, std::uint64_t stamp) const {
  if (h.rl.tau < 0 || h.rl.r > 1 || h.lp.nlts > 0) return false;
  if (h.lp.nlts == std::numeric_limits<std::int64_t>::min()) return false;
  const auto tau = static_cast<std::uint64_t>(h.rl.tau);
  const auto elected = static_cast<std::uint64_t>(-h.lp.nlts);
  return options_.clock == ClockKind::perfect || (tau <= stamp && elected <= stamp);
}

void Height::become_no_sink(core::Time now) {
  const auto first = std::find_if(neighbours_.begin(), neighbours_.end(),
                                  [](const NeighbourHeight& n) { return n.formed; });
  const ReferenceLevel common = first->height.rl;
  const bool all_alike = std::all_of(first, neighbours_.end(), [&](const NeighbourHeight& n) {
    return !n.formed || n.height.rl == common;
  });
  if (!all_alike)
    propagate_largest_ref_level();
  else if (common.tau > 0 && common.r == 0)
    reflect_ref_level();
  else if (common.tau > 0 && common.r == 1 && common.oid == self_.id)
    elect_self(now);
  else
    start_new_ref_level(now);
}

// SINK: all neighbours have my leader pair, all are above me, and I am not the leader.
bool Height::sink() const {
  return self_.lp.lid != self_.id && !no_neighbours() &&
         std::all_of(neighbours_.begin(), neighbours_.end(), [&](const NeighbourHeight& n) {
           return !n.formed || (n.height.lp == self_.lp && self_ < n.height);
         });
}

void Height::elect_self(core::Time now) {
  self_ = {{}, 0, {-causal_time(now), self_.id}, self_.id};
}

void Height::reflect_ref_level() {
  const auto first = std::find_if(neighbours_.begin(), neighbours_.end(),
                                  [](const NeighbourHeight& n) { return n.formed; });
  self_.rl = {first->height.rl.tau, first->height.rl.oid, 1};
  self_.delta = 0;
}

void Height::propagate_largest_ref_level() {
  ReferenceLevel largest;
  for (const NeighbourHeight& n : neighbours_)
    if (n.formed) largest = std::max(largest, n.height.rl);
  std::int32_t lowest = std::numeric_limits<std::int32_t>::max();
  for (const NeighbourHeight& n : neighbours_)
    if (n.formed && n.height.rl == largest) lowest = std::min(lowest, n.height.delta);
  self_.rl = largest;
  self_.delta = plus(lowest, -1);
}

void Height::start_new_ref_level(core::Time now) {
  self_.rl = {causal_time(now), self_.id, 0};
  self_.delta = 0;
}

bool Height::adopt_lp_if_priority(const HeightTuple& theirs, core::Time now) {
  if (theirs.lp >= self_.lp) return false;
  // Only after yielding can a node be notified of its own leadership: it resumes it with a new
  // election.
  if (options_.rejoin == Rejoin::yield && theirs.lp.lid == self_.id)
    elect_self(now);
  else
    self_ = {theirs.rl, plus(theirs.delta, 1), theirs.lp, self_.id};
  return true;
}

std::vector<Height::NeighbourHeight>::iterator Height::find(Port port) {
  const auto place = place_of(neighbours_, port);
  return place != neighbours_.end() && place->port == port ? place : neighbours_.end();
}

const HeightTuple* Height::view(Port port) const {
  const auto place = place_of(neighbours_, port);
  const bool found = place != neighbours_.end() && place->port == port;
  return found && place->formed ? &place->height : nullptr;
}

bool Height::no_neighbours() const {
  return std::none_of(neighbours_.begin(), neighbours_.end(),
                      [](const NeighbourHeight& n) { return n.formed; });
}

void Height::send_all(Step& step) const {
  for (const NeighbourHeight& n : neighbours_) step.send(n.port, update(false));
}

// The clocks. Lamport's clock ticks at every event. The hybrid one does, too, and never falls
// behind the local clock. The perfect one is the global time; it advances by a nanosecond when one
// moment is used twice, so that a node never gives two events the same time.
void Height::event_at(core::Time now) {
  if (options_.clock == ClockKind::logical) time_ = after(time_);
  if (options_.clock == ClockKind::hybrid) time_ = std::max(after(time_), physical(now));
}

void Height::receipt(std::uint64_t stamp, core::Time now) {
  if (options_.clock == ClockKind::perfect) return;
  time_ = std::max(time_, std::min(stamp, latest));
  event_at(now);
}

std::int64_t Height::causal_time(core::Time now) {
  if (options_.clock == ClockKind::perfect) time_ = std::max(after(time_), physical(now));
  return static_cast<std::int64_t>(time_);
}

std::uint64_t Height::time_at(core::Time now) const {
  return options_.clock == ClockKind::perfect ? std::max(time_, physical(now)) : time_;
}

}  // namespace bellwether::algorithms
