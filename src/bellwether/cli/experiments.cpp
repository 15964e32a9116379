// SPDX-License-Identifier: MIT
// From what was typed to an experiment all of whose points can run.
#include "bellwether/cli/experiments.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "bellwether/cli/engine.hpp"
#include "bellwether/cli/load.hpp"
#include "bellwether/core/digest.hpp"
#include "bellwether/core/nearest.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/embedded/files.hpp"
#include "bellwether/embedded/scenarios.hpp"
#include "bellwether/observe/metrics/metric_facts.hpp"
#include "bellwether/scenario/blame.hpp"
#include "bellwether/sim/validate.hpp"

namespace bellwether::cli {
namespace {

void require_metric(const std::string& path, const std::string& metric) {
  if (metric.empty() || experiment::has_column(metric)) return;
  const auto near = core::nearest(metric, experiment::columns());
  throw core::Problem(
      path, {},
      "unknown metric \"" + metric + "\"; " +
          (near ? "did you mean \"" + *near + "\"?" : "docs/metrics.md lists them"));
}

/// What is kept over time has names of its own.
void require_series(const std::string& path, const std::string& metric) {
  std::vector<std::string> known;
  for (const observe::MetricFact& fact : observe::metric_facts())
    if (fact.series) known.emplace_back(fact.name);
  if (std::find(known.begin(), known.end(), metric) == known.end())
    throw core::Problem(path, "series", core::unknown_name("metric", metric, known));
}

void require_algorithms(const experiment::Experiment& experiment, const CommandContext& context) {
  for (const experiment::GridPoint& point : experiment::points(experiment)) {
    const scenario::Scenario scenario = experiment::scenario_at(experiment, point, 1);
    const auto& entry = find_algorithm(context, scenario.algorithm, experiment.path);
    std::vector<std::string> known;
    for (const core::OptionRow& row : entry.options) known.push_back(row.name);
    for (const auto& [name, option] : scenario.options)
      if (std::find(known.begin(), known.end(), name) == known.end())
        throw core::Problem(experiment.path, {},
                            scenario.algorithm + ": " + core::unknown_name("option", name, known) +
                                "; an option that only one algorithm has belongs in a [[variant]]");
  }
}

/// For all points, unless the matrix says which. A results file keeps the matrix as it is written,
/// so that nothing can be added to it here.
void set_algorithm(experiment::Experiment& experiment, const std::string& name) {
  if (name.empty()) return;
  bool listed = false;
  for (const experiment::Axis& axis : experiment.axes)
    for (const experiment::Variation& choice : axis.choices)
      for (const experiment::Setting& each : choice.settings) {
        listed |= each.key == "algorithm";
        if (each.key == "algorithm" && each.text == name) return;
      }
  if (listed)
    throw core::Problem("--algorithm", {},
                        "the matrix lists algorithms, and " + name +
                            " is not among them; add it to " + experiment.path);
  experiment.overrides.push_back({"algorithm", name});
}

/// Where there is no such file, the part of this program: experiments/thesis/figure-4.14.toml, or
/// just figure-4.14.
experiment::Experiment file_or_embedded(const std::string& file) {
  if (!std::filesystem::exists(file))
    for (const embedded::File& each : embedded::files())
      if (each.name.starts_with("experiments/") &&
          (each.name == file || std::filesystem::path(each.name).stem() == file))
        return embedded_experiment(std::string(each.name), each.content);
  return experiment::read_experiment(file);
}

experiment::Experiment experiment_in(const std::string& file) {
  try {
    return file_or_embedded(file);
  } catch (const core::Problem& error) {
    refuse_other_kind(file, error, {"algorithm", "network"},
                      "a scenario, not an experiment; run it with: bellwether run");
    throw;
  }
}

}  // namespace

void add_size_options(terminal::Command& sub, ExperimentOptions& options) {
  terminal::Argument* brief = sub.add_flag(
      "--short", options.brief, "Use the smaller version that the experiment defines in [short]");
  sub.add_flag("--quick", options.quick,
               "Use the smoke test that the experiment defines in [quick]")
      ->excludes(brief);
  sub.add_option("-r,--runs", options.runs,
                 "Number of runs per point; default: that of the experiment")
      ->range(1, 1'000'000);
}

experiment::Experiment embedded_experiment(const std::string& path, std::string_view text) {
  return experiment::parse_experiment(text, path, [](const std::string& scenario) {
    const std::string wanted = std::filesystem::path(scenario).stem().string();
    for (const auto& [name, content] : embedded::scenarios())
      if (name == wanted) return scenario::parse_scenario(content, "scenarios/" + name + ".toml");
    throw core::Problem(scenario, {}, "is not a part of this program");
  });
}

experiment::Experiment load_experiment(const ExperimentOptions& options,
                                       const CommandContext& context) {
  return prepared(experiment_in(options.file), options, context);
}

experiment::Experiment prepared(const experiment::Experiment& whole,
                                const ExperimentOptions& options, const CommandContext& context) {
  const auto size = options.quick   ? experiment::Size::quick
                    : options.brief ? experiment::Size::brief
                                    : experiment::Size::full;
  experiment::require_effect(changed(whole, options, context));
  return changed(experiment::version_of(whole, size), options, context);
}

experiment::Experiment changed(experiment::Experiment experiment, const ExperimentOptions& options,
                               const CommandContext& context) {
  for (const std::string& assignment : options.set) {
    const std::size_t equals = assignment.find('=');
    if (equals == assignment.npos)
      throw core::Problem("--set needs key=value, for instance network.nodes=100");
    experiment.overrides.push_back({assignment.substr(0, equals), assignment.substr(equals + 1)});
    for (const experiment::Axis& axis : experiment.axes)
      if (axis.name == experiment.overrides.back().key)
        throw core::Problem("--set", {}, axis.name + " is an axis of the matrix; change it there");
  }
  set_algorithm(experiment, options.algorithm);
  if (options.runs > 0) {
    experiment.repeat.runs = options.runs;
    experiment.repeat.at_most = std::max(experiment.repeat.at_most, options.runs);
  }
  require_metric(experiment.path + ": repeat.until", experiment.repeat.until);
  for (const std::string& metric : experiment.metrics) require_metric(experiment.path, metric);
  for (const std::string& metric : experiment.series) require_series(experiment.path, metric);
  for (const auto& figure : experiment.figures)
    if (figure.kind != experiment::FigureKind::series) require_metric(experiment.path, figure.y);
  for (const auto& each : experiment.published) {
    const auto& kept = experiment.series;
    if (each.at_s <= 0)
      require_metric(experiment.path, each.metric);
    else if (std::find(kept.begin(), kept.end(), each.metric) == kept.end())
      throw core::Problem(experiment.path, {},
                          each.metric + " is not kept over time; add it to the list `series`");
  }
  require_algorithms(experiment, context);
  return experiment;
}

namespace {

/// The points, those with the same network one after the other: it is then built once.
std::vector<experiment::GridPoint> by_network(const experiment::Experiment& experiment) {
  std::map<std::uint64_t, std::size_t> groups;  // in the order in which they come first
  std::vector<std::pair<std::size_t, experiment::GridPoint>> sorted;
  for (experiment::GridPoint& point : experiment::points(experiment)) {
    const auto part = sim::network_part(experiment::scenario_at(experiment, point, 1));
    const std::uint64_t network = core::digest(scenario::print_scenario(part));
    const std::size_t group = groups.try_emplace(network, groups.size()).first->second;
    sorted.emplace_back(group, std::move(point));
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<experiment::GridPoint> out;
  for (auto& [group, point] : sorted) out.push_back(std::move(point));
  return out;
}

/// A value of the matrix or of [set] has no line of its own.
core::Problem without_flag(const core::Problem& problem) {
  return problem.where().line > 0 ? problem : problem.at({});
}

/// A medium of another program is made in a process of its own, once for each kind of radio.
class MediumCheck {
 public:
  explicit MediumCheck(const MediumChoice& engine) : engine_(engine) {}
  void check(const scenario::Scenario& scenario, const sim::RunSetup& setup) {
    require_carried(scenario, engine_);
    const auto seen = std::find(radios_.begin(), radios_.end(), scenario.radio);
    if (!engine_.make_medium || seen != radios_.end()) return;
    radios_.push_back(scenario.radio);
    in_own_process([&]() -> std::optional<experiment::Row> {
      try {
        engine_.make_medium(sim::site_of(scenario, setup));
      } catch (const core::Problem& problem) {
        throw without_flag(scenario::blamed_on(scenario, problem));
      }
      return std::nullopt;
    });
  }

 private:
  const MediumChoice& engine_;
  std::vector<world::RadioSpec> radios_;
};

}  // namespace

void require_runnable(const experiment::Experiment& experiment, const MediumChoice& engine,
                      const CommandContext& context) {
  sim::Validator validator;
  MediumCheck medium(engine);
  for (const experiment::GridPoint& point : by_network(experiment)) {
    const scenario::Scenario scenario =
        experiment::scenario_at(experiment, point, experiment.repeat.seed);
    try {
      validator.check(find_algorithm(context, scenario), scenario);
      medium.check(scenario, validator.setup());
    } catch (const core::Problem& problem) {
      throw core::Problem(experiment.path, {},
                          "the point " + experiment::point_text(experiment, point) + ": " +
                              without_flag(problem).what() +
                              "; or leave this point out with [[skip]]");
    }
  }
}

}  // namespace bellwether::cli
