// SPDX-License-Identifier: MIT
// Nodes that move: the substrate alone, elections on it, a shared medium, and how the cost grows.
#include "moving.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/sim/simulation_of.hpp"
#include "bellwether/world/mobility.hpp"

namespace bench {
namespace {

using namespace bellwether;

using namespace std::chrono_literals;
using scenario::Scenario;

// --- The work -----------------------------------------------------------------------------------

/// A small broadcast every 250 ms, and nothing else.
class Ticker {
 public:
  static constexpr std::string_view name = "ticker";
  struct Options {
    static constexpr std::tuple<> fields{};
    friend bool operator==(const Options&, const Options&) = default;
  };
  struct Tick {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "tick";
    std::uint32_t number = 0;
    static constexpr auto fields = std::tuple{core::field("number", &Tick::number)};
    friend bool operator==(const Tick&, const Tick&) = default;
  };
  using Message = std::variant<Tick>;
  enum class Timer : std::uint8_t { tick };
  friend constexpr auto names_of(Timer) { return std::array<std::string_view, 1>{"tick"}; }
  using Step = core::Step<Message, Timer>;

  Ticker() = default;
  Ticker(core::NodeId id, Options) : id_(id) {}
  void start(Step& step) { step.arm(Timer::tick, 0ms, 250ms); }
  void link_up(Step&, core::Port) {}
  void link_down(Step&, core::Port) {}
  void receive(Step&, core::Port, const Message&) { ++heard_; }
  void timeout(Step& step, Timer) {
    step.broadcast(Tick{++sent_});
    step.arm(Timer::tick, 250ms, 250ms);
  }
  std::optional<core::NodeId> leader() const { return id_; }
  friend bool operator==(const Ticker&, const Ticker&) = default;

 private:
  core::NodeId id_{};
  std::uint32_t sent_ = 0;
  std::uint32_t heard_ = 0;
};

/// The traffic of the ns-3 run: 60 bytes every 102.4 ms +- 5 ms, 600 bytes every second.
class Traffic {
 public:
  static constexpr std::string_view name = "traffic";
  static constexpr bool airborne = true;
  struct Options {
    static constexpr std::tuple<> fields{};
    friend bool operator==(const Options&, const Options&) = default;
  };
  struct Frame {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "frame";
    std::vector<std::uint8_t> bytes;
    static constexpr auto fields = std::tuple{core::field("bytes", &Frame::bytes)};
    friend bool operator==(const Frame&, const Frame&) = default;
  };
  using Message = std::variant<Frame>;
  enum class Timer : std::uint8_t { small, large };
  friend constexpr auto names_of(Timer) {
    return std::array<std::string_view, 2>{"small", "large"};
  }
  using Step = core::Step<Message, Timer>;

  Traffic() = default;
  Traffic(core::NodeId id, Options) : id_(id) {}
  void start(Step& step) {
    step.arm(Timer::small, 0ms, 102400us);
    step.arm(Timer::large, 0ms, 1s);
  }
  void link_up(Step&, core::Port) {}
  void link_down(Step&, core::Port) {}
  void receive(Step&, core::Port, const Message&) {}
  void timeout(Step& step, Timer timer) {
    // Tag and length take the rest of the 60, and of the 600.
    const bool small = timer == Timer::small;
    step.broadcast(Frame{std::vector<std::uint8_t>(small ? 58 : 597)});
    small ? step.arm(timer, 97400us, 107400us) : step.arm(timer, 1s, 1s);
  }
  std::optional<core::NodeId> leader() const { return id_; }
  friend bool operator==(const Traffic&, const Traffic&) = default;

