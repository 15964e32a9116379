// SPDX-License-Identifier: MIT
// Spaces of millions of states, for `make check-deep`: the repaired algorithms, the heights and the
// hierarchy must be found without fault. A word on the command line picks the searches that contain
// it.
#include <chrono>
#include <cstdio>
#include <thread>

#include "bellwether/check/prepare.hpp"
#include "check/searches.hpp"

namespace bellwether::searches {
namespace {

struct Deep {
  std::string name;
  Spec spec;
};

Spec large(const char* algorithm, core::NodeIndex nodes, unsigned changes, Notify notify,
           ChannelOrder order) {
  Spec spec = on_all(algorithm, nodes, false);
  spec.changes = changes;
  spec.notify = notify;
  spec.order = order;
  return spec;
}

std::vector<Deep> all() {
  constexpr auto fifo = ChannelOrder::fifo;
  constexpr auto unordered = ChannelOrder::unordered;
  std::vector<Deep> out{
      {"cel-2 n=3, 3 changes, fifo, instant", large("cel-2", 3, 3, Notify::instant, fifo)},
      {"cel-2 n=3, 2 changes, edge", large("cel-2", 3, 2, Notify::edge, unordered)},
      {"cel-2 n=3, 2 changes, level", large("cel-2", 3, 2, Notify::level, unordered)},
      {"cel-2 n=4, 1 change, edge", large("cel-2", 4, 1, Notify::edge, unordered)},
      {"topology-aware-2 n=3, 2 changes, fifo",
       large("topology-aware-2", 3, 2, Notify::edge, fifo)},
      {"topology-aware-2 n=3, 3 changes, fifo, instant",
       large("topology-aware-2", 3, 3, Notify::instant, fifo)},
      {"height n=3, 3 changes", large("height", 3, 3, Notify::edge, fifo)},
      {"height n=4, 2 changes", large("height", 4, 2, Notify::instant, fifo)},
      {"hierarchy n=3, 2 changes", large("hierarchy", 3, 2, Notify::edge, fifo)},
      {"hierarchy n=4, 1 change", large("hierarchy", 4, 1, Notify::edge, fifo)},
      {"hierarchy n=4, 2 changes", large("hierarchy", 4, 2, Notify::instant, fifo)},
      {"cel-2 n=3, 1 crash, level", large("cel-2", 3, 0, Notify::level, unordered)},
      {"cel-2 n=3, 1 change, 1 loss", large("cel-2", 3, 1, Notify::edge, unordered)},
      {"topology-aware-2 n=2, 2 changes, 1 crash",
       large("topology-aware-2", 2, 2, Notify::edge, unordered)},
      {"topology-aware-2 n=3, 1 change, 1 loss, instant",
       large("topology-aware-2", 3, 1, Notify::instant, unordered)},
  };
  out.push_back({"drumbeat n=3, 2 changes", large("drumbeat", 3, 2, Notify::edge, unordered)});
  out.push_back({"drumbeat n=3, 1 crash, instant", large("drumbeat", 3, 0, Notify::instant, fifo)});
  out.push_back({"drumbeat n=4, 1 change", large("drumbeat", 4, 1, Notify::instant, fifo)});
  for (Deep& each : out) {
    if (each.name.starts_with("drumbeat")) all_of_drumbeat(each.spec);
    // The search of the complete one was never ended: docs/verification.md.
    if (each.name == "drumbeat n=4, 1 change") check::keep_sparse_graphs(each.spec, 5);
    if (each.name.starts_with("h")) each.spec.clocks = check::ClockValues::exact;
    if (each.name.starts_with("hierarchy")) {
      each.spec.options = {{"remoteness", "1"}};
      each.spec.properties = {"all"};
    }
    if (each.name.find("loss") != each.name.npos) each.spec.losses = 1;
    if (each.name.find("crash") != each.name.npos) each.spec.crashes = each.spec.restarts = 1;
    each.spec.threads = std::max(1u, std::thread::hardware_concurrency());
  }
  return out;
}

int run(const std::string& word) {
  bool fine = true;
  for (const Deep& each : all()) {
    if (each.name.find(word) == each.name.npos) continue;
    const auto begin = std::chrono::steady_clock::now();
    const Verdict verdict = search(each.spec);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    const auto ended = static_cast<std::size_t>(verdict.ended);
    std::printf("%s: %s, %llu states, %llu quiescent, depth %u, %.1f s %s\n", each.name.c_str(),
                std::string(check::names_of(verdict.ended)[ended]).c_str(),
                static_cast<unsigned long long>(verdict.states),
                static_cast<unsigned long long>(verdict.rests), verdict.depth, time.count(),
                verdict.sentence.c_str());
    std::fflush(stdout);
    // A limit is no fault: it says that this machine is too small.
    fine = fine && verdict.ended != SearchEnd::violation;
  }
  return fine ? 0 : 1;
}

}  // namespace
}  // namespace bellwether::searches

int main(int argc, char** argv) {
  try {
    return bellwether::searches::run(argc > 1 ? argv[1] : "");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "deep_searches: %s\n", error.what());
    return 1;
  }
}
