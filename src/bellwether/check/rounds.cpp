// SPDX-License-Identifier: MIT
#include "bellwether/check/rounds.hpp"

#include <algorithm>
#include <deque>
#include <set>

#include "bellwether/check/prepare.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/observe/metrics/run_report.hpp"

namespace bellwether::check {
namespace {

/// A network without its protocol: where each port leads.
struct RoundWires {
  struct RoundLink {
    NodeIndex to;
    Port there;
  };
  std::vector<std::vector<Port>> ports;      // to send on, by node
  std::vector<std::vector<RoundLink>> ways;  // beside them
};
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

/// What is broken in a network that has come to rest, if anything.
std::optional<Breach> round_breach(const Spec& spec,
                                   const std::vector<observe::NodeResult>& verdicts,
                                   const RoundQuestions& questions, std::uint64_t messages) {
  const auto rows = observe::component_leaders(spec.ids, verdicts, spec.graphs.at(0));
  for (const observe::ComponentLeader& row : rows)
    if (!row.agreed)
      return Breach{"agreement", "a component of " + std::to_string(row.size) +
                                     " nodes does not agree on a leader"};
  const NodeId highest = *std::max_element(spec.ids.begin(), spec.ids.end());
  if (questions.best && rows.size() == 1 && rows[0].leader != highest)
    return Breach{"best-leader", "the highest id does not lead"};
  if (questions.most_messages && messages > *questions.most_messages)
    return Breach{"message-bound", std::to_string(messages) + " messages were sent, and at most " +
                                       std::to_string(*questions.most_messages) + " are claimed"};
  return std::nullopt;
}

class RoundSearch {
 public:
  RoundSearch(const Spec& spec, core::Nodes& nodes, const RoundQuestions& questions)
      : spec_(spec),
        questions_(questions),
        wires_(wires_of(spec, spec.graphs.at(0))),
        kind_(nodes.messages()) {
    RoundState first;
    for (const NodeId id : spec.ids) first.nodes.emplace_back(nodes, id);
    first.inboxes.resize(spec.nodes);
    waiting_.push_back(std::move(first));
  }

  Verdict run(const OnSearchProgress& on_progress) {
    verdict_.reduced = false;
    verdict_.cycles_searched = true;
    while (!waiting_.empty() && verdict_.ended == SearchEnd::complete) {
      RoundState state = std::move(waiting_.front());
      waiting_.pop_front();
      verdict_.depth = std::max(verdict_.depth, state.rounds);
      follow(state);
      if (spec_.max_states > 0 && verdict_.states >= spec_.max_states)
        verdict_.ended = SearchEnd::states;
      if (on_progress && !on_progress({verdict_.states, verdict_.transitions, waiting_.size(),
                                       verdict_.depth, 0, "rounds"}))
        verdict_.ended = SearchEnd::stopped;
    }
    if (verdict_.ended == SearchEnd::complete && verdict_.rests == 0)
      tell({}, {"agreement", "no run becomes quiescent"});
    return std::move(verdict_);
  }

 private:
  struct ReceivedMessage {
    Port port;
    core::AnyMessage message;
  };
  using RoundInbox = std::vector<ReceivedMessage>;
  struct RoundState {
    std::vector<core::AnyNode> nodes;
    std::vector<RoundInbox> inboxes;
    std::uint64_t messages = 0;
    unsigned rounds = 0;
    std::vector<std::string> told;
  };
  /// The outcomes of draws that lead along one branch: taken as given, then the first one.
  struct Draws {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> drawn;  // outcome, of how many
    std::size_t next = 0;
  };

  /// One round, once for each outcome of the draws in it.
  void follow(const RoundState& before) {
    Draws draws;
    do {
      draws.next = 0;
      RoundState after = before;
      const bool over = one_round(after, draws);
      ++verdict_.transitions;
      if (over)
        rest(after);
      else
        remember(std::move(after), before, draws.drawn.empty());
    } while (verdict_.ended == SearchEnd::complete && next_branch(draws));
  }

  static bool next_branch(Draws& draws) {
    while (!draws.drawn.empty()) {
      auto& [outcome, of] = draws.drawn.back();
      if (++outcome < of) return true;
      draws.drawn.pop_back();
    }
    return false;
  }

