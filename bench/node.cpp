// SPDX-License-Identifier: MIT
// The daemon on real kernels, against what it promises and against keepalived, in the same run: how
// soon every survivor names the next leader, what it costs while nothing changes, whether a busy
// machine makes it elect without a reason, how long a lock's failover takes, how large a group may
// be, and networks of several hops beside what the simulator predicts. Parts can be named:
// failover, idle, busy, lock, members, line, grid, walk. Where a promise is broken the status is 1.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

#include "bounds.hpp"
#include "node_lock.hpp"
#include "node_members.hpp"
#include "node_networks.hpp"
#include "node_rival.hpp"

namespace bench {
namespace {

using bed::Cable;
using bed::Flock;
using bed::FlockOptions;
using bed::Network;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// What is promised at the default, a beat every 100 ms.
constexpr double timeout_ms = 300;
constexpr double silent_ms = 150;  // from a silent loss to the next leader, on a LAN
constexpr double most_frames = 10.5, most_mebibytes = 10, most_cpu_percent = 0.5;

Bounds bounds;

/// What the row says; the sentence is repeated at the end if the promise is broken.
std::string verdict(bool kept, const std::string& sentence) {
  bounds.check(kept, sentence);
  return kept ? "kept" : "BROKEN";
}

double milliseconds(Clock::duration d) {
  return std::chrono::duration<double, std::milli>(d).count();
}

struct Spread {
  double median = 0, highest = 0;
  std::size_t number = 0;
};
Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  return {values[values.size() / 2], values.back(), values.size()};
}

/// There and back between two hosts, by UDP, from one process: no daemon is asked.
double round_trip_ms(Network& network) {
  bed::UdpSocket a = network[0].udp(bed::Ip::v6, 9000), b = network[1].udp(bed::Ip::v6, 9000);
  const std::string to_a = network[0].link_local(), to_b = network[1].link_local();
  std::vector<double> times;
  for (int i = 0; i < 30; ++i) {
    const auto begin = Clock::now();
    a.send("there", to_b, 9000);
    if (!b.receive(1s)) continue;
    b.send("back", to_a, 9000);
    if (a.receive(1s)) times.push_back(milliseconds(Clock::now() - begin));
  }
  return spread_of(times).median;
}

/// From now until each of these names a leader other than the old one, and the same.
class NextLeader {
 public:
  NextLeader(const Flock& flock, bed::Places survivors, std::uint64_t old) : old_(old) {
    for (const std::size_t place : survivors) streams_.emplace_back(flock.socket(place));
    named_.resize(streams_.size());
    for (std::size_t i = 0; i < streams_.size(); ++i) take(i, 1s);  // how things are
  }
  double wait(Clock::time_point begin) {
    const auto end = begin + 20s;
    while (Clock::now() < end) {
      if (agreed()) return milliseconds(last_ - begin);
      for (std::size_t i = 0; i < streams_.size(); ++i) take(i, 0ms);
      std::this_thread::sleep_for(100us);
    }
    return 20000;
  }

 private:
  void take(std::size_t i, client::Milliseconds patience) {
    while (const auto event = streams_[i].next(patience)) {
      if (!event->leadership) continue;
      if (named_[i] != event->leadership->leader) last_ = Clock::now();
      named_[i] = event->leadership->leader;
      patience = 0ms;
    }
  }
  bool agreed() const {
    return named_[0] && *named_[0] != old_ &&
           std::all_of(named_.begin(), named_.end(), [&](const auto& n) { return n == named_[0]; });
  }
  std::uint64_t old_;
  std::vector<client::EventStream> streams_;
  std::vector<std::optional<std::uint64_t>> named_;
  Clock::time_point last_{};
};

/// While it lives, this thread goes before others: an observer that waits for the processor would
/// measure its own delay.
class PromptObserver {
 public:
  PromptObserver() : before_(getpriority(PRIO_PROCESS, 0)) { setpriority(PRIO_PROCESS, 0, -15); }
  ~PromptObserver() { setpriority(PRIO_PROCESS, 0, before_); }
  PromptObserver(const PromptObserver&) = delete;
  PromptObserver& operator=(const PromptObserver&) = delete;

