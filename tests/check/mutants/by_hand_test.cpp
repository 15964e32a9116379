// SPDX-License-Identifier: MIT
// Faults that no search of a small network convicts, because the next beat or wave makes up for
// them, or because they need a priority or a clock: a node of `drumbeat` that is moved by hand does
// something else than the original.
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "bellwether/algorithms/moving/drumbeat.hpp"
#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/core/hand_host_test.hpp"
#include "bellwether/core/invariant.hpp"
#include "check/mutants/mutants.hpp"

namespace bellwether::searches {
namespace {

using algorithms::Aim;
using algorithms::BeatClaim;
using algorithms::Drumbeat;
using algorithms::nobody;
using algorithms::SubtreeReport;
using algorithms::TreeSpot;
using algorithms::WaveNews;
using core::NodeId;
using core::Port;
using Timer = Drumbeat::Timer;

/// Node 5 with links to 3, 7 and 9 by the ports 0, 1 and 2, and all that it does, in words. Mutants
/// are other types, but they have the same messages on the wire and the same timers.
class NodeFive : private core::HandHost {
 public:
  explicit NodeFive(const core::Algorithm& algorithm) : HandHost(algorithm.make({})) {
    for (const std::uint64_t id : {5, 3, 7, 9}) add(NodeId{id});
    for (core::NodeIndex far = 1; far <= 3; ++far) open(0, {.far = far, .up = true});
    set_clock(0, std::chrono::seconds(7));
    monitors_ = hosted().monitors();
  }
  const std::string& said() const { return said_; }
  /// The properties of its own that it broke.
  const std::set<std::string>& broken() const { return broken_; }

  void start() { step(0, core::Call::start()); }
  void priority(std::uint32_t p) { step(0, core::Call::set_priority(p)); }
  void lose(std::uint32_t port) { tell_down(0, Port{port}); }
  /// Whatever is due, until nothing is, or for some time.
  void run_down() {
    for (int i = 0; i < 100 && !armed(0).empty(); ++i) fire(0, core::TimerName(armed(0)[0].timer));
    if (!armed(0).empty()) return;
    for (const auto& monitor : monitors_) judge(*monitor, [&] { monitor->at_rest(*this); });
  }
  void timeout(Timer timer) {
    const core::TimerName name = core::TimerName::of(timer);
    if (is_armed(0, name)) fire(0, name);
  }
  void receive(std::uint32_t port, const Drumbeat::Message& message) {
    const core::Bytes bytes = core::encode(message);
    const auto decoded = hosted().decode(bytes);
    ASSERT_TRUE(decoded.has_value());
    step(0, core::Call::receive(Port{port}, decoded->value()));
  }
  void beat(std::uint32_t port, std::uint64_t leader, std::uint64_t number, std::uint32_t weight,
            std::uint32_t with = core::usual_priority) {
    receive(port, Drumbeat::Beat{BeatClaim::of(NodeId{leader}, number, weight, with)});
  }
  void wave(std::uint32_t port, std::uint64_t number, const WaveNews& news, const TreeSpot& spot) {
    receive(port, Drumbeat::WaveBeat{BeatClaim::of(NodeId{9}, number, 9, core::usual_priority),
                                     news, spot});
  }
  /// A follower of 9, which is its neighbour and has counted nine nodes.
  void follow_nine(NodeId deputy = NodeId{7}) {
    start();
    wave(2, 100, {1, 9, deputy, nobody, Aim::lead, 0}, {nobody, 0, 9, 0, 0});
    timeout(Timer::relay);
  }
  /// And has a child, 3, with two more below it.
  void have_a_child() {
    follow_nine();
    wave(0, 100, {1, 9, NodeId{7}, nobody, Aim::lead, 0}, {NodeId{5}, 2, 3, 0, 0});
    timeout(Timer::echo);
    timeout(Timer::echo);
  }

 private:
  core::Outcome play(core::NodeIndex u, const core::Call& call,
                     const core::Surroundings& around) override {
    core::Outcome out = HandHost::play(u, call, around);
    for (const auto& send : out.sends) said_ += "sends " + core::text_of(send.message) + "\n";
    for (const auto& alarm : out.alarms)
      said_ += hosted().text(alarm.timer) + (alarm.armed ? " armed " : " disarmed ") +
               std::to_string(alarm.min.count()) + " " + std::to_string(alarm.max.count()) + "\n";
    for (const auto& monitor : monitors_)
      judge(*monitor, [&] { monitor->after(*this, {core::Cause::receive, u, {}}); });
    const auto leader = hosted().leader(place(u));
    said_ += "names " + std::to_string(leader ? core::raw(*leader) : 0) + "\n";
    return out;
  }
  void on_send(core::NodeIndex, Port, const core::AnyMessage&) override {}
  void judge(const core::PropertyMonitor& monitor, const std::function<void()>& watch) {
    try {
      watch();
    } catch (const core::Violation&) {
      broken_.insert(std::string(monitor.name()));
    }
  }

