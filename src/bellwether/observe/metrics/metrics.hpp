// SPDX-License-Identifier: MIT
// How good an election is in a network that changes, measured exactly: what holds is weighted with
// the time for which it holds. docs/metrics.md defines every metric.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bellwether/core/facts.hpp"
#include "bellwether/observe/metrics/clusters.hpp"
#include "bellwether/observe/metrics/crash_watch.hpp"
#include "bellwether/observe/metrics/live_network.hpp"
#include "bellwether/observe/metrics/run_report.hpp"
#include "bellwether/observe/metrics/timeline.hpp"

namespace bellwether::observe {

struct MetricsSetup {
  core::Criterion criterion = core::Criterion::majority;
  Duration interval{};  // of the time series; 0: a hundredth of the run
  Time end{};           // when the run is meant to end
  Duration warm_up{};   // totals count from here
  // False, for very large networks: no paths, no diameters, and the oracle of closeness is that of
  // the majority.
  bool paths = true;
};

/// What a radio does all day; see docs/metrics.md.
enum class RadioState : unsigned char { sleep, idle, busy, receive, transmit, switching };
constexpr auto names_of(RadioState) {
  return std::array<std::string_view, 6>{"sleep",   "idle",     "busy",
                                         "receive", "transmit", "switching"};
}
inline constexpr std::size_t radio_states = 6;
using RadioTimes = std::array<Duration, radio_states>;

struct MetricsResult {
  std::vector<Metric> totals;
  Series series;
};

/// Times never go backwards. Only the state at the end of an instant has weight, so calls of one
/// instant may come in any order.
class Metrics {
 public:
  /// At time 0 all nodes are alive and name no leader.
  Metrics(MetricsSetup spec, std::vector<NodeId> ids, std::span<const graph::Edge> links);

  /// The physical truth, whatever the nodes know. Links count as two-way; parallel ones are
  /// counted.
  void link(Time at, NodeIndex a, NodeIndex b, bool up);
  /// A node that crashes names no leader any more; one that comes back with a leader says so again.
  void alive(Time at, NodeIndex u, bool up);
  /// The leader that u names from now on.
  void leader(Time at, NodeIndex u, std::optional<NodeId> leader);
  /// In a hierarchy: the highest level at which u leads from now on, and its leader of level 1.
  /// Without such a call there is no hierarchy to report.
  void placed(Time at, NodeIndex u, std::uint32_t rank, std::optional<NodeId> leader);
  /// One message was handed to the medium; a broadcast counts once.
  void sent(Time at, NodeIndex u, std::size_t bytes, bool beacon);
  /// What u's radio has used by the end of the run. Without such a call there is no energy to
  /// report.
  void energy(NodeIndex u, double joules, const RadioTimes& times);

  /// What a radio has used so far, on average. For the series: told at the end of each interval,
  /// and at the end of the run.
  void energy_so_far(Time at, double joules, const RadioTimes& times);
  Duration interval() const { return timeline_.interval(); }

  /// Called once. The run ended then, be it before or after the end that was planned.
  MetricsResult finish(Time end);

 private:
  struct EnergyReading {
    double joules;
    RadioTimes times;
  };

  void advance(Time at);
  void hold(Time to);
  void sample_clusters();
  void settle();
  void refresh();
  void refresh_clusters();
  void touch(NodeIndex u);
  NodeIndex index_of(NodeId id);
  double reclustered(Time from) const;
  double settling_time() const;
  void add_energy(std::vector<Metric>& totals, Time end) const;
  void add_energy(Series& series) const;

  LiveNetwork network_;
  Timeline timeline_;
  CrashWatch watch_;
  std::unique_ptr<Clusters> clusters_;
  std::vector<double> reclustered_;  // by interval
  Time warm_up_;
  bool paths_;
  Time now_{};
  // The network's last change, and since when all components agree; end_of_time: they do not.
  Time last_change_{};
  Time agreed_since_ = core::end_of_time;
  LevelValues levels_;
  std::vector<std::pair<NodeId, NodeIndex>> by_id_;  // ascending
  std::map<NodeId, NodeIndex> strangers_;            // ids that are named, but of no node

  // Of the present instant.
  std::vector<NodeIndex> touched_;
  std::vector<unsigned char> is_touched_;
  std::vector<NodeIndex> crashed_;
  // As of the end of the instant before.
  std::vector<NodeIndex> named_before_;

  std::vector<EnergyReading> energy_;
  struct EnergySample {
    Time at{};
    double joules = 0;
    RadioTimes times{};
  };
  std::vector<EnergySample> energy_samples_;
};

}  // namespace bellwether::observe
