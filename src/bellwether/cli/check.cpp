// SPDX-License-Identifier: MIT
// bellwether check: every interleaving of a small network.
#include <fmt/core.h>
#include <algorithm>
#include <chrono>
#include <thread>

#include "bellwether/check/check.hpp"
#include "bellwether/check/prepare.hpp"
#include "bellwether/cli/check_report.hpp"
#include "bellwether/cli/commands.hpp"
#include "bellwether/cli/flag_value.hpp"
#include "bellwether/cli/load.hpp"
#include "bellwether/cli/memory.hpp"
#include "bellwether/cli/progress.hpp"
#include "bellwether/core/nearest.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/report/tables/units.hpp"
#include "bellwether/terminal/command_line.hpp"
#include "bellwether/terminal/plugin.hpp"

namespace bellwether::cli {
namespace {

using check::Spec;

struct CheckOptions {
  Spec spec;
  std::string graph;
  core::NodeIndex all_graphs = 0;
  bool connected = false;
  std::vector<std::string> set;
  std::string script;
  std::string notify = "edge";
  std::string channel;
  std::string from;
  std::string delay;
  std::string clocks = "rank";
  std::string search = "breadth";
  std::string memory;
  std::string trace;
  int restarts = -1;
  bool no_trace = false;
  bool no_reduce = false;
  bool no_symmetry = false;
  bool no_absorb = false;
  bool no_cycles = false;
  bool json = false;
  bool states = false;
  bool progress = false;
  bool quiet = false;
};

constexpr const char* footer =
    R"(Every run of a small network is followed: messages, notices, timers, faults in every order.
  bellwether check chang-roberts --graph ring:5 --one-way
  bellwether check cel --all-graphs 3 --changes 3          finds a run that goes wrong
  bellwether check cel-2 --all-graphs 3 --changes 2        finds none
  bellwether check cel --graph 12,23 --crashes 1 --notify level
  bellwether check height --graph 12,13,23 --script 23,23,12 --property all
  bellwether check cel-2 --graph ring:8 --changes 6 --walk 100000 --seed 7
Graphs: line:4, ring:5, star:4, complete:3, empty:3, or links such as 12,23 or 1-2,2-13.
Scripts: changes in this order, at any time: 12 flips a link, x3 crashes node 3, r3 brings it back.
Status: 0 no violation, 1 a violation (its trace is saved), 2 bad input, 3 stopped at a limit.
docs/checking.md explains the model, docs/verification.md lists what was checked.)";

/// Puts together what was typed. Throws Problem.
Spec spec_of(const CheckOptions& o, const core::Model& model) {
  Spec spec = o.spec;
  if (!o.graph.empty() == (o.all_graphs > 0))
    throw core::Problem("give either --graph or --all-graphs, such as --graph line:3");
  if (!o.graph.empty())
    check::set_graph(spec, o.graph);
  else
    check::set_all_graphs(spec, o.all_graphs, model, o.connected || !model.bears_changes);
  if (!o.script.empty() && spec.changes > 0)
    throw core::Problem("--script says which links change; leave --changes out");
  if (!o.script.empty()) check::set_script(spec, o.script);
  for (const std::string& each : o.set) {
    const std::size_t at = each.find('=');
    if (at == std::string::npos)
      throw core::Problem("--set", {}, "\"" + each + "\" is no option; write name=value");
    spec.options.emplace_back(terminal::option_name(each.substr(0, at)), each.substr(at + 1));
  }
  spec.notify = value_of_flag<check::Notify>("--notify", "value", o.notify);
  spec.order =
      o.channel.empty()
          ? (model.bears_reordering ? check::ChannelOrder::unordered : check::ChannelOrder::fifo)
          : value_of_flag<check::ChannelOrder>("--channel", "value", o.channel);
  spec.from = o.from.empty() ? (model.bears_changes ? check::From::settled : check::From::cold)
                             : value_of_flag<check::From>("--from", "value", o.from);
  spec.clocks = value_of_flag<check::ClockValues>("--clocks", "value", o.clocks);
  spec.search = value_of_flag<check::SearchOrder>("--search", "value", o.search);
  if (!o.delay.empty()) {
    const auto delay = core::parse_duration(o.delay);
    if (!delay || *delay < core::Duration{0})
      throw core::Problem("--delay", {},
                          "\"" + o.delay + "\" is not a time; write \"250 ms\" or \"2 s\"");
    spec.delay = *delay;
  }
  spec.restarts = o.restarts < 0 ? spec.crashes : static_cast<unsigned>(o.restarts);
  spec.memory_limit =
      o.memory.empty() ? available_memory() / 4 * 3 : parse_memory(o.memory, "--memory");
  spec.reduce = !o.no_reduce;
  spec.symmetry = !o.no_symmetry;
  spec.absorb = !o.no_absorb;
  spec.cycles = !o.no_cycles;
  if (spec.threads == 0) spec.threads = std::max(1u, std::thread::hardware_concurrency());
  return spec;
}

std::string progress_text(const check::Progress& p, double spent) {
  return fmt::format("  {}: {} states, {} transitions, {} waiting, depth {}, {}, {:.1f} s", p.phase,
                     report::grouped(p.states), report::grouped(p.transitions),
                     report::grouped(p.waiting), p.depth, report::human_bytes(p.memory), spent);
}

int status_of(check::Ended ended) {
  switch (ended) {
    case check::Ended::complete:
      return 0;
    case check::Ended::violation:
      return 1;
    case check::Ended::stopped:
      return 130;
    default:
      return 3;
  }
}

/// For a hint: the file that brought the election, if one did.
std::string own_file_text(const Tables& tables) {
  for (const char* word : tables.arguments)
    if (terminal::is_plugin_file(word)) return std::string(" --algorithm ") + word;
  return "";
}

int check_algorithm(const CheckOptions& options, const Tables& tables) {
  const core::Algorithm& algorithm = find_algorithm(tables, options.spec.algorithm);
  const Spec spec = spec_of(options, algorithm.facts.model);
  const InterruptGuard guard;
  ProgressLine line(options.quiet      ? ProgressLine::When::never
                    : options.progress ? ProgressLine::When::always
                                       : ProgressLine::When::on_a_terminal,
                    {});
  const auto begun = std::chrono::steady_clock::now();
  check::Verdict verdict = check::check(algorithm, spec, [&](const check::Progress& p) {
    return line.show([&](double spent) { return progress_text(p, spent); });
  });
  line.finish();
  verdict.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  std::string out =
      options.json ? verdict_json(spec, verdict) : verdict_text(spec, verdict, options.states);
  // Rounds have no trace: there is nothing to steer, and the scenario shows the same run.
  if (verdict.ended == check::Ended::violation && !options.no_trace && !algorithm.rounds) {
    const std::string path =
        options.trace.empty() ? spec.algorithm + "-violation.jsonl" : options.trace;
    OutputFile file(path);
    observe::write_trace(file.stream(), verdict.trace);
    file.keep();
    if (!options.json)
      out += fmt::format(
          "\nThe trace is saved. Draw it, or take it again in the simulator:\n"
          "  {1} trace {0} --svg {0}.svg\n  {1} run --replay {0}{2}\n",
          path, own_name(tables), own_file_text(tables));
  }
  std::fputs(out.c_str(), stdout);
  return status_of(verdict.ended);
}

void add_model_options(terminal::Command& sub, CheckOptions& o) {
  Spec& s = o.spec;
  const char* model = "What can happen";
  sub.add_option("--changes", s.changes, "At most so many links change, any of them, at any time")
      ->group(model);
  sub.add_option("--script", o.script, "These changes, in this order, at any time")->group(model);
  sub.add_option("--notify", o.notify,
                 "edge: ends are told of every change, some time; level: only while they are "
                 "wrong; instant: at once")
      ->capture_default_str()
      ->group(model);
  sub.add_option("--channel", o.channel, "fifo or unordered; default: what the algorithm bears")
      ->group(model);
  sub.add_option("--crashes", s.crashes, "At most so many crashes")->group(model);
  sub.add_option("--restarts", o.restarts, "At most so many come back; default: all")->group(model);
  sub.add_flag("--keep-memory", s.memory, "They come back with what they knew")->group(model);
  sub.add_option("--losses", s.losses, "At most so many messages are lost")->group(model);
  sub.add_option("--duplicates", s.duplicates, "At most so many arrive twice")->group(model);
  sub.add_option("--delay", o.delay,
                 "Timers beyond this fire only when nothing is under way (100 ms)")
      ->group(model);
  sub.add_option("--from", o.from, "settled or cold; default: settled where links may change")
      ->group(model);
  sub.add_option("--transit", s.transit, "So many messages on one channel at most")
      ->capture_default_str()
      ->group(model);
  sub.add_flag("--beyond-model", s.beyond_model, "Also what the algorithm does not claim to bear")
      ->group(model);
}

void add_search_options(terminal::Command& sub, CheckOptions& o) {
  Spec& s = o.spec;
  const char* search = "How to search";
  sub.add_option("--search", o.search, "breadth: the shortest run; depth")
      ->capture_default_str()
      ->group(search);
  sub.add_option("--walk", s.walks, "So many random walks instead, for larger networks")
      ->group(search);
  sub.add_option("--walk-steps", s.walk_steps, "Each at most so long")
      ->capture_default_str()
      ->group(search);
  sub.add_option("--seed", s.seed, "Of the walks")->capture_default_str()->group(search);
  sub.add_option("--threads", s.threads, "Default: all cores")->group(search);
  sub.add_option("--memory", o.memory, "Stop at so much, such as 4G; default: 3/4 of what is free")
      ->group(search);
  sub.add_option("--max-states", s.max_states, "Stop soon after so many states")->group(search);
  sub.add_option("--max-depth", s.max_depth, "Look no deeper")->group(search);
  sub.add_option("--clocks", o.clocks, "rank: readings of clocks renumbered in order; exact")
      ->capture_default_str()
      ->group(search);
  sub.add_flag("--no-reduce", o.no_reduce, "Follow all orders of independent steps")->group(search);
  sub.add_flag("--no-symmetry", o.no_symmetry, "Tell nodes apart by name")->group(search);
  sub.add_flag("--no-absorb", o.no_absorb, "Keep messages that can have no effect any more")
      ->group(search);
  sub.add_flag("--no-cycles", o.no_cycles, "Do not look for runs without end")->group(search);
  sub.add_flag("--compact", s.compact, "Keep 64 bits of a state; some states may be missed")
      ->group(search);
}

}  // namespace

