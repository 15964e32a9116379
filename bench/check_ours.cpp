// SPDX-License-Identifier: MIT
#include "check_ours.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/check/check.hpp"

namespace bench {
namespace {

using namespace bellwether;

double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
}

}  // namespace

std::optional<Searched> in_child(const std::function<Searched()>& search) {
  int ends[2];
  if (pipe(ends) != 0) return std::nullopt;
  std::fflush(nullptr);
  const auto begun = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    return std::nullopt;
  }
  if (child == 0) {
    close(ends[0]);
    int status = 1;
    try {
      const Searched found = search();
      if (write(ends[1], &found, sizeof found) == sizeof found) status = 0;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    _exit(status);
  }
  close(ends[1]);
  Searched found;
  const bool whole = read(ends[0], &found, sizeof found) == sizeof found;
  close(ends[0]);
  int status = 0;
  rusage used{};
  if (wait4(child, &status, 0, &used) != child || status != 0 || !whole) return std::nullopt;
  found.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  found.cpu = seconds(used.ru_utime) + seconds(used.ru_stime);
  found.peak = static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
  return found;
}

Searched best_of(const Searched& a, const Searched& b) {
  Searched best = a;
  best.cpu = std::min(a.cpu, b.cpu);
  best.wall = std::min(a.wall, b.wall);
  best.peak = std::min(a.peak, b.peak);
  return best;
}

std::optional<Searched> search(const check::Spec& spec) {
  return in_child([&] {
    const check::Verdict verdict = check::check(catalogue::algorithm(spec.algorithm), spec, {});
    Searched found;
    found.complete = verdict.ended == check::SearchEnd::complete;
    found.states = verdict.states;
    found.transitions = verdict.transitions;
    found.rests = verdict.rests;
    found.stored = verdict.stored;
    return found;
  });
}

}  // namespace bench
