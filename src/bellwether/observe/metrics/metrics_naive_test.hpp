// SPDX-License-Identifier: MIT
// The metrics once more, from scratch at every instant: slow, short and made in another way.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>

#include "bellwether/observe/metrics/metrics.hpp"

namespace bellwether::observe::naive {

using core::Criterion;

struct Event {
  enum class Kind { link, alive, leader, sent, placed } kind;
  Time at;
  NodeIndex u = 0;
  NodeIndex v = 0;
  bool flag = false;  // up, or a beacon
  std::optional<NodeId> leader = std::nullopt;
  std::size_t bytes = 0;  // or the rank
};

struct History {
  MetricsSetup spec;
  std::vector<NodeId> ids;
  std::vector<graph::Edge> links;
  std::vector<Event> events;
};

inline MetricsResult measure(const History& history) {
  Metrics metrics(history.spec, history.ids, history.links);
  for (const Event& e : history.events) {
    if (e.kind == Event::Kind::link) metrics.link(e.at, e.u, e.v, e.flag);
    if (e.kind == Event::Kind::alive) metrics.alive(e.at, e.u, e.flag);
    if (e.kind == Event::Kind::leader) metrics.leader(e.at, e.u, e.leader);
    if (e.kind == Event::Kind::sent) metrics.sent(e.at, e.u, e.bytes, e.flag);
    if (e.kind == Event::Kind::placed)
      metrics.placed(e.at, e.u, static_cast<std::uint32_t>(e.bytes), e.leader);
  }
  return metrics.finish(history.spec.end);
}

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t far_away = 1'000'000;

/// The state at the end of an instant, and what follows from it.
struct State {
  Time at;
  std::vector<bool> alive;
  std::vector<Time> since;
  std::vector<std::optional<NodeId>> says;
  std::vector<std::size_t> rank;               // in a hierarchy
  std::vector<std::optional<NodeId>> follows;  // at level 1
  std::map<std::pair<NodeIndex, NodeIndex>, int> links;
  std::set<NodeIndex> crashed;  // in this instant
  std::vector<std::vector<std::size_t>> hops;
  std::vector<std::vector<NodeIndex>> parts;
  std::map<std::string, double> value;  // none: does not exist

  /// The component of u; nothing if u is dead.
  std::vector<NodeIndex> part(NodeIndex u) const {
    for (const auto& part : parts)
      if (std::count(part.begin(), part.end(), u) > 0) return part;
    return {};
  }

