// SPDX-License-Identifier: MIT
// bellwether new: a project with an election of one's own, made from examples/my-election, which is
// a part of the program.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>

#include "bellwether/cli/commands.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/embedded/files.hpp"
#include "bellwether/terminal/command_line.hpp"

namespace bellwether::cli {
namespace {

namespace fs = std::filesystem;
using terminal::replaced;

constexpr std::string_view model = "examples/my-election/";

constexpr const char* footer =
    R"(Write NAME in lower case with hyphens, as the names of the algorithms: ring-of-trust. The
project is a folder of that name: one file with an election that works, scenarios, an experiment, a
CMakeLists.txt and a README. Then:
  cd NAME && cmake -B build && cmake --build build
  build/NAME run scenario.toml
CMake must find the library of bellwether: the package libbellwether-dev (`make deb` makes it), or
what `cmake --install build --prefix P` has put under P, with -DCMAKE_PREFIX_PATH=P, or a build
tree B, with -Dbellwether_DIR=B.
docs/tutorial/own-algorithm.md explains the file.
Exit status: 0 written; 2 bad input, and nothing is left behind.)";

/// "ring-of-trust" as a file ("ring_of_trust") and as a class ("RingOfTrust").
std::string as_file(const std::string& name) {
  return replaced(name, "-", "_");
}
std::string as_class(const std::string& name) {
  std::string out;
  bool up = true;
  for (const char c : name) {
    if (c != '-') out += up ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    up = c == '-';
  }
  return out;
}

void require_name(const std::string& name, const CommandContext& context) {
  const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const bool good = !name.empty() && letter(name.front()) && name.back() != '-' &&
                    name.size() <= 60 && name.find("--") == name.npos &&
                    std::all_of(name.begin(), name.end(), [&](char c) {
                      return letter(c) || c == '-' || (c >= '0' && c <= '9');
                    });
  if (!good)
    throw core::Problem("new", {},
                        "a name must consist of small letters, digits and single hyphens, such as "
                        "ring-of-trust, not \"" +
                            name + "\"");
  // Targets of CMake's own, and a class that the file has besides.
  constexpr std::array taken{"all", "best", "clean", "edit", "help", "install", "package", "test"};
  if (std::find(taken.begin(), taken.end(), name) != taken.end())
    throw core::Problem(
        "new", {},
        "a project called " + name +
            " could not be built, since CMake or a file of it has that name; choose another name");
  for (const core::Algorithm& entry : context.algorithms)
    if (entry.name == name)
      throw core::Problem("new", {},
                          "there is an algorithm " + name + " already; choose another name");
}

/// All files of the model, in the words of the new one. Nothing is left behind if one of them
/// cannot be written.
void write_project(const fs::path& folder, const std::string& name) {
  std::error_code error;
  if (fs::exists(folder, error))
    throw core::Problem(folder.string(), {}, "exists already; choose another name, or remove it");
  if (!fs::create_directory(folder, error))
    throw core::Problem(
        folder.string(), {},
        "cannot be created: " + error.message() + "; go to a folder that you may write to");
  try {
    for (const embedded::File& file : embedded::files()) {
      if (!file.name.starts_with(model)) continue;
      std::string_view content = file.content;
      if (content.substr(0, content.find('\n')).ends_with("SPDX-License-Identifier: MIT"))
        content.remove_prefix(content.find('\n') + 1);  // ours; the new one is theirs
      const auto renamed = [&](std::string_view text) {
        return replaced(replaced(replaced(std::string(text), "my-election", name), "my_election",
                                 as_file(name)),
                        "MyElection", as_class(name));
      };
      write_file((folder / renamed(file.name.substr(model.size()))).string(), renamed(content));
    }
  } catch (...) {
    fs::remove_all(folder, error);
    throw;
  }
}

/// If this program is in a build tree, a flag makes CMake take the library from there.
std::string build_tree_flag() {
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  const bool in_build_tree = !error && fs::exists(here / "bellwether-targets.cmake", error);
  return in_build_tree ? " -Dbellwether_DIR=" + here.string() : "";
}

}  // namespace

void add_new(terminal::Command& app, const CommandContext& context, int& status) {
  terminal::Command* sub =
      app.add_subcommand("new", "Write a project with an election of your own");
  const auto name = std::make_shared<std::string>();
  sub->add_option(
         "name", *name,
         "Name the election, such as ring-of-trust: lower-case letters, digits and hyphens")
      ->required();
  sub->footer(footer);
  sub->callback([name, &context, &status] {
    require_name(*name, context);
    write_project(*name, *name);
    const std::string flag = build_tree_flag();
    std::printf(
        "%s is written. Next:\n"
        "  cd %s && cmake -B build%s && cmake --build build\n"
        "  build/%s run scenario.toml\n",
        name->c_str(), name->c_str(), flag.c_str(), name->c_str());
    if (flag.empty())
      std::printf(
          "CMake must find the library: %s doctor says whether it is here, and how to get it.\n",
          own_name(context).c_str());
    status = 0;
  });
}

}  // namespace bellwether::cli
