// SPDX-License-Identifier: MIT
// What the commands about experiments share.
#pragma once

#include <functional>

#include "bellwether/cli/commands.hpp"
#include "bellwether/experiment/results.hpp"
#include "bellwether/experiment/sweep.hpp"
#include "bellwether/terminal/command.hpp"

namespace bellwether::cli {

struct ExperimentOptions {
  std::string file;
  std::vector<std::string> set;
  std::string algorithm;   // in place of the scenario's
  std::uint64_t runs = 0;  // 0: as the file says
  bool brief = false;      // --short
  bool quick = false;
};

struct SweepOptions {
  ExperimentOptions experiment;
  std::string out;
  std::string engine;  // its name
  unsigned jobs = 0;   // 0: one for each core
  bool dry_run = false;
  bool progress = false;
  bool quiet = false;
};

/// --short, --quick and --runs.
void add_size_options(terminal::Command& sub, ExperimentOptions& options);

/// An experiment that is a part of this program, as its scenario is. Throws Problem.
experiment::Experiment embedded_experiment(const std::string& path, std::string_view text);

/// The experiment in a file, or where there is none the part of this program with that name, in
/// the size that is asked for. Throws Problem.
experiment::Experiment load_experiment(const ExperimentOptions& options,
                                       const CommandContext& context);
/// The same for an experiment that has been read already.
experiment::Experiment prepared(const experiment::Experiment& whole,
                                const ExperimentOptions& options, const CommandContext& context);
/// With --set, --algorithm and --runs.
experiment::Experiment changed(experiment::Experiment experiment, const ExperimentOptions& options,
                               const CommandContext& context);
/// Refuses an experiment with a point that no run could begin at: nothing is run. Seeds after the
/// first are not tried. Throws Problem.
void require_runnable(const experiment::Experiment& experiment, const MediumChoice& engine,
                      const CommandContext& context);
std::string results_path(const experiment::Experiment& experiment, const SweepOptions& options,
                         const MediumChoice& engine);
/// "-short" for what lies beside the results of the full experiment.
std::string suffix_of(experiment::Size size);

/// "[####....] 12 of 40 runs, 3 runs/s, 9 s left", after `spent` seconds of work.
std::string progress_text(const experiment::SweepStatus& status, double spent);

/// Makes one run after the other, while `go_on` says so; several threads ask it. `experiment` and
/// `context` must outlive it.
experiment::RunFunction runner_of(const experiment::Experiment& experiment,
                                  const CommandContext& context, const MediumChoice& engine,
                                  const std::function<bool()>& go_on);

/// All runs that are still missing in the file, which also is where rows are kept. A file that got
/// no row is not left behind.
experiment::SweepStatus into_store(experiment::Orders& orders, const std::string& path,
                                   const std::string& engine = experiment::own_engine,
                                   experiment::Rank rank = {});

/// All runs that are still missing in the results file. Under MPI only the first process has a
/// status with workers.
experiment::SweepStatus run_sweep(const experiment::Experiment& experiment, const std::string& path,
                                  const MediumChoice& engine, const SweepOptions& options,
                                  const CommandContext& context, experiment::Rank rank = {});

}  // namespace bellwether::cli
