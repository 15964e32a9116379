// SPDX-License-Identifier: MIT
// Speed and memory, as ratios within one run: the machine may be slow, shared or noisy, the ratio
// stays. Each case runs several times, interleaved at random; the least CPU time of each counts.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <map>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/sim/round_simulation.hpp"
#include "bellwether/sim/simulate.hpp"
#include "bellwether/sim/simulation.hpp"
#include "bounds.hpp"
#include "memory.hpp"
#include "moving.hpp"

namespace {

using namespace bellwether;
using namespace std::chrono_literals;

// --- The work -----------------------------------------------------------------------------------

scenario::Scenario ring(core::NodeIndex nodes) {
  scenario::Scenario s;
  s.algorithm = "chang-roberts";
  s.network.topology = "ring";
  s.network.nodes = nodes;
  s.network.one_way = true;
  s.network.ids = "random";
  s.stop.time = std::chrono::hours(24);
  return s;
}

scenario::Scenario random_graph(core::NodeIndex nodes) {
  scenario::Scenario s;
  s.algorithm = "flood-max";
  s.network.topology = "erdos-renyi";
  s.network.nodes = nodes;
  s.network.degree = 4;
  s.network.ids = "random";
  return s;
}

constexpr std::uint32_t flood_rounds = 24;  // more than the diameter of such graphs

/// Chang-Roberts by hand: messages in one plain array that is used in a circle.
std::uint64_t ring_by_hand(const std::vector<core::NodeId>& ids) {
  struct Node {
    std::uint64_t id, leader;
  };
  struct Message {
    std::uint32_t to, kind;
    std::uint64_t id;
  };
  const std::size_t n = ids.size();
  std::vector<Node> nodes(n);
  for (std::size_t i = 0; i < n; ++i) nodes[i] = {core::raw(ids[i]), 0};
  std::vector<Message> queue(std::bit_ceil(n + 1));
  const std::size_t mask = queue.size() - 1;
  std::size_t head = 0, tail = 0;
  const auto next = [n](std::size_t i) {
    return static_cast<std::uint32_t>(i + 1 == n ? 0 : i + 1);
  };
  for (std::size_t i = 0; i < n; ++i) queue[tail++ & mask] = {next(i), 0, nodes[i].id};
  while (head != tail) {
    const Message m = queue[head++ & mask];
    Node& node = nodes[m.to];
    if (m.kind == 1) {  // the announcement
      if (m.id == node.id) continue;
      node.leader = m.id;
      queue[tail++ & mask] = {next(m.to), 1, m.id};
    } else if (m.id == node.id) {
      node.leader = m.id;
      queue[tail++ & mask] = {next(m.to), 1, m.id};
    } else if (m.id > node.id) {
      queue[tail++ & mask] = {next(m.to), 0, m.id};
    }
  }
  benchmark::DoNotOptimize(nodes.data());
  return head;
}

/// FloodMax by hand: every node's value to every neighbour, round by round.
std::uint64_t flood_by_hand(const graph::Graph& graph, const std::vector<core::NodeId>& ids) {
  std::vector<std::uint64_t> now(ids.size()), next;
  for (std::size_t i = 0; i < ids.size(); ++i) now[i] = core::raw(ids[i]);
  std::uint64_t messages = 0;
  for (std::uint32_t round = 0; round < flood_rounds; ++round) {
    next = now;
    for (core::NodeIndex u = 0; u < graph.size(); ++u) {
      for (const core::NodeIndex v : graph.neighbours(u)) {
        next[v] = std::max(next[v], now[u]);
        ++messages;
      }
    }
    std::swap(now, next);
  }
  benchmark::DoNotOptimize(now.data());
  return messages;
}

// --- The cases ----------------------------------------------------------------------------------

template <class Sim>
void simulate(benchmark::State& state, const scenario::Scenario& s,
              const core::OptionTexts& options) {
  const core::Algorithm& algorithm = catalogue::algorithm(s.algorithm);
  double messages = 0;
  for (auto _ : state) {
    state.PauseTiming();
    auto simulation = std::make_unique<Sim>(sim::make_setup(s), s, algorithm.make(options));
    state.ResumeTiming();
    const auto report = simulation->run();
    state.PauseTiming();
    if (!report.agreed && s.algorithm == "chang-roberts") state.SkipWithError("no agreement");
    messages = static_cast<double>(report.messages);
    simulation.reset();
    state.ResumeTiming();
  }
  state.counters["messages"] = messages;
}

void ring_simulated(benchmark::State& state) {
  simulate<sim::Simulation>(state, ring(static_cast<core::NodeIndex>(state.range(0))), {});
}

void ring_hand(benchmark::State& state) {
  const auto setup = sim::make_setup(ring(static_cast<core::NodeIndex>(state.range(0))));
  double messages = 0;
  for (auto _ : state) messages = static_cast<double>(ring_by_hand(setup.ids));
  state.counters["messages"] = messages;
}

void flood_simulated(benchmark::State& state) {
  simulate<sim::RoundSimulation>(state, random_graph(static_cast<core::NodeIndex>(state.range(0))),
                                 {{"diameter", std::to_string(flood_rounds)}});
}

void flood_hand(benchmark::State& state) {
  const auto setup = sim::make_setup(random_graph(static_cast<core::NodeIndex>(state.range(0))));
  const graph::Graph graph(setup.network.nodes, setup.network.links);
  double messages = 0;
  for (auto _ : state) messages = static_cast<double>(flood_by_hand(graph, setup.ids));
  state.counters["messages"] = messages;
}

/// The general path: delays are random, so that nothing can be taken for granted.
void ring_general(benchmark::State& state) {
  auto s = ring(static_cast<core::NodeIndex>(state.range(0)));
  s.channel.delay = world::Delay::uniform;
  simulate<sim::Simulation>(state, s, {});
}

// --- The table ----------------------------------------------------------------------------------

/// Keeps the least CPU time of each case. A run that went wrong is reported like a missed bound.
class Least : public benchmark::ConsoleReporter {
 public:
  explicit Least(::bench::Bounds& all) : bounds(all) {}
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      const std::string name = run.run_name.function_name + "/" + run.run_name.args;
      if (run.error_occurred) {
        bounds.check(false, name + ": " + run.error_message);
        continue;
      }
      const double time = run.cpu_accumulated_time / static_cast<double>(run.iterations);
      auto [it, fresh] = seconds.emplace(name, time);
      it->second = std::min(it->second, time);
      messages[name] = run.counters.at("messages").value;
      for (const auto& [what, counter] : run.counters) counted[name][what] = counter.value;
      fmt::print(stderr, "  {:<28} {:8.3f} s\n", name, time);
    }
  }
  bool ReportContext(const Context&) override { return true; }
  std::map<std::string, double> seconds, messages;
  std::map<std::string, std::map<std::string, double>> counted;
  ::bench::Bounds& bounds;
};

