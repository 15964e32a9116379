// SPDX-License-Identifier: MIT
#include "bellwether/deploy/program.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "bellwether/core/nearest.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/deploy/command_line.hpp"

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

/// CLI11 knows nothing of near misses among commands.
void refuse_unknown_command(int argc, const char* const* argv, const CLI::App& app) {
  if (argc < 2) return;
  const std::string_view first = argv[1];
  if (first == "-h" || first == "--help" || first == "--version") return;
  if (first.starts_with("-")) {
    const std::vector<std::string> own{"--help", "--version"};
    const auto near = core::nearest(first, own);
    throw BadInput(std::string(first) + (near ? ": did you mean " + *near + "?"
                                              : ": a command comes first; see bellwether --help"));
  }
  std::vector<std::string> known;
  for (const CLI::App* sub : app.get_subcommands({})) known.push_back(sub->get_name());
  if (std::find(known.begin(), known.end(), argv[1]) == known.end())
    throw BadInput(core::unknown_name("command", argv[1], known));
}

/// What the library says of a command line, in our words: place first, with the nearest name.
std::string sentence_of(const CLI::ParseError& error, const CLI::App& app) {
  const CLI::App* sub = app.get_subcommands().empty() ? &app : app.get_subcommands().back();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::vector<std::string> left = app.remaining(true);
    const auto flag = std::find_if(left.begin(), left.end(),
                                   [](const std::string& each) { return each.starts_with("-"); });
    if (flag == left.end())
      return fmt::format("\"{}\" is more than {} takes", left.empty() ? "" : left.front(),
                         sub->get_name());
    std::vector<std::string> known;
    for (const CLI::Option* option : sub->get_options())
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    const std::string word = flag->substr(0, flag->find('='));
    const auto near = core::nearest(word, known);
    return fmt::format("{}: {} has no such flag{}", word, sub->get_name(),
                       near ? "; did you mean " + *near + "?" : "");
  }
  const std::string said = error.what();
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) {
    constexpr std::string_view begin = "Could not convert: ";
    const std::size_t equals = said.find(" = ");
    if (said.starts_with(begin) && equals != said.npos)
      return fmt::format("{}: \"{}\" is not a number",
                         said.substr(begin.size(), equals - begin.size()), said.substr(equals + 3));
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr &&
      said.find("required") != said.npos)
    return said.substr(0, said.find(':')) + ": its value is missing";
  return said;
}

int show_help(const CLI::App& app) {
  std::fputs(in_own_name(app.help(), app).c_str(), stdout);
  return 0;
}

int parse_and_run(int argc, const char* const* argv, CLI::App& app, const int& status) {
  if (argc < 2) return show_help(app);
  refuse_unknown_command(argc, argv, app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return show_help(app);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --version
    std::string hint = app.get_name() + " --help";
    for (const CLI::App* sub : app.get_subcommands())
      hint = app.get_name() + " " + sub->get_name() + " --help";
    return complain(sentence_of(error, app) + " (see " + hint + ")");
  }
  return status;
}

}  // namespace

int run_program(int argc, const char* const* argv, const ProgramText& text,
                const AddCommands& add_commands) {
  CLI::App app{text.about, program_name(argc > 0 ? argv[0] : nullptr)};
  app.footer(text.examples);
  app.set_version_flag("--version", std::string("bellwether " BELLWETHER_VERSION));
  app.require_subcommand(1);
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

}  // namespace bellwether::deploy
