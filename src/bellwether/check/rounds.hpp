// SPDX-License-Identifier: MIT
// Every run of a synchronous protocol. All act in each round, so there is nothing to interleave:
// what remains are the graphs, the orders of the ids in them, and what the protocol draws, of which
// every outcome is tried.
#pragma once

#include "bellwether/check/plan.hpp"
#include "bellwether/core/host.hpp"

namespace bellwether::check {

/// What is asked of a round protocol: agreement, and more if wanted.
struct RoundQuestions {
  bool best = false;
  std::optional<std::uint64_t> most_messages;
};
RoundQuestions round_questions(const Spec& spec, std::string_view algorithm,
                               core::Criterion criterion);
/// Refuses what has no meaning in rounds. Throws Problem.
void refuse_beyond_rounds(const Spec& spec, std::string_view algorithm);

/// One search, in the first graph of the specification, of nodes that are still to be made.
Verdict search_rounds(const Spec& spec, core::Nodes& nodes, const RoundQuestions& questions,
                      const OnSearchProgress& on_progress);

}  // namespace bellwether::check
