// SPDX-License-Identifier: MIT
// Looks for a graph on which a fast method errs, among very many. Seeded: a case that fails prints
// the command that shows it again.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string_view>
#include <thread>

#include "bellwether/graph/closeness/kernels.hpp"
#include "parts.hpp"

namespace bellwether::deep {

namespace {

using Number = unsigned long long;

struct Part {
  std::string_view prefix;  // of the family, in a command
  const char* unit;
  const char* what;
  std::uint64_t cases;
  Outcome (*run)(const Family&, std::uint64_t seed);
};

constexpr std::array parts{
    Part{"", "graphs", "of 1 to 300 nodes, all methods of closeness", 100'000, small_graph},
    Part{"large/", "graphs", "of 1,000 to 20,000 nodes, all methods of closeness", 200,
         large_graph},
    Part{"events/", "events", "in networks of 1 to 300 and of 1,000 nodes", 1000, events},
    Part{"measures/", "graphs", "with weights, harmonic sums and views", 10'000, measures},
};

std::string name_of(const Part& part, const Family& family) {
  return std::string(part.prefix) + std::string(family.name);
}

/// Families take turns; each has the seeds 1, 2, ...
class Run {
 public:
  explicit Run(const Part& part, std::uint64_t share)
      : part_(part), cases_(std::max<std::uint64_t>(1, part.cases / share)) {}

  bool fine(unsigned threads) {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::thread> all;
    for (unsigned i = 0; i < threads; ++i) all.emplace_back([this] { work(); });
    for (std::thread& each : all) each.join();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    if (isatty(STDERR_FILENO) != 0) std::fprintf(stderr, "\r\33[K");
    for (const auto& [index, line] : wrong_) std::printf("%s", line.c_str());
    std::printf("%llu %s %s: %llu wrong, %.1f s\n", static_cast<Number>(tried_.load()), part_.unit,
                part_.what, static_cast<Number>(wrong_.size()), time.count());
    std::fflush(stdout);
    return wrong_.empty();
  }

 private:
  void work() {
    const auto families = graph::drawn::families();
    for (std::uint64_t i; (i = next_++) < cases_;) {
      const Family& family = families[i % families.size()];
      const std::uint64_t seed = 1 + i / families.size();
      const Outcome outcome = part_.run(family, seed);
      tried_ += outcome.tried;
      if (!outcome.bad.empty()) note(i, family, seed, outcome);
      if (i % std::max<std::uint64_t>(1, cases_ / 200) == 0 && isatty(STDERR_FILENO) != 0)
        std::fprintf(stderr, "\r%llu of %llu ", static_cast<Number>(i),
                     static_cast<Number>(cases_));
    }
  }
  void note(std::uint64_t index, const Family& family, std::uint64_t seed, const Outcome& outcome) {
    const std::string name = name_of(part_, family);
    const std::scoped_lock lock(mutex_);
    wrong_[index] = name + ", " + std::to_string(outcome.network.nodes) + " nodes: " + outcome.bad +
                    "\n  again: build/deep_test --family " + name + " --seed " +
                    std::to_string(seed) + "\n";
  }

  const Part& part_;
  std::uint64_t cases_;
  std::atomic<std::uint64_t> next_ = 0;
  std::atomic<std::uint64_t> tried_ = 0;
  std::mutex mutex_;
  std::map<std::uint64_t, std::string> wrong_;
};

int run_all(std::uint64_t share) {
  const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  std::printf("%zu families of networks, %u threads%s\n", graph::drawn::families().size(), threads,
              graph::this_processor() == graph::Processor::avx2
                  ? ", each graph with and without AVX2"
                  : "; this processor has no AVX2");
  bool fine = true;
  for (const Part& part : parts) fine &= Run(part, share).fine(threads);
  return fine ? 0 : 1;
}

int run_one(std::string_view name, std::uint64_t seed) {
  for (const Part& part : parts)
    for (const Family& family : graph::drawn::families()) {
      if (name != name_of(part, family)) continue;
      const Outcome outcome = part.run(family, seed);
      std::printf("%u nodes, %zu links: %s\n", outcome.network.nodes, outcome.network.links.size(),
                  outcome.bad.empty() ? "fine" : outcome.bad.c_str());
      if (!outcome.bad.empty()) std::printf("%s\n", outcome.details.c_str());
      return outcome.bad.empty() ? 0 : 1;
    }
  std::fprintf(stderr, "deep_test: there is no family \"%s\"\n", std::string(name).c_str());
  return 2;
}

int usage() {
  std::fprintf(stderr,
               "usage: deep_test [--share N]              all, or one N-th of the cases\n"
               "       deep_test --family F --seed S      one case\n"
               "families, alone or after large/, events/ or measures/:");
  for (const Family& each : graph::drawn::families())
    std::fprintf(stderr, " %.*s", static_cast<int>(each.name.size()), each.name.data());
  std::fprintf(stderr, "\n");
  return 2;
}

int main(int argc, char** argv) {
  const auto word = [&](int i) { return i < argc ? std::string_view(argv[i]) : ""; };
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  if (argc == 1) return run_all(1);
  if (argc == 3 && word(1) == "--share" && number(2) > 0) return run_all(number(2));
  if (argc == 5 && word(1) == "--family" && word(3) == "--seed") return run_one(word(2), number(4));
  return usage();
}

}  // namespace
}  // namespace bellwether::deep

int main(int argc, char** argv) {
  try {
    return bellwether::deep::main(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "deep_test: %s\n", error.what());
    return 1;
  }
}