 private:
  int before_;
};

enum class Loss { pull, kill, stop, resign };

/// One loss of the leader, and all as before.
double lose_leader(Network& network, Flock& flock, Loss loss, Clock::duration pause = 0s) {
  if (!flock.settle()) return 20000;
  std::this_thread::sleep_for(pause);
  const std::size_t leader = flock.leading_place();
  NextLeader next(flock, flock.all_but(leader), leader + 1);
  // Somewhere within a period, as losses are.
  std::this_thread::sleep_for(std::chrono::microseconds(1000 + std::rand() % 100000));
  std::optional<PromptObserver> prompt(std::in_place);
  const auto begin = Clock::now();
  switch (loss) {
    case Loss::pull:
      network.pull(network[leader]);
      break;
    case Loss::kill:
      flock.daemon(leader).kill(SIGKILL);
      break;
    case Loss::stop:
      flock.daemon(leader).kill(SIGTERM);
      break;
    case Loss::resign:
      flock.client(leader).resign();
      break;
  }
  const double took = next.wait(begin);
  prompt.reset();
  switch (loss) {
    case Loss::pull:
      network.plug(network[leader]);
      break;
    case Loss::resign:
      flock.client(leader).resume();
      break;
    default:
      flock.daemon(leader).wait(5s), flock.start(leader);
  }
  return took;
}

double rival_loses_master(Network& network, Keepalived& rival) {
  const std::size_t master = network.size() - 1, next = master - 1;
  if (!bed::eventually(10s, [&] { return rival.is_master(master) && !rival.is_master(next); }))
    return 20000;
  std::this_thread::sleep_for(std::chrono::microseconds(1000 + std::rand() % 100000));
  const std::size_t before = rival.times_master(next);
  const PromptObserver prompt;
  const auto begin = Clock::now();
  network.pull(network[master]);
  bed::eventually(
      20s, [&] { return rival.times_master(next) > before; }, 500us);
  const double took = milliseconds(Clock::now() - begin);
  network.plug(network[master]);
  return took;
}

void failover_row(const char* what, const Spread& ours, double bound,
                  const std::string& bound_text) {
  fmt::print("{:<34} {:>8.1f} {:>8.1f} {:>4}   {:>8.1f}  {:<28} {:.2f}  {}\n", what, ours.median,
             ours.highest, ours.number, bound, bound_text, ours.median / bound,
             verdict(ours.median <= bound,
                     fmt::format("{}: median {:.1f} ms; it must be at most {:.1f} ms ({})", what,
                                 ours.median, bound, bound_text)));
}

void failover(int trials) {
  fmt::print(
      "From the loss of the leader to the next one on every survivor, milliseconds; three on a "
      "LAN,\nbeats every 100 ms.\n\n{:<34} {:>8} {:>8} {:>4}   {:>8}\n",
      "", "median", "most", "n", "bound");
  Network network;
  network.lan(3);
  Flock flock(network);
  flock.start_all();
  flock.settle();
  const double rtt = round_trip_ms(network);
  const auto measure = [&](Network& in, Flock& of, Loss loss, Clock::duration pause = 0s) {
    std::vector<double> times;
    for (int i = 0; i < trials; ++i) times.push_back(lose_leader(in, of, loss, pause));
    return spread_of(times);
  };
  Spread rival_spread;
  Spread pulled;
  if (Keepalived::available()) {
    Network theirs;
    theirs.lan(3);
    Keepalived rival(theirs);
    rival.start_all();
    std::vector<double> ours, others;
    for (int i = 0; i < trials; ++i) {  // in turn, under the same load
      ours.push_back(lose_leader(network, flock, Loss::pull));
      others.push_back(rival_loses_master(theirs, rival));
    }
    pulled = spread_of(ours);
    rival_spread = spread_of(others);
  } else {
    pulled = measure(network, flock, Loss::pull);
  }
  failover_row("silent cable pull", pulled, silent_ms, "1.5 periods");
  failover_row("kill -9, at once after the last", measure(network, flock, Loss::kill),
               1.2 * timeout_ms + 5 * rtt, "1.2 timeouts + 5 round trips");
  failover_row("kill -9, a second after the last", measure(network, flock, Loss::kill, 1s),
               silent_ms, "1.5 periods");
  if (rival_spread.number > 0)
    failover_row("silent pull, against keepalived", pulled, rival_spread.median,
                 fmt::format("keepalived (most {:.1f})", rival_spread.highest));
  fmt::print("round trip on this LAN: {:.3f} ms\n\n", rtt);

  Network slow;
  Cable& cable = slow.cabled_lan(3, 1);
  cable.set({.delay = 5ms});
  Flock far(slow);
  far.start_all();
  far.settle();
  const double long_trip = round_trip_ms(slow);
  fmt::print("The same over a cable with a delay of 5 ms each way.\n");
  failover_row("silent cable pull", measure(slow, far, Loss::pull), silent_ms + 2 * long_trip,
               "1.5 periods + 2 round trips");
  failover_row("graceful stop", measure(slow, far, Loss::stop), 2 * long_trip, "2 round trips");
  failover_row("resign", measure(slow, far, Loss::resign), 2 * long_trip, "2 round trips");
  fmt::print("round trip on this cable: {:.3f} ms\n\n", long_trip);
}

void idle(double seconds) {
  fmt::print("While nothing changes, {} s.\n\n{:<34} {:>12} {:>12} {:>10} {:>8}\n", seconds, "",
             "frames/s/node", "bytes/s/node", "MiB most", "CPU %");
  const auto wait =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  for (const std::size_t hosts : {3u, 21u}) {
    Network network;
    network.lan(hosts);
    Flock flock(network);
    flock.start_all();
    flock.settle(40s);
    std::this_thread::sleep_for(2s);
    const auto before = network.sent();
    std::chrono::microseconds cpu{0};
    for (const std::size_t i : flock.all()) cpu -= flock.daemon(i).cpu_time();
    std::this_thread::sleep_for(wait);
    const auto sent = network.sent() - before;
    long rss = 0;
    for (const std::size_t i : flock.all()) {
      cpu += flock.daemon(i).cpu_time();
      rss = std::max(rss, flock.daemon(i).rss_kib());
    }
    const double nodes = static_cast<double>(hosts);
    const double frames = static_cast<double>(sent.frames_sent) / seconds / nodes;
    const double share = std::chrono::duration<double>(cpu).count() / seconds / nodes * 100;
    const double memory = static_cast<double>(rss) / 1024;
    // The kernel's own frames (MLD reports and the like) are on the wire, too.
    const bool kept = frames <= most_frames && memory < most_mebibytes && share <= most_cpu_percent;
    fmt::print("{:<34} {:>12.2f} {:>12.0f} {:>10.1f} {:>8.2f}  {}\n",
               fmt::format("bellwether, {} neighbours", hosts - 1), frames,
               static_cast<double>(sent.bytes_sent) / seconds / nodes, memory, share,
               verdict(kept, fmt::format("idle with {} neighbours: {:.2f} frames/s, {:.1f} MiB and "
                                         "{:.2f} % CPU; they must be at most {}, {} and {}",
                                         hosts - 1, frames, memory, share, most_frames,
                                         most_mebibytes, most_cpu_percent)));
  }
  if (!Keepalived::available()) return;
  Network network;
  network.lan(3);
  Keepalived rival(network);
  rival.start_all();
  std::this_thread::sleep_for(2s);
  const auto before = network.sent();
  double cpu = 0;
  for (std::size_t i = 0; i < 3; ++i) cpu -= rival.cpu_seconds(i);
  std::this_thread::sleep_for(wait);
  const auto sent = network.sent() - before;
  long rss = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    cpu += rival.cpu_seconds(i);
    rss = std::max(rss, rival.rss_kib(i));
  }
  fmt::print("{:<34} {:>12.2f} {:>12.0f} {:>10.1f} {:>8.2f}\n\n", "keepalived, three of them",
             static_cast<double>(sent.frames_sent) / seconds / 3,
             static_cast<double>(sent.bytes_sent) / seconds / 3, static_cast<double>(rss) / 1024,
             cpu / seconds / 3 * 100);
}

