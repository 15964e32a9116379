// SPDX-License-Identifier: MIT
// The daemon on real kernels, against what it promises and against keepalived, in the same run: how
// soon every survivor names the next leader, what it costs while nothing changes, whether a busy
// machine makes it elect without a reason, how long a lock's failover takes, and how large a group
// may be. Parts can be named: failover, idle, busy, lock, members. Where a promise is broken the
// status is 1.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <set>

#include "bounds.hpp"
#include "node_lock.hpp"
#include "node_rival.hpp"

namespace bench {
namespace {

using bed::Cable;
using bed::Flock;
using bed::FlockOptions;
using bed::Network;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr double timeout_ms = 300;

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

enum class Loss { pull, kill, stop, resign };

/// One loss of the leader, and all as before.
double lose_leader(Network& network, Flock& flock, Loss loss) {
  if (!flock.settle()) return 20000;
  const std::size_t leader = flock.leading_place();
  NextLeader next(flock, flock.all_but(leader), leader + 1);
  // Somewhere within a period, as losses are.
  std::this_thread::sleep_for(std::chrono::microseconds(1000 + std::rand() % 100000));
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
      "LAN,\nprobes every 100 ms, timeout 300 ms.\n\n{:<34} {:>8} {:>8} {:>4}   {:>8}\n",
      "", "median", "most", "n", "bound");
  Network network;
  network.lan(3);
  Flock flock(network);
  flock.start_all();
  flock.settle();
  const double rtt = round_trip_ms(network);
  const auto measure = [&](Network& in, Flock& of, Loss loss) {
    std::vector<double> times;
    for (int i = 0; i < trials; ++i) times.push_back(lose_leader(in, of, loss));
    return spread_of(times);
  };
  const double silent = 1.2 * timeout_ms + 5 * rtt;
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
  failover_row("silent cable pull", pulled, silent, "1.2 timeouts + 5 round trips");
  failover_row("kill -9", measure(network, flock, Loss::kill), silent,
               "1.2 timeouts + 5 round trips");
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
  failover_row("silent cable pull", measure(slow, far, Loss::pull),
               1.2 * timeout_ms + 5 * long_trip, "1.2 timeouts + 5 round trips");
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
    const bool kept = frames <= 10.5 && memory <= 10 && share < 1;
    fmt::print("{:<34} {:>12.2f} {:>12.0f} {:>10.1f} {:>8.2f}  {}\n",
               fmt::format("bellwether, {} neighbours", hosts - 1), frames,
               static_cast<double>(sent.bytes_sent) / seconds / nodes, memory, share,
               verdict(kept, fmt::format("idle with {} neighbours: {:.2f} frames/s, {:.1f} MiB and "
                                         "{:.2f} % CPU; they must be at most 10.5, 10 and 1",
                                         hosts - 1, frames, memory, share)));
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

void busy(double seconds) {
  fmt::print(
      "Elections without a reason in {} s, probes every 100 ms, six busy loops on the machine.\n",
      seconds);
  Network network, theirs;
  network.lan(3);
  theirs.lan(3);
  Flock flock(network, {.arguments = {"--nice", "0"}});
  flock.start_all();
  flock.settle();
  std::unique_ptr<Keepalived> rival;
  if (Keepalived::available()) {
    rival = std::make_unique<Keepalived>(theirs);
    rival->start_all();
    std::this_thread::sleep_for(2s);
  }
  const auto changes = [&] {
    std::uint64_t sum = 0;
    for (const std::size_t i : flock.all()) sum += flock.metric(i, "leader_changes_total");
    return sum;
  };
  const auto masters = [&] {
    std::size_t sum = 0;
    for (std::size_t i = 0; rival && i < 3; ++i) sum += rival->times_master(i);
    return sum;
  };
  const std::uint64_t before = changes();
  const std::size_t rival_before = masters();
  {
    const auto loops = bed::busy_loops(6);
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }
  const std::uint64_t ours = changes() - before;
  fmt::print(
      "bellwether (nice 0)  {:>4}  {}\n", ours,
      verdict(ours == 0, fmt::format("busy machine: {} elections; there must be none", ours)));
  if (rival) fmt::print("keepalived (nice 0)  {:>4}\n", masters() - rival_before);
  fmt::print("\n");
}

/// Daemons on loopback, as a grid: each has its neighbours as peers.
void members(std::size_t wide, std::size_t high) {
  const std::size_t count = wide * high;
  fmt::print(
      "{} members in one component: daemons on loopback, a grid of {} x {}, probes every 2 s.\n",
      count, wide, high);
  Network network;
  bed::Host& host = network.add("all");
  host.space().set_up("lo", true);
  bed::TestFolder folder;
  const std::string key = folder.write("group.key", std::string(64, 'd') + "\n");
  std::vector<bed::Process> daemons;
  const auto place = [&](std::size_t x, std::size_t y) { return y * wide + x; };
  const auto begin = Clock::now();
  for (std::size_t y = 0; y < high; ++y)
    for (std::size_t x = 0; x < wide; ++x) {
      std::vector<std::string> words{bed::node_program(),
                                     "node",
                                     "--id",
                                     std::to_string(place(x, y) + 1),
                                     "--key",
                                     key,
                                     "--bind",
                                     "127.0.0.1",
                                     "--port",
                                     std::to_string(20000 + place(x, y)),
                                     "--socket",
                                     folder.path(std::to_string(place(x, y))),
                                     "--period",
                                     "2s",
                                     "--timeout",
                                     "8s",
                                     "--listen-first",
                                     "60s"};
      const auto peer = [&](std::size_t other) {
        words.insert(words.end(), {"--peer", "127.0.0.1:" + std::to_string(20000 + other)});
      };
      if (x > 0) peer(place(x - 1, y));
      if (x + 1 < wide) peer(place(x + 1, y));
      if (y > 0) peer(place(x, y - 1));
      if (y + 1 < high) peer(place(x, y + 1));
      daemons.push_back(host.spawn(words, {.log_file = folder.path("log"), .own_sys = false}));
    }
  std::set<std::uint64_t> leaders;
  std::size_t fewest = 0;
  const auto whole = [&] {
    leaders.clear();
    fewest = count;
    for (std::size_t i = 0; i < count; ++i) {
      try {
        const auto status = client::Client(folder.path(std::to_string(i)), 10s).status();
        fewest = std::min<std::size_t>(fewest, status.members);
        leaders.insert(status.leadership.leader.value_or(0));
      } catch (const client::ClientError&) {
        fewest = 0;
      }
    }
    return fewest == count && leaders.size() == 1;
  };
  const bool settled = bed::eventually(400s, whole, 1s);
  long rss = 0;
  for (const bed::Process& daemon : daemons) rss = std::max(rss, daemon.rss_kib());
  fmt::print(
      "all know all and name one leader after {:.0f} s; at most {:.1f} MiB each (fewest members "
      "known: {}, leaders: {})  {}\n\n",
      milliseconds(Clock::now() - begin) / 1000, static_cast<double>(rss) / 1024, fewest,
      leaders.size(),
      verdict(settled, fmt::format("{} members: not all know all and name one leader after 400 s "
                                   "(fewest members known: {}, leaders: {})",
                                   count, fewest, leaders.size())));
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
  if (wanted("members")) members(25, 20);
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
