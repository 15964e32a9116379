// SPDX-License-Identifier: MIT
// bellwether sweep: one experiment, many runs, one results file.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "bellwether/cli/engine.hpp"
#include "bellwether/cli/experiments.hpp"
#include "bellwether/cli/load.hpp"
#include "bellwether/cli/progress.hpp"
#include "bellwether/core/fields.hpp"
#include "bellwether/core/nearest.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/report/tables/summary.hpp"
#include "bellwether/report/tables/units.hpp"
#include "bellwether/terminal/plugin.hpp"

#ifndef BELLWETHER_VERSION
#define BELLWETHER_VERSION "unknown"
#endif

namespace bellwether::cli {
namespace {

constexpr const char* footer =
    R"(An experiment is a TOML file: docs/experiments.md explains it, experiments/ has some.
  --runs 30                        repeat every point so often; more than before: only those missing
  --set network.nodes=500          change a key of the scenario for all points
  --dry-run                        list the points and the number of runs, and stop
Rows go to FILE.sqlite and FILE.csv as they come. A sweep that was stopped, killed or lost its power
goes on where it was when it is started again with the same words.
On several machines: mpirun -n 64 bellwether sweep EXPERIMENT (the rows are the same), or
scripts/sweep.slurm. Then: bellwether report FILE.sqlite)";

std::string duration_text(double seconds) {
  const auto all = static_cast<std::uint64_t>(std::max(0.0, seconds) + 0.5);
  if (all < 60) return fmt::format("{} s", all);
  if (all < 3600) return fmt::format("{} min {:02} s", all / 60, all % 60);
  return fmt::format("{} h {:02} min", all / 3600, all / 60 % 60);
}

std::string bar(std::size_t done, std::size_t planned) {
  constexpr std::size_t width = 24;
  const std::size_t full = planned == 0 ? width : done * width / planned;
  return std::string(full, '#') + std::string(width - full, '.');
}

std::string progress_text(const experiment::Status& status, double spent) {
  std::string out = fmt::format("  [{}] {} of {} runs", bar(status.done, status.planned),
                                report::grouped(status.done), report::grouped(status.planned));
  if (status.made > 0 && spent > 0) {
    const double rate = static_cast<double>(status.made) / spent;
    out += fmt::format(", {:.3g} runs/s, {} left", rate,
                       duration_text(static_cast<double>(status.planned - status.done) / rate));
  }
  if (status.lost > 0) out += fmt::format(", {} lost", report::counted(status.lost, "worker"));
  return out;
}

void require_metric(const std::string& path, const std::string& metric) {
  if (metric.empty() || experiment::has_column(metric)) return;
  const auto near = core::nearest(metric, experiment::columns());
  throw core::Problem(
      path, {},
      "unknown metric \"" + metric + "\"; " +
          (near ? "did you mean \"" + *near + "\"?" : "docs/metrics.md lists them"));
}

void require_algorithms(const experiment::Experiment& experiment, const Tables& tables) {
  for (const experiment::Point& point : experiment::points(experiment)) {
    const scenario::Scenario scenario = experiment::scenario_at(experiment, point, 1);
    const auto& entry = find_algorithm(tables, scenario.algorithm, experiment.path);
    std::vector<std::string> known;
    for (const core::OptionRow& row : entry.options) known.push_back(row.name);
    for (const auto& [name, option] : scenario.options)
      if (std::find(known.begin(), known.end(), name) == known.end())
        throw core::Problem(experiment.path, {},
                            scenario.algorithm + ": " + core::unknown_name("option", name, known) +
                                "; options of one algorithm belong into a [[variant]]");
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

experiment::Experiment experiment_in(const std::string& file) {
  try {
    return experiment::read_experiment(file);
  } catch (const core::Problem& error) {
    refuse_other_kind(file, error, {"algorithm", "network"},
                      "a scenario, not an experiment; run it with: bellwether run");
    throw;
  }
}

}  // namespace

void add_size_options(terminal::Command& sub, ExperimentOptions& options) {
  terminal::Argument* brief =
      sub.add_flag("--short", options.brief, "Fewer and shorter runs, as [short] in the file says");
  sub.add_flag("--quick", options.quick, "A smoke test, as [quick] in the file says")
      ->excludes(brief);
  sub.add_option("-r,--runs", options.runs, "Repeat every point so often")->range(1, 1'000'000);
}

experiment::Experiment load_experiment(const ExperimentOptions& options, const Tables& tables) {
  const auto size = options.quick   ? experiment::Size::quick
                    : options.brief ? experiment::Size::brief
                                    : experiment::Size::full;
  const experiment::Experiment whole = experiment_in(options.file);
  experiment::require_effect(changed(whole, options, tables));
  return changed(experiment::version_of(whole, size), options, tables);
}

experiment::Experiment changed(experiment::Experiment experiment, const ExperimentOptions& options,
                               const Tables& tables) {
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
  require_algorithms(experiment, tables);
  return experiment;
}

experiment::Runner runner_of(const experiment::Experiment& experiment, const Tables& tables,
                             const Engine& engine, const std::function<bool()>& go_on) {
  const auto points = experiment::points(experiment);
  experiment::Runner run = [&experiment, &tables, points, engine,
                            go_on](const experiment::Task& task) -> std::optional<experiment::Row> {
    const scenario::Scenario scenario =
        experiment::scenario_at(experiment, points[task.point], task.seed);
    const core::Algorithm& algorithm = *catalogue::find(tables.algorithms, scenario.algorithm);
    require_carried(scenario, engine);
    sim::Attachments attachments;
    attachments.make_medium = engine.make_medium;
    attachments.on_progress = [&go_on](const sim::Progress&) { return go_on(); };
    const observe::Report report = sim::simulate(algorithm, scenario, attachments);
    if (report.ended == observe::Ended::interrupted) return std::nullopt;
    return experiment::make_row(task.point, report, experiment.series);
  };
  if (!engine.make_medium) return run;
  return [run](const experiment::Task& task) { return in_own_process([&] { return run(task); }); };
}

std::string suffix_of(experiment::Size size) {
  return size == experiment::Size::full ? "" : "-" + std::string(core::name_of(size));
}

std::string results_path(const experiment::Experiment& experiment, const SweepOptions& options,
                         const Engine& engine) {
  const std::string& out = options.out;
  if (out.empty())
    return experiment.name + suffix_of(experiment.size) + suffix_of(engine) + ".sqlite";
  if (out.ends_with(".csv"))
    throw core::Problem("--out", {}, "names the SQLite file; the CSV is put beside it");
  return out;
}

experiment::Status into_store(experiment::Orders& orders, const std::string& path,
                              const std::string& engine, experiment::Rank rank) {
  const bool is_new = !std::filesystem::exists(path);
  std::size_t kept = 0;
  std::string csv;
  try {
    // Rows of an election as it was before somebody edited it are not to be mixed with new ones.
    experiment::Store store(path, *orders.experiment,
                            BELLWETHER_VERSION + terminal::loaded_plugins(), engine);
    csv = store.csv_path();
    orders.found = store.found();
    orders.keep = [&](const experiment::Row& row) {
      store.append(row);
      ++kept;
    };
    return experiment::lead(orders, rank);
  } catch (const std::exception&) {
    if (is_new && kept == 0 && !csv.empty()) {
      std::remove(path.c_str());
      std::remove(csv.c_str());
    }
    throw;
  }
}

experiment::Status run_sweep(const experiment::Experiment& experiment, const std::string& path,
                             const Engine& engine, const SweepOptions& options,
                             const Tables& tables, experiment::Rank rank) {
  const InterruptGuard guard;
  const auto when = options.quiet      ? ProgressLine::When::never
                    : options.progress ? ProgressLine::When::always
                                       : ProgressLine::When::on_a_terminal;
  ProgressLine line(when, {});
  experiment::Orders orders;
  orders.experiment = &experiment;
  orders.run = runner_of(experiment, tables, engine, [] { return !InterruptGuard::interrupted(); });
  orders.threads =
      options.jobs > 0 ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
  orders.on_progress = [&line](const experiment::Status& status) {
    return line.show([&](double spent) { return progress_text(status, spent); });
  };
  try {
    if (rank.rank > 0) {
      orders.on_progress = [](const experiment::Status&) { return !InterruptGuard::interrupted(); };
      experiment::follow(orders, rank);
      return {};
    }
    const experiment::Status status = into_store(orders, path, engine.name, rank);
    line.finish();
    return status;
  } catch (const std::exception& error) {
    if (rank.size > 1) {
      std::fprintf(stderr, "bellwether: %s\n", error.what());
      experiment::give_up(rank);
    }
    throw;
  }
}

namespace {

void print_plan(const experiment::Experiment& experiment) {
  const auto points = experiment::points(experiment);
  fmt::print("{}: {}, {} each\n", experiment.name, report::counted(points.size(), "point"),
             report::counted(experiment.repeat.runs, "run"));
  for (const experiment::Point& point : points) {
    std::string text;
    for (std::size_t axis = 0; axis < point.size(); ++axis)
      text += fmt::format("  {} = {}", experiment.axes[axis].name,
                          experiment::label(experiment, point, axis));
    fmt::print("{}\n", text);
  }
}

int sweep_command(const SweepOptions& options, const Tables& tables) {
  const Engine engine = chosen_engine(options.engine, tables);  // another program may take over
  const experiment::Experiment experiment = load_experiment(options.experiment, tables);
  if (options.dry_run) {
    print_plan(experiment);
    return 0;
  }
  if (experiment::started_with_others() && !experiment::has_mpi())
    throw core::Problem(
        "this program was built without MPI; install libopenmpi-dev and build it again");
  const std::string path = results_path(experiment, options, engine);
  const experiment::Rank rank = experiment::join();
  const experiment::Status status = run_sweep(experiment, path, engine, options, tables, rank);
  if (status.workers == 0) return 0;  // one of the others
  const bool whole = status.done == status.planned;
  const experiment::Results results = experiment::read_results(path);
  fmt::print("{}\n{} in {} and its .csv; next: {} report {}\n", report::summary_table(results),
             report::counted(results.rows.size(), "run"), path, own_name(tables), path);
  if (!whole) fmt::print("Stopped; the same command goes on from here.\n");
  experiment::leave(rank, status.lost > 0, whole ? 0 : 130);
  return whole ? 0 : 130;
}

}  // namespace

void add_sweep(terminal::Command& app, const Tables& tables, int& status) {
  const auto options = std::make_shared<SweepOptions>();
  terminal::Command* sub =
      app.add_subcommand("sweep", "Run an experiment: many runs, one results file");
  sub->add_option("experiment", options->experiment.file, "The experiment, a TOML file")
      ->required();
  sub->add_option("-o,--out", options->out, "The results file; without it NAME.sqlite");
  sub->add_option("-s,--set", options->experiment.set, "Change a key of the scenario: key=value")
      ->take_all()
      ->allow_extra_args(false);
  sub->add_option("-a,--algorithm", options->experiment.algorithm,
                  "This one instead of the scenario's: its name, or a file with one (FILE.cpp)");
  add_size_options(*sub, options->experiment);
  sub->add_option("-j,--jobs", options->jobs, "So many runs at once; without it one for each core")
      ->range(1, 4096);
  sub->add_flag("--dry-run", options->dry_run, "List the points, and stop");
  sub->add_flag("--progress", options->progress, "Show progress even if this is not a terminal");
  sub->add_flag("-q,--quiet", options->quiet, "Show no progress");
  add_engine_option(*sub, options->engine);
  sub->footer(footer);
  sub->callback([options, &tables, &status] { status = sweep_command(*options, tables); });
}

}  // namespace bellwether::cli
