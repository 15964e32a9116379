// SPDX-License-Identifier: MIT
#include "bellwether/check/verdict.hpp"

#include <algorithm>

namespace bellwether::check {

Verdict verdict_of(const Findings& found) {
  Verdict v;
  v.ended = found.ended;
  v.states = found.states;
  v.transitions = found.transitions;
  v.rests = found.rests;
  v.depth = found.depth;
  v.cycles_searched = found.cycles_searched;
  v.acyclic = found.acyclic;
  v.cyclic_states = found.cyclic_states;
  v.omission = found.omission;
  v.taken = found.taken;
  v.agreed = found.agreed;
  v.memory = found.memory;
  v.stored = found.stored;
  v.note = found.note;
  return v;
}

void add(Verdict& all, Verdict& one) {
  const std::uint64_t states = all.states + one.states;
  const std::uint64_t transitions = all.transitions + one.transitions;
  const std::uint64_t rests = all.rests + one.rests;
  const std::uint64_t cyclic = all.cyclic_states + one.cyclic_states;
  const std::uint64_t searches = all.searches + one.searches;
  const unsigned depth = std::max(all.depth, one.depth);
  const std::uint64_t memory = std::max(all.memory, one.memory);
  const std::uint64_t stored = all.stored + one.stored;
  const bool first = all.searches == 0;
  const bool acyclic = one.acyclic && (first || all.acyclic);
  const bool cycles = one.cycles_searched && (first || all.cycles_searched);
  const bool agreed = one.agreed || all.agreed;
  auto taken = one.taken;
  for (std::size_t i = 0; i < taken.size(); ++i) taken[i] += all.taken[i];
  all = std::move(one);
  all.states = states;
  all.transitions = transitions;
  all.rests = rests;
  all.cyclic_states = cyclic;
  all.searches = searches;
  all.depth = depth;
  all.memory = memory;
  all.stored = stored;
  all.acyclic = acyclic;
  all.cycles_searched = cycles;
  all.agreed = agreed;
  all.taken = taken;
}

std::vector<Verdict::NarratedAction> narrate(const Plan& plan, const Root& root, const Path& path,
                                             const std::vector<std::size_t>& steps) {
  const auto name = [&](NodeIndex u) { return std::to_string(core::raw(plan.spec.ids[u])); };
  std::vector<bool> up;
  for (Number l = 0; l < plan.links.size(); ++l)
    up.push_back(plan.link(root.slots.data(), l).wanted);
  std::vector<Verdict::NarratedAction> out;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Action& a = path[i].action;
    std::string what;
    switch (a.kind) {
      case ActionKind::start:
        what = "node " + name(a.node) + " starts";
        break;
      case ActionKind::tell: {
        const NodeIndex peer = plan.sockets[a.node][a.at].peer;
        const bool is_up =
            !path[i].calls.empty() && path[i].calls[0].call.cause == core::Cause::link_up;
        what = "node " + name(a.node) + " is notified that its link to " + name(peer) +
               (is_up ? " is up" : " is down");
        break;
      }
      case ActionKind::deliver:
      case ActionKind::lose:
      case ActionKind::duplicate: {
        const Channel& c = plan.channels[a.at];
        const std::string which = "a message from " + name(c.from) + " to " + name(c.to);
        what = which + (a.kind == ActionKind::lose ? " is lost"
                        : a.kind == ActionKind::duplicate
                            ? " arrives, and a duplicate is still under way"
                        : path[i].calls.empty() ? " is lost: the receiver's end of the link is down"
                                                : " arrives");
        break;
      }
      case ActionKind::fire:
        what = "a timer of node " + name(a.node) + " expires";
        break;
      case ActionKind::flip:
        up[a.at] = !up[a.at];
        what = "the link " + name(plan.links[a.at].a) + "-" + name(plan.links[a.at].b) +
               (up[a.at] ? " comes up" : " goes down");
        break;
      case ActionKind::crash:
        what = "node " + name(a.node) + " crashes";
        break;
      case ActionKind::restart:
        what = "node " + name(a.node) +
               (plan.spec.memory ? " restarts with its memory" : " restarts without memory");
        break;
    }
    out.push_back({what, steps[i], steps[i + 1] - steps[i]});
  }
  return out;
}

}  // namespace bellwether::check
