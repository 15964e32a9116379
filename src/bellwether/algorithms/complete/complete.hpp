// SPDX-License-Identifier: MIT
// What the elections in complete networks share: what it costs to capture nodes one by one, and the
// properties of an election that any of its initiators may win.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "bellwether/algorithms/extremum.hpp"
#include "bellwether/algorithms/leader_news.hpp"
#include "bellwether/core/facts.hpp"
#include "bellwether/core/property.hpp"

namespace bellwether::algorithms {

/// No options.
struct CompleteOptions {
  static constexpr std::tuple<> fields{};
  friend bool operator==(const CompleteOptions&, const CompleteOptions&) = default;
};

/// Sends to a port that is known from an earlier step. In these networks no link goes down; where
/// one does, the message is lost.
template <class Step, class Message>
void send_over(Step& step, core::Port port, Message&& message) {
  if (std::ranges::binary_search(step.ports(), port))
    step.send(port, std::forward<Message>(message));
}

/// Whether this port has the given index in the order in which a node uses its ports.
template <class Step>
bool stands_at(const Step& step, std::size_t place, core::Port port) {
  return place < step.ports().size() && step.ports()[place] == port;
}

/// A candidate that captures nodes one by one owns 1, 2, ... nodes. Where no two reach the same
/// number with a node in common, at most n / s of them own s nodes; the sum for s = 1 to n - 1 is
/// the largest possible number of attempts. It is below n (1 + ln n).
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
    return "when quiescent, if any node has initiated, all nodes name the same initiator";
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
