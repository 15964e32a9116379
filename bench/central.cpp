// SPDX-License-Identifier: MIT
// The most central node: our closeness against Debian's igraph and Boost Graph, exact on all sides.
// All answers are compared; one that differs ends the program with status 1.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>

#include "bellwether/graph/closeness/kernels.hpp"
#include "central_dynamic.hpp"
#include "central_graphs.hpp"
#include "central_rivals.hpp"
#include "cpu_clock.hpp"

namespace bench {
namespace {

using namespace bellwether;
using core::NodeIndex;
using graph::Central;
using graph::Graph;
using graph::Processor;
using Sums = std::vector<std::uint64_t>;
using Rows = std::vector<std::uint64_t>;

constexpr double never = std::numeric_limits<double>::infinity();
constexpr NodeIndex too_many = 50'000;  // from here on rivals search from some nodes only
constexpr std::size_t sampled = 200;

/// How many additions in a row a CPU second has, in thousands of millions: the clock of the
/// processor, less what others take of it unseen.
double add_loop_ghz() {
  constexpr int loops = 1'000'000;
  constexpr int adds = 16;
  std::uint64_t sum = 0;
  std::uint64_t one = 1;
  asm volatile("" : "+r"(one));
  const double begin = cpu_seconds();
  for (int i = 0; i < loops; ++i) {
    for (int j = 0; j < adds; ++j) {
      sum += one;
      asm volatile("" : "+r"(sum));
    }
  }
  return 1e-9 * loops * adds / (cpu_seconds() - begin);
}

Rows bits_of(const Graph& graph) {
  Rows rows(graph.size());
  for (NodeIndex u = 0; u < graph.size(); ++u)
    for (const NodeIndex v : graph.neighbours(u)) rows[u] |= std::uint64_t{1} << v;
  return rows;
}

/// Ties: the highest index.
Central winner(const Sums& sums) {
  Central best;
  for (NodeIndex u = 0; u < sums.size(); ++u) {
    const Central each{u, static_cast<NodeIndex>(sums.size()), sums[u]};
    if (each.beats(best)) best = each;
  }
  return best;
}

/// One of our ways to the answer.
struct Way {
  std::function<Central(std::size_t)> solve;
  double least = never;
  std::vector<Central> answers = {};
};

/// One library, with all graphs of a case in its own form.
struct Team {
  std::string name;
  std::vector<std::unique_ptr<Rival>> rivals;
  double least = never;

  Team(std::string called, const std::vector<Graph>& graphs,
       std::unique_ptr<Rival> (*make)(const Graph&))
      : name(std::move(called)) {
    for (const Graph& graph : graphs)
      if (auto rival = make(graph)) rivals.push_back(std::move(rival));
  }
  bool present() const { return !rivals.empty(); }
};

/// All who compute on the graphs of one case, turn by turn.
class Race {
 public:
  explicit Race(const Case& about) : case_(about), graphs_(make_graphs(about)) {
    add([this](std::size_t i) { return most_central(graphs_[i], Processor::portable); });
    add([this](std::size_t i) { return most_central(graphs_[i]); });
    if (about.nodes > graph::most_bit_rows) return;
    for (const Graph& graph : graphs_) rows_.push_back(bits_of(graph));
    add([this](std::size_t i) {
      Central best;
      graph::small_central(rows_[i], Processor::portable, best);
      return best;
    });
    add([this](std::size_t i) { return graph::most_central(rows_[i]); });
  }

  /// False if answers differ.
  bool run();
  void print() const;

 private:
  void add(std::function<Central(std::size_t)> solve) {
    ways_.push_back({std::move(solve)});
    ways_.back().answers.resize(graphs_.size());
  }
  bool large() const { return graphs_.front().size() > too_many; }
  double per_graph(double seconds) const { return seconds / static_cast<double>(graphs_.size()); }
  void ours_once(Way& way);
  void ours();
  double theirs_once(Team& team);
  double theirs_sampled(Team& team);
  bool same(const Team& team, std::size_t graph, const Central& found);
  void print_row(const std::string& name, const Way& portable, const Way& best) const;