void add_check(terminal::Command& app, const Tables& tables, int& status) {
  const auto options = std::make_shared<CheckOptions>();
  options->spec.threads = 0;
  terminal::Command* sub =
      app.add_subcommand("check", "Follow every run of an election in a small network");
  sub->add_option("algorithm", options->spec.algorithm,
                  "The algorithm: its name, or a file with one (FILE.cpp)")
      ->required();
  sub->add_option("-g,--graph", options->graph, "Where the runs begin");
  sub->add_option("--all-graphs", options->all_graphs, "Every labelled graph of so many nodes");
  sub->add_flag("--connected", options->connected, "Of these the connected ones only");
  sub->add_option("--nodes", options->spec.nodes, "At least so many nodes, some without links");
  sub->add_flag("--one-way", options->spec.one_way, "Links carry messages one way only");
  sub->add_option("-s,--set", options->set, "An option of the algorithm: name=value")
      ->take_all()
      ->allow_extra_args(false);
  sub->add_option(
         "-p,--property", options->spec.properties,
         "agreement (default), best-leader, message-bound, one of the algorithm's own, all")
      ->take_all()
      ->allow_extra_args(false);
  add_model_options(*sub, *options);
  add_search_options(*sub, *options);
  sub->add_option("--trace", options->trace,
                  "Where a violation is saved (ALGORITHM-violation.jsonl)");
  sub->add_flag("--no-trace", options->no_trace, "Do not save it");
  sub->add_flag("--states", options->states, "Print the state of the node after each step, too");
  sub->add_flag("--json", options->json, "Print one JSON object instead of a table");
  sub->add_flag("--progress", options->progress, "Show progress even if this is not a terminal");
  sub->add_flag("-q,--quiet", options->quiet, "Show no progress");
  sub->footer(footer);
  sub->callback([options, &tables, &status] { status = check_algorithm(*options, tables); });
}

}  // namespace bellwether::cli
