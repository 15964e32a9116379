// SPDX-License-Identifier: MIT
#include "node/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "node/undertaker.hpp"

namespace bellwether::bed {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

Descriptor in_memory(const char* name) {
  Descriptor file(memfd_create(name, MFD_CLOEXEC));
  if (!file.open()) fail("no file in memory can be had");
  return file;
}

/// All of a file, even while a process appends to it.
std::string content_of(const Descriptor& file) {
  std::string text;
  std::array<char, 65536> piece;
  while (true) {
    const ssize_t got =
        pread(file.get(), piece.data(), piece.size(), static_cast<off_t>(text.size()));
    if (got <= 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
}

void write_all(const Descriptor& file, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t wrote = write(file.get(), text.data() + done, text.size() - done);
    if (wrote <= 0) fail("a file in memory cannot be written");
    done += static_cast<std::size_t>(wrote);
  }
  lseek(file.get(), 0, SEEK_SET);
}

/// Words as exec wants them; they live as long as their owner.
class Pointers {
 public:
  explicit Pointers(std::vector<std::string> words) : words_(std::move(words)) {
    for (std::string& word : words_) pointers_.push_back(word.data());
    pointers_.push_back(nullptr);
  }
  char* const* get() const { return pointers_.data(); }

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_;
};

std::vector<std::string> environment_with(const std::map<std::string, std::string>& more) {
  std::vector<std::string> all;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string entry = *each;
    if (!more.contains(entry.substr(0, entry.find('=')))) all.push_back(entry);
  }
  for (const auto& [name, value] : more) all.push_back(name + "=" + value);
  return all;
}

struct Start {
  int net, in, out, err, trouble;
  const char* folder;
  bool own_sys;
  pid_t parent;
  char* const* argv;
  char* const* environment;
};

/// In the child, between fork and exec: nothing but system calls.
[[noreturn]] void become(const Start& start) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const bool moved = start.net < 0 || setns(start.net, CLONE_NEWNET) == 0;
  const bool in_place =
      getppid() == start.parent && moved && (*start.folder == '\0' || chdir(start.folder) == 0);
  if (in_place && start.own_sys && unshare(CLONE_NEWNS) == 0 &&
      mount("", "/", "none", MS_SLAVE | MS_REC, nullptr) == 0) {
    // Where this is forbidden, /sys shows other interfaces; no program here depends on it.
    [[maybe_unused]] const int done = mount("bed", "/sys", "sysfs", 0, nullptr);
  }
  if (in_place) {
    dup2(start.in, STDIN_FILENO);
    dup2(start.out, STDOUT_FILENO);
    dup2(start.err, STDERR_FILENO);
    execvpe(start.argv[0], start.argv, start.environment);
  }
  const int reason = errno;
  [[maybe_unused]] const ssize_t said = write(start.trouble, &reason, sizeof reason);
  _exit(127);
}

int as_status(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

microseconds sum(const timeval& a, const timeval& b) {
  return std::chrono::seconds(a.tv_sec + b.tv_sec) + microseconds(a.tv_usec + b.tv_usec);
}

}  // namespace

