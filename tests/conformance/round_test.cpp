// SPDX-License-Identifier: MIT
// The same for protocols that proceed in rounds.
#include <gtest/gtest.h>

#include "conformance/occasion.hpp"

namespace bellwether::conformance {
namespace {

class Rounds : public testing::TestWithParam<Subject> {};
INSTANTIATE_TEST_SUITE_P(, Rounds, testing::ValuesIn(in_rounds(algorithms(), true)), NameOf{});

/// Any ports, at most one message on each.
Occasion any_round(const Subject& subject, core::Prng& prng, std::uint64_t number) {
  Occasion round;
  round.kind = Kind::round;
  for (std::uint32_t p = 0; p < 6; ++p) {
    if (prng.below(2) == 0) continue;
    round.ports.push_back(Port{p});
    round.peers.emplace_back(Port{p}, NodeId{p + 10});
    if (number > 0 && prng.below(3) != 0)
      round.inbox.push_back({Port{p}, subject.any_message(prng)});
  }
  round.now = Time{static_cast<std::int64_t>(number)};
  round.choices = prng.next();
  return round;
}

void live(const Subject& subject, std::uint64_t seed) {
  core::Prng prng = core::stream(seed, subject.stream());
  const auto nodes = subject.any(prng);
  AnyNode node(*nodes, NodeId{1 + prng.below(5)});
  Bench bench(*nodes, !nodes->facts().model.needs_ids && prng.below(2) == 0);
  for (std::uint64_t number = 0; number < 40; ++number) {
    const Occasion round = any_round(subject, prng, number);
    const core::Outcome outcome = checked(bench, node, round);
    require(outcome.alarms.empty(), "a round protocol has no timers");
    require(outcome.halted == nodes->halted(node.index()), "the driver is told of another end");
    std::vector<Port> used;
    for (const auto& send : outcome.sends) {
      require_round_trip(*nodes, send.message);
      if (send.port == core::every_port)
        used.insert(used.end(), round.ports.begin(), round.ports.end());
      else
        used.push_back(send.port);
    }
    std::sort(used.begin(), used.end());
    require(std::adjacent_find(used.begin(), used.end()) == used.end(),
            "a port carries at most one message a round");
    require(std::includes(round.ports.begin(), round.ports.end(), used.begin(), used.end()),
            "it sends on a port that is not up");
  }
}

TEST_P(Rounds, keep_the_contract_in_any_life) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    try {
      live(GetParam(), seed);
    } catch (const std::exception& wrong) {
      FAIL() << "seed " << seed << ": " << wrong.what();
    }
  }
}

}  // namespace
}  // namespace bellwether::conformance
