// SPDX-License-Identifier: MIT
// bellwether check: every interleaving of a small network.
#include <fmt/core.h>
#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

#include "bellwether/check/check.hpp"
#include "bellwether/check/prepare.hpp"
#include "bellwether/cli/check_report.hpp"
#include "bellwether/cli/commands.hpp"
#include "bellwether/cli/flag_value.hpp"
#include "bellwether/cli/load.hpp"
#include "bellwether/cli/memory.hpp"
#include "bellwether/cli/progress.hpp"
#include "bellwether/core/human_bytes.hpp"
#include "bellwether/core/nearest.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/report/tables/units.hpp"
#include "bellwether/terminal/command_line.hpp"
#include "bellwether/terminal/plugin.hpp"
#include "bellwether/world/memory.hpp"

namespace bellwether::cli {
namespace {

using check::Spec;

constexpr std::uint32_t any_number = std::numeric_limits<std::uint32_t>::max();

struct CheckOptions {
  Spec spec;
  std::string graph;
  core::NodeIndex all_graphs = 0;
  bool connected = false;
  std::uint32_t most_links = any_number;
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
  bool no_forget = false;
  bool no_cycles = false;
  bool json = false;
  bool states = false;
  bool progress = false;
  bool quiet = false;
};

constexpr const char* footer =
    R"(The search follows every run of a small network: messages, notifications, timers and faults
in every order.
  bellwether check chang-roberts --graph ring:5 --one-way
  bellwether check cel --all-graphs 3 --changes 3          finds a counterexample
  bellwether check cel-2 --all-graphs 3 --changes 2        finds none
  bellwether check cel --graph 12,23 --crashes 1 --notify level
  bellwether check height --graph 12,13,23 --script 23,23,12 --property all
  bellwether check cel-2 --graph ring:8 --changes 6 --walk 100000 --seed 7
Graphs: line:4, ring:5, star:4, complete:3, empty:3, or links such as 12,23 or 1-2,2-13.
Scripts: 12 changes a link, x3 crashes node 3, r3 restarts it.
Status: 0 no violation, 1 a violation (the counterexample is saved), 2 bad input, 3 stopped at a
limit. docs/checking.md explains the model, docs/verification.md lists what was checked.)";

/// Puts together what was typed. Throws Problem.
Spec spec_of(const CheckOptions& o, const core::Model& model) {
  Spec spec = o.spec;
  if (!o.graph.empty() == (o.all_graphs > 0))
    throw core::Problem("give either --graph or --all-graphs, such as --graph line:3");
  if (!o.graph.empty())
    check::set_graph(spec, o.graph);
  else
    check::set_all_graphs(spec, o.all_graphs, model, o.connected || !model.tolerates_changes);
  if (o.most_links != any_number) {
    if (!o.graph.empty())
      throw core::Problem("--most-links", {},
                          "is for --all-graphs; remove it, or write --all-graphs");
    check::keep_sparse_graphs(spec, o.most_links);
  }
  if (!o.script.empty() && spec.changes > 0)
    throw core::Problem("--script states which links change; remove --changes");
  if (!o.script.empty()) check::set_script(spec, o.script);
  for (const std::string& each : o.set) {
    const std::size_t at = each.find('=');
    if (at == std::string::npos)
      throw core::Problem("--set", {}, "\"" + each + "\" is not an option; write name=value");
    spec.options.emplace_back(terminal::option_name(each.substr(0, at)), each.substr(at + 1));
  }
  spec.notify = value_of_flag<check::Notify>("--notify", "value", o.notify);
  spec.order = o.channel.empty()
                   ? (model.tolerates_reordering ? check::ChannelOrder::unordered
                                                 : check::ChannelOrder::fifo)
                   : value_of_flag<check::ChannelOrder>("--channel", "value", o.channel);
  spec.from = o.from.empty() ? (model.tolerates_changes ? check::From::settled : check::From::cold)
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
      o.memory.empty() ? world::available_memory() / 4 * 3 : parse_memory(o.memory, "--memory");
  spec.reduce = !o.no_reduce;
  spec.symmetry = !o.no_symmetry;
  spec.absorb = !o.no_absorb;
  spec.forget = !o.no_forget;
  spec.cycles = !o.no_cycles;
  if (spec.threads == 0) spec.threads = std::max(1u, std::thread::hardware_concurrency());
  return spec;
}

std::string progress_text(const check::SearchProgress& p, double spent) {
  return fmt::format("  {}: {} states, {} transitions, {} waiting, depth {}, {}, {:.1f} s", p.phase,
                     report::grouped(p.states), report::grouped(p.transitions),
                     report::grouped(p.waiting), p.depth, core::human_bytes(p.memory), spent);
}

int status_of(check::SearchEnd ended) {
  switch (ended) {
    case check::SearchEnd::complete:
      return 0;
    case check::SearchEnd::violation:
      return 1;
    case check::SearchEnd::stopped:
      return 130;
    default:
      return 3;
  }
}

/// For a hint: the file that brought the election, if one did.
std::string own_file_text(const CommandContext& context) {
  for (const char* word : context.arguments)
    if (terminal::is_plugin_file(word)) return std::string(" --algorithm ") + word;
  return "";
}

/// Where a counterexample goes; nothing: it is not saved.
std::optional<std::string> trace_path(const CheckOptions& options, const core::Algorithm& entry) {
  // Rounds have no trace: there is nothing to steer, and the scenario shows the same run.
  if (options.no_trace || entry.rounds) return std::nullopt;
  return options.trace.empty() ? options.spec.algorithm + "-violation.jsonl" : options.trace;
}

void save(const observe::Trace& trace, const std::string& path) {
  OutputFile file(path);
  observe::write_trace(file.stream(), trace);
  file.keep();
}

std::string hints(const std::string& path, const CommandContext& context) {
  const std::string name = own_name(context);
  const std::string file = own_file_text(context);
  // The viewer shows the elections of this program only.
  const std::string view = file.empty() ? fmt::format("  {} view --replay {}\n", name, path) : "";
  return fmt::format(
      "\nThe counterexample is saved. View, draw or replay it:\n"
      "{3}  {1} trace {0} --svg {0}.svg\n  {1} run --replay {0}{2}\n",
      path, name, file, view);
}

int check_algorithm(const CheckOptions& options, const CommandContext& context) {
  const core::Algorithm& algorithm = find_algorithm(context, options.spec.algorithm);
  const Spec spec = spec_of(options, algorithm.facts.model);
  const auto path = trace_path(options, algorithm);
  // A search may take hours: a path that cannot be written is refused before it.
  if (path && !options.trace.empty()) OutputFile{*path};
  const InterruptGuard guard;
  ProgressLine line(options.quiet      ? ProgressLine::When::never
                    : options.progress ? ProgressLine::When::always
                                       : ProgressLine::When::on_a_terminal,
                    {});
  const auto begun = std::chrono::steady_clock::now();
  check::Verdict verdict = check::check(algorithm, spec, [&](const check::SearchProgress& p) {
    return line.show([&](double spent) { return progress_text(p, spent); });
  });
  line.finish();
  verdict.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  const std::string out =
      options.json ? verdict_json(spec, verdict) : verdict_text(spec, verdict, options.states);
  std::fputs(out.c_str(), stdout);
  const int status = status_of(verdict.ended);
  if (verdict.ended != check::SearchEnd::violation || !path) return status;
  std::fflush(stdout);
  try {
    save(verdict.trace, *path);
    if (!options.json) std::fputs(hints(*path, context).c_str(), stdout);
  } catch (const std::exception& error) {  // what was found is printed already
    const auto* problem = dynamic_cast<const core::Problem*>(&error);
    fmt::print(stderr,
               "bellwether: {}: the counterexample could not be saved ({}); name another file "
               "with --trace PATH, or add --no-trace\n",
               *path, problem ? problem->sentence() : error.what());
  }
  return status;
}

void add_model_options(terminal::Command& sub, CheckOptions& o) {
  Spec& s = o.spec;
  const char* model = "Model";
  sub.add_option("--changes", s.changes,
                 "Let up to N links change, any links at any time; 0 to 63, default 0")
      ->group(model);
  sub.add_option("--script", o.script,
                 "Make these changes in this order, at any time, such as 12,x3,r3")
      ->group(model);
  sub.add_option("--notify", o.notify,
                 "Choose when the ends of a link are notified: edge (of every change, at any later "
                 "time), level (only while an end's belief is wrong) or instant (at once)")
      ->capture_default_str()
      ->group(model);
  sub.add_option("--channel", o.channel,
                 "Deliver messages in order (fifo) or in any order (unordered); default: unordered "
                 "where the algorithm tolerates it")
      ->group(model);
  sub.add_option("--crashes", s.crashes, "Let up to N nodes crash; 0 to 15, default 0")
      ->group(model);
  sub.add_option("--restarts", o.restarts,
                 "Let up to N crashed nodes restart; 0 to 15, default: as many as crash")
      ->group(model);
  sub.add_flag("--keep-memory", s.memory, "Let nodes restart with their memory")->group(model);
  sub.add_option("--losses", s.losses, "Let up to N messages be lost; 0 to 31, default 0")
      ->group(model);
  sub.add_option("--duplicates", s.duplicates,
                 "Let up to N messages arrive twice; 0 to 31, default 0")
      ->group(model);
  sub.add_option("--delay", o.delay,
                 "Let a timer longer than this time expire only when nothing is under way; "
                 "default 100 ms")
      ->group(model);
  sub.add_option("--from", o.from,
                 "Begin settled (after a first election) or cold (before any node has started); "
                 "default: settled where the algorithm tolerates link changes")
      ->group(model);
  sub.add_option("--transit", s.transit, "Stop at more than N messages on one channel")
      ->capture_default_str()
      ->group(model);
  sub.add_flag("--beyond-model", s.beyond_model,
               "Also inject faults outside the algorithm's stated model")
      ->group(model);
}

void add_search_options(terminal::Command& sub, CheckOptions& o) {
  Spec& s = o.spec;
  const char* search = "Search";
  sub.add_option("--search", o.search,
                 "Search in this order: breadth (finds a shortest counterexample) or depth")
      ->capture_default_str()
      ->group(search);
  sub.add_option("--walk", s.walks,
                 "Do N random walks instead of an exhaustive search, for larger networks")
      ->group(search);
  sub.add_option("--walk-steps", s.walk_steps, "Stop each walk after N steps")
      ->capture_default_str()
      ->group(search);
  sub.add_option("--seed", s.seed, "Draw the walks from this seed")
      ->capture_default_str()
      ->group(search);
  sub.add_option("--threads", s.threads, "Search with N threads; default: one per core")
      ->group(search);
  sub.add_option("--memory", o.memory,
                 "Stop at this much memory, such as 4G; default: 3/4 of what is free")
      ->group(search);
  sub.add_option("--max-states", s.max_states, "Stop soon after N states; default: no limit")
      ->group(search);
  sub.add_option("--max-depth", s.max_depth,
                 "Stop at runs of N actions from the start; default: no limit")
      ->group(search);
  sub.add_option("--clocks", o.clocks,
                 "Compare clock readings by their order alone (rank) or by their values (exact)")
      ->capture_default_str()
      ->group(search);
  sub.add_flag("--no-reduce", o.no_reduce, "Follow all orders of independent actions")
      ->group(search);
  sub.add_flag("--no-symmetry", o.no_symmetry, "Do not merge states that differ in node names only")
      ->group(search);
  sub.add_flag("--no-absorb", o.no_absorb, "Keep messages that can no longer have an effect")
      ->group(search);
  sub.add_flag("--no-forget", o.no_forget, "Keep what no later step of a node reads")
      ->group(search);
  sub.add_flag("--no-cycles", o.no_cycles, "Do not search for infinite runs")->group(search);
  sub.add_flag("--compact", s.compact, "Store 64 bits per state; some states may be missed")
      ->group(search);
}

}  // namespace

