// SPDX-License-Identifier: MIT
// What the elections in complete networks share: what it costs to capture node after node, and what
// is true of an election that any of its initiators may win.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "bellwether/algorithms/extremum.hpp"
#include "bellwether/algorithms/leader_news.hpp"
#include "bellwether/core/facts.hpp"
#include "bellwether/core/property.hpp"

namespace bellwether::algorithms {

/// There is nothing to choose.
struct CompleteOptions {
  static constexpr std::tuple<> fields{};
  friend bool operator==(const CompleteOptions&, const CompleteOptions&) = default;
};

/// To a port that was heard of in an earlier step. In these networks no link goes down; where one
/// does, what is meant for it is lost.
template <class Step, class Message>
void send_over(Step& step, core::Port port, Message&& message) {
  if (std::ranges::binary_search(step.ports(), port))
    step.send(port, std::forward<Message>(message));
}

/// Whether this is the port that stands at a place of the order in which a node goes through them.
template <class Step>
bool stands_at(const Step& step, std::size_t place, core::Port port) {
  return place < step.ports().size() && step.ports()[place] == port;
}

/// Who captures one node after the other owns 1, 2, ... nodes. Where two never reach the same
/// number with a node in common, n / s of them at most own s nodes; the sum for s = 1 to n - 1 is
/// the most attempts that there can be. It is below n (1 + ln n).
constexpr std::uint64_t most_attempts(std::uint64_t n) {
  std::uint64_t sum = 0;
  for (std::uint64_t s = 1; s < n; ++s) sum += n / s;
  return sum;
}

/// An election that any initiator may win, for the properties below.
template <class P>
concept OpenElection = core::Protocol<P> && requires(const P& seen) {
  { seen.initiator() } -> std::same_as<bool>;
};

template <OpenElection P>
class AnInitiatorLeads final : public core::Monitor<P> {
 public:
  std::string_view name() const override { return "known"; }
  std::string_view says() const override {
    return "at rest, if anybody has initiated, all nodes name the same initiator";
  }
  void at_rest(const core::Snapshot<P>& seen) override {
    bool any = false, led = false;
    const auto named = seen.size() == 0 ? std::nullopt : seen.node(0).leader();
    for (core::NodeIndex i = 0; i < seen.size(); ++i) {
      core::invariant(seen.node(i).leader() == named, says());
      any = any || seen.node(i).initiator();
      led = led || (seen.node(i).initiator() && named == seen.id(i));
    }
    core::invariant(led == any, says());
  }
};

template <OpenElection P>
core::Monitors<P> open_election_monitors() {
  core::Monitors<P> all;
  all.push_back(std::make_unique<OneLeader<P>>());
  all.push_back(std::make_unique<AnInitiatorLeads<P>>());
  return all;
}

}  // namespace bellwether::algorithms
