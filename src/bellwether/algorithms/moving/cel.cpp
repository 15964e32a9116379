// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/cel.hpp"

#include "bellwether/algorithms/moving/knowledge_properties.hpp"

namespace bellwether::algorithms {

static_assert(core::Protocol<Cel> && core::Described<Cel>);

void Cel::start(Step& step) {
  wake(step);
}

/// Treats all links that are up as connections, once; says whether it did so now.
bool Cel::wake(Step& step) {
  if (std::exchange(awake_, true)) return false;
  if (step.ports().empty()) return true;
  for (const core::Port port : step.ports()) connect(step.peer(port));
  local_broadcast(step);
  return true;
}

/// Lines 9 to 16.
void Cel::connect(core::NodeId peer) {
  MemberView& own = entry(known_, id_);
  insert(own.neighbours, peer);
  ++own.clock;
  MemberView& other =
      entry(known_, peer);  // an unknown node: from clock 0 to 1, with itself and us
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
  MemberView& own = entry(known_, id_);
  erase(own.neighbours, peer);
  ++own.clock;
  if (find(known_, peer)) {
    MemberView& other = entry(known_, peer);
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
  elect(step.cache());
  topological_broadcast(step);
}

/// News about the node itself is always sent.
void Cel::local_broadcast(Step& step) {
  forget({});
  elect(step.cache());
  step.broadcast(Knowledge{known_});
}

/// Lines 42 to 47.
void Cel::topological_broadcast(Step& step) {
  if (!pruned_by_neighbour(known_, id_) && gossips(step, options_.rho))
    step.broadcast(Knowledge{known_});
}

/// Drops nodes beyond the horizon; says whether anything new is left.
bool Cel::forget(const Known& before) {
  if (options_.horizon == 0) return true;
  forget_beyond(known_, id_, options_.edges, options_.horizon);
  if (known_ != before) return true;
  known_ = before;
  return false;
}

void Cel::elect(KnowledgeCache& cache) {
  leader_ = leader_of(cache, known_, id_, options_.edges, Measure::closeness);
}

core::Monitors<Cel> Cel::monitors() {
  core::Monitors<Cel> all;
  all.push_back(std::make_unique<ClocksRise<Cel>>());
  return all;
}

}  // namespace bellwether::algorithms
