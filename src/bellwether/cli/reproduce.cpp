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
#include "bellwether/embedded/files.hpp"
#include "bellwether/report/page/page.hpp"
#include "bellwether/report/tables/summary.hpp"
#include "bellwether/report/tables/units.hpp"

namespace bellwether::cli {
namespace {

namespace fs = std::filesystem;

struct ReproduceOptions {
  std::vector<std::string> names;
  std::string experiments;  // their folder; empty: those of this program
  std::string out = "reproduction";
  SweepOptions sweep;
  bool list = false;
};

constexpr const char* footer =
    R"(Without names, all of them. A name is that of a figure or a table: 4.14, table-5.1.
  bellwether reproduce --list           list the published experiments
  bellwether reproduce --quick          short runs of few points: a smoke test
  bellwether reproduce 4.14 5.8         two of them in full
  bellwether reproduce 5.8 --engine both --short    the own medium and ns-3, side by side
The experiments are part of this program. Pages and results go to the folder --out; runs that are
there already are not made again, and figures of the same runs share them. Verdicts: "reproduced"
where the mean is within the tolerance or a narrow confidence interval contains the published
value; "same direction" for a ratio on the same side of 1, which says nothing about its size, or a
value within a factor of two.
--engine ns3 and both name their pages accordingly and, without names, run only the experiments with
a shared medium; ns-3 is slow: with --short all of them take an hour on two cores.
docs/reproduction.md has the results.)";

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

/// An experiment that was published: a part of this program, or a file.
struct PublishedFile {
  std::string name;       // "figure-4.14"
  std::string path;       // "experiments/thesis/figure-4.14.toml"
  std::string_view text;  // of a part of this program
};

experiment::Experiment read(const PublishedFile& source) {
  return source.text.empty() ? experiment::read_experiment(source.path)
                             : embedded_experiment(source.path, source.text);
}

std::vector<PublishedFile> sources_in(const std::string& folder) {
  std::vector<PublishedFile> out;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".toml")
      out.push_back({entry.path().stem().string(), entry.path().string(), {}});
  if (error || out.empty())
    throw core::Problem("--experiments", {},
                        "there are no experiments in " + folder +
                            "; name a folder with .toml files, or leave the option out");
  return out;
}

std::vector<PublishedFile> all_sources(const std::string& folder) {
  std::vector<PublishedFile> out;
  if (!folder.empty()) out = sources_in(folder);
  for (const embedded::File& file : embedded::files())
    if (folder.empty() && file.name.starts_with("experiments/"))
      out.push_back({fs::path(file.name).stem().string(), std::string(file.name), file.content});
  std::sort(out.begin(), out.end(), [](const PublishedFile& a, const PublishedFile& b) {
    return order_of(a.name) < order_of(b.name);
  });
  return out;
}

/// "4.14" or "figure-4.14".
bool is_called(const PublishedFile& source, const std::string& name) {
  const std::string& own = source.name;
  return own == name || (own.size() > name.size() && own.ends_with('-' + name));
}

std::vector<PublishedFile> chosen_sources(const ReproduceOptions& options) {
  const auto all = all_sources(options.experiments);
  if (options.names.empty()) return all;
  std::vector<PublishedFile> out;
  std::vector<std::string> known;
  for (const PublishedFile& each : all) known.push_back(each.name);
  for (const std::string& name : options.names) {
    const std::size_t before = out.size();
    for (const PublishedFile& each : all)
      if (is_called(each, name)) out.push_back(each);
    if (out.size() == before)
      throw core::Problem(core::unknown_name("figure or table", name, known));
  }
  return out;
}

/// Why it differs, under the table.
void print_notes(const std::vector<report::Finding>& findings) {
  for (const report::Finding& each : findings)
    if (!each.note.empty() && each.verdict != report::ReproductionVerdict::reproduced)
      fmt::print("  {}\n", wrapped(each.what + ": " + each.note, 4, 96));
}

struct VerdictCounts {
  std::vector<std::array<std::size_t, 4>> of;  // verdicts, for each engine
  std::string markdown;
};

/// "-ns3", "-both" for what lies beside the pages of our own engine.
std::string suffix_of(const std::vector<MediumChoice>& engines) {
  return engines.size() > 1 ? "-both" : suffix_of(engines.front());
}

scenario::Scenario first_of(const experiment::Experiment& experiment) {
  return experiment::scenario_at(experiment, experiment::points(experiment).front(), 1);
}

