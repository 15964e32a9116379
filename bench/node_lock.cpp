// SPDX-License-Identifier: MIT
#include "node_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <fstream>

#include "node/flock.hpp"

namespace bench {
namespace {

using namespace bellwether;
using bed::Flock;
using bed::Network;
using namespace std::chrono_literals;

constexpr double lease_ms = 3000, settle_ms = 1000, timeout_ms = 300;  // the defaults
// 2 timeouts to notice the loss and to elect; a machine that is overloaded, or was frozen a moment
// ago, stretches its timers by at most 12 more.
constexpr double bound_ms = lease_ms + settle_ms + 2 * timeout_ms;
constexpr double slack_ms = 12 * timeout_ms;
constexpr std::size_t other = 0, leader = 1;

double now_ms() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

/// One run of a command, by its marks; all hosts have the same clock.
struct CommandRun {
  std::size_t host = 0;
  double first = 0, last = 0;
};

/// Two hosts on a LAN, each with a daemon and a lock. The second one leads.
class LockBed {
 public:
  explicit LockBed(bool stubborn) : stubborn_(stubborn) {
    network.lan(2);
    flock = std::make_unique<Flock>(network);
    set_clock();
    flock->start(other);
    start_leader();
    flock->settle_on(leader);
    locks.push_back(lock(other));
    locks.push_back(lock(leader));
    await_run(leader);
  }
  void start_leader() {
    bed::SpawnOptions spawn;
#ifdef BELLWETHER_CLOCK_JUMP
    spawn.environment = {{"LD_PRELOAD", BELLWETHER_CLOCK_JUMP},
                         {"CLOCK_JUMP_FILE", flock->folder().path("clock")}};
#endif
    flock->start(leader, {}, spawn);
  }
  bed::Process lock(std::size_t host) {
    return network[host].spawn({bed::node_program(), "lock", "--socket", flock->socket(host), "--",
                                std::filesystem::read_symlink("/proc/self/exe").string(), "mark",
                                flock->folder().path("run-" + std::to_string(host)),
                                stubborn_ ? "stubborn" : "obedient"});
  }
  void set_clock() const {
    const std::string path = flock->folder().path("clock");
    std::ofstream(path + ".new") << ahead << " " << asleep << "\n";
    std::filesystem::rename(path + ".new", path);
  }

  std::vector<CommandRun> runs() const {
    std::vector<CommandRun> out;
    for (const auto& each : std::filesystem::directory_iterator(flock->folder().path(""))) {
      const std::string name = each.path().filename().string();
      if (!name.starts_with("run-")) continue;
      std::array<double, 2> times{};
      std::ifstream in(each.path(), std::ios::binary);
      if (in.read(reinterpret_cast<char*>(times.data()), sizeof times))
        out.push_back({static_cast<std::size_t>(name[4] - '0'), times[0], times[1]});
    }
    std::sort(out.begin(), out.end(), [](auto& a, auto& b) { return a.first < b.first; });
    return out;
  }
  /// A new command has begun on this host since the last call.
  bool await_run(std::size_t host) {
    return bed::eventually(
        60s,
        [&] {
          const auto all = runs();
          if (all.size() <= known || all.back().host != host) return false;
          known = all.size();
          return true;
        },
        20ms);
  }

  Network network;
  std::unique_ptr<Flock> flock;
  std::vector<bed::Process> locks;
  std::size_t known = 0;
  long ahead = 0, asleep = 0;  // of the leader's clocks, seconds