 private:
  core::NodeId id_{};
};

/// The density of 60 nodes on 900 x 900 m.
Scenario waypoint(core::NodeIndex nodes, core::Duration time) {
  Scenario s;
  s.network.topology = "radio";
  s.network.nodes = nodes;
  s.mobility.model = world::MobilityModel::random_waypoint;
  s.mobility.width = s.mobility.height = 900 * std::sqrt(nodes / 60.0);
  s.radio.range = 90;
  s.stop.time = time;
  s.metrics.on = scenario::MetricsMode::off;
  return s;
}

/// The same by polling, as simulators with a tick do: every 10 ms all positions, all pairs.
std::uint64_t poll_by_hand(core::NodeIndex nodes, core::Duration time) {
  const Scenario s = waypoint(nodes, time);
  world::Network network;
  network.nodes = nodes;
  const auto motion = world::make_motion(s.mobility, network, s.seed);
  std::vector<world::Leg> legs;
  for (core::NodeIndex u = 0; u < nodes; ++u) legs.push_back(motion->next(u));
  std::vector<world::Point> at(nodes);
  std::vector<unsigned char> linked(std::size_t{nodes} * nodes);
  std::uint64_t heard = 0, ticks = 0;
  for (core::Time now{}; now < time; now += 10ms, ++ticks) {
    for (core::NodeIndex u = 0; u < nodes; ++u) {
      while (legs[u].end <= now) legs[u] = motion->next(u);
      at[u] = legs[u].at(now);
    }
    for (core::NodeIndex u = 0; u < nodes; ++u)
      for (core::NodeIndex v = 0; v < u; ++v) {
        const double dx = at[u].x - at[v].x, dy = at[u].y - at[v].y;
        linked[std::size_t{u} * nodes + v] = dx * dx + dy * dy <= 90 * 90;
      }
    if (ticks % 25 != 0) continue;
    for (const unsigned char link : linked) heard += 2u * link;
  }
  return heard;
}

// --- The cases ----------------------------------------------------------------------------------

void note(benchmark::State& state, const observe::RunReport& report) {
  state.counters["messages"] = static_cast<double>(report.messages);
  for (const char* name : {"link_changes", "delivery_ratio", "energy_mean_w", "power_mean_w"})
    for (const auto& metric : report.metrics)
      if (metric.name == name) state.counters[name] = metric.value;
}

template <class P>
void run(benchmark::State& state, const Scenario& s) {
  observe::RunReport report;
  for (auto _ : state) {
    sim::SimulationOf<P> simulation(sim::make_setup(s), s, {});
    if (s.metrics.on == scenario::MetricsMode::on)
      simulation->measure({core::Criterion::majority, {}, s.stop.time, {}, false});
    report = simulation.run();
  }
  note(state, report);
}

/// A message takes a tick of the rival's: 10 ms.
void substrate(benchmark::State& state) {
  const auto nodes = static_cast<core::NodeIndex>(state.range(0));
  Scenario s = waypoint(nodes, nodes == 60 ? 1800s : 180s);
  s.radio.delay = world::Delay::constant;
  run<Ticker>(state, s);
}

void polling(benchmark::State& state) {
  const auto nodes = static_cast<core::NodeIndex>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(poll_by_hand(nodes, nodes == 60 ? 1800s : 180s));
  state.counters["messages"] = 0;
}

void cel(benchmark::State& state) {
  Scenario s = waypoint(60, 1800s);
  s.algorithm = "cel";
  s.neighbours.detect = scenario::Detect::probes;
  s.neighbours.period = 102400us;
  s.neighbours.timeout = 360ms;
  observe::RunReport report;
  for (auto _ : state) report = sim::simulate(catalogue::algorithm(s.algorithm), s, {});
  note(state, report);
}

void csma(benchmark::State& state) {
  Scenario s = waypoint(60, 1800s);
  s.mobility.model = world::MobilityModel::random_walk;
  s.mobility.width = s.mobility.height = 500;
  s.mobility.speed_min = 0.1;
  s.mobility.speed_max = 1;
  s.radio.model = world::RadioModel::csma;
  s.radio.range = 60;
  s.neighbours.detect = scenario::Detect::probes;
  s.metrics.on = scenario::MetricsMode::on;
  run<Traffic>(state, s);
}

void height(benchmark::State& state) {
  Scenario s =
      waypoint(static_cast<core::NodeIndex>(state.range(0)), state.range(0) > 10'000 ? 10s : 100s);
  s.algorithm = "height";
  observe::RunReport report;
  for (auto _ : state) report = sim::simulate(catalogue::algorithm(s.algorithm), s, {});
  note(state, report);
}

}  // namespace

void add_moving_cases(int times) {
  const auto add = [&](const char* name, auto* function, std::initializer_list<std::int64_t> args) {
    auto* b = benchmark::RegisterBenchmark(name, function);
    for (const std::int64_t arg : args) b->Arg(arg);
    return b->Repetitions(times)->Iterations(1)->Unit(benchmark::kMillisecond);
  };
  add("substrate", substrate, {60, 600});
  add("polling", polling, {60, 600})->Repetitions(2);
  add("cel", cel, {});
  add("csma", csma, {});
  add("height", height, {1'000, 100'000});
}

void print_moving_table(const std::map<std::string, double>& seconds,
                        const std::map<std::string, std::map<std::string, double>>& counted,
                        Bounds& bounds) {
  const auto time = [&](const char* name) { return value_of(seconds, name); };
  const auto count = [&](const char* name, const char* what) {
    const auto found = counted.find(name);
    return found == counted.end() ? std::nan("") : value_of(found->second, what);
  };
  const auto per_change = [&](const char* name) {
    return time(name) / count(name, "link_changes");
  };
  const auto row = [&](const char* what, double measured, const char* sign, double bound,
                       const char* unit) {
    bounds.row(what, measured, *sign == '<' ? Side::at_most : Side::at_least, bound, unit);
  };
  // Measured by others' programs on a machine of the same kind, in another run:
  // docs/performance.md.
  constexpr double jbotsim_60 = 20, jbotsim_600 = 270, ns3 = 185;
  fmt::print("\n{:<68} {:>11} {:>12}\n", "networks that move", "measured", "bound");
  row("60 nodes, 1800 s, broadcasts: JBotSim's 20 s / ours", jbotsim_60 / time("substrate/60"), ">",
      100, "x");
  row("600 nodes, 180 s, broadcasts: JBotSim's 270 s / ours", jbotsim_600 / time("substrate/600"),
      ">", 1000, "x");
  row("600 nodes, 180 s: polling by hand, every 10 ms / ours, with messages",
      time("polling/600") / time("substrate/600"), ">", 1, "x");
  row("60 nodes, 1800 s, cel on ideal radio with probes: CPU time", time("cel/"), "<", 2, "s");
  row("60 nodes, 1800 s, shared medium: ns-3's 185 s / ours", ns3 / time("csma/"), ">", 100, "x");
  row("  frames delivered, off ns-3's 98.32 %",
      std::abs(100 * count("csma/", "delivery_ratio") - 98.32), "<", 1, "pt");
  row("  power per node, off ns-3's 0.545 W",
      std::abs(100 * (count("csma/", "power_mean_w") / 0.545 - 1)), "<", 5, "%");
  row("100,000 nodes, height: simulated time / CPU time", 10 / time("height/100000"), ">", 1, "x");
  row("  CPU time per link change, 100,000 nodes / 1,000 nodes",
      per_change("height/100000") / per_change("height/1000"), "<", 3, "x");
  fmt::print(
      "\nFor orientation: substrate {:.3f} s and {:.3f} s, cel {:.2f} s, medium {:.2f} s, "
      "height among 100,000 nodes {:.2f} s for 10 s.\n",
      time("substrate/60"), time("substrate/600"), time("cel/"), time("csma/"),
      time("height/100000"));
}

}  // namespace bench
