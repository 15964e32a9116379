// SPDX-License-Identifier: MIT
// bellwether tune: options of drumbeat for a network, a bound on traffic and a wish.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "bellwether/cli/experiments.hpp"
#include "bellwether/cli/flag_value.hpp"
#include "bellwether/cli/load.hpp"
#include "bellwether/cli/progress.hpp"
#include "bellwether/cli/recorded_network.hpp"
#include "bellwether/cli/text.hpp"
#include "bellwether/cli/tune_report.hpp"
#include "bellwether/core/input_file.hpp"
#include "bellwether/experiment/tune_runs.hpp"
#include "bellwether/operate/replay_node.hpp"
#include "bellwether/report/tables/units.hpp"
#include "bellwether/sim/validate.hpp"

namespace bellwether::cli {
namespace {

using experiment::BeatOptions;
using experiment::BeatSample;
using experiment::TuneRun;
using experiment::TuneScenarios;

struct TuneOptions {
  ScenarioOptions scenario;
  std::string recording;
  std::string traffic;
  std::string wish = "steady";
  std::uint64_t runs = 5;
  unsigned jobs = 0;
  bool json = false;
  bool quiet = false;
};

constexpr const char* footer =
    R"(Wishes, each within the bound on traffic:
  steady  the fewest false elections, then the fastest failover; 95 % of failovers within 1 s where
          that is possible. The default: most applications suffer more from a needless change of
          the leader than from some milliseconds
  fast    the fastest failover (95 % within it), then the fewest false elections
  frugal  the least traffic with 95 % of failovers within 1 s
tune simulates settings of period, patience, slack and, on a shared radio, jitter, in three versions
of the network: as it is, with silent crashes of the leader, and without any change. All other keys
of the scenario are kept. The same seed gives the same result, however many jobs there are.
  bellwether tune                                  a world of 40 nodes that move and share a radio
  bellwether tune S.toml --traffic "400 B/s"       your own network, with a bound
  bellwether tune --recording node.rec --wish fast what a daemon has recorded (node --record)
  bellwether tune S.toml --runs 20 --json          narrower intervals, for a program
Exit status: 0 done, 1 nothing meets the bound, 2 bad input, 130 interrupted.)";

/// As in docs/which-algorithm.md: nodes that move and share one radio.
constexpr const char* default_world = R"(name = "40 nodes that move and share a radio of 6 Mbit/s"
algorithm = "drumbeat"
[network]
topology = "radio"
nodes = 40
[mobility]
model = "random-waypoint"
width = 500
height = 500
speed_min = 5
speed_max = 15
pause = "5 s"
[radio]
model = "csma"
rate = 6e6
preamble = "26 us"
symbol = "4 us"
capture = 0.54
range = 120
[neighbours]
detect = "probes"
period = "100 ms"
jitter = "5 ms"
timeout = "350 ms"
[stop]
time = "180 s"
)";

/// "400 B/s", "2 kB/s", "1.5 MB/s"
double bytes_per_second(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  std::string unit(end);
  unit.erase(0, std::min(unit.find_first_not_of(' '), unit.size()));
  const double factor = unit == "B/s" ? 1 : unit == "kB/s" ? 1e3 : unit == "MB/s" ? 1e6 : 0;
  if (factor == 0 || !std::isfinite(number) || number <= 0)
    throw core::Problem(
        "--traffic", {},
        "must be a rate above 0, such as \"400 B/s\" or \"2 kB/s\", not \"" + text + '"');
  return number * factor;
}

RecordedNetwork load_recorded(const std::string& path, const CommandContext& context) {
  if (!operate::is_node_recording(path))
    throw core::Problem(path, {},
                        "is not a recording; name a file that bellwether node --record wrote");
  std::ifstream in = core::open_file(path);
  return recorded_network(in, path, context.algorithms);
}

scenario::Scenario loaded(const TuneOptions& options, const CommandContext& context,
                          const std::optional<RecordedNetwork>& recorded) {
  if (recorded) return changed(scenario_like(*recorded), options.scenario);
  if (options.scenario.file.empty())
    return changed(scenario::parse_scenario(default_world, "tune"), options.scenario);
  scenario::Scenario out = load_named(options.scenario);
  if (find_algorithm(context, out).rounds)
    throw scenario::problem_at(out, "algorithm",
                               out.algorithm +
                                   " runs in synchronous rounds, and drumbeat does not; name "
                                   "another scenario, or add --set algorithm=drumbeat");
  return out;
}

core::Duration duration_option(const core::OptionTexts& texts, const char* name) {
  return core::parse_duration(texts.at(name)).value();
}

std::uint32_t number_option(const core::OptionTexts& texts, const char* name) {
  return static_cast<std::uint32_t>(std::stoul(texts.at(name)));
}

