// SPDX-License-Identifier: MIT
#include "bellwether/deploy/deployment.hpp"

#include "bellwether/deploy/command.hpp"
#include "bellwether/deploy/completion.hpp"
#include "bellwether/deploy/doctor.hpp"
#include "bellwether/deploy/document.hpp"
#include "bellwether/deploy/lock.hpp"
#include "bellwether/deploy/node.hpp"
#include "bellwether/deploy/plugin.hpp"
#include "bellwether/deploy/program.hpp"
#include "bellwether/deploy/replay_node.hpp"
#include "bellwether/deploy/talk.hpp"
#include "bellwether/node/engine.hpp"

namespace bellwether::deploy {
namespace {

constexpr const char* about =
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

void add_deployment(Command& app, const catalogue::Algorithms& algorithms, int& status) {
  add_node(app, algorithms, status);
  add_talk(app, status);
  add_lock(app, status);
  add_replay(app, algorithms, status);
}

int node_main(int argc, const char* const* argv, const catalogue::Algorithms& algorithms) {
  return with_plugins(argc, argv, algorithms, [](const CommandWords& typed) {
    const int count = static_cast<int>(typed.arguments.size());
    return run_program(
        count, typed.arguments.data(), {about, examples}, [&](Command& app, int& status) {
          add_deployment(app, typed.algorithms, status);
          Words words{{"document", {"man", "markdown"}},
                      {"--algorithm", node::suitable_names(typed.algorithms)}};
          add_doctor(app, {}, status);
          add_document(app, status);
          add_completion(app, std::move(words), status);
        });
  });
}

}  // namespace bellwether::deploy
