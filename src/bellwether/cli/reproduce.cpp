// SPDX-License-Identifier: MIT
// bellwether reproduce: published experiments once more, measured beside published.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>

#include "bellwether/cli/engine.hpp"
#include "bellwether/cli/experiments.hpp"
#include "bellwether/cli/progress.hpp"
#include "bellwether/cli/text.hpp"
#include "bellwether/core/nearest.hpp"
#include "bellwether/report/page.hpp"
#include "bellwether/report/summary.hpp"
#include "bellwether/report/units.hpp"

namespace bellwether::cli {
namespace {

namespace fs = std::filesystem;

struct ReproduceOptions {
  std::vector<std::string> names;
  std::string experiments = "experiments/thesis";
  std::string out = "reproduction";
  SweepOptions sweep;
  bool quick = false;
  bool list = false;
};

constexpr const char* footer =
    R"(Without names, all of them. A name is that of a figure or a table: 4.14, table-5.1.
  bellwether reproduce --list           what there is
  bellwether reproduce --quick          short runs of few points: shows that it works, not more
  bellwether reproduce 4.14 5.8         two of them in full
Pages and results go to the folder --out; what is there already is not run again. Figures of the
same runs share them. The verdict is "reproduced" within the tolerance or where the published
value lies in a narrow confidence interval, "same direction" for a ratio on the same side of 1 or a
value within a factor of two. With --engine ns3 the pages are called so, and without names only what
runs on a shared medium is run. docs/reproduction.md has the results in full.)";

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
    throw BadInput(folder + ": there are no experiments; name their folder with --experiments");
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
    if (out.size() == before) throw BadInput(core::unknown_name("figure or table", name, known));
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
  std::array<std::size_t, 4> of{};
  std::string markdown;
};

/// False: interrupted.
bool reproduce_one(const fs::path& file, const ReproduceOptions& options, const Tables& tables,
                   Counts& counts) {
  ExperimentOptions wanted = options.sweep.experiment;
  wanted.file = file.string();
  scenario::Experiment experiment = load_experiment(wanted, tables);
  if (options.quick) experiment = scenario::quick_version(std::move(experiment));
  fmt::print("\n{}: {}\n", file.stem().string(), experiment.about);
  std::fflush(stdout);
  const std::string suffix = suffix_of(chosen_engine(options.sweep.engine, tables));
  const std::string path =
      (fs::path(options.out) / (scenario::fingerprint(experiment) + suffix + ".sqlite")).string();
  const sweep::Status status = run_sweep(experiment, path, options.sweep, tables);
  if (status.done < status.planned) return false;
  const results::Results results = results::read_results(path);
  const auto findings = report::findings(results);
  const std::string page =
      (fs::path(options.out) / (file.stem().string() + suffix + ".html")).string();
  write_file(page, report::page_html(results));
  if (!findings.empty()) fmt::print("{}", report::findings_table(findings));
  if (!options.quick) print_notes(findings);
  fmt::print("{}, {}\n", report::counted(results.rows.size(), "run"), page);
  for (const report::Finding& each : findings) ++counts.of[static_cast<std::size_t>(each.verdict)];
  counts.markdown += fmt::format("\n## {}\n\n{}\n\n", experiment.name, experiment.about);
  if (!findings.empty())
    counts.markdown += "| what | published | measured | verdict | why |\n|---|---|---|---|---|\n" +
                       report::findings_markdown(findings);
  return true;
}

/// Whether the engine can carry its first point, and so, as the experiments are, all of them.
bool carries(const Engine& engine, const fs::path& file, const ReproduceOptions& options,
             const Tables& tables) {
  ExperimentOptions wanted = options.sweep.experiment;
  wanted.file = file.string();
  const scenario::Experiment experiment = load_experiment(wanted, tables);
  try {
    require_carried(scenario::scenario_at(experiment, scenario::points(experiment).front(), 1),
                    engine);
    return true;
  } catch (const BadInput&) {
    return false;
  }
}

int reproduce(const ReproduceOptions& options, const Tables& tables) {
  const Engine engine = chosen_engine(options.sweep.engine, tables);
  if (options.list) {
    for (const fs::path& file : all_files(options.experiments))
      fmt::print("{:<14} {}\n", file.stem().string(), scenario::read_experiment(file).about);
    return 0;
  }
  if (sweep::started_with_others())
    throw BadInput("reproduce uses the cores of one machine; under MPI, sweep one of its files");
  std::vector<fs::path> files = chosen_files(options);
  if (options.names.empty())
    std::erase_if(files,
                  [&](const fs::path& file) { return !carries(engine, file, options, tables); });
  std::error_code error;
  fs::create_directories(options.out, error);
  if (error) throw BadInput(options.out + ": cannot be made: " + error.message());
  Counts counts;
  for (const fs::path& file : files)
    if (!reproduce_one(file, options, tables, counts)) {
      fmt::print("Stopped; the same command goes on from here.\n");
      return 130;
    }
  write_file((fs::path(options.out) / ("reproduction" + suffix_of(engine) + ".md")).string(),
             counts.markdown);
  fmt::print("\n{} reproduced, {} in the same direction, {} not reproduced, {} without data{}\n",
             counts.of[0], counts.of[1], counts.of[2], counts.of[3],
             options.quick ? "; but these were quick runs, which prove nothing" : "");
  return 0;
}

}  // namespace

void add_reproduce(CLI::App& app, const Tables& tables, int& status) {
  const auto options = std::make_shared<ReproduceOptions>();
  CLI::App* sub =
      app.add_subcommand("reproduce", "Run published experiments again: measured beside published");
  sub->add_option("names", options->names, "Figures and tables; without any, all of them");
  sub->add_option("--experiments", options->experiments, "The folder of the experiments")
      ->capture_default_str();
  sub->add_option("-o,--out", options->out, "The folder for pages and results")
      ->capture_default_str();
  sub->add_option("-r,--runs", options->sweep.experiment.runs, "Repeat every point so often")
      ->check(CLI::Range(1, 1'000'000));
  sub->add_option("-j,--jobs", options->sweep.jobs, "So many runs at once; without it all cores")
      ->check(CLI::Range(1, 4096));
  sub->add_flag("--quick", options->quick, "A smoke test: short runs of few points");
  sub->add_flag("--list", options->list, "List what there is, and stop");
  sub->add_flag("--progress", options->sweep.progress, "Show progress even if not on a terminal");
  sub->add_flag("-q,--quiet", options->sweep.quiet, "Show no progress");
  add_engine_option(*sub, options->sweep.engine);
  sub->footer(footer);
  sub->callback([options, &tables, &status] { status = reproduce(*options, tables); });
}

}  // namespace bellwether::cli
