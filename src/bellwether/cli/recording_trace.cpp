// SPDX-License-Identifier: MIT
#include "bellwether/cli/recording_trace.hpp"

#include <set>

#include "bellwether/node/replay.hpp"

namespace bellwether::cli {
namespace {

using core::NodeId;
using node::CallKind;

core::Cause cause_of(CallKind told) {
  switch (told) {
    case CallKind::hear:
    case CallKind::see:
      return core::Cause::receive;
    case CallKind::lose:
      return core::Cause::link_down;
    case CallKind::start:
      return core::Cause::start;
    default:
      return core::Cause::timeout;
  }
}

}  // namespace

observe::Trace trace_of_recording(std::istream& in, const std::string& path,
                                  const catalogue::Algorithms& algorithms) {
  observe::Trace out;
  std::set<NodeId> seen;
  std::vector<NodeId> neighbours;
  std::optional<NodeId> leader;
  std::optional<core::Time> first;
  const auto on_call = [&](const node::EngineCall& call, const node::CallResult& answer,
                           const node::Engine& after) {
    if (!first) first = call.at;
    observe::TraceStep step;
    step.number = out.steps.size() + 1;
    step.at = call.at - *first;
    step.cause = cause_of(call.kind);
    if (step.cause == core::Cause::receive || step.cause == core::Cause::link_down) {
      step.peer = call.who;
      seen.insert(call.who);
    }
    if (step.cause == core::Cause::receive)
      step.message = call.kind == CallKind::see
                         ? "sign of life"
                         : "frame(bytes=" + std::to_string(call.body.size()) + ")";
    if (step.cause == core::Cause::timeout) step.timer = core::name_of(call.kind);
    step.leader_before = std::exchange(leader, answer.leader);
    step.leader_after = answer.leader;
    if (answer.leader) seen.insert(*answer.leader);
    step.state = after.state_text();
    neighbours = after.neighbours();
    if (answer.frames > 0)
      for (const NodeId to : neighbours)
        step.sends.push_back({to, "frames(count=" + std::to_string(answer.frames) + ")",
                              observe::Fate::sent, step.at});
    out.steps.push_back(std::move(step));
  };
  const node::EngineReplay run = node::replay(in, path, algorithms, on_call);
  seen.insert(run.spec.self);
  for (auto& step : out.steps) step.node = run.spec.self;
  out.header.algorithm = run.spec.algorithm;
  out.header.scenario = "a recording of node " + std::to_string(core::raw(run.spec.self));
  out.header.nodes.assign(seen.begin(), seen.end());
  out.complete = true;
  return out;
}

}  // namespace bellwether::cli
