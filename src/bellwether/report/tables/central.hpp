// SPDX-License-Identifier: MIT
// The most central nodes of a graph, for people and for programs.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bellwether::report {

enum class CentralMeasure : unsigned char {
  closeness,
  harmonic,
  betweenness,
  pagerank,
  eccentricity,
  tree,
  degree
};
constexpr auto names_of(CentralMeasure) {
  return std::array<std::string_view, 7>{"closeness",    "harmonic", "betweenness", "pagerank",
                                         "eccentricity", "tree",     "degree"};
}

struct CentralRow {
  std::string name;
  std::uint64_t others = 0;  // nodes that it reaches, without itself
  std::uint64_t whole = 0;   // what it is ranked by, where that is a whole number
  double value = 0;          // and where it is not
};

struct CentralPart {
  std::uint64_t nodes = 0;
  std::uint64_t links = 0;
  std::vector<CentralRow> best;  // the most central one first
};

struct CentralReport {
  std::string graph;
  CentralMeasure measure = CentralMeasure::closeness;
  std::optional<std::uint32_t> horizon{};  // how many hops away nodes are known
  bool weighted = false;
  bool directed = false;  // the graph is one part, however it hangs together
  std::uint64_t nodes = 0;
  std::uint64_t links = 0;
  std::uint64_t loops = 0;     // left out
  std::uint64_t repeated = 0;  // left out
  std::uint64_t components = 0;
  std::vector<CentralPart> parts;  // those to show, the largest first
  std::uint64_t more_parts = 0;    // those not to show
  std::uint64_t more_nodes = 0;    // and how many nodes they have
  bool ranks = false;              // more than one node was asked for
  std::chrono::duration<double> reading{};
  std::chrono::duration<double> computing{};
  std::chrono::duration<double> computing_cpu{};
};

/// A table in plain text; ends in a newline. Two runs differ in the last line alone: the time.
std::string central_table(const CentralReport& report);

/// One JSON object on one line, without a newline. Two runs differ in "time" alone.
std::string central_json(const CentralReport& report);

}  // namespace bellwether::report
