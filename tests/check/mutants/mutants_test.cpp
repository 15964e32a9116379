// SPDX-License-Identifier: MIT
// Faults put into the text of real algorithms, one each: the search must find every one of them,
// and nothing in the algorithm as it is.
#include "check/mutants/mutants.hpp"

#include <gtest/gtest.h>

#include "bellwether/core/problem.hpp"
#include "check/searches.hpp"

namespace bellwether::searches {
namespace {

struct Row {
  const char* mutant;
  const char* algorithm;
  const char* graph;
  const char* script = "";
  void (*adjust)(Spec&) = nullptr;
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.mutant;
}

void one_way(Spec& spec) {
  spec.one_way = true;
  spec.properties = {"all"};
}
void all_properties(Spec& spec) {
  spec.properties = {"all"};
}
void message_bound(Spec& spec) {
  spec.properties = {"message-bound"};
}
void two_lots(Spec& spec) {  // rounds without end: as far as it goes
  one_way(spec);
  spec.options = {{"choices", "2"}};
  spec.max_depth = 24;
  spec.cycles = false;
}
void from_cold(Spec& spec) {
  spec.from = From::cold;
}
void fifo_cold(Spec& spec) {
  spec.from = From::cold;
  spec.order = ChannelOrder::fifo;
}
void fifo_instant(Spec& spec) {
  spec.notify = Notify::instant;
  spec.order = ChannelOrder::fifo;
}
void one_loss(Spec& spec) {
  spec.losses = 1;
}
void all_near(Spec& spec) {
  spec.options = {{"remoteness", "1"}};
  spec.properties = {"all"};
}
void without_hello(Spec& spec) {
  spec.options = {{"hello", "false"}};
}
void steady_timeouts(Spec& spec) {
  spec.from = From::cold;
  spec.options = whole_periods_of_gomez_calzado;
  spec.options.emplace_back("timeout_step", "0ms");
  spec.delay = std::chrono::milliseconds(50);
}

void slow_beats(Spec& spec) {
  spec.options = whole_periods_of_drumbeat;
}

void all_from_cold(Spec& spec) {
  all_of_drumbeat(spec);
  fifo_cold(spec);
}
void heir_is_nearer(Spec& spec) {
  all_of_drumbeat(spec);
  spec.properties = {"heir-is-nearer"};
}
void weight_holds(Spec& spec) {
  all_of_drumbeat(spec);
  fifo_instant(spec);
  spec.properties = {"weight-holds"};
}

const std::vector<Row> rows{
    {"worst_token_wins", "chang-roberts", "ring:3", "", one_way},
    {"swallows_tokens", "chang-roberts", "ring:3", "", one_way},
    {"takes_credit", "chang-roberts", "ring:3", "", one_way},
    {"worst_seen_wins", "lelann", "ring:3", "", one_way},
    {"late_candidate", "lelann", "ring:3", "", one_way},
    {"refuses_the_better", "hirschberg-sinclair", "ring:3", "", all_properties},
    {"forgets_early_bids", "franklin", "ring:4", "", all_properties},
    {"never_turns", "alternate", "ring:4", "", message_bound},
    {"sleeps_on", "clockwise", "ring:3", "", one_way},
    {"elects_the_outdone", "peterson", "12,25,53,34,41", "", one_way},
    {"keeps_the_smaller", "dolev-klawe-rodeh", "ring:3", "", one_way},
    {"lets_relays_win", "higham-przytycka", "ring:3", "", one_way},
    {"overlooks_its_equal", "itai-rodeh", "ring:3", "", two_lots},
    {"initiates_late", "echo-extinction", "line:2", "", from_cold},
    {"answers_too_soon", "ghs", "ring:3", "", from_cold},
    {"names_itself_root", "bfs-tree-async", "line:3", "", from_cold},
    {"leader_keeps_silent", "bully", "complete:3", "", from_cold},
    {"asks_the_smaller", "bully", "complete:3", "", from_cold},
    {"captures_after_a_defeat", "humblet", "complete:3", "", all_properties},
    {"dies_by_anybody", "afek-gafni", "complete:3", "", all_properties},
    {"does_not_tell_its_sons", "korach-moran-zaks", "complete:3", "", all_properties},
    {"weakest_leads", "flooding", "line:3", "", from_cold},
    {"passes_nothing_on", "flooding", "line:4", "", fifo_cold},
    {"hears_old_beats", "gomez-calzado", "line:2", "", steady_timeouts},
    {"beats_once", "gomez-calzado", "line:2", "", steady_timeouts},
    {"falls_silent", "drumbeat", "line:2", "", slow_beats},
    {"never_misses_its_leader", "drumbeat", "line:2", "12", slow_beats},
    {"waits_for_its_deputy", "drumbeat", "line:3", "x2", all_of_drumbeat},
    {"prefers_the_lower_rank", "drumbeat", "line:3", "", all_from_cold},
    {"hands_over_to_the_farther", "drumbeat", "line:3", "", heir_is_nearer},
    {"weight_falls_in_a_window", "drumbeat", "line:3", "12", weight_holds},
    {"joins_the_lower", "vasudevan", "line:3", "", from_cold},
    {"no_ack_to_a_second_parent", "vasudevan", "complete:3", "", from_cold},
    {"sink_as_printed", "height", "line:3", "12"},
    {"older_leaders_unanswered", "height", "empty:2", "12", without_hello},
    {"searches_are_not_reflected", "height", "line:3", "12"},
    {"leads_too_late", "vector-hierarchy", "line:4", "34", all_near},
    {"keeps_its_members", "vector-hierarchy", "line:4", "34", all_near},
    {"leads_for_nobody", "hierarchy", "line:5", "45", all_near},
    {"tells_its_reach_once", "hierarchy", "line:4", "34", all_near},
    {"root_never_answers", "hierarchy", "ring:4", "12", all_near},
    {"keeps_a_parent_uphill", "hierarchy", "ring:4", "12", all_near},
    {"keeps_news_to_itself", "cel", "line:4", "", from_cold},
    {"flipped_pruning", "cel", "line:4", "", from_cold},
    {"learns_and_does_not_tell", "topology-aware", "line:3", "", from_cold},
    {"losses_are_not_told", "topology-aware", "line:3", "12"},
    {"ageless", "cel-2", "13", "13,23,x1,r1,12", fifo_instant},
    {"reads_no_digest", "cel-2", "12,13", "12", one_loss},
    {"elects_by_claims", "cel-2", "12", "12"},
    {"keeps_its_place", "central-hierarchy", "line:4", "12", all_near},
    {"asks_for_no_digest", "topology-aware-2", "empty:2", "12", one_loss},
};

class Mutants : public testing::TestWithParam<Row> {};

TEST_P(Mutants, IsCaughtAndTheOriginalIsNot) {
  const Row& row = GetParam();
  Spec spec = on(row.algorithm, row.graph, row.script);
  if (row.adjust) row.adjust(spec);
  const Verdict wrong = check::check(mutants().at(row.mutant), spec, {});
  EXPECT_EQ(wrong.ended, SearchEnd::violation);
  EXPECT_EQ(wrong.note, "");
  std::printf("  %zu steps, %llu states: %s\n", wrong.actions,
              static_cast<unsigned long long>(wrong.states), wrong.sentence.c_str());
  const Verdict right = search(spec);
  EXPECT_EQ(right.ended, spec.max_depth > 0 ? SearchEnd::depth : SearchEnd::complete)
      << right.sentence;
}

INSTANTIATE_TEST_SUITE_P(All, Mutants, testing::ValuesIn(rows),
                         [](const auto& row) { return std::string(row.param.mutant); });

TEST(EveryMutant, IsConvictedInOneWayAndEveryAlgorithmHasOne) {
  std::set<std::string> algorithms;
  for (const auto& [name, algorithm] : mutants()) {
    const bool is_searched =
        std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row.mutant == name; });
    EXPECT_EQ(is_searched + is_moved_by_hand(name), name == unchanged_copy ? 0 : 1) << name;
  }
  for (const Row& row : rows) algorithms.insert(row.algorithm);
  for (const auto& entry : catalogue::all())
    EXPECT_EQ(algorithms.contains(std::string(entry.name)), !entry.rounds) << entry.name;
}

TEST(BeyondTheModel, LeLannWithoutOrder) {
  Spec spec = on("lelann", "ring:3");
  spec.one_way = true;
  EXPECT_EQ(search(spec).ended, SearchEnd::complete);
  spec.order = ChannelOrder::unordered;
  EXPECT_THROW(search(spec), core::Problem);
  spec.beyond_model = true;
  spec.properties = {"all"};
  const Verdict verdict = search(spec);
  EXPECT_EQ(verdict.ended, SearchEnd::violation);
  std::printf("  lelann without order: %s: %s\n", verdict.property.c_str(),
              verdict.sentence.c_str());
}

}  // namespace
}  // namespace bellwether::searches