struct SelectedExperiment {
  std::string name;  // "figure-4.14"
  experiment::Experiment experiment;
};

/// All of them are read and checked before the first is run: what is wrong is said at once.
std::vector<SelectedExperiment> chosen(const std::vector<MediumChoice>& engines,
                                       const ReproduceOptions& options,
                                       const CommandContext& context) {
  std::vector<SelectedExperiment> out;
  for (const PublishedFile& source : chosen_sources(options)) {
    const experiment::Experiment whole = read(source);
    // As the experiments are, an engine that carries the first point carries all of them.
    if (options.names.empty() && !carries(engines.back(), first_of(whole))) continue;
    out.push_back({source.name, prepared(whole, options.sweep.experiment, context)});
    for (const MediumChoice& engine : engines)
      require_runnable(out.back().experiment, engine, context);
  }
  return out;
}

/// The results of all engines, side by side; nothing: interrupted.
std::optional<experiment::Results> results_of(const experiment::Experiment& experiment,
                                              const std::vector<MediumChoice>& engines,
                                              const ReproduceOptions& options,
                                              const CommandContext& context) {
  std::vector<experiment::Results> out;
  for (const MediumChoice& engine : engines) {
    const std::string name = experiment::fingerprint(experiment) + suffix_of(engine) + ".sqlite";
    const std::string path = (fs::path(options.out) / name).string();
    const experiment::SweepStatus status =
        run_sweep(experiment, path, engine, options.sweep, context);
    if (status.done < status.planned) return std::nullopt;
    out.push_back(experiment::read_results(path));
  }
  return experiment::side_by_side(out);
}

/// False: interrupted.
bool reproduce_one(const SelectedExperiment& one, const std::vector<MediumChoice>& engines,
                   const ReproduceOptions& options, const CommandContext& context,
                   VerdictCounts& counts) {
  const experiment::Experiment& experiment = one.experiment;
  fmt::print("\n{}: {}\n", one.name, experiment.about);
  std::fflush(stdout);
  const auto results = results_of(experiment, engines, options, context);
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

int reproduce(const ReproduceOptions& options, const CommandContext& context) {
  const std::vector<MediumChoice> engines = chosen_engines(options.sweep.engine, context);
  if (options.list) {
    for (const PublishedFile& source : all_sources(options.experiments))
      fmt::print("{:<14} {}\n", source.name, read(source).about);
    return 0;
  }
  if (experiment::started_with_others())
    throw core::Problem(
        "reproduce does not run under MPI; sweep one experiment instead, such as: bellwether sweep "
        "figure-4.14");
  const std::vector<SelectedExperiment> all = chosen(engines, options, context);
  std::error_code error;
  fs::create_directories(options.out, error);
  if (error) throw core::Problem(options.out, {}, "cannot be created: " + error.message());
  VerdictCounts counts;
  counts.of.resize(engines.size());
  for (const SelectedExperiment& one : all)
    if (!reproduce_one(one, engines, options, context, counts)) {
      fmt::print("Interrupted; run the same command again to resume.\n");
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
        options.sweep.experiment.quick ? "; quick runs are a smoke test and prove nothing" : "");
  return 0;
}

}  // namespace

void add_reproduce(terminal::Command& app, const CommandContext& context, int& status) {
  const auto options = std::make_shared<ReproduceOptions>();
  terminal::Command* sub =
      app.add_subcommand("reproduce", "Reproduce published experiments: measured beside published");
  sub->add_option("names", options->names,
                  "Reproduce these figures and tables; default: all of them");
  sub->add_option("--experiments", options->experiments,
                  "Read the experiments (.toml) of this folder instead of those in the program");
  sub->add_option("-o,--out", options->out, "Write pages and results to this folder")
      ->capture_default_str();
  add_size_options(*sub, options->sweep.experiment);
  sub->add_option("-j,--jobs", options->sweep.jobs,
                  "Make N runs at once, 1 to 4096; default: one per core")
      ->range(1, 4096);
  sub->add_flag("--list", options->list, "List the published experiments; run nothing");
  sub->add_flag("--progress", options->sweep.progress,
                "Show progress even if this is not a terminal");
  sub->add_flag("-q,--quiet", options->sweep.quiet, "Show no progress");
  add_engine_option(*sub, options->sweep.engine, "; both: one beside the other");
  sub->footer(footer);
  sub->callback([options, &context, &status] { status = reproduce(*options, context); });
}

}  // namespace bellwether::cli