  Case case_;
  std::vector<Graph> graphs_;
  std::vector<Rows> rows_;
  std::vector<Way> ways_;  // portable and best; then the same for rows of bits
  std::array<Team, 2> teams_{Team("igraph", graphs_, make_igraph),
                             Team("Boost", graphs_, make_boost)};
  double clock_ = clock_cost();
  bool equal_ = true;
};

void Race::ours_once(Way& way) {
  const double begin = cpu_seconds();
  for (std::size_t i = 0; i < graphs_.size(); ++i) way.answers[i] = way.solve(i);
  way.least = std::min(way.least, per_graph(cpu_seconds() - begin - clock_));
  for (std::size_t i = 0; i < graphs_.size(); ++i) {
    if (way.answers[i] == ways_.front().answers[i]) continue;
    fmt::print("{} {}, graph {}: our own answers DIFFER\n", case_.name, case_.nodes, i);
    equal_ = false;
  }
}

/// Short runs, so several at a time.
void Race::ours() {
  constexpr int times = 5;
  for (int i = 0; i < times; ++i)
    for (Way& way : ways_)
      if (i == 0 || way.least < 1) ours_once(way);
}

bool Race::same(const Team& team, std::size_t graph, const Central& found) {
  const Central& own = ways_.front().answers[graph];
  if (own == found) return true;
  fmt::print("{} {}, graph {}: {} finds node {} with sum {}, we find {} with {}: they DIFFER\n",
             case_.name, case_.nodes, graph, team.name, found.node, found.sum, own.node, own.sum);
  return false;
}

/// CPU seconds for all nodes of all graphs.
double Race::theirs_once(Team& team) {
  std::vector<std::vector<NodeIndex>> all;
  for (const Graph& graph : graphs_) {
    all.emplace_back(graph.size());
    std::iota(all.back().begin(), all.back().end(), NodeIndex{0});
  }
  const double begin = cpu_seconds();
  for (std::size_t i = 0; i < graphs_.size(); ++i) team.rivals[i]->run(all[i]);
  const double seconds = cpu_seconds() - begin - clock_;
  for (std::size_t i = 0; i < graphs_.size(); ++i)
    equal_ &= same(team, i, winner(team.rivals[i]->sums()));
  return seconds;
}

/// The same, reckoned from some nodes. What a run costs whatever the number of nodes counts once.
/// Our winner is among them, so that its sum is compared; no node may beat it.
double Race::theirs_sampled(Team& team) {
  constexpr int times = 3;
  const Central own = ways_.front().answers.front();
  std::vector<NodeIndex> some{own.node};
  for (NodeIndex u = 0; some.size() <= sampled; ++u)
    if (u != own.node) some.push_back(u);
  const std::span<const NodeIndex> sources(some);
  double one = never;
  double many = never;
  for (int i = 0; i < times; ++i) {
    for (const std::size_t count : {std::size_t{1}, some.size()}) {
      double& least = count == 1 ? one : many;
      const double begin = cpu_seconds();
      team.rivals.front()->run(sources.first(count));
      least = std::min(least, cpu_seconds() - begin);
    }
  }
  const Sums sums = team.rivals.front()->sums();
  Central best;
  for (std::size_t i = 0; i < some.size(); ++i) {
    const Central each{some[i], graphs_.front().size(), sums[i]};
    if (each.beats(best)) best = each;
  }
  equal_ &= same(team, 0, best);
  return one + (many - one) / sampled * (graphs_.front().size() - 1.0);
}

bool Race::run() {
  constexpr int at_least = 5, at_most = 50;
  constexpr double enough = 0.5;  // CPU seconds
  double spent = 0;
  for (int round = 0; round < at_most; ++round) {
    bool again = false;  // a team is fast enough for another round
    for (Team& team : teams_) {
      ours();
      const bool due = round == 0 || per_graph(team.least) < 1;
      if (team.present() && due) {
        const double seconds = large() ? theirs_sampled(team) : theirs_once(team);
        team.least = std::min(team.least, seconds);
        spent += seconds;
        again |= seconds < 1;
      }
      ours();
    }
    if (!again || !equal_ || (round + 1 >= at_least && spent > enough)) break;
  }
  for (Team& team : teams_) team.least = per_graph(team.least);
  return equal_;
}

// --- The table ----------------------------------------------------------------------------------

std::string three_digits(double x) {
  return fmt::format("{:.{}f}", x, x < 9.995 ? 2 : x < 99.95 ? 1 : 0);
}

std::string time_text(double seconds) {
  if (seconds == never) return "-";
  if (seconds < 0.9995e-3) return three_digits(seconds * 1e6) + " us";
  if (seconds < 0.9995) return three_digits(seconds * 1e3) + " ms";
  return three_digits(seconds) + " s";
}

std::string ratio_text(double theirs, double ours) {
  return theirs == never ? "-" : fmt::format("{:.0f} x", theirs / ours);
}

std::string verdict(double short_by) {
  return short_by <= 0 ? "met" : fmt::format("missed by {:.0f} %", std::max(100 * short_by, 1.0));
}

void Race::print_row(const std::string& name, const Way& portable, const Way& best) const {
  double nodes = 0;
  double links = 0;
  for (const Graph& graph : graphs_) {
    nodes += graph.size();
    links += static_cast<double>(graph.arcs()) / 2;
  }
  const auto [igraph, boost] = std::array{teams_[0].least, teams_[1].least};
  const auto about = [&](const std::string& text) {
    return large() && text != "-" ? "~" + text : text;
  };
  std::string goal = "-";
  std::string reached = "-";
  if (case_.goal_seconds > 0) {
    goal = time_text(case_.goal_seconds);
    reached = verdict(best.least / case_.goal_seconds - 1);
  } else if (case_.goal_ratio > 0) {
    goal = fmt::format("{:.0f} x", case_.goal_ratio);
    if (igraph != never) reached = verdict(1 - igraph / best.least / case_.goal_ratio);
  }
  fmt::print("{:<21} {:>6.0f} {:>6.0f} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>7}  {}\n", name,
             per_graph(nodes), per_graph(links), about(time_text(igraph)), about(time_text(boost)),
             time_text(portable.least), time_text(best.least),
             about(ratio_text(igraph, best.least)), about(ratio_text(boost, best.least)), goal,
             reached);
  std::fflush(stdout);
}

void Race::print() const {
  print_row(case_.name, ways_[0], ways_[1]);
  if (!rows_.empty()) print_row(case_.name + ", bits", ways_[2], ways_[3]);
}

bool closeness_table() {
  fmt::print("{:<21} {:>6} {:>6} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>7}\n",
             "who is most central", "nodes", "links", "igraph", "Boost", "portable", "ours",
             "vs igraph", "vs Boost", "goal");
  bool equal = true;
  double slowest = never;
  double fastest = 0;
  for (const Case& each : central_cases()) {
    Race race(each);
    equal &= race.run();
    race.print();
    const double ghz = add_loop_ghz();
    slowest = std::min(slowest, ghz);
    fastest = std::max(fastest, ghz);
  }
  const bool wide = graph::this_processor() == Processor::avx2;
  fmt::print("\nCPU time per graph; ours {}; ~ from {} nodes. {}\n",
             wide ? "with AVX2" : "without wide registers", sampled,
             equal ? "All answers are equal." : "ANSWERS DIFFER.");
  fmt::print("Clock, by dependent adds per CPU second: {:.2f} to {:.2f} GHz.\n", slowest, fastest);
  return equal;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  const std::string_view which = argc > 1 ? argv[1] : "";
  if (argc > 2 || (argc == 2 && which != "static" && which != "dynamic")) {
    fmt::print(stderr, "usage: bellwether_bench_central [static | dynamic]\n");
    return 2;
  }
  bool equal = true;
  if (which != "dynamic") equal &= bench::closeness_table();
  if (which.empty()) fmt::print("\n");
  if (which != "static") equal &= bench::dynamic_closeness_table();
  return equal ? 0 : 1;
}
