// SPDX-License-Identifier: MIT
#include "bellwether/terminal/program.hpp"

#include <algorithm>
#include <cstdio>

#include "bellwether/core/nearest.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/terminal/command.hpp"
#include "bellwether/terminal/command_line.hpp"
#include "bellwether/terminal/complain.hpp"

#ifndef BELLWETHER_VERSION
#define BELLWETHER_VERSION "unknown"
#endif

namespace bellwether::terminal {
namespace {

constexpr const char* version = "bellwether " BELLWETHER_VERSION;

/// CLI11 knows nothing of near misses among commands.
void refuse_unknown_command(int argc, const char* const* argv, const Command& app) {
  if (argc < 2) return;
  const std::string_view first = argv[1];
  if (first == "-h" || first == "--help" || first == "--version") return;
  if (first.starts_with("-")) {
    const std::vector<std::string> own{"--help", "--version"};
    const auto near = core::nearest(first, own);
    throw core::Problem(
        std::string(first), {},
        (near ? "did you mean " + *near + "?" : "a command comes first; see bellwether --help"));
  }
  std::vector<std::string> known;
  for (const Command* sub : app.commands()) known.push_back(sub->get_name());
  if (std::find(known.begin(), known.end(), argv[1]) == known.end())
    throw core::Problem(core::unknown_name("command", argv[1], known));
}

int show_help(const Command& app) {
  std::fputs(in_own_name(app.help(), app).c_str(), stdout);
  return 0;
}

int parse_and_run(int argc, const char* const* argv, Command& app, const int& status) {
  if (argc < 2) return show_help(app);
  refuse_unknown_command(argc, argv, app);
  switch (app.parse(argc, argv)) {
    case Command::Parsed::help:
      return show_help(app);
    case Command::Parsed::version:
      std::puts(version);
      return 0;
    case Command::Parsed::called:
      break;
  }
  return status;
}

}  // namespace

int complain(std::string sentence) {
  for (char& c : sentence)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  std::fprintf(stderr, "bellwether: %s\n", sentence.c_str());
  return 2;
}

int run_program(int argc, const char* const* argv, const ProgramText& text,
                const AddCommands& add_commands) {
  Command app{text.description, program_name(argc > 0 ? argv[0] : nullptr)};
  app.footer(text.examples);
  app.set_version_flag("--version", version);
  int status = 0;
  const auto sentence = [&](const std::exception& error) { return in_own_name(error.what(), app); };
  // `help`, and `help COMMAND`, as in other programs.
  std::vector<const char*> words(argv, argv + argc);
  if (argc > 1 && std::string_view(argv[1]) == "help") {
    words.erase(words.begin() + 1);
    words.resize(std::min<std::size_t>(words.size(), 2));
    words.push_back("--help");
  }
  try {
    add_commands(app, status);
    const int left = parse_and_run(static_cast<int>(words.size()), words.data(), app, status);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      return complain("standard output cannot be written; is the disk full?");
    return left;
  } catch (const core::Problem& problem) {
    return complain(sentence(problem));
  } catch (const std::invalid_argument& error) {
    return complain(sentence(error));
  } catch (const std::bad_alloc&) {
    return complain("there is not enough memory for this; make the network smaller");
  } catch (const std::runtime_error& error) {
    return complain(sentence(error));
  }
}

}  // namespace bellwether::terminal
