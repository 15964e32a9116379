// SPDX-License-Identifier: MIT
// Lower bounds of sums of distances, from the distances to a few landmarks: d(v, w) is at least
// |d(i, v) - d(i, w)| for each landmark i, so S(w) is at least the sum over all v of the largest of
// these. The best landmark is chosen for each v: that is what makes the bound sharp.
//
// Nodes v come in cells of c with neighbouring places, for which the sum over the cell of
// |d(i, v) - d(i, w)| is at least |(sum of d(i, v)) - c d(i, w)|.
#pragma once

#include "bellwether/graph/closeness/batch.hpp"

namespace bellwether::graph {

/// The distances from each landmark, by place.
template <class Distance>
using LandmarkDistances = std::vector<std::vector<Distance>>;

/// Distance is as wide as the sum of a cell needs.
template <class Distance>
class Bounds {
 public:
  Bounds(const LandmarkDistances<Distance>& from, std::uint32_t cell_size, Processor processor)
      : landmarks(from), cell(cell_size), processor_(processor) {}

  /// Whenever there are more landmarks.
  void pack();
  /// A bound for all nodes at places from `first` to before `last`.
  std::uint64_t of(std::uint32_t first, std::uint32_t last);

  // For the kernels.
  static constexpr std::uint32_t lanes = 32 / sizeof(Distance);
  const LandmarkDistances<Distance>& landmarks;
  std::uint32_t cell;
  std::vector<Block> sums;      // by `lanes` cells, then by landmark
  std::vector<Distance> reach;  // by landmark: c times the least and the largest distance
  Block last;                   // which lanes of the last cells are there

 private:
  Processor processor_;
};

extern template class Bounds<std::uint16_t>;
extern template class Bounds<std::uint32_t>;

}  // namespace bellwether::graph
