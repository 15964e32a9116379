// SPDX-License-Identifier: MIT
// All runs of an experiment, on all cores of this machine, or of several under MPI.
#pragma once

#include <functional>

#include "bellwether/experiment/sweep_plan.hpp"

namespace bellwether::experiment {

/// Makes one run; called by several threads at once. Throws what the simulators throw. Nothing: it
/// was interrupted.
using RunFunction = std::function<std::optional<Row>(const Task&)>;

struct SweepStatus {
  std::size_t done = 0;     // with those that were there before
  std::size_t planned = 0;  // so far; more may follow
  std::size_t made = 0;     // by this sweep
  unsigned workers = 0;
  unsigned lost = 0;  // workers that have fallen silent
};

struct Orders {
  const Experiment* experiment = nullptr;
  RunFunction run;
  std::span<const Row> found;  // what there is already
  /// Called for each new row, before it is counted; by one thread.
  std::function<void(const Row&)> keep;
  unsigned threads = 1;
  /// Called now and then; false: stop.
  std::function<bool(const SweepStatus&)> on_progress;
};

/// Errors of a run end the sweep; what was made before is kept.
SweepStatus sweep(const Orders& orders);

/// Which of several processes this one is. Alone, it is the first of one.
struct Rank {
  int rank = 0;
  int size = 1;
};
/// Joins the others if this process was started by mpirun or srun. Where MPI was not found when
/// this was built, every process is alone.
Rank join();
/// Whether this was built with MPI.
bool has_mpi();
/// Whether mpirun or srun has started this process with others.
bool started_with_others();

/// The first keeps the rows and hands out the work; it works, too.
SweepStatus lead(const Orders& orders, Rank rank);
/// The others: until there is no more work.
void follow(const Orders& orders, Rank rank);
/// The end of a process that has joined. `lost`: do not wait for lost processes, and end with
/// this status at once.
void leave(Rank rank, bool lost, int status);
/// Ends the others, too.
void give_up(Rank rank);

}  // namespace bellwether::experiment
