// SPDX-License-Identifier: MIT
#include "bellwether/cli/recorded_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "bellwether/core/problem.hpp"
#include "bellwether/experiment/tune_runs.hpp"
#include "bellwether/node/replay.hpp"

namespace bellwether::cli {
namespace {

using core::Duration;
using core::Time;
using node::CallKind;

constexpr Duration shortest = std::chrono::seconds(10);
constexpr int gone_after = 10;      // timeouts: a neighbour that is silent for less has lost probes
constexpr double few_probes = 100;  // too few for the loss of one neighbour
constexpr double range = 100;       // of the simulated radio, in metres
constexpr double slowest = 0.1;     // slower nodes do not move, in metres per second

/// The times at which frames of each neighbour came.
using Arrivals = std::map<core::NodeId, std::vector<Time>>;

/// What the frames of neighbours say.
struct ProbeCount {
  double expected = 0;
  double missing = 0;
  Duration present{};
  double departures = 0;
  std::vector<double> late_s;  // each probe, beyond its jitter

  double loss() const { return expected > 0 ? std::min(missing / expected, 1.0) : 0; }
  ProbeCount& operator+=(const ProbeCount& other) {
    expected += other.expected;
    missing += other.missing;
    present += other.present;
    departures += other.departures;
    late_s.insert(late_s.end(), other.late_s.begin(), other.late_s.end());
    return *this;
  }
};

ProbeCount count_probes(const std::vector<Time>& arrivals, const layers::ProbeOptions& probes,
                        Time end) {
  ProbeCount out;
  const double period = core::seconds(probes.period);
  const Duration gone = gone_after * probes.timeout;
  for (std::size_t i = 1; i < arrivals.size(); ++i) {
    const Duration gap = arrivals[i] - arrivals[i - 1];
    if (gap > gone) {
      ++out.departures;
      continue;
    }
    const double periods = core::seconds(gap) / period;
    out.present += gap;
    out.expected += periods;
    out.missing += std::max(0.0, std::round(periods) - 1);
    if (periods > 0.5 && periods < 1.5)
      out.late_s.push_back(std::max(0.0, core::seconds(gap - probes.period - probes.jitter)));
  }
  if (end - arrivals.back() > gone) ++out.departures;
  return out;
}

/// The share of pairs of nodes within `x` sides of a square of each other.
double share_in_range(double x) {
  return x * x * (std::numbers::pi - 8 * x / 3 + x * x / 2);
}

/// The side of a square in which `nodes` nodes have this number of neighbours on average.
double side_for(double neighbours, double nodes) {
  double few = 0, many = 1;  // range over side
  for (int i = 0; i < 50; ++i) {
    const double middle = (few + many) / 2;
    (share_in_range(middle) * (nodes - 1) < neighbours ? few : many) = middle;
  }
  return range / many;
}

/// Neighbours leave at a rate of 2 r d v, with the density d of nodes and their mean relative
/// speed, which is 4/pi times the speed of each.
double speed_for(double departures_per_s, double side, double nodes) {
  const double density = (nodes - 1) / (side * side);
  return departures_per_s * std::numbers::pi / (8 * range * density);
}

std::string mobility_toml(const RecordedNetwork& network) {
  const auto nodes = static_cast<double>(network.members);
  const bool all_in_range = network.members <= network.most_neighbours + 1;
  const double side = all_in_range ? range / 2 : side_for(network.mean_neighbours, nodes);
  const double speed = all_in_range ? 0 : speed_for(network.departures_per_s, side, nodes);
  if (speed < slowest)
    return fmt::format("[mobility]\nmodel = \"still\"\nwidth = {0:.1f}\nheight = {0:.1f}\n", side);
  return fmt::format(
      "[mobility]\nmodel = \"random-waypoint\"\nwidth = {0:.1f}\nheight = {0:.1f}\n"
      "speed_min = {1:.3g}\nspeed_max = {1:.3g}\npause = \"0\"\n",
      side, speed);
}

void require_neighbours(const RecordedNetwork& network, const std::string& path) {
  if (network.length < shortest)
    throw core::Problem(
        path, {}, "is too short to show a network; record at least " + core::to_text(shortest));
  if (network.mean_neighbours <= 0)
    throw core::Problem(path, {},
                        "this node heard no neighbours; record a node that has neighbours");
}

}  // namespace

RecordedNetwork recorded_network(std::istream& in, const std::string& path,
                                 const catalogue::Algorithms& algorithms) {
  RecordedNetwork out;
  Arrivals arrivals;
  const node::EngineReplay run = node::replay(
      in, path, algorithms,
      [&](const node::EngineCall& call, const node::CallResult&, const node::Engine& after) {
        if (call.kind == CallKind::hear || call.kind == CallKind::see)
          arrivals[call.who].push_back(call.at);
        // Slack is twice the lateness that it makes up for.
        if (call.kind == CallKind::slack)
          out.own_lateness =
              std::max(out.own_lateness, Duration{static_cast<std::int64_t>(call.number) / 2});
        out.most_neighbours = std::max(out.most_neighbours, after.neighbours().size());
      });
  ProbeCount all;
  for (const auto& [who, times] : arrivals) {
    const ProbeCount one = count_probes(times, run.spec.probes, run.last);
    if (one.expected >= few_probes) out.worst_loss = std::max(out.worst_loss, one.loss());
    all += one;
  }
  out.node = core::raw(run.spec.self);
  out.length = run.last - run.first;
  out.period = run.spec.probes.period;
  out.timeout = run.spec.probes.timeout;
  out.jitter = run.spec.probes.jitter;
  out.members = std::max(run.members, out.most_neighbours + 1);
  out.loss = all.loss();
  out.worst_loss = std::max(out.worst_loss, out.loss);
  out.whole = run.difference.empty();
  const double length = std::max(core::seconds(out.length), 1e-9);
  out.mean_neighbours = core::seconds(all.present) / length;
  out.departures_per_s = all.departures / length;
  out.frames_per_s = static_cast<double>(run.frames) / length;
  if (!all.late_s.empty())
    out.lateness = std::chrono::duration_cast<Duration>(
        std::chrono::duration<double>(experiment::quantile(all.late_s, 0.95)));
  require_neighbours(out, path);
  return out;
}

std::string recorded_text(const RecordedNetwork& network) {
  const auto milliseconds = [](Duration d) {
    return fmt::format("{:.3g} ms", core::seconds(d) * 1e3);
  };
  std::string out = fmt::format(
      "recorded      node {}, {:.0f} s{}\n"
      "members       {}\n"
      "neighbours    {:.3g} on average, {} at most; {:.2g} per minute leave\n"
      "lost probes   {:.2g} %, of the worst neighbour {:.2g} %\n"
      "late probes   95 % by at most {}\n"
      "late timers   by at most {}; tune considers no shorter slack\n"
      "frames sent   {:.3g}/s\n",
      network.node, core::seconds(network.length),
      network.whole ? "" : " (up to where this version decides otherwise)", network.members,
      network.mean_neighbours, network.most_neighbours, 60 * network.departures_per_s,
      100 * network.loss, 100 * network.worst_loss, milliseconds(network.lateness),
      milliseconds(network.own_lateness), network.frames_per_s);
  return out;
}

scenario::Scenario scenario_like(const RecordedNetwork& network) {
  const Duration least = std::chrono::milliseconds(1);
  const std::string toml = fmt::format(
      "name = \"a network as recorded by node {}\"\nalgorithm = \"drumbeat\"\n"
      "[network]\ntopology = \"radio\"\nnodes = {}\n{}"
      "[radio]\nmodel = \"lossy\"\nrange = {}\ndelay = \"uniform\"\nmin = \"{}\"\nmax = \"{}\"\n"
      "loss = {:.6f}\n"
      "[neighbours]\ndetect = \"probes\"\nperiod = \"{}\"\ntimeout = \"{}\"\njitter = \"{}\"\n"
      "[stop]\ntime = \"180 s\"\n",
      network.node, network.members, mobility_toml(network), range, core::to_text(least),
      core::to_text(least + std::max(least, network.lateness)), network.loss,
      core::to_text(network.period), core::to_text(network.timeout), core::to_text(network.jitter));
  return scenario::parse_scenario(toml, "--recording");
}

}  // namespace bellwether::cli