/// Changes of leader that all of them have counted.
std::uint64_t changes_in(const Flock& flock) {
  std::uint64_t sum = 0;
  for (const std::size_t i : flock.all()) sum += flock.metric(i, "leader_changes_total");
  return sum;
}

/// Two groups side by side, under the same load: as a daemon is started, and without precedence.
void busy(double seconds) {
  fmt::print(
      "Elections without a reason in {} s, beats every 100 ms, six busy loops on the machine.\n",
      seconds);
  Network network, equal_network, theirs;
  network.lan(3), equal_network.lan(3), theirs.lan(3);
  Flock flock(network), equal(equal_network, {.arguments = {"--nice", "0"}});
  for (Flock* each : {&flock, &equal}) each->start_all(), each->settle();
  std::unique_ptr<Keepalived> rival;
  if (Keepalived::available()) {
    rival = std::make_unique<Keepalived>(theirs);
    rival->start_all();
    std::this_thread::sleep_for(2s);
  }
  const auto masters = [&] {
    std::size_t sum = 0;
    for (std::size_t i = 0; rival && i < 3; ++i) sum += rival->times_master(i);
    return sum;
  };
  const std::uint64_t before = changes_in(flock), equal_before = changes_in(equal);
  const std::size_t rival_before = masters();
  {
    const auto loops = bed::busy_loops(6);
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }
  const auto row = [](const char* what, std::uint64_t changes) {
    fmt::print("{:<34} {:>4}  {}\n", what, changes,
               verdict(changes == 0, fmt::format("busy machine, {}: {} elections; there must be "
                                                 "none",
                                                 what, changes)));
  };
  row("bellwether", changes_in(flock) - before);
  row("bellwether at nice 0", changes_in(equal) - equal_before);
  if (rival) fmt::print("{:<34} {:>4}\n", "keepalived at nice 0", masters() - rival_before);
  fmt::print("\n");
}

int run_parts(int argc, char** argv) {
  if (const auto why = Network::unavailable()) {
    fmt::print("SKIPPED: {}\n", *why);
    return 0;
  }
  const auto wanted = [&](std::string_view part) {
    return argc < 2 || std::any_of(argv + 1, argv + argc, [&](const char* w) { return part == w; });
  };
  if (!Keepalived::available())
    fmt::print("keepalived is not installed; its rows are left out (scripts/setup bench)\n");
  if (wanted("failover")) failover(20);
  if (wanted("idle")) idle(15);
  if (wanted("busy")) busy(60);
  if (wanted("lock")) measure_lock(bounds);
  if (wanted("members")) measure_members(bounds, 25, 20);
  if (wanted("line")) measure_line(bounds);
  if (wanted("grid")) measure_grid(bounds);
  if (wanted("walk")) measure_walk(bounds);
  return bounds.status();
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  if (argc == 4 && std::string_view(argv[1]) == "mark")
    return bench::leave_marks(argv[2], std::string_view(argv[3]) == "stubborn");
  bellwether::bed::enter_own_namespaces();
  return bench::run_parts(argc, argv);
}
