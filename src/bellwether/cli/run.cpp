// SPDX-License-Identifier: MIT
// bellwether run: one scenario, or one recorded run, one report.
#include <algorithm>

#include "bellwether/cli/commands.hpp"
#include "bellwether/cli/engine.hpp"
#include "bellwether/cli/load.hpp"
#include "bellwether/cli/progress.hpp"
#include "bellwether/cli/replay.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/observe/trace/compare.hpp"
#include "bellwether/operate/replay_node.hpp"
#include "bellwether/report/tables/print.hpp"
#include "bellwether/scenario/effect.hpp"

namespace bellwether::cli {
namespace {

struct RunOptions {
  ScenarioOptions scenario;
  bool json = false;
  bool progress = false;
  bool quiet = false;
  bool print = false;
  std::string trace;
  std::string series;
  std::string replay;
  std::string engine;
};

constexpr const char* footer =
    R"(A scenario is a TOML file: "bellwether list keys" and docs/scenarios.md list its keys.
  --set network.nodes=500          any key, as many times as you like
  --set options.clock=perfect      an option of the algorithm ("bellwether describe ALGORITHM")
  --set properties=all             check every property; a violation ends the run with status 1
  --series run.csv                 write the time series of the metrics, one row per interval
  --replay FILE                    replay a trace that carries its schedule, or a node's recording
                                   (bellwether node --record), without a scenario; checks all
                                   properties and reports the first step that differs (status 1)
The same scenario and the same seed give the same fingerprint, on every run.
Ctrl-C stops a run and prints what it has so far, marked as partial (status 130).)";

int status_of(const observe::RunReport& report) {
  if (report.ended == observe::Ended::interrupted) return 130;
  const bool other = report.replay && !report.replay->as_recorded();
  return other || report.ended == observe::Ended::violation ? 1 : 0;
}

/// The recorded run, if that is what is wanted. Throws Problem.
std::optional<Recording> recording_of(const RunOptions& options) {
  const std::string hint = " (see bellwether run --help)";
  if (options.replay.empty() && options.scenario.file.empty())
    throw core::Problem("run needs a scenario, or --replay and a trace" + hint);
  if (options.replay.empty()) return std::nullopt;
  if (!options.scenario.file.empty())
    throw core::Problem("run takes a scenario or --replay, not both" + hint);
  if (!options.series.empty())
    throw core::Problem("--series", {},
                        "does not apply to --replay, which measures nothing over time; remove it");
  if (options.print)
    throw core::Problem("--print", {},
                        "does not apply to --replay, which has no scenario; remove it");
  return load_recording(options.replay, options.scenario);
}

int run(const RunOptions& options, const CommandContext& context) {
  const MediumChoice engine = chosen_engine(options.engine, context);
  if (options.scenario.file.empty() && operate::is_node_recording(options.replay))
    return operate::replay_node(options.replay, context.algorithms);
  const std::optional<Recording> recording = recording_of(options);
  const scenario::Scenario scenario =
      recording ? recording->scenario : load_named(options.scenario);
  const auto& entry = find_algorithm(context, scenario);
  const core::Model* model = entry.has_facts ? &entry.facts.model : nullptr;
  if (!recording) sim::check_effects(entry, scenario);
  if (options.print) {
    const auto effective = scenario::with_effective_keys(scenario, model);
    std::fputs(scenario::print_scenario(effective).c_str(), stdout);
    return 0;
  }
  if (!recording) require_carried(scenario, engine);
  const InterruptGuard guard;
  ProgressLine line(options.quiet      ? ProgressLine::When::never
                    : options.progress ? ProgressLine::When::always
                                       : ProgressLine::When::on_a_terminal,
                    scenario.stop.time);
  sim::Attachments attachments;
  attachments.on_progress = [&line](const sim::Progress& p) { return line(p); };
  if (!recording) attachments.make_medium = engine.make_medium;
  std::optional<observe::StepComparer> comparer;
  if (recording) {
    attachments.schedule = &*recording->trace.header.schedule;
    attachments.observers.push_back(&comparer.emplace(recording->trace));
  }
  std::optional<OutputFile> trace;
  std::optional<observe::TraceWriter> writer;
  if (!options.trace.empty()) {
    writer.emplace(trace.emplace(options.trace).stream());
    attachments.observers.push_back(&*writer);
  }
  std::optional<OutputFile> series;
  if (!options.series.empty()) {
    require_series(scenario, entry);
    series.emplace(options.series);
  }
  observe::RunReport report = sim::simulate(entry, scenario, attachments);
  if (comparer) report.replay = comparer->verdict();
  line.finish();
  const std::string carrier = attachments.make_medium ? engine.name : "";
  const std::string out = options.json ? report::report_json(report, carrier) + "\n"
                                       : report::report_table(report, carrier);
  // Before the files: where one cannot be written, the result is not lost with it.
  std::fputs(out.c_str(), stdout);
  if (trace) trace->keep();
  if (series) {
    series->stream() << report::series_csv(report);
    series->keep();
  }
  return status_of(report);
}

}  // namespace

void add_run(terminal::Command& app, const CommandContext& context, int& status) {
  const auto options = std::make_shared<RunOptions>();
  terminal::Command* sub = app.add_subcommand("run", "Run an election in a simulated network");
  add_scenario_options(*sub, options->scenario, /*required=*/false);
  sub->add_option(
      "-a,--algorithm", options->scenario.algorithm,
      "Use this algorithm: a name, or a file with one (FILE.cpp); default: the scenario's");
  sub->add_flag("--json", options->json, "Print one JSON object instead of a table");
  sub->add_option("--trace", options->trace, "Write every step to this file (JSON Lines)");
  sub->add_option("--series", options->series, "Write the metrics over time to this file (CSV)");
  sub->add_option("--replay", options->replay, "Replay this trace or recording, step by step");
  sub->add_flag("--progress", options->progress, "Show progress even if this is not a terminal");
  sub->add_flag("-q,--quiet", options->quiet, "Show no progress");
  sub->add_flag("--print", options->print, "Print the scenario with all its keys, and stop");
  add_engine_option(*sub, options->engine);
  sub->footer(footer);
  sub->callback([options, &context, &status] { status = run(*options, context); });
}

}  // namespace bellwether::cli
