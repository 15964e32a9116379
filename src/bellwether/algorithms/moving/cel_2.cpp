// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/cel_2.hpp"

#include "bellwether/algorithms/moving/knowledge_properties.hpp"

namespace bellwether::algorithms {

static_assert(core::Protocol<Cel2> && core::Described<Cel2>);

void Cel2::start(Step& step) {
  wake(step);
  sync_.watch(step, options_.digest);
}

bool Cel2::wake(Step& step) {
  if (!sync_.wake(step)) return false;
  elect(step.cache());
  return true;
}

void Cel2::link_up(Step& step, core::Port port) {
  if (!wake(step)) {  // otherwise this link is among those that are up
    sync_.link_up(step, port);
    elect(step.cache());
  }
  sync_.watch(step, options_.digest);
}

/// News about the node itself is always sent.
void Cel2::link_down(Step& step, core::Port port) {
  if (!wake(step) && sync_.link_down(step, port)) {  // otherwise that link was never greeted
    elect(step.cache());
    step.broadcast(Knowledge{known(), {}});
  }
  sync_.watch(step, options_.digest);
}

void Cel2::set_priority(Step& step, std::uint32_t priority) {
  if (!sync_.set_priority(priority)) return;
  elect(step.cache());
  if (!awake()) return;
  step.broadcast(Knowledge{known(), {}});
  sync_.watch(step, options_.digest);
}

void Cel2::receive(Step& step, core::Port port, const Message& message) {
  wake(step);
  std::visit([&](const auto& chosen) { take(step, port, chosen); }, message);
  sync_.watch(step, options_.digest);
}

void Cel2::take(Step& step, core::Port port, const Knowledge& message) {
  const auto news = sync_.take(message);
  if (!news) return;
  if (news->own || news->others) elect(step.cache());
  const bool tells = news->own || (news->others && !pruned_by_neighbour(known(), id_) &&
                                   gossips(step, options_.rho));
  if (tells) step.broadcast(Knowledge{known(), {}});
  sync_.answer(step, port, message, tells);
}

void Cel2::take(Step& step, core::Port port, const Digest& message) {
  sync_.compare(step, port, message);
}

void Cel2::timeout(Step& step, Timer) {
  sync_.ask(step);
  sync_.watch(step, options_.digest);
}

void Cel2::elect(KnowledgeCache& cache) {
  leader_ =
      priority_leader_of(cache, known(), id_, Edges::mutual, Measure::closeness).value_or(id_);
}

core::Monitors<Cel2> Cel2::monitors() {
  core::Monitors<Cel2> all;
  all.push_back(std::make_unique<ClocksRise<Cel2>>());
  all.push_back(std::make_unique<OwnEntry<Cel2>>());
  return all;
}

}  // namespace bellwether::algorithms