/// The scenario's own options of drumbeat, else the defaults.
core::OptionTexts all_options(const core::Algorithm& drumbeat, const scenario::Scenario& scenario) {
  core::OptionTexts texts;
  for (const core::OptionRow& row : drumbeat.options) texts[row.name] = row.default_text;
  for (const auto& [name, option] : scenario.options) texts[name] = option.text;
  return texts;
}

/// Where the search begins.
BeatOptions start_of(const core::OptionTexts& texts) {
  return {duration_option(texts, "period"), number_option(texts, "patience"),
          duration_option(texts, "slack"), duration_option(texts, "jitter")};
}

/// Makes the runs of one batch of options after the other.
class TuneRunner {
 public:
  TuneRunner(const core::Algorithm& drumbeat, const TuneScenarios& scenarios,
             const TuneOptions& options, std::size_t planned)
      : drumbeat_(drumbeat),
        scenarios_(scenarios),
        kinds_(scenarios.runs()),
        threads_(options.jobs > 0 ? options.jobs
                                  : std::max(1u, std::thread::hardware_concurrency())),
        planned_(planned),
        line_(options.quiet ? ProgressLine::When::never : ProgressLine::When::on_a_terminal, {}) {}

  std::optional<std::vector<std::vector<BeatSample>>> measure(std::span<const BeatOptions> options,
                                                              std::uint64_t first,
                                                              std::uint64_t count) {
    const experiment::Experiment batch = batch_of(options, first, count);
    std::vector<std::vector<experiment::Row>> rows(options.size() * count,
                                                   std::vector<experiment::Row>(kinds_.size()));
    experiment::Orders orders;
    orders.experiment = &batch;
    orders.threads = threads_;
    orders.run = [&](const experiment::Task& task) { return run(options, task); };
    orders.keep = [&](const experiment::Row& row) {
      const std::size_t run = row.seed - batch.repeat.seed;
      rows[row.point / kinds_.size() * count + run][row.point % kinds_.size()] = row;
    };
    orders.on_progress = [&](const experiment::SweepStatus& status) { return show(status); };
    const experiment::SweepStatus status = experiment::sweep(orders);
    done_ += status.done;
    if (status.done < status.planned) return std::nullopt;
    std::vector<std::vector<BeatSample>> out(options.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      out[i / count].push_back(experiment::beat_sample(scenarios_, rows[i]));
    return out;
  }
  void finish() { line_.finish(); }

 private:
  /// One axis, without settings: run() knows what each point is.
  experiment::Experiment batch_of(std::span<const BeatOptions> options, std::uint64_t first,
                                  std::uint64_t count) const {
    experiment::Experiment out;
    out.name = out.path = "tune";
    out.repeat.runs = count;
    out.repeat.seed = scenarios_.as_is.seed + first;
    out.axes.push_back({"options", {}});
    out.axes.back().choices.resize(options.size() * kinds_.size());
    return out;
  }
  std::optional<experiment::Row> run(std::span<const BeatOptions> options,
                                     const experiment::Task& task) const {
    const TuneRun kind = kinds_[task.point % kinds_.size()];
    sim::Attachments attachments;
    attachments.on_progress = [](const sim::Progress&) { return !InterruptGuard::interrupted(); };
    const observe::RunReport report = sim::simulate(
        drumbeat_,
        experiment::with_beat(scenarios_.of(kind), options[task.point / kinds_.size()], task.seed),
        attachments);
    if (report.ended == observe::Ended::interrupted) return std::nullopt;
    const bool crashes = kind == TuneRun::crashes;
    return experiment::make_row(
        task.point, report,
        crashes ? experiment::failover_series() : std::span<const std::string>{});
  }
  bool show(experiment::SweepStatus status) {
    status.done += done_;
    status.made = status.done;
    status.planned = std::max(planned_, status.done);
    return line_.show([&](double spent) { return progress_text(status, spent); });
  }

  const core::Algorithm& drumbeat_;
  const TuneScenarios& scenarios_;
  std::vector<TuneRun> kinds_;
  unsigned threads_;
  std::size_t planned_;
  std::size_t done_ = 0;
  ProgressLine line_;
};

/// Before anything is printed: all versions can run, and a leader can have followers.
void require_runs(const core::Algorithm& drumbeat, const TuneScenarios& scenarios) {
  sim::Validator validator;
  for (const TuneRun kind : scenarios.runs()) validator.check(drumbeat, scenarios.of(kind));
  if (validator.setup().ids.size() < 2)
    throw scenario::problem_at(scenarios.as_is, "network.nodes",
                               "a single node has no failover; set at least 2");
}

experiment::TuneRequest request_of(const TuneOptions& options, const core::OptionTexts& texts,
                                   const scenario::Scenario& scenario, core::Duration lateness) {
  const bool shared_air =
      scenario::moves(scenario) && scenario.radio.model == world::RadioModel::csma;
  experiment::TuneRequest out;
  out.grid = experiment::grid_around(start_of(texts), shared_air, lateness);
  out.grid.taps = number_option(texts, "taps");
  out.wish = value_of_flag<experiment::Wish>("--wish", "wish", options.wish);
  if (!options.traffic.empty()) out.most_bytes_per_s = bytes_per_second(options.traffic);
  out.runs = options.runs;
  return out;
}

/// Before the first run: how much there is to do.
std::string plan_text(const TuneScenarios& scenarios, const experiment::TuneRequest& request,
                      std::size_t planned) {
  std::vector<std::string> kinds;
  for (const TuneRun kind : scenarios.runs())
    kinds.push_back(fmt::format("{} {}", core::to_text(scenarios.of(kind).stop.time),
                                kind == TuneRun::as_is     ? "as it is"
                                : kind == TuneRun::crashes ? "with silent crashes of the leader"
                                                           : "without any change"));
  return wrapped(fmt::format("About {} runs: up to {} settings with {}, the best {} and what is "
                             "near with {}. Each seed "
                             "simulates {}.",
                             report::grouped(planned), request.most_candidates,
                             report::counted(std::min(request.first_runs, request.runs), "seed"),
                             experiment::proposals, request.runs, fmt::join(kinds, ", ")),
                 0, 100);
}

void require_failovers(const TuneResult& result, const std::string& file) {
  if (result.best().failover_p95_s.runs > 0) return;
  throw core::Problem(file.empty() ? "tune" : file, {},
                      "no leader that crashed had followers, so there is no failover; name a "
                      "network whose nodes are connected");
}

int tune(const TuneOptions& options, const CommandContext& context) {
  if (!options.recording.empty() && !options.scenario.file.empty())
    throw core::Problem("--recording", {},
                        "takes the place of a scenario; remove " + options.scenario.file);
  TuneResult result;
  if (!options.recording.empty()) result.recorded = load_recorded(options.recording, context);
  const scenario::Scenario scenario = loaded(options, context, result.recorded);
  const core::Algorithm& drumbeat = find_algorithm(context, "drumbeat");
  const TuneScenarios scenarios = experiment::tune_scenarios(scenario);
  require_runs(drumbeat, scenarios);
  result.network = scenario.name;
  result.moves_when_calm = scenarios.moves_when_calm;
  if (scenario.neighbours.probes()) result.probe_period = scenario.neighbours.period;
  result.request = request_of(options, all_options(drumbeat, scenarios.as_is), scenario,
                              result.recorded ? result.recorded->own_lateness : core::Duration{});
  const std::size_t planned =
      experiment::planned_measurements(result.request) * scenarios.runs().size();
  if (!options.json) {
    fmt::print("{}drumbeat in {}; wish: {}{}\n{}\n\n",
               result.recorded ? recorded_text(*result.recorded) + '\n' : "", scenario.name,
               options.wish,
               options.traffic.empty() ? "" : "; at most " + options.traffic + " per node",
               plan_text(scenarios, result.request, planned));
    std::fflush(stdout);
  }
  const InterruptGuard guard;
  TuneRunner runner(drumbeat, scenarios, options, planned);
  auto ranking = experiment::tune(
      result.request, [&](std::span<const BeatOptions> each, std::uint64_t first,
                          std::uint64_t count) { return runner.measure(each, first, count); });
  runner.finish();
  if (!ranking) {
    fmt::print(stderr, "Interrupted; nothing is proposed.\n");
    return 130;
  }
  result.ranking = std::move(*ranking);
  require_failovers(result, options.scenario.file);
  fmt::print("{}{}", options.json ? tune_json(result) : tune_text(result),
             options.json ? "\n" : "");
  return result.fits() ? 0 : 1;
}

}  // namespace

