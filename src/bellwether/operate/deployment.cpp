// SPDX-License-Identifier: MIT
#include "bellwether/operate/deployment.hpp"

#include "bellwether/node/engine.hpp"
#include "bellwether/operate/doctor.hpp"
#include "bellwether/operate/lock.hpp"
#include "bellwether/operate/node.hpp"
#include "bellwether/operate/replay_node.hpp"
#include "bellwether/operate/talk.hpp"
#include "bellwether/terminal/command.hpp"
#include "bellwether/terminal/completion.hpp"
#include "bellwether/terminal/document.hpp"
#include "bellwether/terminal/plugin.hpp"
#include "bellwether/terminal/program.hpp"

namespace bellwether::operate {
namespace {

constexpr const char* description =
    "Bellwether elects leaders in networks that move. This program runs a node on this machine, "
    "and "
    "asks\nit who leads. The program `bellwether` has these commands, too, and simulates, checks "
    "and "
    "compares.";

constexpr const char* examples = R"(Examples:
  bellwether keygen group.key                    a key for the group; copy it to every node
  bellwether node --key group.key                a node on this machine
  bellwether leader                              who leads?
  bellwether watch                               tell me when that changes
  bellwether lock -- ./only-on-the-leader        run it here while this node leads

Every command explains itself: bellwether COMMAND --help
Exit status: 0 done, 2 bad input.)";

}  // namespace

void add_deployment(terminal::Command& app, const catalogue::Algorithms& algorithms, int& status) {
  add_node(app, algorithms, status);
  add_talk(app, status);
  add_lock(app, status);
  add_replay(app, algorithms, status);
}

int node_main(int argc, const char* const* argv, const catalogue::Algorithms& algorithms) {
  return terminal::with_plugins(argc, argv, algorithms, [](const terminal::CommandWords& typed) {
    const int count = static_cast<int>(typed.arguments.size());
    return terminal::run_program(count, typed.arguments.data(), {description, examples},
                                 [&](terminal::Command& app, int& status) {
                                   add_deployment(app, typed.algorithms, status);
                                   terminal::CompletionWords words{
                                       {"document", {"man", "markdown"}},
                                       {"--algorithm", node::suitable_names(typed.algorithms)}};
                                   add_doctor(app, {}, status);
                                   terminal::add_document(app, status);
                                   terminal::add_completion(app, std::move(words), status);
                                 });
  });
}

}  // namespace bellwether::operate
