// SPDX-License-Identifier: MIT
// Threads that make runs: tasks go in, rows come out. Private to this module.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "bellwether/experiment/sweep.hpp"

namespace bellwether::experiment {

class Workers {
 public:
  Workers(const RunFunction& run, unsigned threads);
  /// Waits for the runs that are under way.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// How many more tasks they can be given: they have the next one when they are done with one, but
  /// do not run ahead of the thread that takes the rows.
  std::size_t room() const;
  void give(Task task);
  /// A row that has come out; waits up to a while for one. Rethrows what a run has thrown.
  std::optional<Row> take(std::chrono::milliseconds wait);

 private:
  void work();

  const RunFunction& run_;
  mutable std::mutex mutex_;
  std::condition_variable tasks_come_;
  std::condition_variable rows_come_;
  std::deque<Task> tasks_;
  std::deque<Row> rows_;
  std::exception_ptr error_;
  std::size_t running_ = 0;
  bool ends_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace bellwether::experiment
