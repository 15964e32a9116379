// SPDX-License-Identifier: MIT
#include "bellwether/experiment/sweep.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <set>
#include <thread>

#include "bellwether/experiment/folder_test.hpp"
#include "bellwether/experiment/results.hpp"

namespace bellwether::experiment {
namespace {

Experiment experiment(const std::string& repeat) {
  return parse_experiment(
      "scenario = \"base.toml\"\n[matrix]\nnetwork.nodes = [2, 3, 4]\n[repeat]\n" + repeat,
      "e.toml", scenario::parse_scenario("algorithm = \"cel\"\n", "base.toml"));
}

/// What a run would give: more or less noise around 10.
Row made(const Task& task) {
  Row row{task.point,
          task.seed,
          "deadline",
          "f",
          std::vector<double>(columns().size(), std::numeric_limits<double>::quiet_NaN()),
          {}};
  const double noise = static_cast<double>(task.seed * 7919 % 100) / 100 - 0.5;
  row.values[column("instability")] = 10 + noise * std::array{0.1, 4.0, 30.0}[task.point];
  return row;
}

std::set<Task> all_tasks(SweepPlan& plan, std::uint64_t order) {
  std::set<Task> seen;
  std::vector<Task> open;
  for (;;) {
    while (const auto task = plan.next()) {
      EXPECT_TRUE(seen.insert(*task).second) << "a task is handed out once";
      open.push_back(*task);
    }
    if (open.empty()) break;
    const std::size_t at = order++ * 7919 % open.size();  // they end in any order
    plan.done(made(open[at]));
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
  }
  EXPECT_TRUE(plan.finished());
  return seen;
}

TEST(SweepPlan, RepeatsEveryPoint) {
  const auto e = experiment("runs = 4\nseed = 10\n");
  SweepPlan plan(e, 3, {});
  EXPECT_EQ(plan.planned(), 12u);
  EXPECT_EQ(plan.next(), (Task{0, 10}));
  EXPECT_EQ(plan.next(), (Task{1, 10})) << "every point once before any comes again";
  plan.again({0, 10});
  EXPECT_EQ(plan.next(), (Task{0, 10}));
}

TEST(SweepPlan, StopsWhereTheIntervalIsNarrow) {
  const auto e = experiment("runs = 4\nuntil = \"instability\"\nwithin = 0.05\nat_most = 40\n");
  SweepPlan first(e, 3, {});
  const std::set<Task> one = all_tasks(first, 0);
  const auto runs = [&](std::uint32_t point) {
    return std::count_if(one.begin(), one.end(), [&](const Task& t) { return t.point == point; });
  };
  EXPECT_EQ(runs(0), 4);
  EXPECT_GT(runs(1), 4);
  EXPECT_LT(runs(1), 40);
  EXPECT_EQ(runs(2), 40) << "too noisy: no more than allowed";
  for (std::uint64_t order = 1; order < 20; ++order) {
    SweepPlan plan(e, 3, {});
    EXPECT_EQ(all_tasks(plan, order), one) << "whoever comes first";
  }
}

TEST(SweepPlan, GoesOnWithWhatIsThere) {
  const auto e = experiment("runs = 4\nuntil = \"instability\"\nwithin = 0.05\nat_most = 40\n");
  SweepPlan whole(e, 3, {});
  const std::set<Task> all = all_tasks(whole, 3);
  for (const std::size_t some : {std::size_t{0}, std::size_t{5}, all.size() / 2, all.size()}) {
    // The first ones of some order in which they can have been made.
    SweepPlan before(e, 3, {});
    std::vector<Row> found;
    while (found.size() < some) {
      const auto task = before.next();
      found.push_back(made(*task));
      before.done(found.back());
    }
    SweepPlan plan(e, 3, found);
    EXPECT_EQ(plan.done(), some);
    std::set<Task> rest = all_tasks(plan, 1);
    for (const Row& row : found) rest.insert({row.point, row.seed});
    EXPECT_EQ(rest, all) << some;
  }
}

std::vector<std::string> packed(const std::string& path) {
  std::vector<std::string> out;
  for (const Row& row : read_results(path).rows) out.push_back(pack(row));
  return out;
}

Orders into(Store& store, const Experiment& e, RunFunction run, unsigned threads) {
  Orders orders;
  orders.experiment = &e;
  orders.run = std::move(run);
  orders.found = store.found();
  orders.keep = [&store](const Row& row) { store.append(row); };
  orders.threads = threads;
  orders.on_progress = [](const SweepStatus&) { return true; };
  return orders;
}

TEST(Sweep, GivesTheSameRowsOnAnyNumberOfThreads) {
  const Folder folder;
  const auto e = experiment("runs = 5\nuntil = \"instability\"\nwithin = 0.05\nat_most = 30\n");
  std::vector<std::vector<std::string>> all;
  for (const unsigned threads : {1u, 2u, 7u}) {
    const std::string path = folder / ("r" + std::to_string(threads) + ".sqlite").c_str();
    Store store(path, e, "1");
    const Orders orders = into(
        store, e, [](const Task& t) { return std::optional(made(t)); }, threads);
    const SweepStatus status = sweep(orders);
    EXPECT_EQ(status.done, status.planned);
    all.push_back(packed(path));
  }
  EXPECT_EQ(all[0], all[1]);
  EXPECT_EQ(all[0], all[2]);
}

TEST(Sweep, StopsWhenToldAndGoesOnLater) {
  const Folder folder;
  const auto e = experiment("runs = 20\n");
  const std::string path = folder / "r.sqlite";
  std::atomic<int> runs = 0;
  const RunFunction run = [&](const Task& task) {
    ++runs;
    return std::optional(made(task));
  };
  {
    Store store(path, e, "1");
    Orders orders = into(store, e, run, 2);
    orders.on_progress = [](const SweepStatus& status) { return status.made < 10; };
    EXPECT_GE(sweep(orders).made, 10u);
  }
  Store store(path, e, "1");
  EXPECT_EQ(store.found().size() + sweep(into(store, e, run, 2)).made, 60u);
  EXPECT_LE(runs, 60 + 4) << "only those under way are made again";
  EXPECT_EQ(packed(path).size(), 60u);
}

TEST(Sweep, PassesOnWhatARunThrows) {
  const Folder folder;
  const auto e = experiment("runs = 5\n");
  Store store(folder / "r.sqlite", e, "1");
  const RunFunction run = [](const Task& task) -> std::optional<Row> {
    if (task.point == 1) throw std::runtime_error("no such network");
    return made(task);
  };
  EXPECT_THROW(sweep(into(store, e, run, 2)), std::runtime_error);
}

}  // namespace
}  // namespace bellwether::experiment
