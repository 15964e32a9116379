// SPDX-License-Identifier: MIT
// bellwether sweep: one experiment, many runs, one results file.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "bellwether/cli/engine.hpp"
#include "bellwether/cli/experiments.hpp"
#include "bellwether/cli/progress.hpp"
#include "bellwether/core/fields.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/report/tables/summary.hpp"
#include "bellwether/report/tables/units.hpp"
#include "bellwether/sim/simulate.hpp"
#include "bellwether/terminal/plugin.hpp"

#ifndef BELLWETHER_VERSION
#define BELLWETHER_VERSION "unknown"
#endif

namespace bellwether::cli {
namespace {

constexpr const char* footer =
    R"(An experiment is a TOML file; docs/experiments.md describes the format.
  bellwether sweep E.toml                             run all points, one run per core at a time
  bellwether sweep E.toml --runs 30                   30 runs per point; only missing ones are run
  bellwether sweep E.toml --set network.nodes=500     change a key of the scenario for all points
  bellwether sweep E.toml --dry-run                   check every point and list them
  bellwether sweep figure-4.14                        an experiment that is part of this program
Every point is checked before the first run. Rows go to FILE.sqlite and FILE.csv as they are made.
An interrupted sweep resumes when the same command is run again. Values, variants, runs, metrics and
figures may be added to the experiment: only the missing runs are made.
On several machines: mpirun -n 64 bellwether sweep E.toml (the rows are the same), or
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

}  // namespace

std::string progress_text(const experiment::SweepStatus& status, double spent) {
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

experiment::RunFunction runner_of(const experiment::Experiment& experiment,
                                  const CommandContext& context, const MediumChoice& engine,
                                  const std::function<bool()>& go_on) {
  const auto points = experiment::points(experiment);
  experiment::RunFunction run =
      [&experiment, &context, points, engine,
       go_on](const experiment::Task& task) -> std::optional<experiment::Row> {
    const scenario::Scenario scenario =
        experiment::scenario_at(experiment, points[task.point], task.seed);
    const core::Algorithm& algorithm = *catalogue::find(context.algorithms, scenario.algorithm);
    require_carried(scenario, engine);
    sim::Attachments attachments;
    attachments.make_medium = engine.make_medium;
    attachments.on_progress = [&go_on](const sim::Progress&) { return go_on(); };
    const observe::RunReport report = sim::simulate(algorithm, scenario, attachments);
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
                         const MediumChoice& engine) {
  const std::string& out = options.out;
  if (out.empty())
    return experiment.name + suffix_of(experiment.size) + suffix_of(engine) + ".sqlite";
  if (out.ends_with(".csv"))
    throw core::Problem("--out", {},
                        "must name the SQLite file, not the CSV, which is written beside it");
  return out;
}

experiment::SweepStatus into_store(experiment::Orders& orders, const std::string& path,
                                   const std::string& engine, experiment::Rank rank) {
  const bool is_new = !std::filesystem::exists(path);
  std::size_t kept = 0;
  bool begun = false;
  try {
    // Rows of an election as it was before an edit must not be mixed with new ones.
    experiment::Store store(path, *orders.experiment,
                            BELLWETHER_VERSION + terminal::loaded_plugins(), engine);
    begun = true;
    orders.found = store.found();
    orders.keep = [&](const experiment::Row& row) {
      store.append(row);
      ++kept;
    };
    return experiment::lead(orders, rank);
  } catch (const std::exception&) {
    if (is_new && begun && kept == 0) experiment::remove_results(path);
    throw;
  }
}

experiment::SweepStatus run_sweep(const experiment::Experiment& experiment, const std::string& path,
                                  const MediumChoice& engine, const SweepOptions& options,
                                  const CommandContext& context, experiment::Rank rank) {
  const InterruptGuard guard;
  const auto when = options.quiet      ? ProgressLine::When::never
                    : options.progress ? ProgressLine::When::always
                                       : ProgressLine::When::on_a_terminal;
  ProgressLine line(when, {});
  experiment::Orders orders;
  orders.experiment = &experiment;
  orders.run =
      runner_of(experiment, context, engine, [] { return !InterruptGuard::interrupted(); });
  orders.threads =
      options.jobs > 0 ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
  orders.on_progress = [&line](const experiment::SweepStatus& status) {
    return line.show([&](double spent) { return progress_text(status, spent); });
  };
  try {
    if (rank.rank > 0) {
      orders.on_progress = [](const experiment::SweepStatus&) {
        return !InterruptGuard::interrupted();
      };
      experiment::follow(orders, rank);
      return {};
    }
    const experiment::SweepStatus status = into_store(orders, path, engine.name, rank);
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
  for (const experiment::GridPoint& point : points) {
    std::string text;
    for (std::size_t axis = 0; axis < point.size(); ++axis)
      text += fmt::format("  {} = {}", experiment.axes[axis].name,
                          experiment::label(experiment, point, axis));
    fmt::print("{}\n", text);
  }
}

int sweep_command(const SweepOptions& options, const CommandContext& context) {
  const MediumChoice engine =
      chosen_engine(options.engine, context);  // another program may take over
  const experiment::Experiment experiment = load_experiment(options.experiment, context);
  require_runnable(experiment, engine, context);
  if (options.dry_run) {
    print_plan(experiment);
    return 0;
  }
  if (experiment::started_with_others() && !experiment::has_mpi())
    throw core::Problem(
        "this program was built without MPI; install libopenmpi-dev and rebuild it");
  const std::string path = results_path(experiment, options, engine);
  const experiment::Rank rank = experiment::join();
  const experiment::SweepStatus status =
      run_sweep(experiment, path, engine, options, context, rank);
  if (status.workers == 0) return 0;  // one of the others
  const bool whole = status.done == status.planned;
  const experiment::Results results = experiment::read_results(path);
  fmt::print("{}\n{} in {} and its .csv; next: {} report {}\n", report::summary_table(results),
             report::counted(results.rows.size(), "run"), path, own_name(context), path);
  if (!whole) fmt::print("Interrupted; run the same command again to resume.\n");
  experiment::leave(rank, status.lost > 0, whole ? 0 : 130);
  return whole ? 0 : 130;
}

}  // namespace

void add_sweep(terminal::Command& app, const CommandContext& context, int& status) {
  const auto options = std::make_shared<SweepOptions>();
  terminal::Command* sub =
      app.add_subcommand("sweep", "Run an experiment: many runs, one results file");
  sub->add_option("experiment", options->experiment.file, "Run this experiment: a TOML file")
      ->required();
  sub->add_option("-o,--out", options->out,
                  "Write the results to this SQLite file; default NAME.sqlite");
  sub->add_option("-s,--set", options->experiment.set,
                  "Set a key of the scenario for all points: key=value")
      ->take_all()
      ->allow_extra_args(false);
  sub->add_option("-a,--algorithm", options->experiment.algorithm,
                  "Use this algorithm instead of the scenario's: a name, or a C++ file (FILE.cpp)");
  add_size_options(*sub, options->experiment);
  sub->add_option("-j,--jobs", options->jobs,
                  "Make N runs at once, 1 to 4096; default: one per core")
      ->range(1, 4096);
  sub->add_flag("--dry-run", options->dry_run, "Check every point and list them; run nothing");
  sub->add_flag("--progress", options->progress, "Show progress even if this is not a terminal");
  sub->add_flag("-q,--quiet", options->quiet, "Show no progress");
  add_engine_option(*sub, options->engine);
  sub->footer(footer);
  sub->callback([options, &context, &status] { status = sweep_command(*options, context); });
}

}  // namespace bellwether::cli
