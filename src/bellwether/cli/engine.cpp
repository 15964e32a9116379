// SPDX-License-Identifier: MIT
#include "bellwether/cli/engine.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "bellwether/cli/commands.hpp"
#include "bellwether/core/nearest.hpp"
#include "bellwether/core/problem.hpp"

namespace bellwether::cli {
namespace {

constexpr const char* ns3 = "ns3";
constexpr const char* both = "both";
constexpr const char* program = "bellwether-ns3";

/// Comes back only where there is no such program, and then with a sentence.
[[noreturn]] MediumChoice handed_over(const std::string& wanted, const CommandContext& context) {
  std::vector<char*> words;
  for (const char* word : context.arguments) words.push_back(const_cast<char*>(word));
  words.push_back(nullptr);
  std::error_code error;
  const auto here = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) execv((here.parent_path() / program).c_str(), words.data());
  execvp(program, words.data());
  throw core::Problem("--engine " + wanted, {},
                      std::string("the program ") + program +
                          " is not installed; install ns-3 (Debian: libns3-dev) and build again");
}

[[noreturn]] void refuse_unknown(const std::string& wanted, const std::vector<std::string>& known) {
  throw core::Problem("--engine", {}, core::unknown_name("engine", wanted, known));
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = write(fd, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

std::string read_all(int fd) {
  std::string out;
  char buffer[4096];
  for (;;) {
    const ssize_t got = read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return out;
    out.append(buffer, static_cast<std::size_t>(got));
  }
}

// What a process says: one letter, then the rest.
constexpr char row_mark = 'r', nothing_mark = 'n', error_mark = 'e';

std::string said_of(const std::function<std::optional<experiment::Row>()>& make) {
  try {
    const auto row = make();
    return row ? row_mark + experiment::pack(*row) : std::string(1, nothing_mark);
  } catch (const std::exception& error) {
    return error_mark + std::string(error.what());
  }
}

}  // namespace

void add_engine_option(terminal::Command& sub, std::string& engine, const std::string& more) {
  sub.add_option("--engine", engine,
                 "Select the simulator backend: fast (built in; default) or ns3 (802.11n of ns-3; "
                 "needs bellwether-ns3)" +
                     more);
}

MediumChoice chosen_engine(const std::string& wanted, const CommandContext& context) {
  if (wanted.empty() || wanted == context.engine.name) return context.engine;
  if (wanted == MediumChoice{}.name) return {};
  if (wanted != ns3) refuse_unknown(wanted, {MediumChoice{}.name, ns3});
  return handed_over(wanted, context);
}

std::vector<MediumChoice> chosen_engines(const std::string& wanted, const CommandContext& context) {
  const std::vector<std::string> known{MediumChoice{}.name, ns3, both};
  if (!wanted.empty() && std::find(known.begin(), known.end(), wanted) == known.end())
    refuse_unknown(wanted, known);
  if (wanted != both) return {chosen_engine(wanted, context)};
  return {MediumChoice{},
          context.engine.name == ns3 ? context.engine : handed_over(wanted, context)};
}

bool carries(const MediumChoice& engine, const scenario::Scenario& scenario) {
  return !engine.make_medium ||
         (scenario::moves(scenario) && scenario.radio.model == world::RadioModel::csma);
}

void require_carried(const scenario::Scenario& scenario, const MediumChoice& engine) {
  if (carries(engine, scenario)) return;
  throw scenario::problem_at(
      scenario, "radio.model",
      "--engine " + engine.name +
          " is a shared medium among nodes with positions; write [mobility] model = ..., "
          "[radio] model = \"csma\" and [neighbours] detect = \"probes\", or use --engine fast");
}

std::string suffix_of(const MediumChoice& engine) {
  return engine.make_medium ? "-" + engine.name : "";
}

std::optional<experiment::Row> in_own_process(
    const std::function<std::optional<experiment::Row>()>& make) {
  int ends[2];
  if (pipe(ends) != 0) throw core::Problem("no more pipes; make fewer runs at once (--jobs)");
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    _exit(write_all(ends[1], said_of(make)) ? 0 : 1);
  }
  close(ends[1]);
  const std::string said = child > 0 ? read_all(ends[0]) : "";
  close(ends[0]);
  if (child < 0) throw core::Problem("no more processes; make fewer runs at once (--jobs)");
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (said.empty())
    throw core::Problem("the process of a run has died" +
                        (WIFSIGNALED(status) ? " (signal " + std::to_string(WTERMSIG(status)) + ")"
                                             : std::string{}));
  const std::string rest = said.substr(1);
  if (said.front() == error_mark) throw core::Problem(rest);
  if (said.front() == nothing_mark) return std::nullopt;
  return experiment::unpack(rest);
}

}  // namespace bellwether::cli
