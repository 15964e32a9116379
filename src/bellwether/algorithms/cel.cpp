// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/cel.hpp"

#include <algorithm>
#include <cmath>

#include "bellwether/algorithms/knowledge_properties.hpp"

namespace bellwether::algorithms {

static_assert(core::Protocol<Cel> && core::Described<Cel>);

void Cel::start(Step& step) {
  wake(step);
}

/// All links that are up are connections, once. Whether that was now.
bool Cel::wake(Step& step) {
  if (std::exchange(awake_, true)) return false;
  if (step.ports().empty()) return true;
  for (const core::Port port : step.ports()) connect(step.peer(port));
  local_broadcast(step);
  return true;
}

/// Lines 9 to 16.
void Cel::connect(core::NodeId peer) {
  View& own = entry(known_, id_);
  insert(own.neighbours, peer);
  ++own.clock;
  View& other = entry(known_, peer);  // unknown: from clock 0 to 1, with itself and us
  insert(other.neighbours, peer);
  insert(other.neighbours, id_);
  ++other.clock;
}

void Cel::link_up(Step& step, core::Port port) {
  if (wake(step)) return;  // this link is among those that are up
  connect(step.peer(port));
  local_broadcast(step);
}

/// Lines 18 to 23.
void Cel::link_down(Step& step, core::Port port) {
  if (wake(step)) return;  // that link was never a connection
  const core::NodeId peer = step.peer(port);
  View& own = entry(known_, id_);
  erase(own.neighbours, peer);
  ++own.clock;
  if (find(known_, peer)) {
    View& other = entry(known_, peer);
    erase(other.neighbours, id_);
    ++other.clock;
  }
  local_broadcast(step);
}

/// Lines 24 to 34.
void Cel::receive(Step& step, core::Port, const Message& message) {
  wake(step);
  const Known before = known_;
  if (!merge(known_, std::get<Knowledge>(message).known, Ties::unite)) return;
  if (!forget(before)) return;
  elect();
  topological_broadcast(step);
}

/// News of oneself goes out for certain.
void Cel::local_broadcast(Step& step) {
  forget({});
  elect();
  step.broadcast(Knowledge{known_});
}

/// Lines 42 to 47.
void Cel::topological_broadcast(Step& step) {
  if (!spared() && gossips(step)) step.broadcast(Knowledge{known_});
}

/// A smaller neighbour with the same neighbours must have heard the same, and passes it on.
bool Cel::spared() const {
  const View* own = find(known_, id_);
  return std::any_of(own->neighbours->begin(), own->neighbours->end(), [&](core::NodeId n) {
    if (!(n < id_)) return false;
    const View* other = find(known_, n);
    return other && other->neighbours == own->neighbours;
  });
}

bool Cel::gossips(Step& step) const {
  if (options_.rho >= 1) return true;
  if (!(options_.rho > 0)) return false;
  return step.choose(1000) < static_cast<std::uint64_t>(std::lround(options_.rho * 1000));
}

/// Looks no farther than the horizon. Whether anything new is left.
bool Cel::forget(const Known& before) {
  if (options_.horizon == 0) return true;
  forget_beyond(known_, id_, options_.edges, options_.horizon);
  if (known_ != before) return true;
  known_ = before;
  return false;
}

void Cel::elect() {
  leader_ = leader_of(known_, id_, options_.edges, Measure::closeness);
}

core::Monitors<Cel> Cel::monitors() {
  core::Monitors<Cel> all;
  all.push_back(std::make_unique<ClocksRise<Cel>>());
  return all;
}

}  // namespace bellwether::algorithms
