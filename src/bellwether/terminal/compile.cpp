// SPDX-License-Identifier: MIT
#include "bellwether/terminal/compile.hpp"

#include <fcntl.h>
#include <sodium.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

#include "bellwether/core/plugin.hpp"
#include "bellwether/core/problem.hpp"

#ifndef BELLWETHER_VERSION
#define BELLWETHER_VERSION "unknown"
#endif

namespace bellwether::terminal {
namespace {

namespace fs = std::filesystem;
using core::Problem;
using Texts = std::vector<std::string>;

std::optional<std::string> content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  if (!in || !(out << in.rdbuf())) return std::nullopt;
  return out.str();
}

/// A name for all of these texts, and for no others.
std::string digest_of(const Texts& texts) {
  crypto_generichash_state state;
  crypto_generichash_init(&state, nullptr, 0, 16);
  for (const std::string& text : texts) {
    const std::string framed = std::to_string(text.size()) + ' ' + text;
    crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(framed.data()),
                              framed.size());
  }
  unsigned char bytes[16];
  crypto_generichash_final(&state, bytes, sizeof bytes);
  char hex[2 * sizeof bytes + 1];
  return sodium_bin2hex(hex, sizeof hex, bytes, sizeof bytes);
}

/// Where a shell would find it.
std::optional<fs::path> program_in_path(const std::string& name) {
  const auto runs = [](const fs::path& path) { return access(path.c_str(), X_OK) == 0; };
  if (name.find('/') != name.npos) return runs(name) ? std::optional<fs::path>(name) : std::nullopt;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path here = fs::path(folder.empty() ? "." : folder) / name; runs(here))
      return here;
  return std::nullopt;
}

/// A compiler and the flags that $CXX may bring.
Texts find_compiler(const std::string& file) {
  const char* given = std::getenv("CXX");
  std::istringstream in(given ? given : "");
  Texts words{std::istream_iterator<std::string>(in), {}};
  if (!words.empty()) {
    const auto path = program_in_path(words[0]);
    if (!path)
      throw Problem("CXX", {},
                    "there is no program " + words[0] + "; set CXX to a C++ compiler, or unset it");
    words[0] = path->string();
    return words;
  }
  for (const char* name : {"c++", "g++", "clang++"})
    if (const auto path = program_in_path(name)) return {path->string()};
  throw Problem(file, {},
                "there is no C++ compiler on this machine to compile it; install g++, or "
                "set CXX to a compiler");
}

/// Another compiler of the same name is another compiler.
std::string identity_of(const std::string& program) {
  std::error_code error;
  const fs::path path = fs::canonical(program, error);
  const auto size = fs::file_size(path, error);
  const auto changed = fs::last_write_time(path, error).time_since_epoch().count();
  return path.string() + ' ' + std::to_string(size) + ' ' + std::to_string(changed);
}

/// The headers of this program: beside it in a build tree, or where its package has them.
fs::path include_folder(const std::string& file) {
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& folder : {here / "include", here.parent_path() / "include"})
    if (fs::exists(folder / "bellwether/core/plugin.hpp", error)) return folder;
  throw Problem(file, {},
                "the headers of bellwether, which it includes, are not on this machine; "
                "install libbellwether-dev");
}

struct CompilerOutput {
  int status;
  std::string errors;
};

/// Runs a program without a shell; its words are English, so that they can be read here.
CompilerOutput run_quietly(const Texts& words) {
  std::vector<char*> arguments, environment;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  for (char** each = environ; *each; ++each)
    if (std::strncmp(*each, "LC_", 3) != 0 && std::strncmp(*each, "LANG", 4) != 0)
      environment.push_back(*each);
  environment.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {-1, std::strerror(errno)};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  pid_t child = 0;
  const int failed =
      posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  CompilerOutput out{-1, failed ? std::strerror(failed) : ""};
  char some[4096];
  for (ssize_t n; !failed && ((n = read(ends[0], some, sizeof some)) > 0 || errno == EINTR);) {
    if (n == 0) break;
    if (n > 0) out.errors.append(some, static_cast<std::size_t>(n));
  }
  close(ends[0]);
  while (!failed && waitpid(child, &out.status, 0) < 0 && errno == EINTR) continue;
  return out;
}

