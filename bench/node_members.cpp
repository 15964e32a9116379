// SPDX-License-Identifier: MIT
#include "node_members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "node/flock.hpp"

namespace bench {
namespace {

using namespace bellwether;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

class LoopbackGrid {
 public:
  LoopbackGrid(std::size_t wide, std::size_t high) : wide_(wide), high_(high) {
    host_ = &network_.add("all");
    host_->space().set_up("lo", true);
    key_ = folder_.write("group.key", std::string(64, 'd') + "\n");
  }

  void start_all() {
    for (std::size_t i = 0; i < size(); ++i)
      daemons_.push_back(
          host_->spawn(words_of(i), {.log_file = folder_.path("log"), .own_sys = false}));
  }

  /// Asks all of them.
  void look() {
    leaders_.clear();
    fewest_ = size();
    for (std::size_t i = 0; i < size(); ++i) {
      std::uint64_t leader = 0, members = 0;
      try {
        const auto said = client::Client(socket(i), 10s).leader();
        leader = said.leader.value_or(0), members = said.members.value_or(0);
      } catch (const client::ClientError&) {  // not there yet
      }
      leaders_.insert(leader);
      fewest_ = std::min<std::size_t>(fewest_, members);
    }
  }
  bool agreed() const { return leaders_.size() == 1 && !leaders_.contains(0); }
  bool whole() const { return agreed() && fewest_ == size(); }
  std::size_t fewest() const { return fewest_; }
  std::size_t leaders() const { return leaders_.size(); }

  double most_mebibytes() const {
    long rss = 0;
    for (const bed::Process& daemon : daemons_) rss = std::max(rss, daemon.rss_kib());
    return static_cast<double>(rss) / 1024;
  }
  double cpu_seconds() const {
    std::chrono::microseconds sum{0};
    for (const bed::Process& daemon : daemons_) sum += daemon.cpu_time();
    return std::chrono::duration<double>(sum).count();
  }
  std::size_t size() const { return wide_ * high_; }

 private:
  std::string socket(std::size_t i) const { return folder_.path(std::to_string(i)); }

  std::vector<std::string> words_of(std::size_t i) const {
    const std::size_t x = i % wide_, y = i / wide_;
    const auto port = [](std::size_t of) { return std::to_string(20000 + of); };
    std::vector<std::string> words{bed::node_program(),
                                   "node",
                                   "--id",
                                   std::to_string(i + 1),
                                   "--key",
                                   key_,
                                   "--bind",
                                   "127.0.0.1",
                                   "--port",
                                   port(i),
                                   "--socket",
                                   socket(i),
                                   "--period",
                                   "2s",
                                   "--timeout",
                                   "8s"};
    const auto peer = [&](std::size_t other) {
      words.insert(words.end(), {"--peer", "127.0.0.1:" + port(other)});
    };
    if (x > 0) peer(i - 1);
    if (x + 1 < wide_) peer(i + 1);
    if (y > 0) peer(i - wide_);
    if (y + 1 < high_) peer(i + wide_);
    return words;
  }

  std::size_t wide_, high_;
  bed::Network network_;
  bed::Host* host_ = nullptr;
  bed::TestFolder folder_;
  std::string key_;
  std::vector<bed::Process> daemons_;
  std::set<std::uint64_t> leaders_;
  std::size_t fewest_ = 0;
};

}  // namespace

void measure_members(Bounds& bounds, std::size_t wide, std::size_t high) {
  LoopbackGrid grid(wide, high);
  fmt::print(
      "{} members in one component: daemons on loopback, a grid of {} x {}, beats every 2 s.\n",
      grid.size(), wide, high);
  std::fflush(stdout);
  const auto begin = Clock::now();
  grid.start_all();
  const double all_started = seconds_since(begin);
  const auto last_start = Clock::now();
  double agreed = 0;
  const auto whole = [&] {
    grid.look();
    if (agreed == 0 && grid.agreed()) agreed = seconds_since(last_start);
    return grid.whole();
  };
  const bool settled = bed::eventually(400s, whole, 1s);
  const double known = seconds_since(last_start), memory = grid.most_mebibytes();
  const double cpu = grid.cpu_seconds();
  const bool in_time = agreed > 0 && agreed <= 60;
  fmt::print(
      "started within {:.1f} s; {} after {:.1f} s, and all know all after {:.1f} s; at most "
      "{:.1f} MiB each, {:.0f} s of CPU in all (fewest members known: {}, leaders: {})  {}\n\n",
      all_started, agreed > 0 ? "agreed" : "NOT agreed", agreed > 0 ? agreed : known, known, memory,
      cpu, grid.fewest(), grid.leaders(), in_time && settled ? "kept" : "BROKEN");
  bounds.check(in_time, fmt::format("{} daemons: agreed {:.1f} s after the last start (0: never); "
                                    "it must be at most 60 s",
                                    grid.size(), agreed));
  bounds.check(settled, fmt::format("{} members: not all know all and name one leader after 400 s "
                                    "(fewest members known: {}, leaders: {})",
                                    grid.size(), grid.fewest(), grid.leaders()));
}

}  // namespace bench