  core::PropertyMonitors monitors_;
  std::string said_;
  std::set<std::string> broken_;
};

struct Row {
  const char* mutant;
  void (*script)(NodeFive&);
};
void PrintTo(const Row& row, std::ostream* out) {
  *out << row.mutant;
}

void late_beat(NodeFive& node) {
  node.start();
  node.beat(2, 9, 10'000, 4);
  node.timeout(Timer::call);
  node.beat(2, 9, 10'001, 4);
}
void behind(NodeFive& node) {
  node.start();
  node.beat(2, 9, 10'000, 4);
  node.beat(0, 3, 10'000, 1);
}
void silent_leader(NodeFive& node) {
  node.follow_nine(NodeId{5});
  node.timeout(Timer::silence);
}
void heir(NodeFive& node) {
  node.follow_nine();
  node.wave(2, 101, {2, 9, NodeId{7}, NodeId{5}, Aim::heir, 0}, {nobody, 0, 9, 0, 0});
}
void one_mute(NodeFive& node) {
  node.follow_nine(NodeId{5});
  node.receive(2, Drumbeat::Tap{});
  node.timeout(Timer::watch);
  node.receive(0, Drumbeat::Mute{NodeId{9}});
}
void late_tap(NodeFive& node) {
  node.follow_nine(NodeId{5});
  node.receive(2, Drumbeat::Tap{});
  node.timeout(Timer::watch);
  node.receive(2, Drumbeat::Tap{});
}
void heard_once(NodeFive& node) {
  node.follow_nine();
  node.beat(2, 9, 101, 9);
  node.timeout(Timer::relay);
}
void heard_twice(NodeFive& node) {
  node.follow_nine();
  node.beat(2, 9, 101, 9);
  node.beat(1, 9, 101, 9);
  node.timeout(Timer::relay);
}
void not_eligible(NodeFive& node) {
  node.priority(0);
  node.start();
  node.beat(0, 3, 100, 1, 1);
  node.timeout(Timer::silence);
}
void more_important(NodeFive& node) {
  node.start();
  node.beat(2, 9, 10'000, 4);
  node.beat(0, 3, 10'000, 1, 101);
}
void earlier_life(NodeFive& node) {
  node.start();
  node.beat(0, 5, 1'000'000, 1);
  node.timeout(Timer::beat);
}
void unheard(NodeFive& node) {
  node.start();
  node.beat(0, 3, 10'000, 1);  // of a lower rank
  node.receive(0, Drumbeat::WaveBeat{BeatClaim::of(NodeId{3}, 10'001, 1, core::usual_priority),
                                     {1, 1, nobody, nobody, Aim::lead, 0},
                                     {nobody, 0, 1, 0, 0}});
  for (int i = 0; i < 20; ++i) node.timeout(Timer::beat);
  node.beat(0, 3, 10'002, 1);
}
void child_is_gone(NodeFive& node) {
  node.have_a_child();
  node.lose(0);
}
void child_reports(NodeFive& node) {
  node.have_a_child();
  SubtreeReport report;
  report.count = 3;
  report.far = 8;
  node.receive(0, Drumbeat::Echo{1, NodeId{5}, report});
  node.timeout(Timer::echo);
}
void alone(NodeFive& node) {
  silent_leader(node);
  for (const std::uint32_t port : {0, 1, 2}) node.lose(port);
  node.timeout(Timer::beat);
}
void resigns(NodeFive& node) {
  node.start();
  node.receive(0, Drumbeat::WaveBeat{BeatClaim::of(NodeId{5}, 1, 1, core::usual_priority),
                                     {1, 1, nobody, nobody, Aim::lead, 0},
                                     {NodeId{5}, 1, 1, 0, 0}});
  node.timeout(Timer::echo);
  node.priority(1);
}
/// Node 5 leads; 3 is its child, with two more below it.
void lead_three(NodeFive& node) {
  node.start();
  node.receive(0, Drumbeat::WaveBeat{BeatClaim::of(NodeId{5}, 1, 1, core::usual_priority),
                                     {1, 1, nobody, nobody, Aim::lead, 0},
                                     {NodeId{5}, 1, 1, 0, 0}});
  node.timeout(Timer::echo);
  node.timeout(Timer::echo);
}
void resigns_in_a_handover(NodeFive& node) {
  lead_three(node);
  node.priority(1);
  node.receive(1, Drumbeat::WaveBeat{BeatClaim::of(NodeId{5}, 1, 1, core::usual_priority),
                                     {1, 1, nobody, nobody, Aim::lead, 0},
                                     {NodeId{5}, 1, 1, 0, 0, 200}});
  node.priority(0);
}
void heir_is_lost(NodeFive& node) {
  lead_three(node);
  node.priority(0);
  for (int i = 0; i < 12; ++i) {
    node.timeout(Timer::beat);
    node.timeout(Timer::echo);
    node.timeout(Timer::echo);
  }
}
void wave_as_a_beat(NodeFive& node) {
  node.follow_nine();
  node.beat(1, 9, 101, 9);
  node.timeout(Timer::relay);
  node.wave(2, 101, {2, 9, NodeId{7}, nobody, Aim::lead, 0}, {nobody, 0, 9, 0, 0});
}
void two_leaders_in_turn(NodeFive& node) {
  node.start();
  node.beat(2, 9, 10'000, 4);
  node.timeout(Timer::silence);
  node.beat(1, 7, 10'000, 4);
  node.timeout(Timer::silence);
  node.beat(2, 9, 10'000, 4);  // once more
}

void leader_whose_clock_went_back(NodeFive& node) {
  node.start();
  node.beat(2, 9, 10'000, 4);
  node.timeout(Timer::silence);
  node.beat(2, 9, 400, 4);
}

void child_that_seems_near(NodeFive& node) {
  node.follow_nine();
  node.wave(0, 101, {2, 9, NodeId{7}, nobody, Aim::lead, 0}, {NodeId{5}, 0, 30, 0, 0});
  node.timeout(Timer::relay);
}

const std::vector<Row> rows{
    {"never_gives_way", behind},
    {"passes_no_wave_on", [](NodeFive& node) { node.follow_nine(); }},
    {"accepts_a_beat_twice", two_leaders_in_turn},
    {"forgets_what_it_accepted", two_leaders_in_turn},
    {"chooses_a_child_as_parent", child_that_seems_near},
    {"answers_nobody", behind},
    {"calls_nobody", late_beat},
    {"stays_impatient", late_beat},
    {"deputy_does_not_succeed", silent_leader},
    {"heir_keeps_the_rank", heir},
    {"heir_declines", heir},
    {"one_witness_is_enough", one_mute},
    {"never_lenient", late_tap},
    {"leaf_never_speaks", heard_once},
    {"leaf_always_speaks", heard_twice},
    {"retires_and_leads", not_eligible},
    {"priority_is_ignored", more_important},
    {"begins_at_zero", [](NodeFive& node) { node.start(); }},
    {"forgets_its_earlier_life", earlier_life},
    {"mute_leader_stays", unheard},
    {"waits_for_who_is_gone", child_is_gone},
    {"echoes_nothing", child_reports},
    {"alone_and_heavy", alone},
    {"resigns_without_an_heir", resigns},
    {"passes_a_wave_on_as_a_beat", wave_as_a_beat},
    {"remembers_one_leader", two_leaders_in_turn},
    {"reminds_nobody", leader_whose_clock_went_back},
    {"names_a_second_heir", resigns_in_a_handover},
    {"leads_without_an_heir", heir_is_lost},
};

class MutantsByHand : public testing::TestWithParam<Row> {};

TEST_P(MutantsByHand, DoesSomethingElseThanTheOriginal) {
  const Row& row = GetParam();
  NodeFive original(catalogue::algorithm("drumbeat"));
  NodeFive mutant(mutants().at(row.mutant));
  row.script(original);
  row.script(mutant);
  EXPECT_NE(original.said(), mutant.said());
}

/// Mutants are hosted in another way than the original (stand_in.hpp), which must not convict them.
TEST(StandIns, SayTheSameWhereNothingIsChanged) {
  for (const Row& row : rows) {
    NodeFive original(catalogue::algorithm("drumbeat"));
    NodeFive copy(mutants().at(unchanged_copy));
    row.script(original);
    row.script(copy);
    EXPECT_EQ(original.said(), copy.said()) << row.mutant;
  }
}

/// Mutants that break a property which no search was seen to find broken.
TEST(MonitorsByHand, FindTheMutantAndNotTheOriginal) {
  struct Case {
    const char* property;
    const char* mutant;
    void (*script)(NodeFive&);
  };
  for (const Case& each : {Case{"beats-ascend", "accepts_a_beat_twice", two_leaders_in_turn},
                           Case{"beats-ascend", "forgets_what_it_accepted", two_leaders_in_turn},
                           Case{"one-heir", "names_a_second_heir", resigns_in_a_handover},
                           Case{"eligible", "retires_and_leads", not_eligible},
                           Case{"eligible", "leads_without_an_heir", heir_is_lost},
                           Case{"leaders-beat", "falls_silent", [](NodeFive& node) {
                                  node.start();
                                  node.run_down();
                                }}}) {
    NodeFive original(catalogue::algorithm("drumbeat"));
    NodeFive mutant(mutants().at(each.mutant));
    each.script(original);
    each.script(mutant);
    EXPECT_EQ(original.broken(), std::set<std::string>{}) << each.mutant;
    EXPECT_EQ(mutant.broken(), std::set<std::string>{each.property}) << each.mutant;
  }
}

INSTANTIATE_TEST_SUITE_P(All, MutantsByHand, testing::ValuesIn(rows),
                         [](const auto& row) { return std::string(row.param.mutant); });

}  // namespace

bool is_moved_by_hand(const std::string& mutant) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const Row& row) { return row.mutant == mutant; });
}

}  // namespace bellwether::searches
