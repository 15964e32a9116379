// SPDX-License-Identifier: MIT
#include "bellwether/cli/main.hpp"

#include "bellwether/cli/commands.hpp"
#include "bellwether/observe/trace/trace.hpp"
#include "bellwether/operate/deployment.hpp"
#include "bellwether/terminal/command_line.hpp"
#include "bellwether/terminal/completion.hpp"
#include "bellwether/terminal/document.hpp"
#include "bellwether/terminal/plugin.hpp"
#include "bellwether/terminal/program.hpp"

namespace bellwether::cli {
namespace {

constexpr const char* description =
    "Bellwether elects leaders in networks that move. An election is written once, as a pure "
    "state\nmachine, and then simulated, checked in every order of events, watched in the browser, "
    "compared,\nand deployed on real machines.";

constexpr const char* examples = R"(Examples:
  bellwether run first-election                        an election, and who won
  bellwether run partition-heals                       a network that splits and merges again
  bellwether run thesis-random-waypoint                sixty nodes that move, measured over time
  bellwether run S.toml --set network.nodes=500 --seed 7 --json
  bellwether run S.toml --trace run.jsonl && bellwether trace run.jsonl --svg run.svg
  bellwether run --replay checked.jsonl                replay a counterexample of check
  bellwether motion S.toml --out paths.movements       where the nodes of a scenario go
  bellwether central graph.edges --top 5               the most central nodes of a graph of yours
  bellwether check cel --all-graphs 3 --changes 3      every run of three nodes; one goes wrong
  bellwether compare hierarchy                         all algorithms that fit, side by side
  bellwether sweep experiments/hierarchy.toml          an experiment: many runs, one results file
  bellwether report hierarchy.sqlite                   its figures and tables, as a page
  bellwether reproduce --list                          published experiments to reproduce
  bellwether tune --traffic "400 B/s"                   options of drumbeat, and what to expect
  bellwether view partition-heals                      the same in the browser; cut its links
  bellwether node --key group.key                      run the daemon on this machine
  bellwether leader                                    ask the daemon on this machine who leads
  bellwether new ring-of-trust                         a project with an election of your own
  bellwether list algorithms                           list all elections; also: list scenarios
  bellwether describe height                           what it does, and its options
  bellwether doctor                                    check what this machine is missing

Help on a command: bellwether COMMAND --help
Exit status: 0 done, 1 a property was broken, 2 bad input, 3 limit reached, 130 interrupted.)";

terminal::CompletionWords words_of(const CommandContext& context) {
  std::vector<std::string> algorithms;
  for (const core::Algorithm& entry : context.algorithms) algorithms.emplace_back(entry.name);
  return {{"--algorithm", algorithms},
          {"describe", algorithms},
          {"--engine", {"fast", "ns3", "both"}},
          {"document", {"man", "markdown"}},
          {"--wish", {"fast", "frugal", "steady"}},
          {"list", list_topics(context)}};
}

void add_commands(terminal::Command& app, const CommandContext& context, int& status) {
  add_run(app, context, status);
  add_list(app, context, status);
  add_describe(app, context, status);
  add_trace(app, status);
  add_motion(app, status);
  add_central(app, status);
  add_check(app, context, status);
  add_compare(app, context, status);
  add_sweep(app, context, status);
  add_report(app, status);
  add_reproduce(app, context, status);
  add_tune(app, context, status);
  add_view(app, context, status);
  operate::add_deployment(app, context.algorithms, status);
  add_new(app, context, status);
  add_doctor(app, context, status);
  terminal::add_document(app, status);
  terminal::add_completion(app, words_of(context), status);
}

}  // namespace

std::string own_name(const CommandContext& context) {
  return terminal::program_name(context.arguments.empty() ? nullptr : context.arguments.front());
}

int run_command_line(int argc, const char* const* argv, const CommandContext& context) {
  return terminal::run_program(
      argc, argv, {description, examples},
      [&](terminal::Command& app, int& status) { add_commands(app, context, status); });
}

int main(int argc, const char* const* argv, catalogue::Algorithms algorithms, MediumChoice engine) {
  return terminal::with_plugins(
      argc, argv, std::move(algorithms), [&](const terminal::CommandWords& typed) {
        const CommandContext context{typed.algorithms, engine, {argv, argv + argc}};
        return run_command_line(static_cast<int>(typed.arguments.size()), typed.arguments.data(),
                                context);
      });
}

}  // namespace bellwether::cli
