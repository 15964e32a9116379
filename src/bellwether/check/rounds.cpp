// SPDX-License-Identifier: MIT
#include "bellwether/check/rounds.hpp"

#include "bellwether/check/prepare.hpp"

namespace bellwether::check {

RoundWires wires_of(const Spec& spec, const std::vector<graph::Edge>& links) {
  RoundWires wires;
  wires.ports.resize(spec.nodes);
  wires.ways.resize(spec.nodes);
  // As in the simulator: first the links that a node begins, then those that it ends.
  std::vector<std::uint32_t> next(spec.nodes, 0);
  std::vector<Port> at_a, at_b;
  for (const graph::Edge& e : links) at_a.push_back(Port{next[e.a]++});
  for (const graph::Edge& e : links) at_b.push_back(Port{next[e.b]++});
  const auto add = [&](NodeIndex from, Port port, NodeIndex to, Port there) {
    wires.ports[from].push_back(port);
    wires.ways[from].push_back({to, there});
  };
  for (std::size_t i = 0; i < links.size(); ++i) add(links[i].a, at_a[i], links[i].b, at_b[i]);
  if (!spec.one_way)
    for (std::size_t i = 0; i < links.size(); ++i) add(links[i].b, at_b[i], links[i].a, at_a[i]);
  return wires;
}

RoundQuestions round_questions(const Spec& spec, std::string_view algorithm,
                               core::Criterion criterion) {
  const bool says_whom =
      criterion != core::Criterion::majority && criterion != core::Criterion::oldest;
  RoundQuestions out;
  for (const std::string& name : spec.properties) {
    refuse_unknown_property(name,
                            {"agreement", "el", "el-ni", "best-leader", "message-bound", "all"});
    if (name == "best-leader" && !says_whom)
      throw BadCheck("best-leader: " + std::string(algorithm) +
                     " does not say whom it means to elect; ask for agreement");
    if ((name == "all" && says_whom) || name == "best-leader") out.best = true;
  }
  return out;
}

std::string round_fault(const Spec& spec, const std::vector<observe::Verdict>& verdicts,
                        const RoundQuestions& questions, std::uint64_t messages) {
  const auto rows = observe::component_leaders(spec.ids, verdicts, spec.graphs.at(0));
  for (const observe::ComponentLeader& row : rows)
    if (!row.agreed)
      return "agreement: a component of " + std::to_string(row.size) +
             " nodes does not agree on a leader";
  const NodeId highest = *std::max_element(spec.ids.begin(), spec.ids.end());
  if (questions.best && rows.size() == 1 && rows[0].leader != highest)
    return "best-leader: the highest id does not lead";
  if (questions.most_messages && messages > *questions.most_messages)
    return "message-bound: " + std::to_string(messages) + " messages were sent, and at most " +
           std::to_string(*questions.most_messages) + " are claimed";
  return "";
}

void refuse_beyond_rounds(const Spec& spec, std::string_view algorithm) {
  const auto no = [&](const char* flag) {
    throw BadCheck(std::string(flag) + ": " + std::string(algorithm) +
                   " proceeds in synchronous rounds, where this has no meaning; leave it out");
  };
  if (spec.changes > 0) no("--changes");
  if (!spec.script.empty()) no("--script");
  if (spec.crashes > 0) no("--crashes");
  if (spec.losses > 0) no("--losses");
  if (spec.duplicates > 0) no("--duplicates");
  if (spec.walks > 0) no("--walk");
}

}  // namespace bellwether::check
