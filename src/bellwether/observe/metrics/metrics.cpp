// SPDX-License-Identifier: MIT
#include "bellwether/observe/metrics/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bellwether/core/fields.hpp"
#include "bellwether/core/invariant.hpp"

namespace bellwether::observe {
namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t most_rows = 1'000'000;

Duration interval_of(const MetricsSetup& spec) {
  core::invariant(spec.interval >= Duration{0}, "the interval of a series is not negative");
  if (spec.interval > Duration{0}) {
    core::invariant(spec.end / spec.interval <= most_rows,
                    "a series has at most a million intervals: make the interval longer");
    return spec.interval;
  }
  return std::max(Duration{1}, spec.end / 100 + Duration{spec.end.count() % 100 > 0 ? 1 : 0});
}

double ratio(double part, double all) {
  return all > 0 ? part / all : undefined;
}

double ratio(std::uint64_t part, std::uint64_t all) {
  return ratio(static_cast<double>(part), static_cast<double>(all));
}

/// Elections that began with the crashes of some time.
struct ElectionSums {
  std::uint64_t crashes = 0;
  std::uint64_t done = 0;
  double sum = 0;      // seconds
  double squares = 0;  // of the seconds
  double longest = 0;

  void add(const Failover& each) {
    ++crashes;
    if (!each.done) return;
    const double took = core::seconds(each.took);
    ++done;
    sum += took;
    squares += took * took;
    longest = std::max(longest, took);
  }
  double mean() const { return ratio(sum, static_cast<double>(done)); }
  double deviation() const {
    return std::sqrt(std::max(0.0, ratio(squares, static_cast<double>(done)) - mean() * mean()));
  }
};

/// Everything that totals and series have in common, in the order of the tables.
struct Shown {
  bool total = false;  // not an interval
  bool paths = false;
  std::size_t ranks = 0;  // of a hierarchy
};
template <class Add>
void tell(const Sums& sums, const ElectionSums& elections, double reclustered, Shown shown,
          Add&& add) {
  const auto [total, paths, ranks] = shown;
  const auto number = [](std::uint64_t n) { return static_cast<double>(n); };
  const double span = static_cast<double>(sums.duration_of(Basis::always)) / 1e9;
  const double node_span = sums.area_of(Level::live) / 1e9;
  const std::uint64_t messages = sums.count_of(Count::messages);
  const std::uint64_t bytes = sums.count_of(Count::message_bytes);
  const double changes = number(sums.count_of(Count::leader_changes));
  add("without_leader", sums.mean(Level::without_leader));
  add("leader_changes_measured", changes);
  add("leader_changes_per_node_per_s", ratio(changes, node_span));
  add("leader_crashes", number(elections.crashes));
  add("elections_done", number(elections.done));
  add("elections_overtaken", number(elections.crashes - elections.done));
  add("election_time_mean_s", elections.mean());
  if (total)
    add("election_time_deviation_s", elections.done > 0 ? elections.deviation() : undefined);
  add("election_time_longest_s", elections.done > 0 ? elections.longest : undefined);
  if (paths) {
    add("leader_path_longest_hops", sums.mean(Level::longest_path));
    add("leader_path_median_hops", sums.mean(Level::median_path));
    add("leader_path_relative", sums.mean(Level::relative_path));
  }
  for (std::size_t level = 1; level <= ranks; ++level)
    add("leaders_per_level_" + std::to_string(level), sums.mean(leaders_of(level)));
  if (ranks > 0) {
    add("remoteness_max", sums.mean(Level::remoteness_max));
    add("remoteness_mean", sums.mean(Level::remoteness_mean));
    add("reclustered_share", reclustered);
  }
  add("messages_per_s", ratio(number(messages), span));
  add("messages_per_node_per_s", ratio(number(messages), node_span));
  add("beacons_per_s", ratio(number(sums.count_of(Count::beacons)), span));
  add("bytes_per_s", ratio(number(bytes + sums.count_of(Count::beacon_bytes)), span));
  add("message_size_mean_bytes", ratio(bytes, messages));
  add("live_nodes", sums.mean(Level::live));
  add("components_mean", sums.mean(Level::components));
  if (!total) add("components_at_end", sums.components_at_end);
  add("component_size_mean_nodes", sums.mean(Level::mean_size));
  add("component_size_largest_nodes", sums.mean(Level::largest_size));
  if (!paths) return;
  add("diameter_mean_hops", sums.mean(Level::mean_diameter));
  add("diameter_largest_hops", sums.mean(Level::largest_diameter));
}

Series series_of(const Timeline& timeline, const std::vector<Failover>& elections,
                 const std::vector<double>& reclustered, Shown shown) {
  Series out;
  out.interval = timeline.interval();
  const std::vector<Sums>& rows = timeline.rows();
  std::vector<ElectionSums> began(rows.size());
  for (const Failover& each : elections)
    if (!rows.empty())
      began[std::min(static_cast<std::size_t>(each.crash / out.interval), rows.size() - 1)].add(
          each);
  out.columns = {"time_s", "instability", "instability_cumulative"};
  tell({}, {}, undefined, shown,
       [&](std::string_view name, double) { out.columns.emplace_back(name); });
  Sums all;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    all += rows[i];
    const bool last = i + 1 == rows.size();
    const Time end = last ? timeline.now() : out.interval * static_cast<std::int64_t>(i + 1);
    std::vector<double>& row = out.rows.emplace_back();
    row.reserve(out.columns.size());
    row = {core::seconds(end), rows[i].mean(Level::wrong), all.mean(Level::wrong)};
    tell(rows[i], began[i], i < reclustered.size() ? reclustered[i] : undefined, shown,
         [&](std::string_view, double value) { row.push_back(value); });
  }
  return out;
}

}  // namespace

