// SPDX-License-Identifier: MIT
// A node that says what a test wants, and the program that talks to it, as a process.
//
// The process is made before the node's threads are: `Talker` first, then `FakeDaemon`, then `go`.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <condition_variable>
#include <csignal>
#include <fstream>
#include <map>
#include <sstream>

#include "bellwether/client/fake_server_test.hpp"
#include "bellwether/operate/lock.hpp"
#include "bellwether/operate/talk.hpp"
#include "bellwether/terminal/program.hpp"

namespace bellwether::operate_test {

using client_test::FakeServer;
using client_test::Peer;
using client_test::SocketFolder;
using namespace std::chrono_literals;

inline constexpr auto patience = 120s;  // nothing takes as long, unless it never comes

template <class Condition>
bool eventually(Condition&& condition) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < end) {
    if (condition()) return true;
    std::this_thread::sleep_for(2ms);
  }
  return false;
}

inline std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// What node 3 says about its leader; 0 stands for none.
inline std::string leadership(std::uint64_t leader, std::uint64_t epoch, int since_ms = 5321) {
  return fmt::format(
      R"({{"id":3,"leader":{},"is_leader":{},"role":"{}","epoch":{},"since_ms":{},"age_ms":42}})",
      leader == 0 ? "null" : std::to_string(leader), leader == 3,
      leader == 0   ? "leaderless"
      : leader == 3 ? "leading"
                    : "following",
      epoch, since_ms);
}

