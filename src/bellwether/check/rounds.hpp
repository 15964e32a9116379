// SPDX-License-Identifier: MIT
// Every run of a synchronous protocol. All act in each round, so there is nothing to interleave:
// what remains are the graphs, the orders of the ids in them, and what the protocol draws, of which
// every outcome is tried.
#pragma once

#include <deque>
#include <set>

#include "bellwether/check/message_bound.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/facts.hpp"
#include "bellwether/core/print.hpp"
#include "bellwether/core/protocol.hpp"
#include "bellwether/observe/report.hpp"

namespace bellwether::check {

/// What is asked of a round protocol: agreement, and more if wanted.
struct RoundQuestions {
  bool best = false;
  std::optional<std::uint64_t> most_messages;
};
RoundQuestions round_questions(const Spec& spec, std::string_view algorithm,
                               core::Criterion criterion);
/// What is broken in a network that has come to rest; empty: nothing.
std::string round_fault(const Spec& spec, const std::vector<observe::Verdict>& verdicts,
                        const RoundQuestions& questions, std::uint64_t messages);
/// Refuses what has no meaning in rounds. Throws BadCheck.
void refuse_beyond_rounds(const Spec& spec, std::string_view algorithm);

/// A network without its protocol: where each port leads.
struct RoundWires {
  struct Way {
    NodeIndex to;
    Port there;
  };
  std::vector<std::vector<Port>> ports;  // to send on, by node
  std::vector<std::vector<Way>> ways;    // beside them
};
RoundWires wires_of(const Spec& spec, const std::vector<graph::Edge>& links);

template <core::RoundProtocol P>
class RoundSearch {
 public:
  using Message = typename P::Message;

  RoundSearch(const Spec& spec, const typename P::Options& options, const RoundQuestions& questions)
      : spec_(spec), questions_(questions), wires_(wires_of(spec, spec.graphs.at(0))) {
    State first;
    for (const NodeId id : spec.ids) first.nodes.emplace_back(id, options);
    first.inboxes.resize(spec.nodes);
    waiting_.push_back(std::move(first));
  }

  Verdict run(const OnProgress& on_progress) {
    verdict_.reduced = false;
    verdict_.cycles_searched = true;
    while (!waiting_.empty() && verdict_.ended == Ended::complete) {
      State state = std::move(waiting_.front());
      waiting_.pop_front();
      verdict_.depth = std::max(verdict_.depth, state.rounds);
      follow(state);
      if (spec_.max_states > 0 && verdict_.states >= spec_.max_states)
        verdict_.ended = Ended::states;
      if (on_progress && !on_progress({verdict_.states, verdict_.transitions, waiting_.size(),
                                       verdict_.depth, 0, "rounds"}))
        verdict_.ended = Ended::stopped;
    }
    if (verdict_.ended == Ended::complete && verdict_.rests == 0)
      tell({}, "agreement: no run comes to rest");
    return std::move(verdict_);
  }

 private:
  struct State {
    std::vector<P> nodes;
    std::vector<std::vector<core::Received<Message>>> inboxes;
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
  void follow(const State& before) {
    Draws draws;
    do {
      draws.next = 0;
      State after = before;
      const bool over = one_round(after, draws);
      ++verdict_.transitions;
      if (over)
        rest(after);
      else
        remember(std::move(after), before, draws.drawn.empty());
    } while (verdict_.ended == Ended::complete && next_branch(draws));
  }

  static bool next_branch(Draws& draws) {
    while (!draws.drawn.empty()) {
      auto& [outcome, of] = draws.drawn.back();
      if (++outcome < of) return true;
      draws.drawn.pop_back();
    }
    return false;
  }

  bool one_round(State& state, Draws& draws) {
    std::vector<std::vector<core::Received<Message>>> next(spec_.nodes);
    bool halted = true;
    std::uint64_t sent = 0;
    std::string told;
    for (NodeIndex u = 0; u < spec_.nodes; ++u) {
      at_ = u;
      draws_ = &draws;
      step_.begin(wires_.ports[u], core::Time{static_cast<std::int64_t>(state.rounds)});
      state.nodes[u].round(step_, state.inboxes[u]);
      halted = halted && state.nodes[u].halted();
      for (const auto& send : step_.sends())
        for (std::size_t i = 0; i < wires_.ports[u].size(); ++i) {
          if (send.port != core::every_port && send.port != wires_.ports[u][i]) continue;
          const auto [to, there] = wires_.ways[u][i];
          next[to].push_back({there, send.message});
          ++sent;
          told += (told.empty() ? "" : "; ") + std::to_string(core::raw(spec_.ids[u])) + " to " +
                  std::to_string(core::raw(spec_.ids[to])) + " " + core::text_of(send.message);
        }
    }
    for (auto& inbox : next)
      std::stable_sort(inbox.begin(), inbox.end(),
                       [](const auto& a, const auto& b) { return a.port < b.port; });
    state.inboxes = std::move(next);
    state.messages += sent;
    ++state.rounds;
    verdict_.taken[static_cast<std::size_t>(ActionKind::deliver)] += sent;
    state.told.push_back("round " + std::to_string(state.rounds) + ": " +
                         (told.empty() ? "nobody sends anything" : told));
    return halted && sent == 0;
  }

  void rest(const State& state) {
    ++verdict_.rests;
    std::vector<observe::Verdict> says;
    for (NodeIndex u = 0; u < spec_.nodes; ++u)
      says.push_back({true, state.nodes[u].leader(), core::leads(state.nodes[u], spec_.ids[u])});
    const std::string fault = round_fault(spec_, says, questions_, state.messages);
    if (!fault.empty()) return tell(state, fault);
    verdict_.agreed = true;
  }

  /// Where nothing was drawn and nothing changes, nothing ever will.
  void remember(State after, const State& before, bool settled) {
    const std::string key = key_of(after);
    if (settled && key == key_of(before))
      return tell(after, "agreement: the network goes on for ever");
    if (!seen_.insert(key).second) return;
    ++verdict_.states;
    waiting_.push_back(std::move(after));
  }

  void tell(const State& state, const std::string& fault) {
    const std::size_t colon = fault.find(": ");
    verdict_.ended = Ended::violation;
    verdict_.property = fault.substr(0, colon);
    verdict_.sentence = fault.substr(colon + 2);
    verdict_.actions = state.rounds;
    for (const std::string& round : state.told) verdict_.narration.push_back({round, 0, 0});
  }

  static std::string key_of(const State& state) {
    std::string key;
    const auto add = [&](const auto& value) {
      for (const auto byte : core::encode(value)) key.push_back(static_cast<char>(byte));
    };
    for (const P& node : state.nodes) add(node);
    for (const auto& inbox : state.inboxes) {
      add(static_cast<std::uint64_t>(inbox.size()));
      for (const auto& received : inbox) {
        add(core::raw(received.port));
        add(received.message);
      }
    }
    return key;
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
  core::RoundStepOf<P> step_{core::DriverHooks{this, &RoundSearch::peer, &RoundSearch::choose}};
  NodeIndex at_ = 0;
  Draws* draws_ = nullptr;
  std::deque<State> waiting_;
  std::set<std::string> seen_;
  Verdict verdict_;
};

}  // namespace bellwether::check
