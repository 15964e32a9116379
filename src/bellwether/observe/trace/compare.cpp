// SPDX-License-Identifier: MIT
#include "bellwether/observe/trace/compare.hpp"

#include "bellwether/observe/trace/text.hpp"

namespace bellwether::observe {
namespace {

std::vector<std::pair<NodeId, std::string_view>> received(const TraceStep& step) {
  std::vector<std::pair<NodeId, std::string_view>> out;
  for (const TraceSend& send : step.sends)
    if (send.fate != Fate::no_link) out.emplace_back(send.to, send.message);
  return out;
}

/// All that is compared, in one line.
std::string whole_line(const TraceStep& step) {
  std::string out = step_line(step);
  if (step.leader_before == step.leader_after && step.leader_after)
    out += "; leader " + std::to_string(core::raw(*step.leader_after));
  return out + "; state " + one_line(step.state);
}

}  // namespace

bool same_step(const TraceStep& x, const TraceStep& y) {
  return x.node == y.node && x.cause == y.cause && x.peer == y.peer && x.message == y.message &&
         x.timer == y.timer && x.leader_after == y.leader_after && x.state == y.state &&
         received(x) == received(y);
}

void StepComparer::step(const StepRecord& record) {
  if (different_) return;
  const bool more = same_ < recorded_.steps.size();
  if (!more && !recorded_.complete) return;
  TraceStep taken = to_trace(record);
  if (more && same_step(taken, recorded_.steps[same_]))
    ++same_;
  else
    different_ = std::move(taken);
}

ReplayComparison StepComparer::verdict() const {
  ReplayComparison out{.steps = recorded_.steps.size(), .same = same_};
  if (same_ < recorded_.steps.size()) out.recorded = whole_line(recorded_.steps[same_]);
  if (different_) out.taken = whole_line(*different_);
  return out;
}

}  // namespace bellwether::observe