Metrics::Metrics(MetricsSetup spec, std::vector<NodeId> ids, std::span<const graph::Edge> links)
    : network_(spec.criterion, spec.paths, ids, links),
      timeline_(interval_of(spec), spec.warm_up),
      warm_up_(spec.warm_up),
      paths_(spec.paths),
      is_touched_(ids.size(), 0),
      named_before_(ids.size(), LiveNetwork::nobody) {
  by_id_.reserve(ids.size());
  for (NodeIndex u = 0; u < ids.size(); ++u) by_id_.emplace_back(ids[u], u);
  std::sort(by_id_.begin(), by_id_.end());
}

void Metrics::advance(Time at) {
  if (at == now_) return;
  core::invariant(at > now_, "time does not go backwards");
  settle();
  now_ = at;
  // What has not changed can be added later, in one piece, but not across the end of an interval.
  if (at >= timeline_.next_cut()) hold(at);
}

void Metrics::hold(Time to) {
  timeline_.add(to, levels_);
  sample_clusters();
}

/// Where intervals have just ended.
void Metrics::sample_clusters() {
  if (!clusters_ || reclustered_.size() == timeline_.rows().size()) return;
  while (reclustered_.size() < timeline_.rows().size())
    reclustered_.push_back(clusters_->reclustered());
  if (!paths_ && clusters_->settle(network_)) refresh_clusters();
}

/// The mean over all intervals that begin then or later.
double Metrics::reclustered(Time from) const {
  double sum = 0;
  double rows = 0;
  for (std::size_t i = 0; i < reclustered_.size(); ++i) {
    const Time begin = timeline_.interval() * static_cast<std::int64_t>(i);
    if (begin < from || std::isnan(reclustered_[i])) continue;
    sum += reclustered_[i];
    ++rows;
  }
  return ratio(sum, rows);
}

/// From the last change of the network until all components agree to the end; undefined if they do
/// not.
double Metrics::settling_time() const {
  if (agreed_since_ == core::end_of_time) return undefined;
  return core::seconds(std::max(Duration{0}, agreed_since_ - last_change_));
}

/// The end of an instant.
void Metrics::settle() {
  if (!crashed_.empty()) watch_.crash(now_, network_, crashed_, named_before_);
  crashed_.clear();
  const bool network_changed = network_.settle();
  // In large networks a cluster may contain all nodes, and their distances take long to compute:
  // that is looked at when intervals end.
  const bool clusters_changed = clusters_ && (!paths_ || clusters_->settle(network_));
  if (!network_changed && !clusters_changed) return;
  timeline_.add(now_, levels_);
  for (const NodeIndex u : touched_) {
    is_touched_[u] = 0;
    const NodeIndex named = network_.is_alive(u) ? network_.leader(u) : LiveNetwork::nobody;
    if (network_.is_alive(u) && named != named_before_[u]) timeline_.count(Count::leader_changes);
    named_before_[u] = named;
  }
  touched_.clear();
  watch_.look(now_, network_);
  refresh();
}