class FakeDaemon {
 public:
  FakeDaemon(const std::string& socket, std::string first) : leader_(std::move(first)) {
    server_ = std::make_unique<FakeServer>(socket, [this](Peer& peer) { serve(peer); });
  }
  ~FakeDaemon() {
    {
      const std::lock_guard guard(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    server_.reset();
  }
  FakeDaemon(const FakeDaemon&) = delete;
  FakeDaemon& operator=(const FakeDaemon&) = delete;

  /// A change of leader, with its event.
  void set(const std::string& leader) {
    const std::lock_guard guard(mutex_);
    leader_ = leader;
    add("leader", leader);
  }
  /// Several, of which all listeners learn at once.
  void set_all(const std::vector<std::string>& leaders) {
    const std::lock_guard guard(mutex_);
    leader_ = leaders.back();
    std::string all;
    for (const std::string& leader : leaders) {
      add("leader", leader);
      all += events_.back();
      events_.pop_back();
    }
    events_.push_back(all);
  }
  /// A change without an event: only requests show it.
  void set_quietly(const std::string& leader) {
    const std::lock_guard guard(mutex_);
    leader_ = leader;
  }
  void publish(const std::string& name, const std::string& data) {
    const std::lock_guard guard(mutex_);
    add(name, data);
  }
  /// From now on this is the answer to a request that begins like that, up to the next change.
  void answer(const std::string& begin, const std::string& body,
              const std::string& status = "200 OK") {
    const std::lock_guard guard(mutex_);
    answers_[begin] = {status, body};
  }
  /// Such a request waits until the node is gone.
  void hold(const std::string& begin) { answer(begin, "", ""); }
  /// The next question for the leader is answered after the next event, with what was true before.
  void answer_late() {
    const std::lock_guard guard(mutex_);
    late_ = true;
  }
  void freeze() {
    const std::lock_guard guard(mutex_);
    frozen_ = true;
  }
  /// Ends all streams, and nothing else.
  void cut_streams() {
    const std::lock_guard guard(mutex_);
    ++cuts_;
    changed_.notify_all();
  }
  std::size_t requests(const std::string& begin) {
    const std::lock_guard guard(mutex_);
    return static_cast<std::size_t>(
        std::count_if(requests_.begin(), requests_.end(),
                      [&](const std::string& each) { return each.starts_with(begin); }));
  }
  std::string last_request() {
    const std::lock_guard guard(mutex_);
    return requests_.empty() ? "" : requests_.back();
  }

 private:
  void add(const std::string& name, const std::string& data) {
    events_.push_back(
        fmt::format("id: {}\nevent: {}\ndata: {}\n\n", events_.size() + 1, name, data));
    changed_.notify_all();
  }

  void serve(Peer& peer) {
    const std::string request = peer.request();
    std::unique_lock guard(mutex_);
    requests_.push_back(request);
    changed_.wait(guard, [&] { return over_ || !frozen_; });
    if (over_) return;
    if (request.starts_with("GET /v1/events ")) return stream(peer, guard);
    for (const auto& [begin, answer] : answers_)
      if (request.starts_with(begin)) {
        if (answer.first.empty()) return changed_.wait(guard, [&] { return over_; });
        peer.answer(answer.second, answer.first);
        return;
      }
    if (request.starts_with("POST /v1/lock ")) return grant(peer, request, guard);
    peer.answer(request.starts_with("GET /v1/leader ") ? leader_ : R"({"error":"not here"})",
                request.starts_with("GET /v1/leader ") ? "200 OK" : "404 Not Found");
  }

  /// The first lock that asks has it until it releases it.
  void grant(Peer& peer, const std::string& request, std::unique_lock<std::mutex>& guard) {
    std::string reply = leader_;
    const std::string holder = request.substr(request.find("\"holder\""), 28);
    const bool granted = holder_.empty() || holder_ == holder;
    if (granted) holder_ = request.find("\"lease_ms\":0}") == request.npos ? holder : "";
    reply.insert(reply.size() - 1, fmt::format(",\"granted\":{}", granted));
    if (std::exchange(late_, false))
      changed_.wait(guard, [&, before = notified_] { return over_ || notified_ != before; });
    peer.answer(reply);
  }

  void stream(Peer& peer, std::unique_lock<std::mutex>& guard) {
    std::size_t told = events_.size();
    const int cuts = cuts_;
    bool listening = peer.say("HTTP/1.1 200 OK\r\n\r\nevent: leader\ndata: " + leader_ + "\n\n");
    while (listening) {
      changed_.wait(guard,
                    [&] { return over_ || cuts != cuts_ || (!frozen_ && told < events_.size()); });
      if (over_ || cuts != cuts_) return;
      while (listening && told < events_.size()) listening = peer.say(events_[told++]);
      ++notified_;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  bool frozen_ = false;
  bool late_ = false;
  int cuts_ = 0;
  int notified_ = 0;  // how often a stream has spoken
  std::string leader_;
  std::string holder_;  // of the lock
  std::vector<std::string> events_;
  std::vector<std::string> requests_;
  std::map<std::string, std::pair<std::string, std::string>> answers_;
  std::unique_ptr<FakeServer> server_;
};

/// `bellwether WORDS...`, in a process of its own.
class Talker {
 public:
  explicit Talker(const std::vector<std::string>& words, const std::string& input = "") {
    std::ofstream(streams_.file("in"), std::ios::binary) << input;
    if (::pipe2(gate_, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    std::fflush(nullptr);  // or the process would print it once more
    pid_ = ::fork();
    if (pid_ == 0) become(words);
    ::close(gate_[0]);
  }
  ~Talker() {
    if (gate_[1] >= 0) ::close(gate_[1]);
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
  }
  Talker(const Talker&) = delete;
  Talker& operator=(const Talker&) = delete;

  Talker& go() {
    ::close(gate_[1]);
    gate_[1] = -1;
    return *this;
  }
  void signal(int number) const { ::kill(pid_, number); }
  std::string out() const { return content_of(streams_.file("out")); }
  std::string err() const { return content_of(streams_.file("err")); }
  bool prints(const std::string& text) const {
    return eventually([&] { return out().find(text) != std::string::npos; });
  }
  bool says(const std::string& text) const {
    return eventually([&] { return err().find(text) != std::string::npos; });
  }
  bool over() {
    int status = 0;
    if (pid_ > 0 && ::waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = -1;
      status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    return pid_ < 0;
  }
  /// The exit status; -1 if it does not end.
  int wait() {
    eventually([&] { return over(); });
    return status_;
  }

 private:
  [[noreturn]] void become(const std::vector<std::string>& words) {
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    ::dup2(::open(streams_.file("in").c_str(), O_RDONLY), STDIN_FILENO);
    ::dup2(::open(streams_.file("out").c_str(), flags, 0600), STDOUT_FILENO);
    ::dup2(::open(streams_.file("err").c_str(), flags, 0600), STDERR_FILENO);
    // The gates of other talkers, too, or those would wait for this one.
    ::dup2(gate_[0], 3);
    ::close_range(4, ~0u, 0);
    char byte = 0;
    while (::read(3, &byte, 1) > 0) {
    }
    std::vector<const char*> argv{"bellwether"};
    for (const std::string& word : words) argv.push_back(word.c_str());
    const int status = terminal::run_program(static_cast<int>(argv.size()), argv.data(), {"", ""},
                                             [](terminal::Command& app, int& result) {
                                               operate::add_talk(app, result);
                                               operate::add_lock(app, result);
                                             });
    std::fflush(nullptr);
    ::_exit(status);
  }

  SocketFolder streams_;
  int gate_[2] = {-1, -1};
  pid_t pid_ = -1;
  int status_ = -1;
};

}  // namespace bellwether::operate_test
