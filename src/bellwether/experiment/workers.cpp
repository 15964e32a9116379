// SPDX-License-Identifier: MIT
#include "bellwether/experiment/workers.hpp"

namespace bellwether::experiment {

Workers::Workers(const RunFunction& run, unsigned threads) : run_(run) {
  for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    tasks_.clear();
  }
  tasks_come_.notify_all();
  for (std::thread& each : threads_) each.join();
}

void Workers::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    tasks_come_.wait(lock, [this] { return ends_ || !tasks_.empty(); });
    if (ends_) return;
    const Task task = tasks_.front();
    tasks_.pop_front();
    ++running_;
    lock.unlock();
    std::optional<Row> row;
    std::exception_ptr error;
    try {
      row = run_(task);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    --running_;
    if (row) rows_.push_back(std::move(*row));
    if (error && !error_) error_ = error;
    rows_come_.notify_one();
  }
}

std::size_t Workers::room() const {
  const std::lock_guard lock(mutex_);
  const std::size_t taken = tasks_.size() + running_ + rows_.size();
  return 2 * threads_.size() > taken ? 2 * threads_.size() - taken : 0;
}

void Workers::give(Task task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(task);
  }
  tasks_come_.notify_one();
}

std::optional<Row> Workers::take(std::chrono::milliseconds wait) {
  std::unique_lock lock(mutex_);
  rows_come_.wait_for(lock, wait, [this] { return !rows_.empty() || error_; });
  if (error_) std::rethrow_exception(error_);
  if (rows_.empty()) return std::nullopt;
  Row row = std::move(rows_.front());
  rows_.pop_front();
  return row;
}

}  // namespace bellwether::experiment