void Metrics::refresh() {
  const Overview& seen = network_.overview();
  if (seen.agreed < seen.components)
    agreed_since_ = core::end_of_time;
  else
    agreed_since_ = std::min(agreed_since_, now_);
  levels_ = {};
  levels_[Basis::always] = true;
  levels_[Level::live] = seen.live;
  levels_[Level::components] = seen.components;
  levels_[Level::largest_size] = seen.largest;
  if (seen.live > 0) {
    levels_[Basis::live_node] = true;
    const double live = seen.live;
    levels_[Level::wrong] = (seen.live - seen.right) / live;
    levels_[Level::without_leader] = seen.without_leader / live;
    levels_[Level::mean_size] = live / seen.components;
  }
  if (seen.wide > 0 && paths_) {
    levels_[Basis::wide_component] = true;
    levels_[Level::mean_diameter] = static_cast<double>(seen.diameters) / seen.wide;
    levels_[Level::largest_diameter] = seen.largest_diameter;
  }
  if (seen.with_paths > 0) {
    levels_[Basis::path] = true;
    const double parts = seen.with_paths;
    levels_[Level::longest_path] = static_cast<double>(seen.longest_paths) / parts;
    levels_[Level::median_path] = static_cast<double>(seen.median_paths) / parts;
    levels_[Level::relative_path] =
        static_cast<double>(seen.relative_paths) / static_cast<double>(whole) / parts;
  }
  if (clusters_) refresh_clusters();
}

void Metrics::refresh_clusters() {
  for (std::size_t level = 1; level <= most_ranks; ++level)
    levels_[leaders_of(level)] = clusters_->leaders(level);
  if (clusters_->members() == 0) return;
  levels_[Basis::cluster] = true;
  levels_[Level::remoteness_max] = clusters_->remoteness_max();
  levels_[Level::remoteness_mean] = clusters_->remoteness_mean();
}

void Metrics::touch(NodeIndex u) {
  core::invariant(u < network_.size(), "metrics are of nodes that exist");
  if (is_touched_[u] != 0) return;
  is_touched_[u] = 1;
  touched_.push_back(u);
}

NodeIndex Metrics::index_of(NodeId id) {
  const auto at = std::lower_bound(by_id_.begin(), by_id_.end(), std::pair{id, NodeIndex{0}});
  if (at != by_id_.end() && at->first == id) return at->second;
  const auto next = network_.size() + static_cast<NodeIndex>(strangers_.size());
  return strangers_.try_emplace(id, next).first->second;
}

void Metrics::link(Time at, NodeIndex a, NodeIndex b, bool up) {
  advance(at);
  if (a != b) last_change_ = at;
  network_.link(a, b, up);
  if (!clusters_) return;
  clusters_->touch(a);
  clusters_->touch(b);
}

void Metrics::alive(Time at, NodeIndex u, bool up) {
  advance(at);
  touch(u);
  if (!up && network_.is_alive(u) &&
      std::find(crashed_.begin(), crashed_.end(), u) == crashed_.end())
    crashed_.push_back(u);
  if (network_.is_alive(u) != up) last_change_ = at;
  network_.alive(at, u, up);
  if (!clusters_) return;
  if (!up) clusters_->gone(u);
  clusters_->touch(u);
}

void Metrics::leader(Time at, NodeIndex u, std::optional<NodeId> leader) {
  advance(at);
  touch(u);
  network_.name(u, leader ? index_of(*leader) : LiveNetwork::nobody);
}

void Metrics::placed(Time at, NodeIndex u, std::uint32_t rank, std::optional<NodeId> leader) {
  advance(at);
  core::invariant(u < network_.size(), "only nodes have a place in a hierarchy");
  if (!clusters_) {
    clusters_ = std::make_unique<Clusters>(network_.size());
    reclustered_.assign(timeline_.rows().size(), undefined);
  }
  clusters_->place(u, rank, leader ? index_of(*leader) : LiveNetwork::nobody);
}

