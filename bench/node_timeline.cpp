// SPDX-License-Identifier: MIT
#include "node_timeline.hpp"

#include <poll.h>

#include <algorithm>
#include <csignal>

#include "bellwether/sim/run_spec.hpp"
#include "bellwether/world/proximity.hpp"

namespace bench {
namespace {

using namespace std::chrono_literals;

bed::FlockOptions options_of(const scenario::Scenario& scenario) {
  const auto whole = [](core::Duration d) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(d);
  };
  return {.period = whole(scenario.neighbours.period),
          .timeout = whole(scenario.neighbours.timeout),
          .algorithm = scenario.algorithm};
}

}  // namespace

Figures named(const std::vector<observe::Metric>& metrics) {
  Figures out;
  for (const observe::Metric& metric : metrics) out[metric.name] = metric.value;
  return out;
}

void FirstAgreement::name(core::Time at, std::size_t node, std::optional<core::NodeId> leader) {
  named_.at(node) = leader;
  if (at_ || !leader) return;
  if (std::all_of(named_.begin(), named_.end(), [&](const auto& each) { return each == leader; }))
    at_ = at;
}

Enactment::Enactment(const scenario::Scenario& scenario)
    : scenario_(scenario),
      nodes_(scenario.network.nodes),
      agreement_(nodes_),
      streams_(nodes_),
      named_(nodes_) {
  air_ = &network_.cabled_lan(nodes_);
  for (std::size_t a = 0; a < nodes_; ++a)
    for (std::size_t b = 0; b < nodes_; ++b)
      if (a != b) air_->block(a, b);
  plan();
}

void Enactment::plan() {
  plan_links();
  plan_crashes();
  deeds_.push_back({.at = scenario_.metrics.warm_up, .what = Deed::What::count});
  deeds_.push_back({.at = scenario_.stop.time, .what = Deed::What::end});
  std::stable_sort(deeds_.begin(), deeds_.end(),
                   [](const Deed& a, const Deed& b) { return a.at < b.at; });
}

/// Where the nodes go and which links they have is what the simulator computes.
void Enactment::plan_links() {
  scenario::Scenario still = scenario_;
  still.changes = {};
  const sim::RunSetup setup = sim::make_setup(still);
  first_links_ = setup.proximity->links_at_start();
  while (const auto change = setup.proximity->next()) {
    if (change->at >= scenario_.stop.time) break;
    deeds_.push_back({.at = change->at,
                      .what = Deed::What::link,
                      .ends = change->ends,
                      .up = change->kind == world::ChangeKind::link_up});
  }
}

void Enactment::plan_crashes() {
  const world::CrashChurnSpec& crashes = scenario_.changes.crashes;
  if (crashes.leader_every <= core::Duration{0}) return;
  const core::Time until = std::min(crashes.until, scenario_.stop.time);
  for (core::Time at = crashes.from; at + crashes.down < until; at += crashes.leader_every) {
    deeds_.push_back({.at = at, .what = Deed::What::kill_leader});
    deeds_.push_back({.at = at + crashes.down, .what = Deed::What::restart});
  }
}

core::Time Enactment::now() const {
  return std::chrono::duration_cast<core::Time>(Clock::now() - zero_);
}

void Enactment::switch_link(graph::Edge ends, bool up) {
  for (const auto& [from, to] : {std::pair(ends.a, ends.b), {ends.b, ends.a}})
    up ? air_->unblock(from, to) : air_->block(from, to);
}

Figures Enactment::run() {
  for (const graph::Edge ends : first_links_) switch_link(ends, true);
  flock_ = std::make_unique<bed::Flock>(network_, options_of(scenario_));
  flock_->start_all();
  zero_ = Clock::now();
  std::vector<core::NodeId> ids;
  for (std::size_t i = 0; i < nodes_; ++i) ids.push_back(core::NodeId{i + 1});
  metrics_ = std::make_unique<observe::Metrics>(
      observe::MetricsSetup{.criterion = core::Criterion::majority,
                            .end = scenario_.stop.time,
                            .warm_up = scenario_.metrics.warm_up},
      ids, first_links_);
  for (const Deed& deed : deeds_) {
    watch_until(deed.at);
    if (!perform(deed)) break;
  }
  return figures(std::chrono::duration<double>(now() - scenario_.metrics.warm_up).count());
}

