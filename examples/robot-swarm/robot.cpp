// SPDX-License-Identifier: MIT
// A robot of a swarm that has tasks to do. The leader assigns them; every robot remembers what
// is done, so that the next leader continues from there.
//
//   robot SOCKET TASKS        beside a node: bellwether-node node --socket SOCKET ...
//
// What they say:  "want 3"       to the leader:   robot 3 has nothing to do
//                 "take 7 3 12"  to all members:  robot 3 shall do task 7; so says epoch 12
//                 "done 7"       to all members
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include "bellwether/client/client.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

class Robot {
 public:
  Robot(const std::string& socket, int tasks) : node_(socket), tasks_(tasks) {
    id_ = node_.leader().id;
  }

  void run() {
    while (static_cast<int>(done_.size()) < tasks_) {
      now_ = node_.leader();
      const auto inbox = node_.inbox(seen_, 50ms);
      for (const auto& message : inbox.messages) hear(message.payload);
      seen_ = inbox.next;
      if (Clock::now() >= next_word_) ask();
    }
    say("all done");
  }

 private:
  void say(const std::string& text) const {
    std::printf("robot %llu: %s\n", static_cast<unsigned long long>(id_), text.c_str());
    std::fflush(stdout);
  }

  void ask() {
    next_word_ = Clock::now() + 200ms;
    if (!now_.leader) return;
    if (now_.is_leader)
      assign(id_);  // the leader works, too
    else
      try_to([&] { node_.to_leader("want " + std::to_string(id_)); });
  }

  void hear(const std::string& text) {
    std::istringstream words(text);
    std::string verb;
    words >> verb;
    int task = 0;
    std::uint64_t robot = 0, epoch = 0;
    if (verb == "want" && words >> robot) {
      if (now_.is_leader) assign(robot);
    } else if (verb == "take" && words >> task >> robot >> epoch) {
      if (epoch < epoch_) return;  // a leader of yesterday
      epoch_ = epoch;
      if (robot == id_) work(task);
    } else if (verb == "done" && words >> task) {
      done_.insert(task);
    }
  }

  /// The first task that is not done and that no robot has been busy with lately.
  void assign(std::uint64_t robot) {
    for (int task = 1; task <= tasks_; ++task) {
      if (done_.contains(task) || Clock::now() < busy_until_[task]) continue;
      busy_until_[task] = Clock::now() + 3s;
      if (robot == id_) return work(task);
      try_to([&] {
        node_.to_members("take " + std::to_string(task) + " " + std::to_string(robot) + " " +
                         std::to_string(now_.epoch));
      });
      return;
    }
  }

  void work(int task) {
    if (done_.contains(task)) return;
    std::this_thread::sleep_for(100ms);  // the work itself
    done_.insert(task);
    say("task " + std::to_string(task) + " is done");
    try_to([&] { node_.to_members("done " + std::to_string(task)); });
    next_word_ = Clock::now();
  }

  /// A message that is refused (too many wait, there is no leader) is said again with the next
  /// word.
  template <class Send>
  void try_to(Send&& send) const {
    try {
      send();
    } catch (const bellwether::ClientError&) {
    }
  }

  bellwether::Client node_;
  int tasks_;
  std::uint64_t id_ = 0;
  bellwether::client::Leadership now_;
  std::uint64_t seen_ = 0;
  std::uint64_t epoch_ = 0;
  std::set<int> done_;
  std::map<int, Clock::time_point> busy_until_;
  Clock::time_point next_word_{};
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::fprintf(stderr, "robot: write: robot SOCKET TASKS\n");
    return 2;
  }
  Robot(argv[1], std::stoi(argv[2])).run();
} catch (const std::exception& error) {
  std::fprintf(stderr, "robot: %s\n", error.what());
  return 2;
}
