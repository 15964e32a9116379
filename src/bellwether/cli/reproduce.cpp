// SPDX-License-Identifier: MIT
// bellwether reproduce: published experiments once more, measured beside published.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bellwether/cli/engine.hpp"
#include "bellwether/cli/experiments.hpp"
#include "bellwether/cli/progress.hpp"
#include "bellwether/cli/text.hpp"
#include "bellwether/core/nearest.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/report/page/page.hpp"
#include "bellwether/report/tables/summary.hpp"
#include "bellwether/report/tables/units.hpp"

namespace bellwether::cli {
namespace {

namespace fs = std::filesystem;

struct ReproduceOptions {
  std::vector<std::string> names;
  std::string experiments = "experiments/thesis";
  std::string out = "reproduction";
  SweepOptions sweep;
  bool list = false;
};

constexpr const char* footer =
    R"(Without names, all of them. A name is that of a figure or a table: 4.14, table-5.1.
  bellwether reproduce --list           what there is
  bellwether reproduce --quick          short runs of few points: shows that it works, not more
  bellwether reproduce 4.14 5.8         two of them in full
  bellwether reproduce 5.8 --engine both --short    on our own medium and on ns-3, side by side
Pages and results go to the folder --out; what is there already is not run again. Figures of the
same runs share them. The verdict is "reproduced" within the tolerance or where the published
value lies in a narrow confidence interval, "same direction" for a ratio on the same side of 1 or a
value within a factor of two. With --engine ns3 or both the pages are called so, and without names
only what runs on a shared medium is run; --short is for those whom ns-3 takes too long, and takes
an hour of two cores for all of it. docs/reproduction.md has the results.)";

/// "figure-4.9" comes before "figure-4.10": numbers count as numbers.
std::vector<std::pair<std::string, unsigned>> order_of(const std::string& name) {
  std::vector<std::pair<std::string, unsigned>> out{{}};
  for (const char c : name) {
    if (c >= '0' && c <= '9') {
      out.back().second = out.back().second * 10 + static_cast<unsigned>(c - '0');
    } else {
      if (out.back().second > 0) out.emplace_back();
      out.back().first += c;
    }
  }
  return out;
}

std::vector<fs::path> all_files(const std::string& folder) {
  std::error_code error;
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".toml") out.push_back(entry.path());
  if (error || out.empty())
    throw core::Problem(folder, {},
                        "there are no experiments; name their folder with --experiments");
  std::sort(out.begin(), out.end(), [](const fs::path& a, const fs::path& b) {
    return order_of(a.stem().string()) < order_of(b.stem().string());
  });
  return out;
}

/// "4.14" or "figure-4.14".
bool is_called(const fs::path& file, const std::string& name) {
  const std::string stem = file.stem().string();
  return stem == name || (stem.size() > name.size() && stem.ends_with('-' + name));
}

std::vector<fs::path> chosen_files(const ReproduceOptions& options) {
  const auto all = all_files(options.experiments);
  if (options.names.empty()) return all;
  std::vector<fs::path> out;
  std::vector<std::string> known;
  for (const fs::path& file : all) known.push_back(file.stem().string());
  for (const std::string& name : options.names) {
    const std::size_t before = out.size();
    for (const fs::path& file : all)
      if (is_called(file, name)) out.push_back(file);
    if (out.size() == before)
      throw core::Problem(core::unknown_name("figure or table", name, known));
  }
  return out;
}

/// Why it differs, under the table.
void print_notes(const std::vector<report::Finding>& findings) {
  for (const report::Finding& each : findings)
    if (!each.note.empty() && each.verdict != report::Verdict::reproduced)
      fmt::print("  {}\n", wrapped(each.what + ": " + each.note, 4, 96));
}

struct Counts {
  std::vector<std::array<std::size_t, 4>> of;  // verdicts, for each engine
  std::string markdown;
};

/// "-ns3", "-both" for what lies beside the pages of our own engine.
std::string suffix_of(const std::vector<Engine>& engines) {
  return engines.size() > 1 ? "-both" : suffix_of(engines.front());
}

scenario::Scenario first_of(const experiment::Experiment& experiment) {
  return experiment::scenario_at(experiment, experiment::points(experiment).front(), 1);
}

/// Whether the engine can carry its first point, and so, as the experiments are, all of them.
bool carries(const Engine& engine, const fs::path& file) {
  return carries(engine, first_of(experiment::read_experiment(file)));
}

struct Chosen {
  std::string name;  // "figure-4.14"
  experiment::Experiment experiment;
};

/// All of them are read before the first is run: what is wrong is said at once.
std::vector<Chosen> chosen(const std::vector<Engine>& engines, const ReproduceOptions& options,
                           const Tables& tables) {
  std::vector<fs::path> files = chosen_files(options);
  if (options.names.empty())
    std::erase_if(files, [&](const fs::path& file) { return !carries(engines.back(), file); });
  std::vector<Chosen> out;
  for (const fs::path& file : files) {
    ExperimentOptions wanted = options.sweep.experiment;
    wanted.file = file.string();
    out.push_back({file.stem().string(), load_experiment(wanted, tables)});
    require_carried(first_of(out.back().experiment), engines.back());
  }
  return out;
}

