// SPDX-License-Identifier: MIT
#include "cli/program.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

namespace bellwether::cli_test {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// In the child, between fork and exec: nothing but system calls.
[[noreturn]] void become(const char* folder, const char* in, const char* out, const char* err,
                         char* const* argv) {
  const int flags = O_WRONLY | O_CREAT | O_TRUNC;
  const int to_out = open(out, flags, 0600);
  const int to_err = open(err, flags, 0600);
  const int from = open(in, O_RDONLY);
  if (to_out >= 0 && to_err >= 0 && from >= 0 && chdir(folder) == 0) {
    dup2(from, STDIN_FILENO);
    dup2(to_out, STDOUT_FILENO);
    dup2(to_err, STDERR_FILENO);
    execv(argv[0], argv);
  }
  _exit(127);
}

}  // namespace

Folder::Folder() {
  std::string pattern = (fs::temp_directory_path() / "bellwether-cli-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = pattern;
}

Folder::~Folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void Folder::write(const std::string& name, const std::string& content) const {
  std::ofstream(path_ / name, std::ios::binary) << content;
}

std::string Folder::read(const std::string& name) const {
  return content_of(path_ / name);
}

std::set<std::string> Folder::files() const {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(path_))
    names.insert(fs::relative(entry.path(), path_).string());
  return names;
}

Program::Program(const Folder& folder, const Arguments& arguments, const std::string& input,
                 const std::string& program, std::chrono::seconds limit)
    : deadline_(std::chrono::steady_clock::now() + limit) {
  const std::string where = folder.path().string();
  const std::string out = (streams_.path() / "out").string();
  const std::string err = (streams_.path() / "err").string();
  Arguments words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_ = fork();
  if (pid_ == 0) become(where.c_str(), input.c_str(), out.c_str(), err.c_str(), argv.data());
  if (pid_ < 0) throw std::runtime_error("no process could be started");
}

Program::~Program() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
}

bool Program::over() {
  if (pid_ <= 0) return true;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) != pid_) return false;
  status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  pid_ = -1;
  return true;
}

bool Program::says(const std::string& text) {
  while (std::chrono::steady_clock::now() < deadline_) {
    const bool last = over();
    if (streams_.read("err").find(text) != std::string::npos) return true;
    if (last) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

void Program::signal(int number) const {
  if (pid_ > 0) kill(pid_, number);
}

Outcome Program::wait() {
  while (!over()) {
    if (std::chrono::steady_clock::now() > deadline_) {
      ADD_FAILURE() << "the program does not end";
      kill(pid_, SIGKILL);
      deadline_ = std::chrono::steady_clock::time_point::max();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return {status_, streams_.read("out"), streams_.read("err")};
}

Outcome run(const Folder& folder, const Arguments& arguments, const std::string& input) {
  return Program(folder, arguments, input).wait();
}

std::string project(const std::string& name) {
  return (fs::path(BELLWETHER_SOURCE_DIR) / name).string();
}

}  // namespace bellwether::cli_test
