// SPDX-License-Identifier: MIT
#include "bellwether/experiment/sweep.hpp"

#include "bellwether/experiment/workers.hpp"

namespace bellwether::experiment {

using namespace std::chrono_literals;

SweepStatus sweep(const Orders& orders) {
  SweepPlan plan(*orders.experiment, points(*orders.experiment).size(), orders.found);
  SweepStatus status{plan.done(), plan.planned(), 0, orders.threads, 0};
  Workers workers(orders.run, orders.threads);
  const auto keep = [&](const Row& row) {
    orders.keep(row);
    plan.done(row);
    ++status.made;
  };
  bool go_on = orders.on_progress(status);
  while (go_on && !plan.finished()) {
    for (std::size_t room = workers.room(); room > 0; --room)
      if (const auto task = plan.next()) workers.give(*task);
    if (const auto row = workers.take(100ms)) keep(*row);
    status.done = plan.done();
    status.planned = plan.planned();
    go_on = orders.on_progress(status);
  }
  while (const auto row = workers.take(0ms)) keep(*row);  // what is done is not lost
  status.done = plan.done();
  return status;
}

}  // namespace bellwether::experiment