/// What a Makefile would need to know: the files that a source includes.
Texts files_in(const std::string& rule) {
  Texts out;
  std::istringstream in(rule);
  for (std::string word; in >> word;)
    if (word != "\\" && !word.ends_with(':')) out.push_back(word);
  return out;
}

/// A digest of the contents of files; none where one of them is gone.
std::optional<std::string> contents_digest(const std::string& key, const Texts& files) {
  Texts texts{key};
  for (const std::string& file : files) {
    const auto content = content_of(file);
    if (!content) return std::nullopt;
    texts.push_back(file);
    texts.push_back(*content);
  }
  return digest_of(texts);
}

/// Null where none can be written.
std::optional<fs::path> cache_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  if ((!cache || *cache != '/') && (!home || *home != '/')) return std::nullopt;
  const fs::path folder =
      (cache && *cache == '/' ? fs::path(cache) : fs::path(home) / ".cache") / "bellwether/plugins";
  std::error_code error;
  fs::create_directories(folder, error);
  return access(folder.c_str(), W_OK | X_OK) == 0 ? std::optional(folder) : std::nullopt;
}

/// The newest files stay: who tries a hundred versions of an election need not keep them all.
void prune(const fs::path& cache) {
  constexpr std::size_t most = 128;  // two for each version
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (const auto& entry : fs::directory_iterator(cache, error))
    files.emplace_back(entry.last_write_time(error), entry.path());
  if (files.size() <= most) return;
  std::sort(files.begin(), files.end());
  files.resize(files.size() - most);
  for (const auto& [used, path] : files) fs::remove(path, error);
}

/// In a build tree, a header that is newer than the program may say what the program does not know.
void check_headers(const std::string& file, const fs::path& include, const Texts& files) {
  std::error_code error;
  if (!fs::is_symlink(include / "bellwether", error)) return;  // installed
  const auto built = fs::last_write_time("/proc/self/exe", error);
  for (const std::string& header : files)
    if (header.starts_with(include.string()) && fs::last_write_time(header, error) > built)
      throw Problem(file, {},
                    "it includes " + header +
                        ", which is newer than this program; build the program again first");
}

fs::path temporary_folder(const std::string& file) {
  std::error_code error;
  std::string name = (fs::temp_directory_path(error) / "bellwether-XXXXXX").string();
  if (error || !mkdtemp(name.data()))
    throw Problem(file, {},
                  "no folder for what it is compiled into can be written; set "
                  "XDG_CACHE_HOME to one that can");
  return name;
}

/// Compiles into `out` and lists in `rule` what was included.
void compile(const std::string& file, Texts words, const fs::path& include, const fs::path& out,
             const fs::path& rule) {
  // Its own definitions go before those of the program, also where they have the same names.
  const Texts flags{
      "-std=c++20", "-O1", "-shared",     "-fPIC", "-Wl,-Bsymbolic", "-I" + include.string(),
      "-MMD",       "-MF", rule.string(), "-o",    out.string(),     file};
  words.insert(words.end(), flags.begin(), flags.end());
  const CompilerOutput said = run_quietly(words);
  if (said.status == 0) return;
  throw Problem(first_error(said.errors, file) + "; all that the compiler says: " + words[0] +
                " -std=c++20 -fsyntax-only -I" + include.string() + ' ' + file);
}

/// Where nothing can be kept.
Compiled compile_apart(const std::string& key, const std::string& file, const Texts& compiler,
                       const fs::path& include) {
  Compiled out{{}, {}, temporary_folder(file)};
  out.library = out.temporary / "plugin.so";
  const fs::path rule = out.temporary / "plugin.d";
  try {
    compile(file, compiler, include, out.library, rule);
    const Texts files = files_in(content_of(rule).value_or(""));
    check_headers(file, include, files);
    out.digest = contents_digest(key, files).value_or(key);
  } catch (const Problem&) {
    std::error_code error;
    fs::remove_all(out.temporary, error);
    throw;
  }
  return out;
}