 private:
  bool stubborn_;
};

bool stop_daemon(LockBed& bed) {
  bed.flock->daemon(leader).stop();
  const bool taken = bed.await_run(other);
  bed.flock->daemon(leader).cont();
  return taken && bed.await_run(leader);
}

bool kill_daemon(LockBed& bed) {
  bed.flock->kill(leader);
  const bool taken = bed.await_run(other);
  bed.start_leader();
  return taken && bed.await_run(leader);
}

/// The lead goes to the other node while the lock here can do nothing about its command.
bool signal_lock(LockBed& bed, int number) {
  bed.locks[leader].kill(number);
  bed.flock->client(leader).resign();
  const bool taken = bed.await_run(other);
  bed.locks[leader].wait(60s);
  bed.locks[leader] = bed.lock(leader);
  bed.flock->client(leader).resume();
  return taken && bed.await_run(leader);
}

/// Setting the wall clock alone must change nothing.
bool jump_clock(LockBed& bed) {
  for (const long seconds : {3600L, -7200L, 86400L * 365}) {
    bed.ahead = seconds;
    bed.set_clock();
    std::this_thread::sleep_for(1s);
    if (bed.runs().size() != bed.known) return false;
  }
  return kill_daemon(bed);
}

bool suspend_machine(LockBed& bed) {
  bed.asleep += 3600;
  bed.set_clock();
  return bed.await_run(leader);
}

bool load_machine(LockBed& bed) {
  const auto loops = bed::busy_loops(6);
  return stop_daemon(bed) && kill_daemon(bed);
}

struct Gaps {
  double smallest = 1e9, largest = 0;
  std::size_t number = 0;
  bool failed = false;
};

/// The longest of these.
double add_gaps(Gaps& gaps, const std::vector<CommandRun>& runs, std::size_t from) {
  double longest = 0;
  for (std::size_t k = from; k < runs.size(); ++k) {
    const double gap = runs[k].first - runs[k - 1].last;
    gaps.smallest = std::min(gaps.smallest, gap);
    gaps.largest = std::max(gaps.largest, gap);
    longest = std::max(longest, gap);
    ++gaps.number;
  }
  return longest;
}

/// While the cable is out each component runs a command: no lock can prevent that. Once it is in
/// again, one of the two ends.
double both_after_plug(LockBed& bed) {
  bed.network.pull(bed.network[leader]);
  const bool taken = bed.await_run(other);
  const double plugged = now_ms();
  bed.network.plug(bed.network[leader]);
  if (!taken) return 60000;
  double end = plugged;
  const bool one = bed::eventually(60s, [&] {
    std::array<double, 2> last{};
    for (const CommandRun& run : bed.runs()) last[run.host] = std::max(last[run.host], run.last);
    end = std::min(last[0], last[1]);
    return now_ms() - end > 500;
  });
  bed.flock->settle_on(leader);
  bed.known = bed.runs().size();
  return one ? end - plugged : 60000;
}

}  // namespace

void measure_lock(Bounds& bounds) {
  struct Fault {
    const char* what;
    std::function<bool(LockBed&)> inject;
    Gaps gaps = {};
  };
  std::vector<Fault> faults{
      {"daemon stopped, continued", stop_daemon},
      {"daemon killed, started", kill_daemon},
      {"lock stopped, node resigns", [](LockBed& bed) { return signal_lock(bed, SIGSTOP); }},
      {"lock killed, node resigns", [](LockBed& bed) { return signal_lock(bed, SIGKILL); }},
      {"six busy loops, stop and kill", load_machine},
  };
#ifdef BELLWETHER_CLOCK_JUMP
  faults.push_back({"wall clock set, daemon killed", jump_clock});
  faults.push_back({"machine suspended for 1 h", suspend_machine});
#endif
  std::vector<double> both;
  for (const bool stubborn : {false, true}) {
    LockBed bed(stubborn);
    for (int trial = 0; trial < 2; ++trial) {
      for (Fault& fault : faults) {
        const std::size_t before = bed.known;
        fault.gaps.failed = !fault.inject(bed) || fault.gaps.failed;
        const double longest = add_gaps(fault.gaps, bed.runs(), before);
        if (longest > bound_ms + slack_ms)
          fmt::print(stderr, "{}: {:.0f} ms; the logs are\n{}{}{}\n", fault.what, longest,
                     bed.flock->logs(), bed.locks[other].log(), bed.locks[leader].log());
      }
      both.push_back(both_after_plug(bed));
    }
  }
  fmt::print(
      "Locks of two nodes on a LAN, lease 3 s, settle 1 s: time without any command when the lead\n"
      "changes, milliseconds. Half of the commands ignore SIGTERM.\n\n{:<34} {:>8} {:>8} {:>4}   "
      "{:>8} {:>10}\n",
      "", "smallest", "largest", "n", "bound", "with slack");
  for (const Fault& fault : faults) {
    const Gaps& gaps = fault.gaps;
    const bool kept = !gaps.failed && gaps.smallest > 0 && gaps.largest <= bound_ms + slack_ms;
    bounds.check(kept, fmt::format("lock, {}: gaps from {:.0f} to {:.0f} ms; they must be above 0 "
                                   "and at most {:.0f} ms",
                                   fault.what, gaps.smallest, gaps.largest, bound_ms + slack_ms));
    fmt::print("{:<34} {:>8.0f} {:>8.0f} {:>4}   {:>8.0f} {:>10.0f}  {}\n", fault.what,
               gaps.smallest, gaps.largest, gaps.number, bound_ms, bound_ms + slack_ms,
               kept ? "kept" : "BROKEN");
  }
  const double longest = *std::max_element(both.begin(), both.end());
  const double merged = lease_ms / 3 + settle_ms;  // the grace, and the time that news travels
  bounds.check(longest <= merged,
               fmt::format("lock, cable in again: both commands for {:.0f} ms; at most {:.0f} ms",
                           longest, merged));
  fmt::print(
      "\nBoth commands after a cable is in again (partition): at most {:.0f} ms of {:.0f}.\n\n",
      longest, merged);
}

int leave_marks(const std::string& prefix, bool stubborn) {
  if (stubborn) std::signal(SIGTERM, SIG_IGN);
  std::array<double, 2> times{now_ms(), 0};
  const std::string path = prefix + "-" + std::to_string(getpid());
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  for (;;) {
    times[1] = now_ms();
    if (pwrite(file, times.data(), sizeof times, 0) < 0) return 1;
    usleep(500);
  }
}

}  // namespace bench
