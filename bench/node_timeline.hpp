// SPDX-License-Identifier: MIT
// What daemons in a network of namespaces said and what was done to them, for one scenario: links
// come and go as in the simulator, the leader is killed and started again when the scenario says.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bellwether/observe/metrics/metrics.hpp"
#include "bellwether/scenario/scenario.hpp"
#include "bellwether/world/changes.hpp"
#include "node/flock.hpp"

namespace bench {

using namespace bellwether;

/// By the names that docs/metrics.md defines, and `agreed_s`, the time from the start of the last
/// node to the first moment at which all name one of them; `cpu_share` is of one core.
using Figures = std::map<std::string, double>;

Figures named(const std::vector<observe::Metric>& metrics);

/// The first moment at which all nodes name one and the same of them.
class FirstAgreement {
 public:
  explicit FirstAgreement(std::size_t nodes) : named_(nodes) {}
  void name(core::Time at, std::size_t node, std::optional<core::NodeId> leader);
  std::optional<core::Time> at() const { return at_; }

 private:
  std::vector<std::optional<core::NodeId>> named_;
  std::optional<core::Time> at_;
};

/// One run of a scenario by real daemons.
class Enactment {
 public:
  explicit Enactment(const scenario::Scenario& scenario);
  Figures run();

 private:
  using Clock = std::chrono::steady_clock;
  struct Deed {
    core::Time at{};
    enum class What : unsigned char { link, kill_leader, restart, count, end } what{};
    graph::Edge ends{};
    bool up = false;
  };

  void plan();
  void plan_links();
  void plan_crashes();
  core::Time now() const;
  bool perform(const Deed& deed);
  void switch_link(graph::Edge ends, bool up);
  void kill_leader();
  void restart();
  void watch_until(core::Time until);
  void open_streams();
  void listen(std::size_t node);
  std::optional<std::size_t> most_named() const;
  double cpu_seconds();
  Figures figures(double seconds);

  scenario::Scenario scenario_;
  std::size_t nodes_;
  bed::Network network_;
  bed::Cable* air_ = nullptr;
  std::unique_ptr<bed::Flock> flock_;
  std::vector<Deed> deeds_;
  std::vector<graph::Edge> first_links_;
  std::unique_ptr<observe::Metrics> metrics_;
  FirstAgreement agreement_;
  std::vector<std::optional<client::EventStream>> streams_;
  std::vector<std::optional<core::NodeId>> named_;
  std::optional<std::size_t> down_;
  Clock::time_point zero_{};
  bed::Traffic before_;
  double cpu_before_ = 0, cpu_of_the_dead_ = 0;
};

}  // namespace bench
