// SPDX-License-Identifier: MIT
// Whether an election looks for the largest or the smallest id, and the properties of an election
// that finds the extremum of its initiators.
#pragma once

#include <array>
#include <memory>

#include "bellwether/core/property.hpp"

namespace bellwether::algorithms {

enum class Extremum : std::uint8_t { max, min };
constexpr auto names_of(Extremum) {
  return std::array<std::string_view, 2>{"max", "min"};
}

/// Whether a beats b. No id beats itself.
constexpr bool better(Extremum extremum, core::NodeId a, core::NodeId b) {
  return extremum == Extremum::max ? a > b : a < b;
}

/// An election among initiators, for the properties below.
template <class P>
concept ExtremumElection = core::Protocol<P> && requires(const P& seen) {
  { seen.initiator() } -> std::same_as<bool>;
  { seen.announces() } -> std::same_as<bool>;
  { seen.extremum() } -> std::same_as<Extremum>;
};

template <ExtremumElection P>
std::optional<core::NodeId> best_initiator(const core::Snapshot<P>& seen) {
  std::optional<core::NodeId> best;
  for (core::NodeIndex i = 0; i < seen.size(); ++i) {
    if (!seen.alive(i) || !seen.node(i).initiator()) continue;
    if (!best || better(seen.node(i).extremum(), seen.id(i), *best)) best = seen.id(i);
  }
  return best;
}

/// Constant work in each step: only the node that has just stepped can have become a leader.
template <core::Protocol P>
class OneLeader final : public core::Remembers<OneLeader<P>, core::Monitor<P>> {
 public:
  std::string_view name() const override { return "one-leader"; }
  std::string_view says() const override { return "at most one node believes that it leads"; }
  void after(const core::Snapshot<P>& seen, const core::Happening& what) override {
    if (seen.node(what.node).leader() != seen.id(what.node)) return;
    if (!first_) first_ = what.node;
    core::invariant(*first_ == what.node, says());
  }

 private:
  std::optional<core::NodeIndex> first_;

 public:
  static constexpr auto fields = std::tuple{core::field("first", &OneLeader::first_)};
};

template <ExtremumElection P>
class BestInitiatorLeads final : public core::Monitor<P> {
 public:
  std::string_view name() const override { return "extremum"; }
  std::string_view says() const override {
    return "when quiescent, every node that names a leader names the best id among the initiators";
  }
  void at_rest(const core::Snapshot<P>& seen) override {
    const auto best = best_initiator(seen);
    for (core::NodeIndex i = 0; i < seen.size(); ++i) {
      if (!seen.alive(i) || !seen.node(i).leader()) continue;
      core::invariant(seen.node(i).leader() == best, says());
    }
  }
};

template <ExtremumElection P>
class ResultIsKnown final : public core::Monitor<P> {
 public:
  std::string_view name() const override { return "known"; }
  std::string_view says() const override {
    return "when quiescent, the best initiator knows that it leads and, if it announces, all "
           "others do";
  }
  void at_rest(const core::Snapshot<P>& seen) override {
    const auto best = best_initiator(seen);
    if (!best) return;  // no node has initiated an election
    for (core::NodeIndex i = 0; i < seen.size(); ++i) {
      const P& node = seen.node(i);
      if (!seen.alive(i) || (!node.announces() && seen.id(i) != *best)) continue;
      core::invariant(node.leader().has_value(), says());
    }
  }
};

template <ExtremumElection P>
core::Monitors<P> extremum_monitors() {
  core::Monitors<P> all;
  all.push_back(std::make_unique<OneLeader<P>>());
  all.push_back(std::make_unique<BestInitiatorLeads<P>>());
  all.push_back(std::make_unique<ResultIsKnown<P>>());
  return all;
}

}  // namespace bellwether::algorithms