void Metrics::sent(Time at, NodeIndex u, std::size_t bytes, bool beacon) {
  advance(at);
  core::invariant(u < network_.size(), "only nodes send");
  timeline_.count(beacon ? Count::beacons : Count::messages);
  timeline_.count(beacon ? Count::beacon_bytes : Count::message_bytes, bytes);
}

void Metrics::energy(NodeIndex u, double joules, const RadioTimes& times) {
  core::invariant(u < network_.size(), "only nodes use energy");
  energy_.push_back({joules, times});
}

void Metrics::add_energy(std::vector<Metric>& totals, Time end) const {
  if (energy_.empty()) return;
  const auto nodes = static_cast<double>(energy_.size());
  double sum = 0;
  double least = energy_.front().joules;
  double most = least;
  std::array<double, radio_states> times{};
  for (const EnergyReading& each : energy_) {
    sum += each.joules;
    least = std::min(least, each.joules);
    most = std::max(most, each.joules);
    for (std::size_t i = 0; i < radio_states; ++i) times[i] += core::seconds(each.times[i]);
  }
  const double run = core::seconds(end);
  totals.push_back({"energy_mean_j", sum / nodes});
  totals.push_back({"energy_least_j", least});
  totals.push_back({"energy_most_j", most});
  totals.push_back({"power_mean_w", ratio(sum / nodes, run)});
  totals.push_back({"power_least_w", ratio(least, run)});
  totals.push_back({"power_most_w", ratio(most, run)});
  for (std::size_t i = 0; i < radio_states; ++i)
    totals.push_back({"radio_" + std::string(core::name_of(static_cast<RadioState>(i))) + "_mean_s",
                      times[i] / nodes});
}

void Metrics::energy_so_far(Time at, double joules, const RadioTimes& times) {
  energy_samples_.push_back({at, joules, times});
}

/// What was used within each interval: the difference of what was used by its two ends.
void Metrics::add_energy(Series& series) const {
  if (energy_samples_.empty()) return;
  series.columns.emplace_back("power_mean_w");
  for (std::size_t i = 0; i < radio_states; ++i)
    series.columns.push_back("radio_" + std::string(core::name_of(static_cast<RadioState>(i))) +
                             "_mean_s");
  EnergySample before;
  auto sample = energy_samples_.begin();
  for (auto& row : series.rows) {
    const auto end = static_cast<std::int64_t>(std::llround(row.front() * 1e9));
    while (sample + 1 != energy_samples_.end() && sample->at.count() < end) ++sample;
    row.push_back(ratio(sample->joules - before.joules, core::seconds(sample->at - before.at)));
    for (std::size_t i = 0; i < radio_states; ++i)
      row.push_back(core::seconds(sample->times[i] - before.times[i]));
    before = *sample;
  }
}

MetricsResult Metrics::finish(Time end) {
  advance(end);
  settle();
  hold(end);
  timeline_.finish();
  sample_clusters();
  const std::vector<Failover> elections = watch_.finish();
  ElectionSums measured;
  for (const Failover& each : elections)
    if (each.crash >= warm_up_) measured.add(each);
  MetricsResult out;
  const auto add = [&](std::string_view name, double value) {
    out.totals.push_back({std::string(name), value});
  };
  // Of a run that ends before its warm-up does, nothing was measured.
  const Sums total = end < warm_up_ ? Sums{} : timeline_.total();
  add("measured_time_s", static_cast<double>(total.duration_of(Basis::always)) / 1e9);
  add("instability", total.mean(Level::wrong));
  add("settling_time_s", settling_time());
  const std::size_t ranks = clusters_ ? clusters_->levels_seen() : 0;
  tell(total, measured, reclustered(warm_up_), {true, paths_, ranks}, add);
  add_energy(out.totals, end);
  out.series = series_of(timeline_, elections, reclustered_, {false, paths_, ranks});
  add_energy(out.series);
  return out;
}

}  // namespace bellwether::observe
