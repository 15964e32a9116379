// SPDX-License-Identifier: MIT
// Several processes, on one machine or many. The first hands out tasks one by one and keeps the
// rows; a process that falls silent counts as dead, and its task is given to another.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>

#include "bellwether/experiment/sweep.hpp"
#include "bellwether/experiment/workers.hpp"

#ifdef BELLWETHER_MPI
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#endif

namespace bellwether::experiment {

using namespace std::chrono_literals;

bool started_with_others() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_SIZE", "SLURM_NTASKS"}) {
    const char* text = std::getenv(name);
    if (text && std::atoi(text) > 1 &&
        (std::string_view(name) != "SLURM_NTASKS" || std::getenv("SLURM_PROCID")))
      return true;
  }
  return false;
}

#ifndef BELLWETHER_MPI

bool has_mpi() {
  return false;
}
Rank join() {
  return {};
}
SweepStatus lead(const Orders& orders, Rank) {
  return sweep(orders);
}
void follow(const Orders&, Rank) {}
void leave(Rank, bool, int) {}
void give_up(Rank) {}

#else

namespace {

/// What a message is.
enum Tag : int { ready = 1, row, alive, task, end };

constexpr auto beat = 1s;
constexpr auto patience = 20s;  // a process that is silent for longer counts as dead

void send(int to, Tag tag, const void* bytes, std::size_t size) {
  MPI_Send(bytes, static_cast<int>(size), MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

struct MpiMessage {
  int from = 0;
  int tag = 0;
  std::string bytes;
};

std::optional<MpiMessage> receive() {
  int there = 0;
  MPI_Status status;
  if (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS ||
      there == 0)
    return std::nullopt;
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  MpiMessage letter{status.MPI_SOURCE, status.MPI_TAG,
                    std::string(static_cast<std::size_t>(size), '\0')};
  MPI_Recv(letter.bytes.data(), size, MPI_BYTE, letter.from, letter.tag, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  return letter;
}

/// The other processes, as the first one knows them.
class Others {
 public:
  Others(SweepPlan& plan, Rank rank)
      : plan_(plan),
        heard_(static_cast<std::size_t>(rank.size), std::chrono::steady_clock::now()) {}

  /// A row, if the letter brings one that is still wanted.
  std::optional<Row> open(const MpiMessage& letter) {
    if (gone_.contains(letter.from)) return std::nullopt;
    heard_[static_cast<std::size_t>(letter.from)] = std::chrono::steady_clock::now();
    if (letter.tag == Tag::ready) idle_.push_back(letter.from);
    if (letter.tag != Tag::row) return std::nullopt;
    busy_.erase(letter.from);
    return unpack(letter.bytes);
  }
  void hand_out() {
    while (!idle_.empty()) {
      const auto next = plan_.next();
      if (!next) return;
      const int to = idle_.front();
      idle_.pop_front();
      busy_[to] = *next;
      send(to, Tag::task, &*next, sizeof *next);
    }
  }
  /// Gives the tasks of processes that have fallen silent to others.
  void bury() {
    const auto now = std::chrono::steady_clock::now();
    for (auto at = busy_.begin(); at != busy_.end();) {
      if (now - heard_[static_cast<std::size_t>(at->first)] < patience) {
        ++at;
        continue;
      }
      plan_.again(at->second);
      gone_.insert(at->first);
      at = busy_.erase(at);
    }
    std::erase_if(idle_, [&](int who) { return gone_.contains(who); });
  }
  unsigned lost() const { return static_cast<unsigned>(gone_.size()); }
  void dismiss() const {
    const char all_well = gone_.empty() ? 1 : 0;
    for (int who = 1; who < static_cast<int>(heard_.size()); ++who)
      if (!gone_.contains(who)) send(who, Tag::end, &all_well, 1);
  }

 private:
  SweepPlan& plan_;
  std::vector<std::chrono::steady_clock::time_point> heard_;
  std::map<int, Task> busy_;
  std::deque<int> idle_;
  std::set<int> gone_;
};

}  // namespace

bool has_mpi() {
  return true;
}

Rank join() {
  if (!started_with_others()) return {};
  int level = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  Rank out;
  MPI_Comm_rank(MPI_COMM_WORLD, &out.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &out.size);
  return out;
}

SweepStatus lead(const Orders& orders, Rank rank) {
  if (rank.size == 1) return sweep(orders);
  SweepPlan plan(*orders.experiment, points(*orders.experiment).size(), orders.found);
  SweepStatus status{plan.done(), plan.planned(), 0, static_cast<unsigned>(rank.size), 0};
  Others others(plan, rank);
  Workers workers(orders.run, 1);
  const auto keep = [&](const Row& made) {
    orders.keep(made);
    plan.done(made);
    ++status.made;
  };
  bool go_on = orders.on_progress(status);
  while (go_on && !plan.finished()) {
    while (const auto letter = receive())
      if (const auto made = others.open(*letter)) keep(*made);
    others.bury();
    others.hand_out();
    if (workers.room() > 0)
      if (const auto mine = plan.next()) workers.give(*mine);
    if (const auto made = workers.take(2ms)) keep(*made);
    status.done = plan.done();
    status.planned = plan.planned();
    status.lost = others.lost();
    go_on = orders.on_progress(status);
  }
  others.dismiss();
  return status;
}

void follow(const Orders& orders, Rank rank) {
  Workers workers(orders.run, 1);
  send(0, Tag::ready, nullptr, 0);
  auto next_beat = std::chrono::steady_clock::now() + beat;
  for (;;) {
    if (!orders.on_progress({})) return leave(rank, true, 0);
    if (const auto letter = receive()) {
      if (letter->tag == Tag::end)
        return leave(rank, letter->bytes.empty() || letter->bytes[0] == 0, 0);
      Task todo;
      std::memcpy(&todo, letter->bytes.data(), std::min(sizeof todo, letter->bytes.size()));
      workers.give(todo);
    }
    if (const auto made = workers.take(2ms)) {
      const std::string bytes = pack(*made);
      send(0, Tag::row, bytes.data(), bytes.size());
      send(0, Tag::ready, nullptr, 0);
    }
    if (std::chrono::steady_clock::now() >= next_beat) {
      next_beat = std::chrono::steady_clock::now() + beat;
      send(0, Tag::alive, nullptr, 0);
    }
  }
}

void leave(Rank rank, bool lost, int status) {
  if (rank.size == 1) return;
  std::fflush(nullptr);
  // Dead processes do not answer: MPI_Finalize would wait for them without end.
  if (lost) std::_Exit(status);
  MPI_Finalize();
}

void give_up(Rank rank) {
  if (rank.size > 1) MPI_Abort(MPI_COMM_WORLD, 2);
}

#endif

}  // namespace bellwether::experiment