double ring_bytes_per_node() {
  constexpr core::NodeIndex nodes = 1'000'000;
  const auto s = ring(nodes);
  const std::size_t before = bench::live_bytes();
  bench::reset_peak();
  sim::Simulation simulation(sim::make_setup(s), s, catalogue::algorithm(s.algorithm).make({}));
  simulation.run();
  return static_cast<double>(bench::peak_bytes() - before) / nodes;
}

void print_table(const Least& least, ::bench::Bounds& bounds) {
  const auto seconds = [&](const char* name) { return ::bench::value_of(least.seconds, name); };
  const auto per_message = [&](const char* name) {
    return 1e9 * seconds(name) / ::bench::value_of(least.messages, name);
  };
  const auto row = [&](const std::string& what, double measured, double bound, const char* unit) {
    bounds.row(what, measured, ::bench::Side::at_most, bound, unit);
  };
  fmt::print("\n{:<68} {:>11} {:>12}\n", "", "measured", "bound");
  row("Chang-Roberts, ring of 10^6: simulator / hand-written loop",
      seconds("ring_simulated/1000000") / seconds("ring_hand/1000000"), 6, "x");
  row("  cost per message, ring of 10^6 / ring of 10^4",
      per_message("ring_simulated/1000000") / per_message("ring_simulated/10000"), 4, "x");
  row("  memory per node, ring of 10^6, at its peak", ring_bytes_per_node(), 200, "B");
  row("FloodMax, random graph of 10^6, mean degree 4: simulator / hand",
      seconds("flood_simulated/1000000") / seconds("flood_hand/1000000"), 6, "x");
  row("random delays, the general path / constant ones, ring of 10^5",
      per_message("ring_general/100000") / per_message("ring_simulated/100000"), 6, "x");
  fmt::print(
      "\nFor orientation, CPU time per message: ring of 10^6 {:.1f} ns (by hand {:.1f}),\n"
      "ring of 10^4 {:.1f} ns (by hand {:.1f}), flood {:.1f} ns (by hand {:.1f}), general path "
      "{:.1f} ns.\nRing of 10^6 in all: {:.2f} s of CPU for {:.1f} million messages.\n",
      per_message("ring_simulated/1000000"), per_message("ring_hand/1000000"),
      per_message("ring_simulated/10000"), per_message("ring_hand/10000"),
      per_message("flood_simulated/1000000"), per_message("flood_hand/1000000"),
      per_message("ring_general/100000"), seconds("ring_simulated/1000000"),
      ::bench::value_of(least.messages, "ring_simulated/1000000") * 1e-6);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int times = 5;
  const auto add = [](const char* name, auto* function, std::initializer_list<std::int64_t> args) {
    auto* b = benchmark::RegisterBenchmark(name, function);
    for (const std::int64_t arg : args) b->Arg(arg);
    return b->Repetitions(times)->Unit(benchmark::kMillisecond);
  };
  add("ring_simulated", ring_simulated, {10'000, 100'000, 1'000'000})->MinTime(0.1);
  add("ring_hand", ring_hand, {10'000, 1'000'000})->MinTime(0.1);
  add("flood_simulated", flood_simulated, {1'000'000})->Iterations(1);
  add("flood_hand", flood_hand, {1'000'000})->Iterations(1);
  add("ring_general", ring_general, {100'000})->MinTime(0.1);
  ::bench::add_moving_cases(times);
  std::vector<char*> args(argv, argv + argc);
  std::string interleave = "--benchmark_enable_random_interleaving=true";
  args.push_back(interleave.data());
  int count = static_cast<int>(args.size());
  benchmark::Initialize(&count, args.data());
  ::bench::Bounds bounds;
  Least least(bounds);
  fmt::print(stderr, "measuring (CPU time of each run; the least counts):\n");
  benchmark::RunSpecifiedBenchmarks(&least);
  print_table(least, bounds);
  ::bench::print_moving_table(least.seconds, least.counted, bounds);
  return bounds.status();
}
