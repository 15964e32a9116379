// SPDX-License-Identifier: MIT
#include "bellwether/terminal/plugin.hpp"

#include <cxxabi.h>
#include <dlfcn.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>

#include "bellwether/core/plugin.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/terminal/compile.hpp"
#include "bellwether/terminal/complain.hpp"
#include "bellwether/terminal/crash.hpp"

namespace bellwether::terminal {
namespace {

using core::Problem;

/// What the loader says, with names as they were written.
std::string loader_error() {
  const char* said = dlerror();
  const std::string text = said ? said : "no reason given";
  const std::size_t at = text.rfind("_Z");
  if (at == text.npos) return text;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(text.c_str() + at, nullptr, nullptr, &status), std::free);
  return status == 0 ? text.substr(0, at) + name.get() : text;
}

core::Algorithm load_library(const std::string& library, const std::string& file) {
  // It stays for good: the catalogue points into it.
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    throw Problem(
        file, {},
        "cannot be loaded: " + loader_error() + "; is everything defined that it declares?");
  using Entry = const core::Plugin* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(handle, "bellwether_plugin"));
  if (!entry)
    throw Problem(file, {},
                  "says nowhere which class is the election; end it with: extern \"C\" auto "
                  "bellwether_plugin() { return bellwether::core::plugin<MyElection>(); }");
  const core::Plugin& plugin = *entry();
  if (plugin.version != core::host_version)
    throw Problem(file, {},
                  "is a plug-in for version " + std::to_string(plugin.version) +
                      " of the host interface, and this program has version " +
                      std::to_string(core::host_version) +
                      "; compile it with the headers of this program");
  return plugin.algorithm();
}

std::string& loaded() {
  static std::string text;
  return text;
}

core::Algorithm load(const std::string& file) {
  std::error_code error;
  const bool compiled = file.ends_with(".cpp");
  if (!compiled && !std::filesystem::exists(file, error))
    throw Problem(file, {}, "there is no such file");
  const Compiled made = compiled
                            ? compile_plugin(file)
                            : Compiled{std::filesystem::absolute(file), digest_of_file(file), {}};
  core::Algorithm out = load_library(made.library.string(), file);
  if (!made.temporary.empty()) std::filesystem::remove_all(made.temporary, error);
  loaded() += " with " + std::string(out.name) + ' ' + made.digest.substr(0, 12);
  return out;
}

/// Reads the words of one command line.
class Loader {
 public:
  explicit Loader(catalogue::Algorithms algorithms) { out_.algorithms = std::move(algorithms); }

  const CommandWords& words() const { return out_; }

  void read(int argc, const char* const* argv) {
    const std::vector<std::string_view> words(argv, argv + argc);
    const std::string_view command = argc > 1 ? words[1] : "";
    const bool recorded =
        command == "replay" || std::find(words.begin(), words.end(), "--replay") != words.end();
    const bool positional = command == "check" || command == "describe";
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == "--") {
        out_.arguments.insert(out_.arguments.end(), argv + i, argv + argc);
        break;
      }
      const bool flag = words[i] == "--algorithm" || words[i] == "-a";
      std::string_view value = flag && i + 1 < words.size() ? words[i + 1] : "";
      if (words[i].starts_with("--algorithm=")) value = words[i].substr(words[i].find('=') + 1);
      if (i > 1 && positional && !words[i].starts_with('-')) value = words[i];
      if (i < 2 || !is_plugin_file(value)) {
        out_.arguments.push_back(argv[i]);
        continue;
      }
      if (flag) ++i;
      const char* name = name_of(std::string(value));
      if (recorded) continue;
      if (!positional || flag) out_.arguments.push_back("--algorithm");
      out_.arguments.push_back(name);
    }
  }

 private:
  /// The election in a file, which is loaded once.
  const char* name_of(const std::string& file) {
    if (const auto known = names_.find(file); known != names_.end()) return known->second.c_str();
    core::Algorithm algorithm = load(file);
    if (algorithm.name.empty() || algorithm.name.starts_with('-'))
      throw Problem(file, {},
                    "its election has no name that can be typed; write name = \"my-election\"");
    if (catalogue::find(out_.algorithms, algorithm.name))
      throw Problem(file, {},
                    "there is an algorithm " + std::string(algorithm.name) +
                        " already; give yours another name");
    const auto known = names_.emplace(file, algorithm.name).first;
    report_crashes_of(known->second, known->first);
    out_.algorithms.push_back(std::move(algorithm));
    return known->second.c_str();
  }

  CommandWords out_;
  std::map<std::string, std::string> names_;
};

}  // namespace

bool is_plugin_file(std::string_view word) {
  return word.ends_with(".cpp") || word.ends_with(".so");
}

const std::string& loaded_plugins() {
  return loaded();
}

int with_plugins(int argc, const char* const* argv, catalogue::Algorithms algorithms,
                 const std::function<int(const CommandWords&)>& call) {
  static std::deque<Loader> loaders;  // a crash may come as late as in a destructor
  Loader& loader = loaders.emplace_back(std::move(algorithms));
  try {
    loader.read(argc, argv);
  } catch (const Problem& problem) {
    return complain(problem.what());
  }
  return call(loader.words());
}

}  // namespace bellwether::terminal