  bool one_round(RoundState& state, Draws& draws) {
    std::vector<RoundInbox> next(spec_.nodes);
    bool halted = true;
    std::uint64_t sent = 0;
    std::string told;
    for (NodeIndex u = 0; u < spec_.nodes; ++u) {
      at_ = u;
      draws_ = &draws;
      const core::Effects& effects = act(state, u);
      halted = halted && effects.halted;
      for (const auto& send : effects.sends) {
        const auto message = core::AnyMessage::moved(kind_, send.message);
        for (std::size_t i = 0; i < wires_.ports[u].size(); ++i) {
          if (send.port != core::every_port && send.port != wires_.ports[u][i]) continue;
          const auto [to, there] = wires_.ways[u][i];
          next[to].push_back({there, message});
          ++sent;
          told += (told.empty() ? "" : "; ") + std::to_string(core::raw(spec_.ids[u])) + " to " +
                  std::to_string(core::raw(spec_.ids[to])) + " " + core::text_of(message);
        }
      }
    }
    for (RoundInbox& inbox : next)
      std::stable_sort(inbox.begin(), inbox.end(),
                       [](const auto& a, const auto& b) { return a.port < b.port; });
    state.inboxes = std::move(next);
    state.messages += sent;
    ++state.rounds;
    verdict_.taken[static_cast<std::size_t>(ActionKind::deliver)] += sent;
    state.told.push_back("round " + std::to_string(state.rounds) + ": " +
                         (told.empty() ? "no node sends a message" : told));
    return halted && sent == 0;
  }

  /// One node's part in a round.
  const core::Effects& act(RoundState& state, NodeIndex u) {
    std::vector<core::Incoming> inbox;
    for (const ReceivedMessage& each : state.inboxes[u])
      inbox.push_back({each.port, each.message.value()});
    return state.nodes[u].call(core::Call::round(std::span<const core::Incoming>(inbox)),
                               {{this, &RoundSearch::peer, &RoundSearch::choose},
                                wires_.ports[u],
                                core::Time{static_cast<std::int64_t>(state.rounds)}});
  }

  void rest(const RoundState& state) {
    ++verdict_.rests;
    std::vector<observe::NodeResult> says;
    for (NodeIndex u = 0; u < spec_.nodes; ++u)
      says.push_back({true, state.nodes[u].leader(),
                      state.nodes[u].nodes().leads(state.nodes[u].index(), spec_.ids[u])});
    if (const auto breach = round_breach(spec_, says, questions_, state.messages))
      return tell(state, *breach);
    verdict_.agreed = true;
  }

  /// Where nothing was drawn and nothing changes, nothing ever will.
  void remember(RoundState after, const RoundState& before, bool settled) {
    const std::string key = key_of(after);
    if (settled && key == key_of(before))
      return tell(after, {"agreement", "the network never becomes quiescent"});
    if (!seen_.insert(key).second) return;
    ++verdict_.states;
    waiting_.push_back(std::move(after));
  }

  void tell(const RoundState& state, const Breach& breach) {
    verdict_.ended = SearchEnd::violation;
    verdict_.property = breach.property;
    verdict_.sentence = breach.sentence;
    verdict_.actions = state.rounds;
    for (const std::string& round : state.told) verdict_.narration.push_back({round, 0, 0});
  }

  static std::string key_of(const RoundState& state) {
    core::Bytes key;
    core::ByteSink sink{key};
    for (const core::AnyNode& node : state.nodes) node.walk_into(sink);
    for (const RoundInbox& inbox : state.inboxes) {
      sink.number(inbox.size());
      for (const ReceivedMessage& received : inbox) {
        sink.number(core::raw(received.port));
        received.message.walk_into(sink);
      }
    }
    return {key.begin(), key.end()};
  }

  static NodeId peer(void* self, Port port) {
    const auto& s = *static_cast<RoundSearch*>(self);
    for (std::size_t i = 0; i < s.wires_.ports[s.at_].size(); ++i)
      if (s.wires_.ports[s.at_][i] == port) return s.spec_.ids[s.wires_.ways[s.at_][i].to];
    core::invariant(false, "a protocol asked who is behind a port that it does not have");
    return {};
  }
  static std::uint64_t choose(void* self, std::uint64_t n) {
    Draws& draws = *static_cast<RoundSearch*>(self)->draws_;
    if (draws.next == draws.drawn.size()) draws.drawn.emplace_back(0, n);
    return draws.drawn[draws.next++].first;
  }

  const Spec& spec_;
  RoundQuestions questions_;
  RoundWires wires_;
  const core::MessageKind& kind_;
  NodeIndex at_ = 0;
  Draws* draws_ = nullptr;
  std::deque<RoundState> waiting_;
  std::set<std::string> seen_;
  Verdict verdict_;
};

}  // namespace

Verdict search_rounds(const Spec& spec, core::Nodes& nodes, const RoundQuestions& questions,
                      const OnSearchProgress& on_progress) {
  return RoundSearch(spec, nodes, questions).run(on_progress);
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
      throw core::Problem("best-leader", {},
                          std::string(algorithm) +
                              " does not state which node it elects; use --property agreement");
    if ((name == "all" && says_whom) || name == "best-leader") out.best = true;
  }
  return out;
}

void refuse_beyond_rounds(const Spec& spec, std::string_view algorithm) {
  const auto no = [&](const char* flag) {
    throw core::Problem(
        std::string(flag), {},
        std::string(algorithm) +
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
