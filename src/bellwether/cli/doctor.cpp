// SPDX-License-Identifier: MIT
// bellwether doctor: what the commands of the large program need of a machine. What a node needs is
// in operate/doctor.cpp.
#include "bellwether/operate/doctor.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "bellwether/cli/commands.hpp"
#include "bellwether/embedded/files.hpp"
#include "bellwether/experiment/sweep.hpp"

namespace bellwether::cli {
namespace {

namespace fs = std::filesystem;
using operate::Diagnoses;
using operate::Diagnosis;
using Severity = Diagnosis::Severity;

fs::path folder_of_program() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

/// Where a program is: beside this one, or in the path.
std::string found_program(const std::string& name) {
  const fs::path beside = folder_of_program() / name;
  return access(beside.c_str(), X_OK) == 0 ? beside.string() : operate::in_path(name);
}

Diagnosis program(const char* part, const char* name, const char* what, const char* cure) {
  const std::string path = found_program(name);
  if (!path.empty()) return {Severity::good, part, what, path, ""};
  return {Severity::note, part, what, std::string(name) + " is not installed", cure};
}

Diagnosis page() {
  const auto files = embedded::files();
  if (std::any_of(files.begin(), files.end(), [](const auto& f) { return f.name == "app.js"; }))
    return {Severity::good, "view", "page", "part of this program", ""};
  return {Severity::missing, "view", "page",
          "missing: npm was not installed when this program was built",
          "apt-get install nodejs npm, and build again"};
}

Diagnosis browser() {
  for (const char* name : {"xdg-open", "firefox", "chromium", "google-chrome"})
    if (const std::string path = operate::in_path(name); !path.empty())
      return {Severity::good, "view", "browser", path, ""};
  return {
      Severity::note, "view", "browser", "none found",
      "open the address that bellwether view prints elsewhere, or: apt-get install firefox-esr"};
}

Diagnosis mpi() {
  if (!experiment::has_mpi())
    return {Severity::note, "sweep", "several machines", "this program was built without MPI",
            "apt-get install libopenmpi-dev, and build again"};
  const std::string path = operate::in_path("mpirun");
  if (!path.empty()) return {Severity::good, "sweep", "several machines", path, ""};
  return {Severity::note, "sweep", "several machines", "mpirun is not installed",
          "apt-get install openmpi-bin"};
}

/// The package of CMake: below the prefix that this program is in, or in the system's.
Diagnosis library() {
  for (const fs::path& prefix :
       {folder_of_program().parent_path(), fs::path("/usr"), fs::path("/usr/local")})
    for (const char* lib : {"lib", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"})
      if (const auto file = prefix / lib / "cmake/bellwether/bellwether-config.cmake";
          fs::exists(file))
        return {Severity::good, "own elections", "library", file.parent_path().string(), ""};
  return {Severity::note, "own elections", "library", "its headers are not installed",
          "from the sources: make deb, then apt-get install ./build-deb/packages/lib*.deb"};
}

bool python_has(const std::string& module) {
  const std::string command =
      "/usr/bin/python3 -c 'import " + module + "' >/dev/null 2>&1 </dev/null";
  const int status = std::system(command.c_str());
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

Diagnosis python(const char* module, const char* cure) {
  if (python_has(module)) return {Severity::good, "python", module, "installed", ""};
  return {Severity::note, "python", module, "not installed", cure};
}

Diagnoses examine(const CommandContext& context) {
  Diagnoses out{{Severity::good, "run, check, compare", "elections",
                 std::to_string(context.algorithms.size()) + " are part of this program", ""}};
  out.push_back(mpi());
  out.push_back(program("802.11n (--engine ns3)", "bellwether-ns3", "ns-3",
                        "from the sources: apt-get install libns3-dev, then make"));
  out.push_back(page());
  out.push_back(browser());
  out.push_back(program("own elections", "g++", "compiler", "apt-get install g++"));
  out.push_back(program("own elections", "cmake", "cmake", "apt-get install cmake"));
  out.push_back(library());
  out.push_back(
      python("bellwether",
             "from the sources: make deb, then apt-get install ./build-deb/packages/python3*.deb"));
  out.push_back(python("pandas", "apt-get install python3-pandas"));
  out.push_back(python("networkx", "apt-get install python3-networkx"));
  out.push_back(program("node", "bellwether-node", "small program",
                        "from the sources: make (optional: bellwether node works without it)"));
  return out;
}

}  // namespace

void add_doctor(terminal::Command& app, const CommandContext& context, int& status) {
  operate::add_doctor(
      app, [&context] { return examine(context); }, status);
}

}  // namespace bellwether::cli
