// SPDX-License-Identifier: MIT
// bellwether compare: everything in the catalogue that fits a scenario, side by side.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <thread>

#include "bellwether/cli/experiments.hpp"
#include "bellwether/cli/load.hpp"
#include "bellwether/cli/progress.hpp"
#include "bellwether/cli/text.hpp"
#include "bellwether/core/host.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/json/json.hpp"
#include "bellwether/report/tables/metric_words.hpp"
#include "bellwether/report/tables/summary.hpp"
#include "bellwether/report/tables/units.hpp"
#include "bellwether/sim/validate.hpp"

namespace bellwether::cli {
namespace {

struct CompareOptions {
  ScenarioOptions scenario;
  std::uint64_t runs = 5;
  unsigned jobs = 0;
  bool json = false;
  bool quiet = false;
};

constexpr const char* footer =
    R"(Every algorithm whose model fits the scenario runs in it with the same seeds. Runs of one
seed are measured over the same time: a run that is quiescent early keeps its last state. The best
of a column is marked with *. Algorithms that do not fit are listed with the reason.
  settled      time from the last change of the network until all components agree on a leader that
               they can reach, and keep it; the number of runs that did, if not all. An algorithm
               that had agreed before that change takes 0 s, and gets no *
  instability  share of nodes with a wrong leader: not the one that the algorithm means to elect
  bellwether compare thesis-random-waypoint
  bellwether compare S.toml --algorithm ./mine.cpp         your own beside the others
  bellwether compare S.toml --runs 20 --set stop.time=60s --json)";

/// A column of the league table; the least is the best.
struct LeagueColumn {
  const char* metric;
  const char* title;
  bool zero_is_none = false;  // an algorithm that had nothing to do is not the best
};
constexpr LeagueColumn league[] = {{"settling_time_s", "settled", true},
                                   {"instability", "instability"},
                                   {"leader_path_median_hops", "median path"},
                                   {"messages", "messages"},
                                   {"bytes", "bytes"}};

struct Contestants {
  std::vector<std::string> fits;
  std::vector<std::pair<std::string, std::string>> others;  // and why not
};

scenario::Scenario for_algorithm(const scenario::Scenario& base, const core::Algorithm& entry) {
  scenario::Scenario out = base;
  if (entry.name != base.algorithm) out.options.clear();
  out.algorithm = entry.name;
  out.properties.clear();
  out.metrics.on = entry.rounds ? scenario::MetricsMode::off : scenario::MetricsMode::on;
  return out;
}

/// Which algorithms simulate() would accept there.
Contestants field_of(const scenario::Scenario& base, const CommandContext& context) {
  sim::check_world(base);  // what is wrong with it is no algorithm's fault
  Contestants field;
  sim::Validator validator;
  for (const core::Algorithm& entry : context.algorithms) {
    try {
      validator.check(entry, for_algorithm(base, entry));
      field.fits.emplace_back(entry.name);
    } catch (const core::Problem& problem) {
      // All have read the same file: the place in it says nothing new.
      field.others.emplace_back(entry.name, problem.at({}).what());
    }
  }
  return field;
}

core::Time run_time(const experiment::Row& row) {
  return std::chrono::round<core::Time>(
      std::chrono::duration<double>(row.values[experiment::column("time_s")]));
}

/// An experiment with one axis, without a file.
experiment::Experiment experiment_of(const scenario::Scenario& base, const Contestants& field,
                                     std::uint64_t runs) {
  experiment::Experiment out;
  out.name = base.name;
  out.path = "compare";
  out.base = base;
  out.repeat.runs = runs;
  out.repeat.seed = base.seed;
  experiment::Axis axis{"algorithm", {}};
  for (const std::string& name : field.fits) axis.choices.push_back({name, {{"algorithm", name}}});
  out.axes.push_back(std::move(axis));
  return out;
}

/// Until when the runs of a seed are measured; nothing: each to its end.
using Windows = std::map<std::uint64_t, core::Time>;

Windows longest_of(const std::vector<experiment::Row>& rows) {
  Windows out;
  for (const experiment::Row& row : rows) {
    core::Time& longest = out[row.seed];
    longest = std::max(longest, run_time(row));
  }
  return out;
}

std::vector<experiment::Row> runs(const experiment::Experiment& experiment,
                                  std::vector<experiment::Row> found, const Windows& windows,
                                  const CompareOptions& options, const CommandContext& context) {
  ProgressLine line(options.quiet ? ProgressLine::When::never : ProgressLine::When::on_a_terminal,
                    {});
  const std::vector<experiment::Row> before = found;
  experiment::Orders orders;
  orders.found = before;
  orders.experiment = &experiment;
  orders.run = [&](const experiment::Task& task) -> std::optional<experiment::Row> {
    const std::string& name = experiment.axes[0].choices[task.point].label;
    scenario::Scenario scenario = for_algorithm(experiment.base, find_algorithm(context, name));
    scenario.seed = task.seed;
    if (const auto window = windows.find(task.seed); window != windows.end())
      scenario.metrics.until = window->second;
    sim::Attachments attachments;
    attachments.on_progress = [](const sim::Progress&) { return !InterruptGuard::interrupted(); };
    const observe::RunReport report =
        sim::simulate(*catalogue::find(context.algorithms, name), scenario, attachments);
    if (report.ended == observe::Ended::interrupted) return std::nullopt;
    experiment::Row row = experiment::make_row(task.point, report, {});
    // Rounds are played in networks that never change: there, settled is when leaders are named.
    const bool rounds = find_algorithm(context, name).rounds;
    if (rounds && row.values[experiment::column("agreed")] == 1)
      row.values[experiment::column("settling_time_s")] =
          row.values[experiment::column("last_leader_change_s")];
    return row;
  };
  orders.keep = [&](const experiment::Row& row) { found.push_back(row); };
  orders.threads =
      options.jobs > 0 ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
  orders.on_progress = [&](const experiment::SweepStatus& status) {
    return line.show(
        [&](double) { return fmt::format("  {} of {} runs", status.done, status.planned); });
  };
  experiment::sweep(orders);
  line.finish();
  return found;
}

/// All runs of a seed are measured over the same time, or a share of it would favour late endings:
/// runs that were quiescent before the longest one ended are made again, and measured until then.
experiment::Results measured(const experiment::Experiment& experiment,
                             const CompareOptions& options, const CommandContext& context) {
  const InterruptGuard guard;
  auto rows = runs(experiment, {}, {}, options, context);
  const Windows windows = longest_of(rows);
  std::erase_if(rows, [&](const experiment::Row& row) {
    return row.ended == core::name_of(observe::Ended::quiescent) &&
           run_time(row) < windows.at(row.seed);
  });
  rows = runs(experiment, std::move(rows), windows, options, context);
  return {experiment, experiment::points(experiment), "", std::move(rows)};
}

/// Instability is measured against what an algorithm means to elect: where that differs, so does
/// what the column says.
std::string criteria_text(const scenario::Scenario& base, const Contestants& field,
                          const CommandContext& context) {
  if (base.metrics.oracle) return "";
  std::map<core::Criterion, std::vector<std::string>> groups;
  for (const std::string& name : field.fits) {
    const core::Algorithm& entry = find_algorithm(context, name);
    core::OptionTexts options;
    for (const auto& [option, raw] : for_algorithm(base, entry).options) options[option] = raw.text;
    if (!entry.rounds) groups[entry.make(options)->criterion()].push_back(name);
  }
  if (groups.size() < 2) return "";
  std::string out =
      "\ninstability is measured against what each algorithm means to elect; write\n"
      "metrics.oracle = \"highest-id\" or another one to measure all against the same\n";
  for (const auto& [criterion, names] : groups)
    out += fmt::format(
        "  {}\n",
        wrapped(fmt::format("{}: {}", core::name_of(criterion), fmt::join(names, ", ")), 4, 96));
  return out;
}

/// The algorithms that share a reason, in one paragraph.
std::string left_out_text(const Contestants& field) {
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  for (const auto& [name, why] : field.others) {
    std::string common = why;
    if (const std::size_t at = common.find(": " + name + " "); at != common.npos)
      common.erase(0, at + name.size() + 3);
    const auto known = std::find_if(reasons.begin(), reasons.end(),
                                    [&](const auto& each) { return each.first == common; });
    if (known != reasons.end())
      known->second.push_back(name);
    else
      reasons.push_back({common, {name}});
  }
  std::string out;
  for (const auto& [why, names] : reasons)
    out +=
        fmt::format("  {}\n", wrapped(fmt::format("{}: {}", fmt::join(names, ", "), why), 4, 96));
  return out;
}

std::string league_table(const experiment::Results& results) {
  const auto& names = results.experiment.axes[0].choices;
  std::vector<std::vector<std::string>> cells{{"algorithm", "agreed"}};
  std::vector<double> agreed;
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    agreed.push_back(report::estimate_at(results, i, "agreed").mean);
    cells.push_back({names[i].label, report::percent(agreed.back())});
  }
  // An algorithm that elects no leader is cheap: only those that agree most often can be the best.
  const double most_agreed = *std::max_element(agreed.begin(), agreed.end());
  const std::uint64_t runs = results.experiment.repeat.runs;
  const auto in_all_runs = [&](const experiment::Estimate& e) { return e.runs == runs; };
  for (const LeagueColumn& column : league) {
    std::vector<experiment::Estimate> all;
    double best = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < names.size(); ++i) {
      all.push_back(report::estimate_at(results, i, column.metric));
      const bool counts = all.back().mean > 0 || !column.zero_is_none;
      if (in_all_runs(all.back()) && agreed[i] >= most_agreed && counts)
        best = std::min(best, all.back().mean);
    }
    if (std::isinf(best)) continue;
    const report::MetricWords words = report::metric_words(column.metric);
    const bool plain = words.unit.empty() || words.unit == column.title;
    cells[0].push_back(plain ? column.title : fmt::format("{} ({})", column.title, words.unit));
    for (std::uint32_t i = 0; i < names.size(); ++i)
      cells[i + 1].push_back(
          all[i].runs == 0 ? "-  "
          : !in_all_runs(all[i])
              ? fmt::format("{} of {}  ", all[i].runs, runs)
              : report::mean_text(all[i], words.factor) +
                    (agreed[i] >= most_agreed && all[i].mean == best ? " *" : "  "));
  }
  return report::aligned(cells, 1);
}