/// The results of all engines, side by side; nothing: interrupted.
std::optional<experiment::Results> results_of(const experiment::Experiment& experiment,
                                              const std::vector<Engine>& engines,
                                              const ReproduceOptions& options,
                                              const Tables& tables) {
  std::vector<experiment::Results> out;
  for (const Engine& engine : engines) {
    const std::string name = experiment::fingerprint(experiment) + suffix_of(engine) + ".sqlite";
    const std::string path = (fs::path(options.out) / name).string();
    const experiment::Status status = run_sweep(experiment, path, engine, options.sweep, tables);
    if (status.done < status.planned) return std::nullopt;
    out.push_back(experiment::read_results(path));
  }
  return experiment::side_by_side(out);
}

/// False: interrupted.
bool reproduce_one(const Chosen& one, const std::vector<Engine>& engines,
                   const ReproduceOptions& options, const Tables& tables, Counts& counts) {
  const experiment::Experiment& experiment = one.experiment;
  fmt::print("\n{}: {}\n", one.name, experiment.about);
  std::fflush(stdout);
  const auto results = results_of(experiment, engines, options, tables);
  if (!results) return false;
  const auto found = report::findings_by_engine(*results);
  const std::string page =
      (fs::path(options.out) / (one.name + suffix_of(engines) + ".html")).string();
  write_file(page, report::page_html(*results));
  const bool any = !found.front().findings.empty();
  if (any) fmt::print("{}", report::findings_table(found));
  if (!options.sweep.experiment.quick) print_notes(found.back().findings);
  fmt::print("{}, {}\n", report::counted(results->rows.size(), "run"), page);
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const report::Finding& each : found[i].findings)
      ++counts.of[i][static_cast<std::size_t>(each.verdict)];
  counts.markdown += fmt::format("\n## {}\n\n{}\n\n", experiment.name, experiment.about);
  if (any) counts.markdown += report::findings_markdown(found);
  return true;
}

int reproduce(const ReproduceOptions& options, const Tables& tables) {
  const std::vector<Engine> engines = chosen_engines(options.sweep.engine, tables);
  if (options.list) {
    for (const fs::path& file : all_files(options.experiments))
      fmt::print("{:<14} {}\n", file.stem().string(), experiment::read_experiment(file).about);
    return 0;
  }
  if (experiment::started_with_others())
    throw core::Problem(
        "reproduce uses the cores of one machine; under MPI, sweep one of its files");
  const std::vector<Chosen> all = chosen(engines, options, tables);
  std::error_code error;
  fs::create_directories(options.out, error);
  if (error) throw core::Problem(options.out, {}, "cannot be made: " + error.message());
  Counts counts;
  counts.of.resize(engines.size());
  for (const Chosen& one : all)
    if (!reproduce_one(one, engines, options, tables, counts)) {
      fmt::print("Stopped; the same command goes on from here.\n");
      return 130;
    }
  write_file((fs::path(options.out) / ("reproduction" + suffix_of(engines) + ".md")).string(),
             counts.markdown);
  fmt::print("\n");
  for (std::size_t i = 0; i < engines.size(); ++i)
    fmt::print(
        "{}{} reproduced, {} in the same direction, {} not reproduced, {} without data{}\n",
        engines.size() > 1 ? engines[i].name + ": " : "", counts.of[i][0], counts.of[i][1],
        counts.of[i][2], counts.of[i][3],
        options.sweep.experiment.quick ? "; but these were quick runs, which prove nothing" : "");
  return 0;
}

}  // namespace

void add_reproduce(terminal::Command& app, const Tables& tables, int& status) {
  const auto options = std::make_shared<ReproduceOptions>();
  terminal::Command* sub =
      app.add_subcommand("reproduce", "Run published experiments again: measured beside published");
  sub->add_option("names", options->names, "Figures and tables; without any, all of them");
  sub->add_option("--experiments", options->experiments, "The folder of the experiments")
      ->capture_default_str();
  sub->add_option("-o,--out", options->out, "The folder for pages and results")
      ->capture_default_str();
  add_size_options(*sub, options->sweep.experiment);
  sub->add_option("-j,--jobs", options->sweep.jobs, "So many runs at once; without it all cores")
      ->range(1, 4096);
  sub->add_flag("--list", options->list, "List what there is, and stop");
  sub->add_flag("--progress", options->sweep.progress, "Show progress even if not on a terminal");
  sub->add_flag("-q,--quiet", options->sweep.quiet, "Show no progress");
  add_engine_option(*sub, options->sweep.engine, "; both: one beside the other");
  sub->footer(footer);
  sub->callback([options, &tables, &status] { status = reproduce(*options, tables); });
}

}  // namespace bellwether::cli
