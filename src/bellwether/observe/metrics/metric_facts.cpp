// SPDX-License-Identifier: MIT
#include "bellwether/observe/metrics/metric_facts.hpp"

namespace bellwether::observe {
namespace {

using enum MetricGroup;
constexpr bool in_series = true;

// In the order of the tables.
constexpr MetricFact facts[] = {
    // Of every run; the simulators count these.
    {"components", "components at the end", "", run},
    {"messages_per_node", "messages per node", "", run},
    {"rounds", "rounds", "", run},
    {"rounds_alike", "rounds with all nodes alike", "", run},
    {"leader_changes", "leader changes", "", run},
    {"last_leader_change_s", "last leader change", "s", run},
    {"link_changes", "link changes", "", run},
    {"crashes", "crashes", "", run},
    {"messages_lost", "messages lost", "", run},
    {"messages_doubled", "messages duplicated", "", run},
    {"messages_cut_off", "messages lost with their link", "", run},
    {"beacons", "beacons", "", run},
    {"beacon_bytes", "beacon bytes", "", run},
    {"frames_sent", "frames on the air", "", run},
    {"frames_lost_overlap", "receptions lost to overlap", "", run},
    {"frames_lost_deaf", "receptions lost while sending", "", run},
    {"delivery_ratio", "receptions that succeeded", "share", run},

    {"time_s", "end of the interval", "s", election, false, in_series},
    {"measured_time_s", "measured time", "s", election},
    {"instability", "instability", "share", election, true, in_series},
    {"instability_cumulative", "instability since time 0", "share", election, false, in_series},
    {"settling_time_s", "settling time", "s", election},
    {"without_leader", "nodes without a leader", "share", election, true, in_series},
    {"leader_changes_measured", "leader changes", "", election, true, in_series},
    {"leader_changes_per_node_per_s", "leader changes per node", "1/s", election, true, in_series},

    {"leader_crashes", "crashes of leaders", "", crashes, true, in_series},
    {"elections_done", "elections done", "", crashes, true, in_series},
    {"elections_overtaken", "elections overtaken", "", crashes, true, in_series},
    {"election_time_mean_s", "election time, mean", "s", crashes, true, in_series},
    {"election_time_deviation_s", "election time, deviation", "s", crashes},
    {"election_time_longest_s", "election time, longest", "s", crashes, true, in_series},

    {"leader_path_longest_hops", "longest path", "hops", paths, true, in_series},
    {"leader_path_median_hops", "median path", "hops", paths, true, in_series},
    {"leader_path_relative", "longest path over diameter", "share", paths, true, in_series},

    {"leaders_per_level_1", "leaders at level 1", "", hierarchy, true, in_series},
    {"leaders_per_level_2", "leaders at level 2", "", hierarchy, true, in_series},
    {"leaders_per_level_3", "leaders at level 3", "", hierarchy, true, in_series},
    {"leaders_per_level_4", "leaders at level 4", "", hierarchy, true, in_series},
    {"leaders_per_level_5", "leaders at level 5", "", hierarchy, true, in_series},
    {"leaders_per_level_6", "leaders at level 6", "", hierarchy, true, in_series},
    {"leaders_per_level_7", "leaders at level 7", "", hierarchy, true, in_series},
    {"leaders_per_level_8", "leaders at level 8", "", hierarchy, true, in_series},
    {"remoteness_max", "remoteness from level-1 leader, largest", "hops", hierarchy, true,
     in_series},
    {"remoteness_mean", "remoteness from level-1 leader, mean", "hops", hierarchy, true, in_series},
    {"reclustered_share", "nodes that changed their level-1 leader", "share", hierarchy, true,
     in_series},

    {"messages_per_s", "messages", "1/s", traffic, true, in_series},
    {"messages_per_node_per_s", "messages per node", "1/s", traffic, true, in_series},
    {"beacons_per_s", "beacons", "1/s", traffic, true, in_series},
    {"bytes_per_s", "bytes, with beacons", "1/s", traffic, true, in_series},
    {"message_size_mean_bytes", "message size, mean", "bytes", traffic, true, in_series},

    {"live_nodes", "live nodes", "", network, true, in_series},
    {"components_mean", "components, mean", "", network, true, in_series},
    {"components_at_end", "components at the end", "", network, false, in_series},
    {"component_size_mean_nodes", "component size, mean", "nodes", network, true, in_series},
    {"component_size_largest_nodes", "component size, largest", "nodes", network, true, in_series},
    {"diameter_mean_hops", "diameter, mean", "hops", network, true, in_series},
    {"diameter_largest_hops", "diameter, largest", "hops", network, true, in_series},

    {"energy_mean_j", "energy per node, mean", "J", energy},
    {"energy_least_j", "energy per node, least", "J", energy},
    {"energy_most_j", "energy per node, most", "J", energy},
    {"power_mean_w", "power per node, mean", "W", energy, true, in_series},
    {"power_least_w", "power per node, least", "W", energy},
    {"power_most_w", "power per node, most", "W", energy},
    {"radio_sleep_mean_s", "radio asleep, mean", "s", energy, true, in_series},
    {"radio_idle_mean_s", "radio idle, mean", "s", energy, true, in_series},
    {"radio_busy_mean_s", "radio busy, mean", "s", energy, true, in_series},
    {"radio_receive_mean_s", "radio receiving, mean", "s", energy, true, in_series},
    {"radio_transmit_mean_s", "radio transmitting, mean", "s", energy, true, in_series},
    {"radio_switching_mean_s", "radio switching, mean", "s", energy, true, in_series},
};

}  // namespace

std::span<const MetricFact> metric_facts() {
  return facts;
}

const MetricFact* metric_fact(std::string_view name) {
  for (const MetricFact& each : facts)
    if (each.name == name) return &each;
  return nullptr;
}

}  // namespace bellwether::observe