Process::Process(const Namespace& where, const std::vector<std::string>& words,
                 const Options& options) {
  if (words.empty()) throw std::runtime_error("no program is named");
  const Descriptor input = in_memory("input");
  write_all(input, options.input);
  const int append = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC;
  log_ = options.log_file.empty() ? in_memory("log")
                                  : Descriptor(open(options.log_file.c_str(), append, 0644));
  if (!log_.open()) fail(options.log_file + " cannot be written");
  if (options.split) out_ = in_memory("out");
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("no pipe can be had");
  const Descriptor reading(ends[0]);
  Descriptor writing(ends[1]);
  const Pointers argv(words), environment(environment_with(options.environment));
  const Start start{where.fd(),       input.get(),   options.split ? out_.get() : log_.get(),
                    log_.get(),       writing.get(), options.folder.c_str(),
                    options.own_sys,  getpid(),      argv.get(),
                    environment.get()};
  pid_ = fork();
  if (pid_ == 0) become(start);
  if (pid_ < 0) fail("no process can be started");
  setpgid(pid_, pid_);  // also here: who of the two is first does not matter
  bury_with_us(pid_);
  // Not pidfd_open(): the header of glibc 2.36 declares it for C alone.
  watch_ = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  writing.close();
  int reason = 0;
  if (read(reading.get(), &reason, sizeof reason) == sizeof reason) {
    end();
    errno = reason;
    fail(words.front() + " cannot be started");
  }
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      watch_(std::move(other.watch_)),
      log_(std::move(other.log_)),
      out_(std::move(other.out_)),
      status_(std::exchange(other.status_, std::nullopt)),
      used_(other.used_),
      has_heirs_(other.has_heirs_) {}

Process& Process::operator=(Process&& other) noexcept {
  if (this == &other) return *this;
  end();
  pid_ = std::exchange(other.pid_, -1);
  watch_ = std::move(other.watch_);
  log_ = std::move(other.log_);
  out_ = std::move(other.out_);
  status_ = std::exchange(other.status_, std::nullopt);
  used_ = other.used_;
  has_heirs_ = other.has_heirs_;
  return *this;
}

Process::~Process() {
  end();
}

void Process::end() noexcept {
  if (pid_ <= 0) return;
  if (!status_ || has_heirs_) ::kill(-pid_, SIGKILL);
  if (!status_) reap(true);
  if (has_heirs_) already_buried(pid_);
  has_heirs_ = false;
  pid_ = -1;
}

void Process::reap(bool block) {
  int status = 0;
  rusage used{};
  if (wait4(pid_, &status, block ? 0 : WNOHANG, &used) != pid_) return;
  status_ = as_status(status);
  used_ = sum(used.ru_utime, used.ru_stime);
  // What it started may live on in its group, and keeps the number of the group from others.
  has_heirs_ = ::kill(-pid_, 0) == 0;
  if (!has_heirs_) already_buried(pid_);
}

void Process::kill(int signal) {
  if (pid_ > 0 && !exited()) ::kill(pid_, signal);
}

void Process::kill_group(int signal) {
  if (pid_ > 0 && (!exited() || has_heirs_)) ::kill(-pid_, signal);
}

void Process::stop() {
  kill_group(SIGSTOP);
}

void Process::cont() {
  kill_group(SIGCONT);
}

std::optional<int> Process::wait(milliseconds timeout) {
  if (status_ || pid_ <= 0) return status_;
  pollfd ended{watch_.get(), POLLIN, 0};
  if (timeout.count() > 0) poll(&ended, 1, static_cast<int>(timeout.count()));
  reap(false);
  return status_;
}

long Process::rss_kib() const {
  std::ifstream in("/proc/" + std::to_string(pid_) + "/status");
  std::string line;
  while (std::getline(in, line))
    if (line.starts_with("VmRSS:")) return std::stol(line.substr(6));
  return 0;
}

microseconds Process::cpu_time() const {
  if (status_) return used_;
  std::ifstream in("/proc/" + std::to_string(pid_) + "/stat");
  std::string text((std::istreambuf_iterator<char>(in)), {});
  // The name of the program stands in brackets and may hold anything.
  std::istringstream rest(text.substr(text.rfind(')') + 1));
  std::string skipped;
  for (int field = 3; field < 14; ++field) rest >> skipped;
  long long user = 0, kernel = 0;
  rest >> user >> kernel;
  return microseconds((user + kernel) * 1000000 / sysconf(_SC_CLK_TCK));
}

std::string Process::log() const {
  return content_of(log_);
}

std::string Process::out() const {
  return content_of(out_.open() ? out_ : log_);
}

std::vector<std::string> Process::lines() const {
  std::istringstream in(log());
  std::vector<std::string> all;
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

Outcome run(const Namespace& where, const std::vector<std::string>& words, milliseconds timeout,
            SpawnOptions options) {
  options.split = true;
  Process process(where, words, options);
  const auto status = process.wait(timeout);
  if (!status)
    throw std::runtime_error(words.front() + " did not end within " +
                             std::to_string(timeout.count()) + " ms: " + process.log());
  return {*status, process.out(), process.log()};
}

BusyLoops::BusyLoops(int count) {
  for (int i = 0; i < count; ++i) {
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) {
      setpgid(0, 0);
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      close_range(0, ~0U, 0);
      volatile unsigned long turns = 0;
      while (getppid() == parent) {
        // Mostly in user space, as real work is; a look at the parent now and then.
        for (int turn = 0; turn < 1000000; ++turn) turns = turns + 1;
      }
      _exit(0);
    }
    if (child < 0) break;
    setpgid(child, child);
    bury_with_us(child);
    pids_.push_back(child);
  }
}

BusyLoops::~BusyLoops() {
  for (const pid_t pid : pids_) kill(pid, SIGKILL);
  for (const pid_t pid : pids_) {
    waitpid(pid, nullptr, 0);
    already_buried(pid);
  }
}

}  // namespace bellwether::bed