std::string league_json(const experiment::Results& results, const Contestants& field) {
  json::Json out;
  out["scenario"] = results.experiment.name;
  out["runs"] = results.experiment.repeat.runs;
  const auto& names = results.experiment.axes[0].choices;
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    json::Json row{{"algorithm", names[i].label}};
    for (const LeagueColumn& column : league) {
      const experiment::Estimate e = report::estimate_at(results, i, column.metric);
      if (e.runs > 0)
        row[column.metric] = {{"mean", e.mean}, {"low", e.low}, {"high", e.high}, {"runs", e.runs}};
    }
    row["agreed"] = report::estimate_at(results, i, "agreed").mean;
    if (const auto e = report::estimate_at(results, i, "measured_time_s"); e.runs > 0)
      row["measured_time_s"] = e.mean;
    out["algorithms"].push_back(row);
  }
  for (const auto& [name, why] : field.others) out["left_out"][name] = why;
  return out.dump();
}

int compare(const CompareOptions& options, const CommandContext& context) {
  const scenario::Scenario base = load_named(options.scenario);
  if (!base.algorithm.empty()) find_algorithm(context, base);  // whose options these are
  const Contestants field = field_of(base, context);
  if (field.fits.empty())
    throw core::Problem(options.scenario.file, {},
                        std::string("no algorithm fits this scenario; the first reason: ") +
                            (field.others.empty() ? "nothing" : field.others.front().second));
  const experiment::Experiment experiment = experiment_of(base, field, options.runs);
  const experiment::Results results = measured(experiment, options, context);
  const bool whole = results.rows.size() == options.runs * field.fits.size();
  if (options.json) {
    fmt::print("{}\n", league_json(results, field));
    return whole ? 0 : 130;
  }
  fmt::print("{}: {} each, means ± half of the 95 % interval\n\n{}", base.name,
             report::counted(options.runs, "run"), league_table(results));
  fmt::print("\n* best of its column, among those that agree most often\n{}",
             criteria_text(base, field, context));
  if (!field.others.empty()) fmt::print("\nleft out\n{}", left_out_text(field));
  return whole ? 0 : 130;
}

}  // namespace

void add_compare(terminal::Command& app, const CommandContext& context, int& status) {
  const auto options = std::make_shared<CompareOptions>();
  terminal::Command* sub =
      app.add_subcommand("compare", "Compare all algorithms that fit a scenario");
  add_scenario_options(*sub, options->scenario);
  sub->add_option(
      "-a,--algorithm", options->scenario.algorithm,
      "Add an algorithm of your own, a C++ file (FILE.cpp); the scenario's options are those "
      "of the algorithm that is named here");
  sub->add_option("-r,--runs", options->runs,
                  "Number of runs per algorithm, each with another seed")
      ->range(1, 1'000'000)
      ->capture_default_str();
  sub->add_option("-j,--jobs", options->jobs,
                  "Make N runs at once, 1 to 4096; default: one per core")
      ->range(1, 4096);
  sub->add_flag("--json", options->json, "Print one JSON object instead of a table");
  sub->add_flag("-q,--quiet", options->quiet, "Show no progress");
  sub->footer(footer);
  sub->callback([options, &context, &status] { status = compare(*options, context); });
}

}  // namespace bellwether::cli
