// SPDX-License-Identifier: MIT
// `bellwether view`: a run in the browser.
#include <spawn.h>
#include <unistd.h>

#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <fstream>
#include <iostream>

#include "bellwether/cli/commands.hpp"
#include "bellwether/cli/live_group.hpp"
#include "bellwether/cli/load.hpp"
#include "bellwether/cli/recording_trace.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/embedded/scenarios.hpp"
#include "bellwether/operate/replay_node.hpp"
#include "bellwether/view/server.hpp"

namespace bellwether::cli {
namespace {

constexpr const char* footer = R"(Examples:
  bellwether view                                     a first network, to play with
  bellwether view scenarios/partition-heals.toml      a scenario, from its beginning
  bellwether view scenarios/thesis-random-waypoint.toml --algorithm cel-2
  bellwether view --replay bad.jsonl                  a counterexample that `check --trace` wrote
  bellwether view --live                              the group of the daemon on this machine
  bellwether view --live 127.0.0.1:7746 --live 127.0.0.1:7747
  bellwether view --no-browser --port 8080            prints the address only

The simulation runs here; the page only draws. Ctrl-C ends it. docs/view.md has more.)";

struct ViewOptions {
  ScenarioOptions scenario;
  view::ServerOptions server;
  std::string replay;
  std::vector<std::string> live_at;
  bool live = false;
  bool no_browser = false;
};

/// What is shown where nothing is asked for: a network that moves, splits and merges.
scenario::Scenario first_scenario() {
  for (const auto& [name, text] : embedded::scenarios())
    if (name == "split-and-merge") return scenario::parse_scenario(text, name);
  return scenario::parse_scenario("algorithm = \"height\"\n[network]\nnodes = 12\n", "first");
}

void open_browser(const std::string& url) {
  if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) return;
  std::string program = "xdg-open", address = url;
  char* words[] = {program.data(), address.data(), nullptr};
  pid_t child = 0;
  posix_spawnp(&child, program.c_str(), nullptr, nullptr, words, environ);
}

void refuse_scenario(const ScenarioOptions& given, const char* why) {
  if (!given.file.empty() || !given.set.empty() || !given.algorithm.empty() || !given.seed.empty())
    throw core::Problem(why);
}

view::Play first_play(const ViewOptions& options, const catalogue::Algorithms& algorithms) {
  const ScenarioOptions& given = options.scenario;
  if (options.live) {
    refuse_scenario(given, "--live: a live group is no scenario; leave the rest out");
    return live_group(options.live_at);
  }
  if (!options.replay.empty()) {
    refuse_scenario(given, "--replay: a trace says everything; leave the rest out");
    std::ifstream in(options.replay, std::ios::binary);
    if (!in) throw core::Problem(options.replay, {}, "there is no such file");
    if (operate::is_node_recording(options.replay))
      return view::play_of(trace_of_recording(in, options.replay, algorithms), {options.replay, 1});
    return view::play_of(observe::read_trace(in, options.replay), {options.replay, 1});
  }
  if (!given.file.empty()) return {load(given), 0, nullptr};
  return {changed(first_scenario(), given), 0, nullptr};
}

int view_run(const ViewOptions& options, const Tables& tables) {
  if (const std::string& at = options.server.address; at == "0.0.0.0" || at == "::")
    throw core::Problem(
        "--address", {},
        at + " is every address and the name of none; give the one of this machine that "
             "others type (ip address lists them)");
  view::Play first = first_play(options, tables.algorithms);
  find_algorithm(tables, first.scenario);
  std::signal(SIGCHLD, SIG_IGN);  // runners end when their page does
  boost::asio::io_context io(1);
  view::House house{tables.algorithms, std::move(first), BELLWETHER_VERSION};
  view::Server server(io, std::move(house), options.server);
  std::cout << server.url() << std::endl;
  std::cerr << "open this address in a browser; Ctrl-C ends it\n";
  if (!options.no_browser) open_browser(server.url());
  boost::asio::signal_set signals(io, SIGINT, SIGTERM);
  signals.async_wait([&](const auto&, int) { io.stop(); });
  server.start();
  io.run();
  return 0;
}

}  // namespace

void add_view(terminal::Command& app, const Tables& tables, int& status) {
  auto* sub = app.add_subcommand("view", "Watch a run in the browser, and disturb it by hand.");
  auto options = std::make_shared<ViewOptions>();
  add_scenario_options(*sub, options->scenario, false);
  sub->add_option("-a,--algorithm", options->scenario.algorithm,
                  "This one instead of the scenario's: its name, or a file with one (FILE.cpp).");
  auto* replay =
      sub->add_option("--replay", options->replay,
                      "A trace: what `run --trace`, `check --trace` or `node --record` wrote.")
          ->type_name("FILE");
  auto* live = sub->add_option("--live", options->live_at,
                               "A group of daemons at work, to watch only: the socket or "
                               "ADDRESS:PORT of one node or several; none: this machine's.");
  live->type_name("ADDRESS")->expected(0, 1)->take_all();
  live->excludes(replay);
  sub->add_option("--address", options->server.address,
                  "Where to listen; others than this machine can come in only if you say so.")
      ->capture_default_str();
  sub->add_option("--port", options->server.port, "0: any that is free.")
      ->range(0, 65535)
      ->capture_default_str();
  sub->add_option("--token", options->server.token,
                  "What a browser must know; drawn unless given.");
  sub->add_flag("--no-browser", options->no_browser, "Print the address, and open nothing.");
  sub->footer(footer);
  sub->callback([options, live, &tables, &status] {
    options->live = live->count() > 0;
    std::erase(options->live_at, "");
    status = view_run(*options, tables);
  });
}

}  // namespace bellwether::cli
