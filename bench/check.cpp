// SPDX-License-Identifier: MIT
// Every interleaving: how many states the checker visits per second, how many bytes it keeps for
// each, and how long it and Spin take for the same verdict on the same protocol. Verdicts and
// numbers of states are compared; those that differ end the program with status 1.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "bellwether/check/prepare.hpp"
#include "bounds.hpp"
#include "check_ours.hpp"
#include "check_spin.hpp"

namespace bench {
namespace {

using namespace bellwether;
using check::Spec;

constexpr int rounds = 3;           // the best counts
constexpr double most_bytes = 100;  // for each state; a speed is a goal, this is a bound

Bounds bounds;

/// The plainest search: one thread, all orders, nothing but the states.
Spec plain() {
  Spec spec;
  spec.reduce = false;
  spec.cycles = false;
  return spec;
}

enum class Ids : unsigned char { ascending, descending, alternating };

/// Ids clockwise. Ascending: every token is dropped at once, but one; descending: none is, before
/// it has met the winner.
Spec ring(core::NodeIndex nodes, Ids ids) {
  Spec spec = plain();
  spec.algorithm = "chang-roberts";
  check::set_graph(spec, fmt::format("ring:{}", nodes));
  spec.one_way = true;
  spec.from = check::From::cold;
  for (core::NodeIndex u = 0; u < nodes; ++u) {
    if (ids == Ids::descending) spec.ids[u] = core::NodeId{nodes - u};
    if (ids == Ids::alternating) spec.ids[u] = core::NodeId{u % 2 == 0 ? u / 2 + 1 : nodes - u / 2};
  }
  return spec;
}

Spec three_nodes(check::ChannelOrder order) {
  Spec spec = plain();
  spec.algorithm = "cel-2";
  check::set_all_graphs(spec, 3, core::Model{}, false);
  spec.order = order;
  spec.changes = 2;
  return spec;
}

/// One line of a table: a search, carried out several times.
struct Row {
  std::string name;
  Spec spec;
  double goal = 0;  // states per second; 0: none
  std::optional<Searched> best = {};

