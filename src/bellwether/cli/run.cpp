// SPDX-License-Identifier: MIT
// bellwether run: one scenario, one report.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>

#include "bellwether/cli/commands.hpp"
#include "bellwether/cli/progress.hpp"
#include "bellwether/report/print.hpp"

namespace bellwether::cli {
namespace {

struct RunOptions {
  std::string scenario;
  std::string algorithm;
  std::vector<std::string> set;
  std::string seed;
  bool json = false;
  bool progress = false;
  bool quiet = false;
  bool print = false;
  std::string trace;
};

constexpr const char* footer =
    R"(A scenario is a TOML file: "bellwether list keys" and docs/scenarios.md list its keys.
  --set network.nodes=500          any key, as many times as you like
  --set options.clock=perfect      an option of the algorithm ("bellwether describe ALGORITHM")
  --set properties=all             watch every property; a broken one ends the run with status 1
The same scenario and the same seed give the same fingerprint, on every run.
Ctrl-C stops a run and prints what it has so far, marked as partial (status 130).)";

scenario::Scenario load(const RunOptions& options) {
  scenario::Scenario scenario = scenario::read_scenario(options.scenario);
  for (const std::string& assignment : options.set) scenario::set_key(scenario, assignment);
  if (!options.algorithm.empty()) {
    scenario.algorithm = options.algorithm;
    scenario.where["algorithm"] = "--algorithm";
  }
  if (!options.seed.empty()) {
    try {
      scenario::set_key(scenario, "seed=" + options.seed);
    } catch (const scenario::BadScenario&) {
      throw BadInput("--seed: must be a whole number from 0 to 2^63-1, not \"" + options.seed +
                     "\"");
    }
    scenario.where["seed"] = "--seed";
  }
  scenario::validate(scenario);
  return scenario;
}

/// A trace under construction: it gets its name only when it is whole.
class TraceFile {
 public:
  explicit TraceFile(std::string path) : path_(std::move(path)), part_(path_ + ".part") {
    stream_.open(part_, std::ios::binary);
    if (!stream_) throw BadInput(path_ + ": cannot be written; is the folder there?");
    writer_.emplace(stream_);
  }
  ~TraceFile() {
    if (!kept_) std::remove(part_.c_str());
  }
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  observe::Observer& observer() { return *writer_; }
  void keep() {
    stream_.close();
    std::error_code error;
    std::filesystem::rename(part_, path_, error);
    if (!stream_ || error) throw BadInput(path_ + ": cannot be written; is there room?");
    kept_ = true;
  }

 private:
  std::string path_;
  std::string part_;
  std::ofstream stream_;
  std::optional<observe::TraceWriter> writer_;
  bool kept_ = false;
};

/// "nodes" of the world is "network.nodes" of the scenario.
std::string scenario_key(const std::string& key) {
  return key.starts_with("change") || key.find('.') != std::string::npos ? key : "network." + key;
}

int status_of(const observe::Report& report) {
  if (report.ended == observe::Ended::interrupted) return 130;
  return report.ended == observe::Ended::violation ? 1 : 0;
}

int run(const RunOptions& options, const Tables& tables) {
  const scenario::Scenario scenario = load(options);
  const auto& entry =
      find_algorithm(tables, scenario.algorithm, scenario::place_of(scenario, "algorithm"));
  if (options.print) {
    std::fputs(scenario::print_scenario(scenario).c_str(), stdout);
    return 0;
  }
  const auto simulator = std::find_if(tables.simulators.begin(), tables.simulators.end(),
                                      [&](const auto& s) { return s.name == entry.name; });
  const InterruptGuard guard;
  ProgressLine line(options.quiet      ? ProgressLine::When::never
                    : options.progress ? ProgressLine::When::always
                                       : ProgressLine::When::on_a_terminal,
                    scenario.stop.time);
  sim::Attachments attachments;
  attachments.on_progress = [&line](const sim::Progress& p) { return line(p); };
  std::optional<TraceFile> trace;
  if (!options.trace.empty()) {
    trace.emplace(options.trace);
    attachments.observers.push_back(&trace->observer());
  }
  observe::Report report;
  try {
    report = simulator->run(scenario, attachments);
  } catch (const world::BadSpec& error) {
    throw BadInput(scenario::place_of(scenario, scenario_key(error.key)) + error.what());
  }
  line.finish();
  if (trace) trace->keep();
  const std::string out =
      options.json ? report::report_json(report) + "\n" : report::report_table(report);
  std::fputs(out.c_str(), stdout);
  return status_of(report);
}

}  // namespace

void add_run(CLI::App& app, const Tables& tables, int& status) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* sub = app.add_subcommand("run", "Run an election in a simulated network");
  sub->add_option("scenario", options->scenario, "The scenario, a TOML file")->required();
  sub->add_option("-a,--algorithm", options->algorithm, "Run this algorithm instead");
  sub->add_option("-s,--set", options->set, "Change a key of the scenario: key=value")
      ->take_all()
      ->allow_extra_args(false);
  sub->add_option("--seed", options->seed, "Draw everything from this seed instead");
  sub->add_flag("--json", options->json, "Print one JSON object instead of a table");
  sub->add_option("--trace", options->trace, "Write every step to this file (JSON Lines)");
  sub->add_flag("--progress", options->progress, "Show progress even if this is not a terminal");
  sub->add_flag("-q,--quiet", options->quiet, "Show no progress");
  sub->add_flag("--print", options->print, "Print the scenario, all keys filled in, and stop");
  sub->footer(footer);
  sub->callback([options, &tables, &status] { status = run(*options, tables); });
}

}  // namespace bellwether::cli
