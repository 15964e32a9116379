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
#include "bellwether/core/input_file.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/embedded/scenarios.hpp"
#include "bellwether/operate/replay_node.hpp"
#include "bellwether/sim/validate.hpp"
#include "bellwether/view/server.hpp"

namespace bellwether::cli {
namespace {

constexpr const char* footer = R"(Examples:
  bellwether view                                     show the default scenario
  bellwether view scenarios/partition-heals.toml      show a scenario, from its beginning
  bellwether view scenarios/thesis-random-waypoint.toml --algorithm cel-2
  bellwether view --replay bad.jsonl                  show a counterexample of `check --trace`
  bellwether view --live                              watch the group of this machine's daemon
  bellwether view --live 127.0.0.1:7746 --live 127.0.0.1:7747
  bellwether view --no-browser --port 8080            print the address only

The program runs the simulation; the page draws it. Ctrl-C ends the program. See docs/view.md.)";

struct ViewOptions {
  ScenarioOptions scenario;
  view::ServerOptions server;
  std::string replay;
  std::vector<std::string> live_at;
  bool live = false;
  bool no_browser = false;
};

/// The default scenario: a network that moves, splits and merges.
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
    refuse_scenario(
        given,
        "--live: a live group takes no scenario; remove the file, --algorithm, --seed and --set");
    return live_group(options.live_at);
  }
  if (!options.replay.empty()) {
    refuse_scenario(
        given,
        "--replay: a recording takes no scenario; remove the file, --algorithm, --seed and --set");
    std::ifstream in = core::open_file(options.replay);
    if (operate::is_node_recording(options.replay))
      return view::play_of(trace_of_recording(in, options.replay, algorithms), {options.replay, 1});
    return view::play_of(observe::read_trace(in, options.replay), {options.replay, 1});
  }
  if (!given.file.empty()) return {load(given), 0, nullptr};
  return {changed(first_scenario(), given), 0, nullptr};
}

int view_run(const ViewOptions& options, const CommandContext& context) {
  if (const std::string& at = options.server.address; at == "0.0.0.0" || at == "::")
    throw core::Problem(
        "--address", {},
        at + " stands for all addresses; name the one that browsers will open (`ip address` "
             "lists this machine's)");
  view::Play first = first_play(options, context.algorithms);
  const core::Algorithm& algorithm = find_algorithm(context, first.scenario);
  if (!first.trace && !first.live) sim::Validator().check(algorithm, first.scenario);
  std::signal(SIGCHLD, SIG_IGN);  // runners end when their page does
  boost::asio::io_context io(1);
  view::ServerState server_state{context.algorithms, std::move(first), BELLWETHER_VERSION};
  view::Server server(io, std::move(server_state), options.server);
  std::cout << server.url() << std::endl;
  std::cerr << "open this address in a browser; Ctrl-C ends the program\n";
  if (!options.no_browser) open_browser(server.url());
  boost::asio::signal_set signals(io, SIGINT, SIGTERM);
  signals.async_wait([&](const auto&, int) { io.stop(); });
  server.start();
  io.run();
  return 0;
}

}  // namespace

void add_view(terminal::Command& app, const CommandContext& context, int& status) {
  auto* sub = app.add_subcommand("view", "Watch a run in the browser, and disturb it by hand.");
  auto options = std::make_shared<ViewOptions>();
  add_scenario_options(*sub, options->scenario, false);
  sub->add_option("-a,--algorithm", options->scenario.algorithm,
                  "Use this algorithm: a name (`bellwether list`), or a source file (FILE.cpp). "
                  "Default: the scenario's.");
  auto* replay =
      sub->add_option(
             "--replay", options->replay,
             "Show a recording: a file of `run --trace`, `check --trace` or `node --record`.")
          ->type_name("FILE");
  auto* live =
      sub->add_option("--live", options->live_at,
                      "Watch a live group of daemons, read-only: the socket or ADDRESS:PORT of "
                      "a node; may be repeated. Default: this machine's daemon.");
  live->type_name("ADDRESS")->expected(0, 1)->take_all();
  live->excludes(replay);
  sub->add_option("--address", options->server.address,
                  "Listen on this IP address of this machine; only loopback is private.")
      ->capture_default_str();
  sub->add_option("--port", options->server.port,
                  "Listen on this TCP port, 0 to 65535; 0 chooses a free one.")
      ->range(0, 65535)
      ->capture_default_str();
  sub->add_option("--token", options->server.token,
                  "Require this token of a browser. Default: a random one, part of the printed "
                  "address.");
  sub->add_flag("--no-browser", options->no_browser,
                "Print the address, and do not open a browser.");
  sub->footer(footer);
  sub->callback([options, live, &context, &status] {
    options->live = live->count() > 0;
    std::erase(options->live_at, "");
    status = view_run(*options, context);
  });
}

}  // namespace bellwether::cli