void add_tune(terminal::Command& app, const CommandContext& context, int& status) {
  const auto options = std::make_shared<TuneOptions>();
  terminal::Command* sub =
      app.add_subcommand("tune", "Propose options of drumbeat for a network, and what to expect");
  add_scenario_options(*sub, options->scenario, /*required=*/false);
  sub->add_option("--recording", options->recording,
                  "Simulate the network that this recording of a daemon shows (node --record)");
  sub->add_option(
      "--traffic", options->traffic,
      "Allow at most this traffic per node, such as \"400 B/s\" or \"2 kB/s\"; default: "
      "no bound");
  sub->add_option("--wish", options->wish,
                  "Prefer among what is within the bound: fast, frugal or steady")
      ->capture_default_str();
  sub->add_option("-r,--runs", options->runs,
                  "Number of seeds per proposal, 1 to 1000; more make the intervals narrower")
      ->range(1, 1000)
      ->capture_default_str();
  sub->add_option("-j,--jobs", options->jobs,
                  "Make N runs at once, 1 to 4096; default: one per core")
      ->range(1, 4096);
  sub->add_flag("--json", options->json, "Print one JSON object instead of a table");
  sub->add_flag("-q,--quiet", options->quiet, "Show no progress");
  sub->footer(footer);
  sub->callback([options, &context, &status] { status = tune(*options, context); });
}

}  // namespace bellwether::cli
