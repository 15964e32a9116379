// SPDX-License-Identifier: MIT
// The sums of distances from many sources at once: a bit for each source, one register of them for
// each node.
#pragma once

#include "bellwether/graph/closeness/kernels.hpp"
#include "bellwether/graph/closeness/lanes.hpp"
#include "bellwether/graph/closeness/search.hpp"

namespace bellwether::graph {

class SourceBatch {
 public:
  SourceBatch(const LocalGraph& local, const Pulls& from, Processor processor)
      : graph(local), pulls(from), processor_(processor) {}

  static constexpr std::uint32_t most = 512;
  static constexpr std::uint64_t beaten = ~std::uint64_t{0};
  /// The sum of each source; all `beaten` where none can be `bar` or less. No source folds.
  /// Sources near each other are faster.
  std::vector<std::uint64_t> sums(std::span<const std::uint32_t> sources, std::uint64_t bar);

  // For the kernels.
  const LocalGraph& graph;
  const Pulls& pulls;
  std::vector<Block> now, next;
  std::vector<std::uint8_t> touched;
  std::vector<std::uint32_t> active[Pulls::kinds];  // entries
  std::vector<std::uint32_t> fresh, full;

 private:
  Processor processor_;
};

}  // namespace bellwether::graph
