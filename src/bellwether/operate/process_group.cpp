// SPDX-License-Identifier: MIT
#include "bellwether/operate/process_group.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "bellwether/core/problem.hpp"
#include "bellwether/terminal/program.hpp"

namespace bellwether::operate {
namespace {

bool runnable(const std::string& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

/// The environment of this process, with some variables set.
std::vector<std::string> environment(const Variables& variables) {
  std::vector<std::string> out;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view text = *each;
    const bool replaced = std::any_of(variables.begin(), variables.end(), [&](const auto& v) {
      return text.starts_with(v.first + "=");
    });
    if (!replaced) out.emplace_back(text);
  }
  for (const auto& [name, value] : variables) out.push_back(name + "=" + value);
  return out;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

/// In the child, between fork and exec: nothing but system calls.
[[noreturn]] void become(char* const* argv, char* const* envp, const sigset_t& mask, pid_t parent,
                         int report) {
  ::setpgid(0, 0);
  // No process would be left to stop it.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() == parent) {
    ::sigprocmask(SIG_SETMASK, &mask, nullptr);
    ::execvpe(argv[0], argv, envp);
  }
  const int error = errno;
  const ssize_t ignored = ::write(report, &error, sizeof error);
  ::_exit(ignored > 0 ? 127 : 126);
}

/// In the guard: waits for a byte, which says that the group has ended, or for the end of the lock.
[[noreturn]] void guard(pid_t group, int word) {
  ::setsid();  // signals for the others are not for it
  ::dup2(word, STDIN_FILENO);
  ::close_range(1, ~0u, 0);  // a reader of the output waits for the command alone
  char byte = 0;
  ssize_t got = 0;
  while ((got = ::read(STDIN_FILENO, &byte, 1)) < 0 && errno == EINTR) {
  }
  if (got <= 0) ::kill(-group, SIGKILL);
  ::_exit(0);
}

[[noreturn]] void fail(const std::string& program, int error) {
  throw core::Problem("lock", {},
                      "\"" + program + "\" cannot be run: " +
                          std::error_code(error, std::generic_category()).message());
}

}  // namespace

bool program_exists(const std::string& name) {
  if (name.find('/') != std::string::npos) return runnable(name);
  const char* given = std::getenv("PATH");
  std::string_view path = given != nullptr ? given : "/usr/local/bin:/usr/bin:/bin";
  while (!name.empty()) {
    const std::string folder(path.substr(0, path.find(':')));
    if (runnable((folder.empty() ? "." : folder) + "/" + name)) return true;
    if (folder.size() == path.size()) return false;
    path.remove_prefix(folder.size() + 1);
  }
  return false;
}

ProcessGroup::ProcessGroup() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  std::signal(SIGCHLD, SIG_DFL);  // where it is ignored, no child can be waited for
}

void ProcessGroup::start(const std::vector<std::string>& command, const Variables& variables,
                         const sigset_t& mask) {
  std::vector<std::string> words = command;
  std::vector<std::string> settings = environment(variables);
  const std::vector<char*> argv = pointers(words);
  const std::vector<char*> envp = pointers(settings);
  std::array<int, 2> report{};  // closed by exec, and so empty if all is well
  if (::pipe2(report.data(), O_CLOEXEC) != 0) fail(command.front(), errno);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become(argv.data(), envp.data(), mask, parent, report[1]);
  int error = child < 0 ? errno : 0;
  ::close(report[1]);
  if (child > 0) {
    int reported = 0;
    ssize_t got = 0;
    while ((got = ::read(report[0], &reported, sizeof reported)) < 0 && errno == EINTR) {
    }
    if (got == static_cast<ssize_t>(sizeof reported)) error = reported;
  }
  ::close(report[0]);
  if (error != 0) {
    if (child > 0) ::waitpid(child, nullptr, 0);
    fail(command.front(), error);
  }
  group_ = child;
  status_.reset();
  post_guard();
}

void ProcessGroup::post_guard() {
  std::array<int, 2> word{};
  // Without it, the command itself dies with us all the same.
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, word.data()) != 0) return;
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(word[1]);
    guard(group_, word[0]);
  }
  ::close(word[0]);
  guard_ = word[1];
}

void ProcessGroup::dismiss_guard() {
  if (guard_ < 0) return;
  while (::send(guard_, "", 1, MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
  ::close(guard_);
  guard_ = -1;
}

void ProcessGroup::reap() {
  int status = 0;
  // All children: also those that have left the group, when they end.
  for (pid_t who = 0; (who = ::waitpid(-1, &status, WNOHANG)) > 0;)
    if (who == group_) status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (!alive()) return;
  siginfo_t ignored{};
  if (::waitid(P_PGID, static_cast<id_t>(group_), &ignored, WEXITED | WNOHANG | WNOWAIT) != 0 &&
      errno == ECHILD)
    group_ = -1;
  if (!alive()) dismiss_guard();
}

void ProcessGroup::signal(int number) const {
  if (alive()) ::kill(-group_, number);
}

}  // namespace bellwether::operate