/// False: it is over.
bool Enactment::perform(const Deed& deed) {
  switch (deed.what) {
    case Deed::What::link:
      switch_link(deed.ends, deed.up);
      metrics_->link(now(), deed.ends.a, deed.ends.b, deed.up);
      return true;
    case Deed::What::kill_leader:
      kill_leader();
      return true;
    case Deed::What::restart:
      restart();
      return true;
    case Deed::What::count:
      before_ = network_.sent();
      cpu_before_ = cpu_seconds();
      return true;
    case Deed::What::end:
      break;
  }
  return false;
}

std::optional<std::size_t> Enactment::most_named() const {
  std::map<core::NodeId, std::size_t> votes;
  for (const auto& leader : named_)
    if (leader) ++votes[*leader];
  const auto most = std::max_element(
      votes.begin(), votes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == votes.end()) return std::nullopt;
  return static_cast<std::size_t>(core::raw(most->first) - 1);
}

void Enactment::kill_leader() {
  const auto leader = most_named();
  if (!leader || !flock_->runs(*leader)) return;
  const core::Time at = now();
  flock_->kill(*leader);
  cpu_of_the_dead_ += std::chrono::duration<double>(flock_->daemon(*leader).cpu_time()).count();
  metrics_->alive(at, static_cast<core::NodeIndex>(*leader), false);
  streams_[*leader].reset();
  named_[*leader].reset();
  down_ = leader;
}

void Enactment::restart() {
  if (!down_) return;
  flock_->start(*down_);
  metrics_->alive(now(), static_cast<core::NodeIndex>(*down_), true);
  down_.reset();
}

void Enactment::open_streams() {
  for (std::size_t i = 0; i < nodes_; ++i) try {
      if (!streams_[i] && down_ != i) streams_[i].emplace(flock_->socket(i));
    } catch (const client::ClientError&) {  // it has just been started, and is not there yet
    }
}

/// Until then, whatever they name is recorded as it is said.
void Enactment::watch_until(core::Time until) {
  while (now() < until) {
    open_streams();
    std::vector<pollfd> ears;
    for (auto& stream : streams_)
      ears.push_back({stream ? stream->waiting().descriptor : -1,
                      stream ? stream->waiting().events : short{0}, 0});
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - now());
    poll(ears.data(), ears.size(), static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 20)));
    for (std::size_t i = 0; i < nodes_; ++i)
      if (ears[i].fd < 0 || ears[i].revents != 0) listen(i);
  }
}

void Enactment::listen(std::size_t node) {
  auto& stream = streams_[node];
  if (!stream) return;
  try {
    while (const auto event = stream->next(0ms)) {
      if (!event->leadership) continue;
      std::optional<core::NodeId> leader;
      if (event->leadership->leader) leader = core::NodeId{*event->leadership->leader};
      const core::Time at = now();
      named_[node] = leader;
      metrics_->leader(at, static_cast<core::NodeIndex>(node), leader);
      agreement_.name(at, node, leader);
    }
    if (stream->closed()) stream.reset();
  } catch (const client::ClientError&) {  // likewise
    stream.reset();
  }
}

double Enactment::cpu_seconds() {
  double sum = cpu_of_the_dead_;
  for (const std::size_t i : flock_->all())
    if (flock_->runs(i)) sum += std::chrono::duration<double>(flock_->daemon(i).cpu_time()).count();
  return sum;
}

Figures Enactment::figures(double seconds) {
  const bed::Traffic sent = network_.sent() - before_;
  const double cpu = cpu_seconds() - cpu_before_;
  Figures out = named(metrics_->finish(now()).totals);
  const double node_seconds = seconds * out["live_nodes"];
  out["frames"] = static_cast<double>(sent.frames_sent) / node_seconds;
  out["bytes"] = static_cast<double>(sent.bytes_sent) / node_seconds;
  out["cpu_share"] = cpu / node_seconds;
  out["agreed_s"] = agreement_.at() ? std::chrono::duration<double>(*agreement_.at()).count()
                                    : std::numeric_limits<double>::quiet_NaN();
  return out;
}

}  // namespace bench
