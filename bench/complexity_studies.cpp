// SPDX-License-Identifier: MIT
#include "complexity_studies.hpp"

#include <cmath>

#include "bellwether/algorithms/ring/ring_orders_test.hpp"

namespace bellwether::complexity {
namespace {

using algorithms::ring_orders::alternate_worst;
using algorithms::ring_orders::franklin_worst;
using Sizes = std::vector<core::NodeIndex>;
using Ids = std::vector<core::NodeId>;

const Sizes to_a_million{64, 256, 1024, 4096, 16'384, 65'536, 262'144, 1'048'576};
const Sizes to_thousands{16, 64, 256, 1024, 4096};
const Sizes cliques{8, 16, 32, 64, 128, 256, 512, 1024};
const Sizes graphs{64, 256, 1024, 4096, 16'384, 65'536};

/// The largest Fibonacci number of nodes that fits, in as many phases of the alternating election
/// as there can be.
Ids alternate_order(core::NodeIndex n) {
  std::uint64_t phases = 1, now = 1, next = 2;
  while (next <= n) {
    const std::uint64_t sum = now + next;
    now = next;
    next = sum;
    ++phases;
  }
  return alternate_worst(static_cast<core::NodeIndex>(now), phases);
}
/// The same for Peterson's.
Ids peterson_order(core::NodeIndex n) {
  unsigned k = 1;
  for (std::uint64_t now = 3, next = 5; now <= n; ++k) {
    const std::uint64_t sum = now + next;
    now = next;
    next = sum;
  }
  return algorithms::ring_orders::fibonacci_order(k);
}

double log2n(double n) {
  return n * std::log2(n);
}

Case average(const char* published) {
  return {
      .name = "average", .ids = "random", .published = published, .drawn = true, .plotted = true};
}
Case worst(const char* ids, const char* published) {
  return {.name = "worst known", .ids = ids, .published = published};
}
Case worst(Ids (*names)(core::NodeIndex), const char* published) {
  return {.name = "worst known", .ids = "", .published = published, .names = names};
}
Case quadratic(const char* ids, const char* published, core::NodeIndex most) {
  return {.name = "worst known",
          .ids = ids,
          .published = published,
          .most_nodes = most,
          .law = Law::square};
}
Case best(const char* ids, const char* published) {
  return {.name = "best known", .ids = ids, .published = published, .law = Law::linear};
}
Case one_initiator(const char* published, Law law) {
  return {.name = "one initiator",
          .ids = "random",
          .published = published,
          .drawn = true,
          .initiators = 1,
          .law = law};
}

Study one_way(const char* algorithm, std::vector<Case> cases, double (*bound)(double, double)) {
  return {.algorithm = algorithm,
          .topology = "ring",
          .one_way = true,
          .sizes = to_a_million,
          .cases = std::move(cases),
          .bound = bound};
}
Study two_way(const char* algorithm, std::vector<Case> cases, double (*bound)(double, double)) {
  Study study = one_way(algorithm, std::move(cases), bound);
  study.one_way = false;
  return study;
}

const double n_harmonic = std::log(2.0);  // n H_n = n ln n + 0.577 n

std::vector<Study> ring_studies() {
  Study lelann = one_way("lelann", {average("n^2 + n, in every order")},
                         [](double n, double) { return n * n + n; });
  lelann.law = Law::square;
  lelann.constant = 1;
  lelann.sizes = to_thousands;
  Study chang_roberts =
      one_way("chang-roberts",
              {quadratic("descending", "0.5 n^2 + 1.5 n", 16'384),
               average("n H_n + n, that is 0.693 n log2 n + 1.577 n"), best("ascending", "3n - 1")},
              [](double n, double) { return n * (n + 1) / 2 + n; });
  chang_roberts.constant = n_harmonic;
  Study clockwise = one_way("clockwise",
                            {quadratic("descending", "n^2", 16'384),
                             average("that of chang-roberts"), best("ascending", "3n - 1")},
                            [](double n, double) { return n * n + n; });
  clockwise.constant = n_harmonic;
  Study itai_rodeh = one_way("itai-rodeh", {average("O(n log n) expected")}, nullptr);
  itai_rodeh.anonymous = true;
  return {lelann,
          chang_roberts,
          clockwise,
          one_way("peterson",
                  {worst(peterson_order, "1.44 n log2 n + O(n)"), average("not published"),
                   best("descending", "not published")},
                  [](double n, double) { return 1.4405 * log2n(n) + 3 * n; }),
          one_way("dolev-klawe-rodeh",
                  {worst("bit-reversed", "1.5 n log2 n + O(n) for B"), average("not published"),
                   best("descending", "not published")},
                  [](double n, double) { return 1.5 * log2n(n) + 4 * n; }),
          one_way("higham-przytycka",
                  {worst("bit-reversed", "1.271 n log2 n + O(n)"), average("not published"),
                   best("descending", "not published")},
                  [](double n, double) { return 1.271 * log2n(n) + 5 * n; }),
          two_way("hirschberg-sinclair",
                  {worst("bit-reversed", "8 n (1 + log2 n)"), average("not published"),
                   best("ascending", "not published")},
                  [](double n, double) { return 8 * n * (1 + std::ceil(std::log2(n))) + n; }),
          two_way("franklin",
                  {worst(franklin_worst, "2 n log2 n + O(n)"), average("not published"),
                   best("ascending", "not published")},
                  [](double n, double) { return 2 * n * (std::floor(std::log2(n)) + 1) + n; }),
          two_way("alternate",
                  {worst(alternate_order, "1.44 n log2 n + O(n)"), average("not published"),
                   best("descending", "not published")},
                  [](double n, double) { return 1.4405 * log2n(n) + 2 * n; }),
          itai_rodeh};
}

/// In rounds a million nodes take too long: every node is called in each of them.
Study in_rounds(const char* algorithm, const char* topology, Law law, std::vector<Case> cases,
                double (*bound)(double, double)) {
  return {.algorithm = algorithm,
          .topology = topology,
          .one_way = std::string_view(topology) == "ring",
          .law = law,
          .sizes = {64, 256, 1024, 4096},
          .cases = std::move(cases),
          .bound = bound};
}

std::vector<Study> round_studies() {
  Study clockwise = in_rounds("clockwise-sync", "ring", Law::n_log_n,
                              {quadratic("descending", "n^2", 0), average("that of chang-roberts"),
                               best("ascending", "3n - 1")},
                              [](double n, double) { return n * n + n; });
  clockwise.constant = n_harmonic;
  return {clockwise,
          in_rounds("time-slice", "ring", Law::linear,
                    {average("n messages, in n (min id + 1) rounds")},
                    [](double n, double) { return n; }),
          in_rounds("frederickson-lynch", "ring", Law::linear,
                    {average("at most 4n, in n 2^(min id) + O(n) rounds")},
                    [](double n, double) { return 4 * n; }),
          in_rounds("flood-max", "torus", Law::links_root_n,
                    {average("2e in each of D rounds; D = sqrt n is known")},
                    [](double n, double links) { return 2 * links * n; }),
          in_rounds("opt-flood-max", "torus", Law::links, {average("at most flood-max")},
                    [](double n, double links) { return 2 * links * n; }),
          in_rounds("peleg", "torus", Law::links_root_n,
                    {average("O(D e), in O(D) rounds; D is unknown")}, nullptr),
          in_rounds("bfs-tree", "torus", Law::links, {average("2e - (n - 1)")},
                    [](double n, double links) { return 2 * links - n + 1; })};
}

std::vector<Study> graph_studies() {
  const auto study = [](const char* algorithm, Law law, std::vector<Case> cases,
                        double (*bound)(double, double)) -> Study {
    return {.algorithm = algorithm,
            .topology = "barabasi-albert",
            .law = law,
            .sizes = graphs,
            .cases = std::move(cases),
            .bound = bound};
  };
  return {study("echo-extinction", Law::links,
                {average("at most 2 n e, and 2e to announce"),
                 one_initiator("2e, and 2e to announce", Law::links)},
                [](double n, double links) { return 2 * n * links + 2 * links; }),
          study("ghs", Law::n_log_n,
                {average("at most 5 n log2 n + 2e, and n to announce; e is 2n"),
                 one_initiator("the same bound", Law::of_the_study)},
                [](double n, double links) { return 5 * log2n(n) + 2 * links + n; })};
}

/// Four messages for each capture, of which there are n/1 + n/2 + ... + n/(n-1), and the
/// announcement.
double captures(double n, double) {
  double sum = n - 1;
  for (double s = 1; s < n; ++s) sum += 4 * std::floor(n / s);
  return sum;
}

std::vector<Study> complete_studies() {
  const auto study = [](const char* algorithm, Law law, std::vector<Case> cases,
                        double (*bound)(double, double)) -> Study {
    return {.algorithm = algorithm,
            .topology = "complete",
            .law = law,
            .sizes = cliques,
            .cases = std::move(cases),
            .bound = bound};
  };
  return {
      study("bully", Law::square, {average("O(n^2) without faults")}, nullptr),
      study("humblet", Law::n_log_n,
            {average("at most 2.773 n log2 n + O(n)"),
             one_initiator("2(n - 1), and the announcement", Law::linear)},
            captures),
      study("korach-moran-zaks", Law::n_log_n,
            {average("at most 5 n log2 k + O(n), k initiators"),
             one_initiator("3(n - 1), and the announcement", Law::linear)},
            [](double n, double) { return 5 * n * (std::floor(std::log2(n)) + 1) + 4 * n; }),
      study("afek-gafni", Law::n_log_n,
            {average("at most 2.773 n log2 n + O(n) for B"),
             one_initiator("2(n - 1), and the announcement", Law::linear)},
            captures),
      study("afek-gafni-sync", Law::n_log_n, {average("at most 3 n log2 n, in 2 log2 n rounds")},
            [](double n, double) { return 3 * n * std::ceil(std::log2(n)); })};
}

}  // namespace

double value_of(Law law, double n, double links) {
  switch (law) {
    case Law::of_the_study:
    case Law::linear:
      return n;
    case Law::n_log_n:
      return log2n(n);
    case Law::square:
      return n * n;
    case Law::links:
      return links;
    case Law::links_root_n:
      return links * std::sqrt(n);
  }
  return n;
}

std::string_view text_of(Law law) {
  switch (law) {
    case Law::of_the_study:
    case Law::linear:
      return "n";
    case Law::n_log_n:
      return "n log2 n";
    case Law::square:
      return "n^2";
    case Law::links:
      return "e";
    case Law::links_root_n:
      return "e sqrt n";
  }
  return "?";
}

std::vector<Group> groups() {
  return {
      {"rings", "Rings",
       "One-way links where the algorithm needs no others; all nodes begin. *Worst known* is the "
       "order of ids\nthat is the worst of those that we know; the orders built for `peterson` and "
       "`alternate` have a\nFibonacci number of nodes.",
       ring_studies()},
      {"rounds", "Synchronous rounds",
       "A common clock; time is in rounds. Rings are one-way; the torus is as square as possible, "
       "so that its\ndiameter D is sqrt n.",
       round_studies()},
      {"graphs", "Any connected network",
       "Random attachment (Barabasi-Albert), two links for each new node; all nodes begin, or one.",
       graph_studies()},
      {"complete", "Complete networks", "All nodes begin, or one.", complete_studies()}};
}

}  // namespace bellwether::complexity
