// SPDX-License-Identifier: MIT
#include "complexity_studies.hpp"

#include <cmath>

#include "bellwether/algorithms/ring_orders_test.hpp"

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

/// As many phases of the alternating election as so many nodes can have.
Ids alternate_order(core::NodeIndex n) {
  std::uint64_t phases = 0;
  for (std::uint64_t now = 1, next = 2; now <= n; ++phases) {
    const std::uint64_t sum = now + next;
    now = next;
    next = sum;
  }
  return alternate_worst(n, phases);
}
/// The largest Fibonacci number of nodes that fits, in as many phases of Peterson's as there can
/// be.
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

Case average(const char* published, core::NodeIndex most = 0) {
  return {"average", "random", published, true, true, most};
}
Case one_initiator(const char* published) {
  return {"one initiator", "random", published, true, false, 0, 1};
}

Group rings() {
  return {
      "rings",
      "Rings",
      "One-way links where the algorithm can do with them; all nodes begin; the announcement, n\n"
      "messages more, is included. Worst known is the order of ids that is worst of those that we "
      "know.",
      {{"lelann",
        "ring",
        true,
        false,
        Law::square,
        to_thousands,
        {average("n^2 + n, in every order")},
        [](double n, double) { return n * n + n; }},
       {"chang-roberts",
        "ring",
        true,
        false,
        Law::n_log_n,
        to_a_million,
        {{"worst known", "descending", "n(n+1)/2 + n = 0.5 n^2 + 1.5 n", false, false, 16'384},
         average("n H_n + n, that is 0.693 n log2 n + 1.577 n"),
         {"best known", "ascending", "3n - 1"}},
        [](double n, double) { return n * (n + 1) / 2 + n; }},
       {"clockwise",
        "ring",
        true,
        false,
        Law::n_log_n,
        to_a_million,
        {{"worst known", "descending", "n^2", false, false, 16'384},
         average("as chang-roberts"),
         {"best known", "ascending", "3n - 1"}},
        [](double n, double) { return n * n + n; }},
       {"peterson",
        "ring",
        true,
        false,
        Law::n_log_n,
        to_a_million,
        {{"worst known", "", "1.44 n log2 n + O(n)", false, false, 0, 0, peterson_order},
         average("not published"),
         {"best known", "ascending", "not published"}},
        [](double n, double) { return 1.4405 * log2n(n) + 3 * n; }},
       {"dolev-klawe-rodeh",
        "ring",
        true,
        false,
        Law::n_log_n,
        to_a_million,
        {{"worst known", "bit-reversed", "1.5 n log2 n + O(n) for B", false, false},
         average("not published"),
         {"best known", "ascending", "not published"}},
        [](double n, double) { return 1.5 * log2n(n) + 4 * n; }},
       {"higham-przytycka",
        "ring",
        true,
        false,
        Law::n_log_n,
        to_a_million,
        {{"worst known", "bit-reversed", "1.271 n log2 n + O(n)", false, false},
         average("not published"),
         {"best known", "ascending", "not published"}},
        [](double n, double) { return 1.271 * log2n(n) + 6 * n; }},
       {"hirschberg-sinclair",
        "ring",
        false,
        false,
        Law::n_log_n,
        to_a_million,
        {{"worst known", "bit-reversed", "8 n (1 + log2 n)", false, false},
         average("not published"),
         {"best known", "ascending", "O(n)"}},
        [](double n, double) { return 8 * n * (1 + std::ceil(std::log2(n))) + n; }},
       {"franklin",
        "ring",
        false,
        false,
        Law::n_log_n,
        to_a_million,
        {{"worst known", "", "2 n log2 n + O(n)", false, false, 0, 0, franklin_worst},
         average("not published"),
         {"best known", "ascending", "O(n)"}},
        [](double n, double) { return 2 * n * (std::floor(std::log2(n)) + 1) + n; }},
       {"alternate",
        "ring",
        false,
        false,
        Law::n_log_n,
        to_a_million,
        {{"worst known", "", "1.44 n log2 n + O(n)", false, false, 0, 0, alternate_order},
         average("not published"),
         {"best known", "descending", "O(n)"}},
        [](double n, double) { return 1.4405 * log2n(n) + 2 * n; }},
       {"itai-rodeh",
        "ring",
        true,
        true,
        Law::n_log_n,
        to_a_million,
        {average("O(n log n) expected")}}}};
}

Group synchronous() {
  return {"rounds",
          "Synchronous rounds",
          "A common clock; time is in rounds. Rings are one-way; the torus is as square as can be.",
          {{"clockwise-sync",
            "ring",
            true,
            false,
            Law::n_log_n,
            {64, 256, 1024, 4096, 16'384},
            {{"worst known", "descending", "n^2", false, false, 4096},
             average("as chang-roberts, without announcement"),
             {"best known", "ascending", "2n - 1"}},
            [](double n, double) { return n * n; }},
           {"time-slice",
            "ring",
            true,
            false,
            Law::linear,
            {64, 256, 1024, 4096},
            {average("n messages, in n min id + n rounds")},
            [](double n, double) { return n; }},
           {"frederickson-lynch",
            "ring",
            true,
            false,
            Law::linear,
            {64, 256, 1024, 4096},
            {average("at most 4n with the announcement, in n 2^(min id) + O(n) rounds")},
            [](double n, double) { return 4 * n; }},
           {"flood-max",
            "torus",
            false,
            false,
            Law::links_times_n,
            {64, 256, 1024, 4096},
            {average("2e messages in each of D rounds, D known")},
            [](double n, double links) { return 2 * links * n; }},
           {"opt-flood-max",
            "torus",
            false,
            false,
            Law::links,
            {64, 256, 1024, 4096, 16'384},
            {average("not published; at most flood-max")},
            [](double n, double links) { return 2 * links * n; }},
           {"peleg",
            "torus",
            false,
            false,
            Law::links,
            {64, 256, 1024, 4096},
            {average("O(D e) messages, O(D) time, D unknown")}},
           {"bfs-tree",
            "torus",
            false,
            false,
            Law::links,
            {64, 256, 1024, 4096, 16'384},
            {average("2e - (n - 1)")},
            [](double n, double links) { return 2 * links - n + 1; }}}};
}

Group general() {
  return {
      "graphs",
      "Any connected network",
      "Random attachment (Barabasi-Albert), two links for each newcomer; all nodes begin, or "
      "one.",
      {{"echo-extinction",
        "barabasi-albert",
        false,
        false,
        Law::links,
        graphs,
        {average("at most 2 n e, and the announcement"), one_initiator("2e and the announcement")},
        [](double n, double links) { return 2 * n * links + 2 * links; }},
       {"ghs",
        "barabasi-albert",
        false,
        false,
        Law::links_log,
        graphs,
        {average("at most 5 n log2 n + 2e, and the announcement"), one_initiator("the same bound")},
        [](double n, double links) { return 5 * log2n(n) + 2 * links + n; }}}};
}

/// Four messages for each capture, of which there are n/1 + n/2 + ... + n/(n-1), and the news.
double captures(double n, double) {
  double sum = n - 1;
  for (double s = 1; s < n; ++s) sum += 4 * std::floor(n / s);
  return sum;
}

Group complete() {
  return {"complete",
          "Complete networks",
          "All nodes begin, or one; the winner's announcement, n - 1 messages, is included.",
          {{"bully",
            "complete",
            false,
            false,
            Law::square,
            cliques,
            {average("O(n^2) without faults")}},
           {"humblet",
            "complete",
            false,
            false,
            Law::n_log_n,
            cliques,
            {average("at most 2.773 n log2 n + O(n)"), one_initiator("2(n - 1), and the news")},
            captures},
           {"korach-moran-zaks",
            "complete",
            false,
            false,
            Law::n_log_n,
            cliques,
            {average("at most 5 n log2 k + O(n), k initiators"),
             one_initiator("3(n - 1), and the news")},
            [](double n, double) { return 5 * n * (std::floor(std::log2(n)) + 1) + 4 * n; }},
           {"afek-gafni",
            "complete",
            false,
            false,
            Law::n_log_n,
            cliques,
            {average("at most 2.773 n log2 n + O(n) for B, O(n) time"),
             one_initiator("2(n - 1), and the news")},
            captures},
           {"afek-gafni-sync",
            "complete",
            false,
            false,
            Law::n_log_n,
            cliques,
            {average("at most 3 n log2 n, 2 log2 n rounds")},
            [](double n, double) { return 3 * n * std::ceil(std::log2(n)); }}}};
}

}  // namespace

double value_of(Law law, double n, double links) {
  switch (law) {
    case Law::linear:
      return n;
    case Law::n_log_n:
      return log2n(n);
    case Law::square:
      return n * n;
    case Law::links:
      return links;
    case Law::links_log:
      return log2n(n);
    case Law::links_times_n:
      return links * std::sqrt(n);
  }
  return n;
}

std::string_view text_of(Law law) {
  switch (law) {
    case Law::linear:
      return "n";
    case Law::n_log_n:
    case Law::links_log:
      return "n log2 n";
    case Law::square:
      return "n^2";
    case Law::links:
      return "e";
    case Law::links_times_n:
      return "e sqrt n";
  }
  return "?";
}

std::vector<Group> groups() {
  return {rings(), synchronous(), general(), complete()};
}

}  // namespace bellwether::complexity