/// What it includes is known from the last time; what these files contain decides.
Compiled compile_into(const fs::path& cache, const std::string& key, const std::string& file,
                      const Texts& compiler, const fs::path& include) {
  std::error_code error;
  const fs::path rule = cache / (key + ".d");
  const auto made_from = [&](const fs::path& of) -> std::optional<Compiled> {
    const Texts files = files_in(content_of(of).value_or(""));
    check_headers(file, include, files);
    const auto digest = contents_digest(key, files);
    if (!digest) return std::nullopt;
    return Compiled{cache / (*digest + ".so"), *digest, {}};
  };
  if (fs::exists(rule, error))
    if (const auto made = made_from(rule); made && fs::exists(made->library, error)) {
      for (const fs::path& used : {rule, made->library})
        fs::last_write_time(used, fs::file_time_type::clock::now(), error);
      return *made;
    }
  const std::string mine = (cache / (key + '.' + std::to_string(getpid()))).string();
  try {
    compile(file, compiler, include, mine + ".so", mine + ".d");
    const auto made = made_from(mine + ".d");
    if (!made) throw Problem(file, {}, "changed while it was compiled; run it again");
    fs::rename(mine + ".so", made->library);
    fs::rename(mine + ".d", rule);
    prune(cache);
    return *made;
  } catch (...) {
    fs::remove(mine + ".so", error);
    fs::remove(mine + ".d", error);
    throw;
  }
}

}  // namespace

std::string first_error(const std::string& said, const std::string& file) {
  Texts lines;
  std::istringstream in(said);
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) lines.push_back(line);
  constexpr std::string_view mark = "error: ";
  const auto wrong = std::find_if(lines.begin(), lines.end(), [&](const std::string& line) {
    return line.find(mark) != line.npos;
  });
  if (wrong == lines.end())
    return file + ": cannot be compiled: " + (lines.empty() ? "no reason given" : lines.back());
  const std::string message = wrong->substr(wrong->find(mark) + mark.size());
  // In a header of ours the error is a consequence: the line of theirs that led there comes first.
  const auto place = [&](const std::string& line) -> std::string {
    if (!line.starts_with(file + ':')) return "";
    const std::size_t end = line.find_first_not_of("0123456789", file.size() + 1);
    return end == line.npos || end == file.size() + 1 ? "" : line.substr(0, end);
  };
  if (const std::string here = place(*wrong); !here.empty()) return here + ": " + message;
  for (const std::string& line : lines)
    if (const std::string here = place(line); !here.empty()) return here + ": " + message;
  return file + ": " + *wrong;
}

Compiled compile_plugin(const std::string& given) {
  const std::string file = given.starts_with('-') ? "./" + given : given;
  std::error_code error;
  if (!fs::exists(file, error)) throw Problem(given, {}, "there is no such file");
  const auto content = content_of(file);
  if (!content || fs::is_directory(file, error)) throw Problem(given, {}, "cannot be read");
  const Texts compiler = find_compiler(given);
  const fs::path include = include_folder(given);
  Texts parts{*content,
              fs::absolute(file).lexically_normal().string(),
              include.string(),
              BELLWETHER_VERSION,
              std::to_string(core::host_version),
              identity_of(compiler[0])};
  parts.insert(parts.end(), compiler.begin(), compiler.end());
  const std::string key = digest_of(parts);

  const auto cache = cache_folder();
  return cache ? compile_into(*cache, key, file, compiler, include)
               : compile_apart(key, file, compiler, include);
}

std::string digest_of_file(const std::string& file) {
  return digest_of({content_of(file).value_or("")});
}

}  // namespace bellwether::terminal
