// SPDX-License-Identifier: MIT
#include "node_networks.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/sim/simulate.hpp"
#include "node_timeline.hpp"

namespace bench {
namespace {

/// Ethernet, IPv6, UDP, the heading and the seal of a frame, and what a letter holds beside the
/// election's message: the simulator counts none of them.
constexpr double bytes_around_a_message = 14 + 40 + 8 + 30 + 16 + 12;

/// What all networks have in common. The leader is killed every `leader_every`.
std::string scenario_text(const std::string& name, std::size_t nodes, const std::string& mobility,
                          const std::string& crashes) {
  return fmt::format(
      "name = \"{}\"\nalgorithm = \"drumbeat\"\nseed = 3\n"
      "[network]\ntopology = \"radio\"\nnodes = {}\n{}"
      "delay = \"uniform\"\nmin = \"100 us\"\nmax = \"300 us\"\n"
      "[neighbours]\nstack = \"deployed\"\nperiod = \"100 ms\"\ntimeout = \"300 ms\"\n"
      "[crashes]\n{}memory = false\n"
      "[metrics]\non = \"on\"\nwarm_up = \"10 s\"\n[stop]\ntime = \"70 s\"\n",
      name, nodes, mobility, crashes);
}

/// Nodes that stand in rows, ten metres apart, and reach the next ones only.
std::string standing(const bed::TestFolder& folder, std::size_t wide, std::size_t high) {
  std::string paths;
  for (std::size_t y = 0; y < high; ++y)
    for (std::size_t x = 0; x < wide; ++x)
      paths += fmt::format("0 {} {} 70 {} {}\n", 10 * x, 10 * y, 10 * x, 10 * y);
  folder.write("paths.movements", paths);
  return "[mobility]\nmodel = \"trace\"\nfile = \"paths.movements\"\n"
         "[radio]\nmodel = \"ideal\"\nrange = 10.5\n";
}

class FirstLeaders : public observe::Observer {
 public:
  explicit FirstLeaders(std::size_t nodes) : agreement(nodes) {}
  void step(const observe::StepRecord& record) override {
    agreement.name(record.at, record.node_index, record.leader_after);
  }
  FirstAgreement agreement;
};

Figures predict(const scenario::Scenario& scenario) {
  FirstLeaders leaders(scenario.network.nodes);
  sim::Attachments attachments;
  attachments.observers.push_back(&leaders);
  const auto report =
      sim::simulate(catalogue::algorithm(scenario.algorithm), scenario, attachments);
  Figures out = named(report.metrics);
  const double nodes = out["live_nodes"];
  out["frames"] = (out["messages_per_s"] + out["beacons_per_s"]) / nodes;
  out["bytes"] = out["bytes_per_s"] / nodes + out["frames"] * bytes_around_a_message;
  out["agreed_s"] = leaders.agreement.at()
                        ? std::chrono::duration<double>(*leaders.agreement.at()).count()
                        : std::numeric_limits<double>::quiet_NaN();
  return out;
}

void print_row(const char* what, Figures& of) {
  fmt::print(
      "{:<10} {:>8.2f} {:>8.0f} {:>8.0f} {:>6.0f} {:>8.2f} {:>8.2f} {:>8.0f} {:>8.2f} {:>8.2f}",
      what, of["agreed_s"], of["election_time_mean_s"] * 1000, of["election_time_longest_s"] * 1000,
      of["elections_done"], of["instability"] * 100, of["frames"], of["bytes"],
      of["leader_path_longest_hops"], of["leader_path_median_hops"]);
  if (of.contains("cpu_share")) fmt::print(" {:>8.2f}", of["cpu_share"] * 100);
  fmt::print("\n");
}

/// Real machines add to the prediction what the scheduler and the sockets take: a period at most in
/// a failover, a tenth of the frames. NaN keeps no bound.
void hold_to_prediction(Bounds& bounds, const std::string& name, Figures& measured,
                        Figures& predicted) {
  const auto at_most = [&](const char* figure, double bound, double unit) {
    const double value = measured[figure] * unit;
    bounds.check(value <= bound, fmt::format("{}: {} is {:.2f}; it must be at most {:.2f}", name,
                                             figure, value, bound));
  };
  at_most("agreed_s", 5, 1);
  at_most("election_time_mean_s", predicted["election_time_mean_s"] * 1000 + 100, 1000);
  at_most("instability", predicted["instability"] * 100 + 1, 100);
  at_most("frames", predicted["frames"] * 1.1, 1);
  at_most("bytes", predicted["bytes"] * 1.15, 1);
  at_most("leader_path_longest_hops", predicted["leader_path_longest_hops"] * 1.2, 1);
}

void compare(Bounds& bounds, const std::string& title, const std::string& text,
             const bed::TestFolder& folder) {
  const auto scenario = scenario::read_scenario(folder.write("network.toml", text));
  fmt::print("{}\n{:<10} {:>8} {:>17} {:>6} {:>8} {:>8} {:>8} {:>17} {:>8}\n", title, "", "agreed",
             "failover, ms", "", "wrong", "frames", "bytes", "hops to leader", "CPU");
  fmt::print("{:<10} {:>8} {:>8} {:>8} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "", "s",
             "mean", "longest", "n", "% time", "/s node", "/s node", "longest", "median", "% core");
  std::fflush(stdout);
  Figures measured = Enactment(scenario).run();
  print_row("measured", measured);
  Figures predicted = predict(scenario);
  print_row("predicted", predicted);
  fmt::print("\n");
  std::fflush(stdout);
  hold_to_prediction(bounds, scenario.name, measured, predicted);
}

constexpr const char* every_ten_seconds =
    "leader_every = \"10 s\"\ndown = \"5 s\"\nfrom = \"15 s\"\nuntil = \"70 s\"\n";

}  // namespace

void measure_line(Bounds& bounds) {
  const bed::TestFolder folder;
  compare(bounds, "A line of 30 daemons; its leader is killed every 10 s, and back after 5 s.",
          scenario_text("line", 30, standing(folder, 30, 1), every_ten_seconds), folder);
}

void measure_grid(Bounds& bounds) {
  const bed::TestFolder folder;
  compare(bounds, "A grid of 6 x 6 daemons; its leader is killed every 10 s, and back after 5 s.",
          scenario_text("grid", 36, standing(folder, 6, 6), every_ten_seconds), folder);
}

void measure_walk(Bounds& bounds) {
  const bed::TestFolder folder;
  compare(bounds,
          "16 daemons walk about in a square of 400 m (random waypoint, 5 to 15 m/s) and reach\n"
          "130 m; the leader is killed every 15 s, and back after 5 s.",
          scenario_text("walk", 16,
                        "[mobility]\nmodel = \"random-waypoint\"\nwidth = 400\nheight = 400\n"
                        "speed_min = 5\nspeed_max = 15\npause = \"2 s\"\n"
                        "[radio]\nmodel = \"ideal\"\nrange = 130\n",
                        "leader_every = \"15 s\"\ndown = \"5 s\"\nfrom = \"15 s\"\n"
                        "until = \"70 s\"\n"),
          folder);
}

}  // namespace bench
