// SPDX-License-Identifier: MIT
#include "bellwether/deploy/program.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "bellwether/core/nearest.hpp"

#ifndef BELLWETHER_VERSION
#define BELLWETHER_VERSION "unknown"
#endif

namespace bellwether::deploy {
namespace {

/// One line, whatever somebody's input has brought into the sentence.
int complain(std::string sentence) {
  for (char& c : sentence)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  std::fprintf(stderr, "bellwether: %s\n", sentence.c_str());
  return 2;
}

/// As the program was called: somebody's own has a name of its own.
std::string called(int argc, const char* const* argv) {
  const std::string name = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "";
  return name.empty() ? "bellwether" : name;
}

/// CLI11 knows nothing of near misses among commands.
void refuse_unknown_command(int argc, const char* const* argv, const CLI::App& app) {
  if (argc < 2) return;
  const std::string_view first = argv[1];
  if (first == "-h" || first == "--help" || first == "--version") return;
  if (first.starts_with("-"))
    throw BadInput(std::string(first) + ": a command comes first; see bellwether --help");
  std::vector<std::string> known;
  for (const CLI::App* sub : app.get_subcommands({})) known.push_back(sub->get_name());
  if (std::find(known.begin(), known.end(), argv[1]) == known.end())
    throw BadInput(core::unknown_name("command", argv[1], known));
}

int parse_and_run(int argc, const char* const* argv, const ProgramText& text,
                  const AddCommands& add_commands) {
  CLI::App app{text.about, called(argc, argv)};
  app.footer(text.examples);
  app.set_version_flag("--version", std::string("bellwether " BELLWETHER_VERSION));
  app.require_subcommand(1);
  int status = 0;
  add_commands(app, status);
  if (argc < 2) {
    std::fputs(app.help().c_str(), stdout);
    return 0;
  }
  refuse_unknown_command(argc, argv, app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    std::string hint = app.get_name() + " --help";
    for (const CLI::App* sub : app.get_subcommands())
      hint = app.get_name() + " " + sub->get_name() + " --help";
    return complain(std::string(error.what()) + " (see " + hint + ")");
  }
  return status;
}

}  // namespace

int run_program(int argc, const char* const* argv, const ProgramText& text,
                const AddCommands& add_commands) {
  try {
    const int status = parse_and_run(argc, argv, text, add_commands);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      return complain("standard output cannot be written; is the disk full?");
    return status;
  } catch (const std::invalid_argument& error) {
    return complain(error.what());
  } catch (const std::bad_alloc&) {
    return complain("there is not enough memory for this; make the network smaller");
  } catch (const std::runtime_error& error) {
    return complain(error.what());
  }
}

}  // namespace bellwether::deploy
