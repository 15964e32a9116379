// SPDX-License-Identifier: MIT
#include "bellwether/experiment/tune_runs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bellwether/core/problem.hpp"

namespace bellwether::experiment {
namespace {

using namespace std::chrono_literals;
using core::Duration;
using core::Time;

constexpr std::string_view algorithm = "drumbeat";
constexpr Duration warm_up = 20s;       // a new network settles on a leader
constexpr Duration calm_warm_up = 60s;  // handovers to more central leaders come to their end
constexpr Time longest_run = 100s;
constexpr Time longest_crash_run = 180s;
constexpr Time calm_run = 600s;  // false elections are rare
constexpr Duration crash_every = 8s;
constexpr Duration crash_down = 4s;  // a failover that takes longer counts as this long
constexpr Time shortest_run = 40s;   // three crashes

double value_in(const Row& row, std::string_view name) {
  return row.values[column(name)];
}

/// What the other algorithm of a scenario has said means nothing to drumbeat.
scenario::Scenario for_drumbeat(scenario::Scenario out) {
  if (out.algorithm != algorithm) out.options.clear();
  out.algorithm = algorithm;
  out.properties.clear();
  out.metrics = {};
  out.metrics.on = scenario::MetricsMode::on;
  out.neighbours.reliable = false;  // it tolerates loss
  return out;
}

void set_length(scenario::Scenario& scenario, Time longest) {
  scenario.stop.time = std::min(scenario.stop.time, longest);
  scenario.metrics.warm_up = std::min<Duration>(warm_up, scenario.stop.time / 4);
}

/// Nodes that follow a file go on, until the scenario ends.
void hold_still(scenario::Scenario& scenario) {
  using world::MobilityModel;
  scenario.changes = {};
  world::MobilitySpec& mobility = scenario.mobility;
  if (mobility.model == MobilityModel::trace) return set_length(scenario, longest_run);
  scenario.stop.time = calm_run;
  scenario.metrics.warm_up = calm_warm_up;
  if (mobility.model == MobilityModel::none) return;
  world::MobilitySpec still;
  still.model = MobilityModel::still;
  still.width = mobility.width;
  still.height = mobility.model == MobilityModel::highway
                     ? std::max(mobility.height, 2 * mobility.lanes * world::lane_width)
                     : mobility.height;
  mobility = still;
}

bool never_changes(const scenario::Scenario& scenario) {
  const world::MobilityModel model = scenario.mobility.model;
  const bool still = model == world::MobilityModel::none || model == world::MobilityModel::still;
  return still && !scenario.changes.any() && scenario.changes.moves.empty();
}

void require_room(const scenario::Scenario& scenario) {
  if (scenario.stop.time < shortest_run)
    throw problem_at(scenario, "stop.time",
                     "leaves no room for crashes of the leader; set at least " +
                         core::to_text(shortest_run) + ", such as --set stop.time=180s");
  if (scenario.network.nodes > scenario::measured_unasked)
    throw problem_at(scenario, "network.nodes",
                     "tune simulates networks of at most " +
                         std::to_string(scenario::measured_unasked) +
                         " nodes; set fewer in an area that is smaller in proportion");
}

/// How long each crash of a leader went without the next one.
std::vector<double> failovers(const Row& row) {
  std::vector<double> out;
  for (const SeriesPoint& each : row.series) {
    const double crashes = each.values[0], done = each.values[1], took = each.values[2];
    if (crashes == 0) continue;
    out.push_back(done > 0 ? took : core::seconds(crash_down));
  }
  return out;
}

}  // namespace

const scenario::Scenario& TuneScenarios::of(TuneRun run) const {
  return run == TuneRun::as_is ? as_is : run == TuneRun::crashes ? crashes : calm;
}

std::vector<TuneRun> TuneScenarios::runs() const {
  if (always_calm) return {TuneRun::crashes, TuneRun::calm};
  return {TuneRun::as_is, TuneRun::crashes, TuneRun::calm};
}

TuneScenarios tune_scenarios(const scenario::Scenario& scenario) {
  require_room(scenario);
  TuneScenarios out;
  out.as_is = for_drumbeat(scenario);
  out.crashes = out.calm = out.as_is;
  set_length(out.as_is, longest_run);
  set_length(out.crashes, longest_crash_run);
  world::CrashChurnSpec& crashes = out.crashes.changes.crashes;
  crashes = {};
  crashes.leader_every = crash_every;
  crashes.down = crash_down;
  crashes.from = out.crashes.metrics.warm_up;
  out.crashes.metrics.interval = crash_every;  // one crash in each
  hold_still(out.calm);
  out.always_calm = never_changes(scenario);
  out.moves_when_calm = scenario.mobility.model == world::MobilityModel::trace;
  for (const TuneRun run : {TuneRun::as_is, TuneRun::crashes, TuneRun::calm}) validate(out.of(run));
  return out;
}

scenario::Scenario with_beat(scenario::Scenario scenario, const BeatOptions& options,
                             std::uint64_t seed) {
  scenario.options["period"].text = core::to_text(options.period);
  scenario.options["patience"].text = std::to_string(options.patience);
  scenario.options["slack"].text = core::to_text(options.slack);
  scenario.options["jitter"].text = core::to_text(options.jitter);
  scenario.seed = seed;
  return scenario;
}

std::span<const std::string> failover_series() {
  static const std::vector<std::string> names{"leader_crashes", "elections_done",
                                              "election_time_mean_s"};
  return names;
}

BeatSample beat_sample(const TuneScenarios& scenarios, std::span<const Row> rows) {
  const Row& as_is = scenarios.always_calm ? rows[1] : rows[0];
  const Row& crashes = scenarios.always_calm ? rows[0] : rows[1];
  const Row& calm = rows.back();
  const double live = value_in(as_is, "live_nodes");
  BeatSample out;
  const std::vector<double> took = failovers(crashes);
  out.failover_median_s = quantile(took, 0.5);
  out.failover_p95_s = quantile(took, 0.95);
  out.false_elections_per_h = 3600 * value_in(calm, "leader_changes_per_node_per_s");
  out.calm_h = value_in(calm, "measured_time_s") / 3600;
  out.bytes_per_s = value_in(as_is, "bytes_per_s") / live;
  out.frames_per_s = (value_in(as_is, "messages_per_s") + value_in(as_is, "beacons_per_s")) / live;
  out.wrong_share = value_in(as_is, "instability");
  return out;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - std::floor(at)) * (values[above] - values[below]);
}

}  // namespace bellwether::experiment