  void find_hops() {
    const std::size_t n = alive.size();
    hops.assign(n, std::vector<std::size_t>(n, far_away));
    for (NodeIndex u = 0; u < n; ++u)
      if (alive[u]) hops[u][u] = 0;
    for (const auto& [pair, times] : links)
      if (times > 0 && alive[pair.first] && alive[pair.second])
        hops[pair.first][pair.second] = hops[pair.second][pair.first] = 1;
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          hops[i][j] = std::min(hops[i][j], hops[i][k] + hops[k][j]);
    parts.clear();
    std::set<NodeIndex> seen;
    for (NodeIndex u = 0; u < n; ++u) {
      if (!alive[u] || seen.contains(u)) continue;
      parts.emplace_back();
      for (NodeIndex v = 0; v < n; ++v)
        if (alive[v] && hops[u][v] < far_away) {
          parts.back().push_back(v);
          seen.insert(v);
        }
    }
  }
};

/// How good a candidate is: the oracle takes the largest.
inline double merit(const State& s, const std::vector<NodeIndex>& part, NodeIndex u, Criterion c,
                    const std::vector<NodeId>& ids) {
  double sum = 0;
  for (const NodeIndex v : part) {
    if (c == Criterion::degree) sum += s.hops[u][v] == 1 ? 1 : 0;
    if (c == Criterion::closeness) sum -= static_cast<double>(s.hops[u][v]);
    if (c == Criterion::majority) sum += s.says[v] == ids[u] ? 1 : 0;
  }
  return c == Criterion::oldest ? -static_cast<double>(s.since[u].count()) : sum;
}

inline std::optional<NodeId> oracle(const State& s, const std::vector<NodeIndex>& part, Criterion c,
                                    const std::vector<NodeId>& ids) {
  std::optional<std::pair<double, NodeId>> best;
  for (const NodeIndex u : part)
    best = std::max(best, std::optional(std::pair(merit(s, part, u, c, ids), ids[u])));
  if (c == Criterion::majority && best->first == 0) return std::nullopt;
  return best->second;
}

inline void evaluate(State& s, const History& history) {
  const auto& [spec, ids, links, events] = history;
  s.find_hops();
  const Criterion criterion =
      !spec.paths && spec.criterion == Criterion::closeness ? Criterion::majority : spec.criterion;
  double live = 0, wrong = 0, silent = 0, largest = 0, widest = 0;
  std::vector<double> diameters, longest, median, relative;
  for (const auto& part : s.parts) {
    const auto should = oracle(s, part, criterion, ids);
    std::vector<std::size_t> ways;
    std::size_t diameter = 0;
    for (const NodeIndex u : part) {
      live += 1;
      if (!s.says[u]) silent += 1;
      if (!should || s.says[u] != should) wrong += 1;
      for (const NodeIndex v : part) {
        diameter = std::max(diameter, s.hops[u][v]);
        if (s.says[u] == ids[v]) ways.push_back(s.hops[u][v]);
      }
    }
    largest = std::max(largest, static_cast<double>(part.size()));
    if (part.size() < 2) continue;
    diameters.push_back(static_cast<double>(diameter));
    widest = std::max(widest, diameters.back());
    if (ways.empty()) continue;
    std::sort(ways.begin(), ways.end());
    longest.push_back(static_cast<double>(ways.back()));
    median.push_back(static_cast<double>(ways[(ways.size() - 1) / 2]));
    relative.push_back(longest.back() / diameters.back());
  }
  const auto mean = [](const std::vector<double>& all) {
    double sum = 0;
    for (const double each : all) sum += each;
    return all.empty() ? none : sum / static_cast<double>(all.size());
  };
  std::size_t levels = 0;
  for (const Event& e : events)
    if (e.kind == Event::Kind::placed) levels = std::max(levels, std::min(e.bytes, most_ranks));
  for (std::size_t k = 1; k <= levels; ++k)
    s.value["leaders_per_level_" + std::to_string(k)] = static_cast<double>(
        std::count_if(s.rank.begin(), s.rank.end(), [&](std::size_t rank) { return rank >= k; }));
  if (levels > 0) {
    double farthest = none;
    std::vector<double> ways;
    for (const auto& part : s.parts)
      for (const NodeIndex u : part)
        for (const NodeIndex v : part)
          if (s.follows[u] == ids[v]) {
            ways.push_back(static_cast<double>(s.hops[u][v]));
            farthest = std::isnan(farthest) ? ways.back() : std::max(farthest, ways.back());
          }
    s.value["remoteness_max"] = farthest;
    s.value["remoteness_mean"] = mean(ways);
  }
  s.value["instability"] = live > 0 ? wrong / live : none;
  s.value["without_leader"] = live > 0 ? silent / live : none;
  s.value["live_nodes"] = live;
  s.value["components_mean"] = static_cast<double>(s.parts.size());
  s.value["component_size_mean_nodes"] =
      live > 0 ? live / static_cast<double>(s.parts.size()) : none;
  s.value["component_size_largest_nodes"] = largest;
  if (!spec.paths) return;
  s.value["diameter_mean_hops"] = mean(diameters);
  s.value["diameter_largest_hops"] = diameters.empty() ? none : widest;
  s.value["leader_path_longest_hops"] = mean(longest);
  s.value["leader_path_median_hops"] = mean(median);
  s.value["leader_path_relative"] = mean(relative);
}

inline void apply(State& s, const Event& e) {
  if (e.kind == Event::Kind::link && e.u != e.v)
    s.links[{std::min(e.u, e.v), std::max(e.u, e.v)}] += e.flag ? 1 : -1;
  if (e.kind == Event::Kind::leader) s.says[e.u] = e.leader;
  if (e.kind == Event::Kind::placed) {
    s.rank[e.u] = e.bytes;
    s.follows[e.u] = e.leader;
  }
  if (e.kind != Event::Kind::alive || s.alive[e.u] == e.flag) return;
  s.alive[e.u] = e.flag;
  if (e.flag) s.since[e.u] = e.at;
  if (!e.flag) s.says[e.u] = s.follows[e.u] = std::nullopt;
  if (!e.flag) s.rank[e.u] = 0;
  if (!e.flag) s.crashed.insert(e.u);
}

/// One state per instant, the first at time 0, the last at the end.
inline std::vector<State> states(const History& history) {
  const std::size_t n = history.ids.size();
  State s{{}, std::vector<bool>(n, true), std::vector<Time>(n), {}, {}, {}, {}, {}, {}, {}, {}};
  s.says.resize(n);
  s.rank.resize(n);
  s.follows.resize(n);
  for (const auto& e : history.links)
    if (e.a != e.b) ++s.links[{std::min(e.a, e.b), std::max(e.a, e.b)}];
  std::vector<State> out;
  for (const Event& e : history.events) {
    if (e.at > s.at) {
      evaluate(s, history);
      out.push_back(s);
      s.crashed.clear();
      s.at = e.at;
    }
    apply(s, e);
  }
  evaluate(s, history);
  out.push_back(s);
  if (s.at < history.spec.end) {
    s.crashed.clear();
    s.at = history.spec.end;
    out.push_back(s);
  }
  return out;
}

/// The nodes whose crash in instant i is that of a leader, each with its component before.
inline std::map<NodeIndex, std::vector<NodeIndex>> fallen(const std::vector<State>& all,
                                                          std::size_t i,
                                                          const std::vector<NodeId>& ids) {
  std::map<NodeIndex, std::vector<NodeIndex>> out;
  if (i == 0) return out;
  for (const NodeIndex u : all[i].crashed) {
    const auto part = all[i - 1].part(u);
    const auto votes = std::count_if(part.begin(), part.end(),
                                     [&](NodeIndex v) { return all[i - 1].says[v] == ids[u]; });
    if (!part.empty() && 2 * static_cast<std::size_t>(votes) >= part.size()) out[u] = part;
  }
  return out;
}

inline bool settled(const State& s, const std::vector<NodeIndex>& followers, NodeIndex gone,
                    const std::vector<NodeId>& ids) {
  for (const NodeIndex f : followers) {
    const auto part = s.part(f);
    if (part.empty()) continue;
    const auto leader = s.says[f];
    bool inside = false;
    for (const NodeIndex u : part) {
      if (!leader || s.says[u] != leader) return false;
      inside = inside || ids[u] == leader;
    }
    if (!inside || leader == ids[gone]) return false;
  }
  return true;
}

inline std::vector<Failover> elections(const std::vector<State>& all,
                                       const std::vector<NodeId>& ids) {
  std::vector<Failover> out;
  for (std::size_t i = 1; i < all.size(); ++i) {
    for (const auto& [gone, part] : fallen(all, i, ids)) {
      std::vector<NodeIndex> followers;
      for (const NodeIndex u : part)
        if (u != gone && all[i - 1].says[u] == ids[gone] && all[i].alive[u]) followers.push_back(u);
      if (followers.empty()) continue;
      Failover election{all[i].at, {}, false};
      for (std::size_t j = i; j < all.size(); ++j) {
        bool overtaken = all[j].alive[gone];
        if (j > i)
          for (const auto& [other, its] : fallen(all, j, ids))
            for (const NodeIndex f : followers)
              overtaken = overtaken || std::count(its.begin(), its.end(), f) > 0;
        overtaken = overtaken || std::none_of(followers.begin(), followers.end(),
                                              [&](NodeIndex f) { return all[j].alive[f]; });
        if (overtaken) break;
        if (!settled(all[j], followers, gone, ids)) continue;
        election = {all[i].at, all[j].at - all[i].at, true};
        break;
      }
      out.push_back(election);
    }
  }
  return out;
}

/// Every node names a live node of its own component, and all of a component the same.
inline bool agreed(const State& s, const std::vector<NodeId>& ids) {
  for (const auto& part : s.parts) {
    bool inside = false;
    for (const NodeIndex u : part) {
      if (!s.says[u] || s.says[u] != s.says[part.front()]) return false;
      inside = inside || s.says[part.front()] == ids[u];
    }
    if (!inside) return false;
  }
  return true;
}

inline double settling_time(const History& history, const std::vector<State>& all) {
  if (!agreed(all.back(), history.ids)) return none;
  Time since{};
  for (std::size_t i = 1; i < all.size(); ++i)
    if (!agreed(all[i - 1], history.ids)) since = all[i].at;
  Time changed{};
  std::vector<bool> alive(history.ids.size(), true);
  for (const Event& e : history.events) {
    if (e.kind == Event::Kind::link && e.u != e.v) changed = e.at;
    if (e.kind != Event::Kind::alive || alive[e.u] == e.flag) continue;
    alive[e.u] = e.flag;
    changed = e.at;
  }
  return core::seconds(std::max(Duration{0}, since - changed));
}

/// Of the nodes in a cluster at both ends of each interval, how many are in another; from the
/// second interval on.
inline std::vector<double> reclustered(const History& history, const std::vector<State>& all,
                                       Duration interval) {
  std::vector<double> out;
  std::vector<std::optional<NodeId>> before;
  for (Time to = interval; to - interval < history.spec.end; to += interval) {
    const State* last = &all.front();
    for (const State& s : all)
      if (s.at < to) last = &s;
    double both = 0, moved = 0;
    for (std::size_t u = 0; u < before.size(); ++u) {
      if (!before[u] || !last->follows[u]) continue;
      both += 1;
      moved += before[u] == last->follows[u] ? 0 : 1;
    }
    out.push_back(both > 0 ? moved / both : none);
    before = last->follows;
  }
  return out;
}

/// All metrics of [from, to), or of [from, to] at the end of the run.
inline std::map<std::string, double> over(const History& history, const std::vector<State>& all,
                                          const std::vector<Failover>& began, Time from, Time to) {
  const auto within = [&](Time at) {
    return at >= from && (at < to || (at == to && to == history.spec.end));
  };
  std::map<std::string, double> out;
  const double span = core::seconds(to - from);
  double node_span = 0;
  for (const auto& [name, first] : all.front().value) {
    double area = 0, time = 0;
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      const double value = all[i].value.at(name);
      const Duration held = std::min(to, all[i + 1].at) - std::max(from, all[i].at);
      if (held <= Duration{0} || std::isnan(value)) continue;
      area += value * core::seconds(held);
      time += core::seconds(held);
    }
    out[name] = time > 0 ? area / time : none;
    if (name == "live_nodes") node_span = area;
  }
  double messages = 0, bytes = 0, beacons = 0, beacon_bytes = 0, changes = 0;
  for (const Event& e : history.events) {
    if (e.kind != Event::Kind::sent || !within(e.at)) continue;
    (e.flag ? beacons : messages) += 1;
    (e.flag ? beacon_bytes : bytes) += static_cast<double>(e.bytes);
  }
  const auto said = [](const State& s, std::size_t u) {
    return s.alive[u] && s.says[u] ? core::raw(*s.says[u]) : 0;
  };
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t u = 0; u < history.ids.size(); ++u) {
      const std::uint64_t before = i > 0 ? said(all[i - 1], u) : 0;
      if (within(all[i].at) && all[i].alive[u] && said(all[i], u) != before) changes += 1;
    }
  const auto by = [](double part, double whole_of) {
    return whole_of > 0 ? part / whole_of : none;
  };
  out["messages_per_s"] = by(messages, span);
  out["messages_per_node_per_s"] = by(messages, node_span);
  out["beacons_per_s"] = by(beacons, span);
  out["bytes_per_s"] = by(bytes + beacon_bytes, span);
  out["message_size_mean_bytes"] = by(bytes, messages);
  out["leader_changes_measured"] = changes;
  out["leader_changes_per_node_per_s"] = by(changes, node_span);
  double crashes = 0, done = 0, sum = 0, longest = 0;
  for (const Failover& each : began) {
    if (!within(each.crash)) continue;
    crashes += 1;
    if (!each.done) continue;
    done += 1;
    sum += core::seconds(each.took);
    longest = std::max(longest, core::seconds(each.took));
  }
  out["leader_crashes"] = crashes;
  out["elections_done"] = done;
  out["elections_overtaken"] = crashes - done;
  out["election_time_mean_s"] = by(sum, done);
  out["election_time_longest_s"] = done > 0 ? longest : none;
  return out;
}

}  // namespace bellwether::observe::naive