  void run() { note(search(spec)); }
  void note(const std::optional<Searched>& found) {
    if (found) best = best ? best_of(*best, *found) : *found;
  }
};

double per_second(const Searched& found) {
  return static_cast<double>(found.states) / found.cpu;
}
double per_state(std::uint64_t bytes, const Searched& found) {
  return static_cast<double>(bytes) / static_cast<double>(found.states);
}

std::string thousands(double rate) {
  return fmt::format("{:.0f} k/s", rate / 1000);
}

bool print(const Row& row, const Row& first) {
  if (!row.best || !row.best->complete) {
    fmt::print("{:<36} FAILED\n", row.name);
    return false;
  }
  const Searched& b = *row.best;
  std::string goal = "-";
  std::string reached;
  if (row.goal > 0) {
    goal = thousands(row.goal);
    const double share = per_second(b) / row.goal;
    reached = share >= 1 ? "met" : fmt::format("missed by {:.0f} %", 100 * (1 - share));
    const double bytes = per_state(b.stored, b);
    if (bytes > most_bytes) reached += fmt::format(", more than {:.0f} bytes", most_bytes);
    bounds.check(bytes <= most_bytes,
                 fmt::format("{}: {:.0f} bytes per state; it must be at most {:.0f}", row.name,
                             bytes, most_bytes));
  }
  const bool compared = &row != &first;
  const auto ratio = [&](double Searched::*time) {
    return compared ? fmt::format("{:.2f}", b.*time / (*first.best.*time)) : "-";
  };
  fmt::print("{:<36} {:>9} {:>9} {:>6.2f} s {:>6} {:>6} {:>9} {:>6.0f} {:>6.0f} {:>9}  {}\n",
             row.name, b.states, b.transitions, b.cpu, ratio(&Searched::cpu),
             ratio(&Searched::wall), thousands(per_second(b)), per_state(b.stored, b),
             per_state(b.peak, b), goal, reached);
  std::fflush(stdout);
  return true;
}

/// The same search in several ways, after the plain one.
std::vector<Row> ways(const std::string& name, const Spec& spec, double goal) {
  std::vector<Row> rows;
  rows.push_back({name, spec, goal});
  const auto add = [&](const char* how, auto&& change) {
    Spec other = spec;
    change(other);
    rows.push_back({std::string("  ") + how, other});
  };
  add("two threads", [](Spec& s) { s.threads = 2; });
  add("partial orders", [](Spec& s) { s.reduce = true; });
  add("cycles looked for", [](Spec& s) { s.cycles = true; });
  add("64 bits of each state", [](Spec& s) { s.compact = true; });
  return rows;
}

bool our_table() {
  constexpr double million = 1e6;
  std::vector<std::vector<Row>> groups{
      {{"chang-roberts, 7, ascending", ring(7, Ids::ascending), million}},
      {{"chang-roberts, 7, alternating", ring(7, Ids::alternating), million}},
      {{"chang-roberts, 7, descending", ring(7, Ids::descending), million}},
      ways("chang-roberts, 8, descending", ring(8, Ids::descending), million),
      {{"chang-roberts, 9, ascending", ring(9, Ids::ascending), million}},
      ways("cel-2, 3, unordered", three_nodes(check::ChannelOrder::unordered), million / 2),
      {{"cel-2, 3, fifo", three_nodes(check::ChannelOrder::fifo), million / 2}}};
  fmt::print("{:<36} {:>9} {:>9} {:>8} {:>6} {:>6} {:>9} {:>6} {:>6} {:>9}\n", "every state",
             "states", "steps", "CPU", "ratio", "wall", "states", "bytes", "in all", "goal");
  bool good = true;
  for (auto& rows : groups) {
    for (int i = 0; i < rounds; ++i)
      for (Row& row : rows) row.run();
    for (const Row& row : rows) good = print(row, rows.front()) && good;
    // Threads and cycles change the time, not the states.
    for (const Row& row : rows) {
      if (!row.best || row.spec.reduce || row.best->states == rows.front().best->states) continue;
      fmt::print("{}: not as many states\n", row.name);
      good = false;
    }
  }
  fmt::print(
      "\nBest of {}. ratio, wall: CPU and wall time against the line that is not set in. bytes:\n"
      "kept for each state; in all: resident memory by states.\n",
      rounds);
  return good;
}

// --- Spin ---------------------------------------------------------------------------------------

/// One protocol, one verdict, several searches: ours first.
struct Duel {
  std::string name;
  Spec spec;
  std::string macros;                                       // of the model
  std::vector<std::pair<std::string, std::string>> rivals;  // names, flags of the compiler
};

std::vector<Duel> duels() {
  const std::string all = "-DNOREDUCE";
  Spec nine = ring(9, Ids::descending);
  nine.reduce = true;
  Spec ten = ring(10, Ids::ascending);
  ten.reduce = true;
  const std::vector<std::pair<std::string, std::string>> whole{
      {"  Spin", all}, {"  Spin, collapsed", all + " -DCOLLAPSE"}};
  const std::vector<std::pair<std::string, std::string>> reduced{
      {"  Spin", ""}, {"  Spin, collapsed", "-DCOLLAPSE"}};
  return {{"ring of 8, descending", ring(8, Ids::descending), "-DN=8 -DDESCENDING", whole},
          {"ring of 9, ascending", ring(9, Ids::ascending), "-DN=9", whole},
          {"ring of 9, descending, reduced", nine, "-DN=9 -DDESCENDING", reduced},
          {"ring of 10, ascending, reduced", ten, "-DN=10", reduced}};
}

void print_duel(const Row& row, const Searched& ours) {
  const Searched& b = *row.best;
  const bool rival = &b != &ours;
  fmt::print("{:<36} {:>9} {:>9} {:>6.2f} s {:>9} {:>6.0f} {:>5.0f} MB {:>8} {:>8}\n", row.name,
             b.states, b.transitions, b.cpu, thousands(per_second(b)), per_state(b.stored, b),
             static_cast<double>(b.peak) * 1e-6,
             rival ? fmt::format("{:.2f} x", b.cpu / ours.cpu) : "-",
             rival ? fmt::format("{:.2f} x", per_second(ours) / per_second(b)) : "-");
}

/// False where the two do not agree.
bool fight(const Duel& duel, const SpinFolder& folder) {
  Row ours{duel.name + ", ours", duel.spec};
  std::vector<Row> rows;
  std::vector<std::optional<std::filesystem::path>> verifiers;
  for (const auto& [name, flags] : duel.rivals) {
    rows.push_back({name, {}});
    verifiers.push_back(make_verifier(folder, duel.macros, flags));
  }
  for (int i = 0; i < rounds; ++i) {
    ours.run();
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (verifiers[r]) rows[r].note(run_verifier(*verifiers[r]));
  }
  if (!ours.best || !ours.best->complete) {
    fmt::print("{:<36} FAILED\n", ours.name);
    return false;
  }
  bool good = true;
  print_duel(ours, *ours.best);
  for (const Row& row : rows) {
    if (!row.best) {
      fmt::print("{:<36} could not be made or run\n", row.name);
      continue;
    }
    print_duel(row, *ours.best);
    // The model has one state before the nodes exist and two after each quiescent state.
    const bool same =
        duel.spec.reduce || row.best->states == ours.best->states + 2 * ours.best->rests + 1;
    if (row.best->complete && same) continue;
    fmt::print("{:<36} DIFFERS\n", row.name);
    good = false;
  }
  std::fflush(stdout);
  return good;
}

bool spin_table() {
  fmt::print("{:<36} {:>9} {:>9} {:>8} {:>9} {:>6} {:>8} {:>8} {:>8}\n", "the same verdict",
             "states", "steps", "CPU", "states", "bytes", "memory", "time", "states/s");
  if (!spin_is_there()) {
    fmt::print("Spin or gcc is not installed, and so nothing is compared; scripts/setup bench\n");
    return true;
  }
  const SpinFolder folder;
  bool good = true;
  for (const Duel& duel : duels()) good = fight(duel, folder) && good;
  fmt::print(
      "\nBest of {}, turn by turn. time, states/s: how many times as long Spin takes, and as many\n"
      "states we visit in a second. bytes: for each state; of Spin without its hash table.\n",
      rounds);
  return good;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  const std::string_view which = argc > 1 ? argv[1] : "";
  if (argc > 2 || (argc == 2 && which != "ours" && which != "spin")) {
    fmt::print(stderr, "usage: bellwether_bench_check [ours | spin]\n");
    return 2;
  }
  bool good = true;
  if (which != "spin") good = bench::our_table() && good;
  if (which.empty()) fmt::print("\n");
  if (which != "ours") good = bench::spin_table() && good;
  return bench::bounds.status() == 0 && good ? 0 : 1;
}