void add_check(terminal::Command& app, const CommandContext& context, int& status) {
  const auto options = std::make_shared<CheckOptions>();
  options->spec.threads = 0;
  terminal::Command* sub =
      app.add_subcommand("check", "Search every run of an election in a small network");
  sub->add_option("algorithm", options->spec.algorithm,
                  "Check this algorithm: a name, or a C++ file (FILE.cpp)")
      ->required();
  sub->add_option("-g,--graph", options->graph, "Begin with this graph, such as ring:4 or 12,23");
  sub->add_option("--all-graphs", options->all_graphs,
                  "Begin with every labelled graph of N nodes, 1 to 6");
  sub->add_flag("--connected", options->connected, "Use only the connected ones of these graphs");
  sub->add_option("--most-links", options->most_links,
                  "Use only those of these graphs that have at most N links");
  sub->add_option("--nodes", options->spec.nodes,
                  "Add nodes without links until there are N; up to 16");
  sub->add_flag("--one-way", options->spec.one_way, "Let links carry messages one way only");
  sub->add_option("-s,--set", options->set, "Set an option of the algorithm: name=value")
      ->take_all()
      ->allow_extra_args(false);
  sub->add_option("-p,--property", options->spec.properties,
                  "Check agreement, best-leader, message-bound, one of the algorithm's own "
                  "properties, or all; default agreement")
      ->take_all()
      ->allow_extra_args(false);
  add_model_options(*sub, *options);
  add_search_options(*sub, *options);
  sub->add_option("--trace", options->trace,
                  "Save a counterexample to this file; default ALGORITHM-violation.jsonl");
  sub->add_flag("--no-trace", options->no_trace, "Do not save a counterexample");
  sub->add_flag("--states", options->states, "Print the node's state after each step");
  sub->add_flag("--json", options->json, "Print one JSON object instead of text");
  sub->add_flag("--progress", options->progress, "Show progress even if this is not a terminal");
  sub->add_flag("-q,--quiet", options->quiet, "Show no progress");
  sub->footer(footer);
  sub->callback([options, &context, &status] { status = check_algorithm(*options, context); });
}

}  // namespace bellwether::cli
