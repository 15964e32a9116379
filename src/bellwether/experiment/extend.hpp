// SPDX-License-Identifier: MIT
// An experiment that goes on with the rows of an earlier version of itself: which of its points are
// those of the rows. Private to this module.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "bellwether/experiment/experiment.hpp"

namespace bellwether::experiment {

/// A point that has rows in a results file.
struct KeptPoint {
  std::int64_t index = 0;           // in the file; below 0: set aside
  std::vector<std::string> labels;  // one for each axis of the present experiment
  std::string meaning;              // digest of its scenario, where it is set aside
};

/// Why rows of the earlier version cannot be rows of the present one, whatever their points: axes
/// or series differ. Empty: they can.
std::string other_shape(const Experiment& earlier, const Experiment& present);

struct Renumbering {
  std::map<std::int64_t, std::int64_t> index;     // of each kept point: its new one
  std::map<std::int64_t, std::string> set_aside;  // new index below 0: the digest of its meaning
};
/// Points are matched by their labels. Those that the present experiment does not have are set
/// aside, and come back with their label if they mean the same then. Throws Problem where the
/// scenario of a point that has rows is another one now, or where no point is left.
Renumbering renumbered(const Experiment& earlier, const Experiment& present,
                       const std::vector<KeptPoint>& kept, const std::string& path,
                       const std::string& cure);

}  // namespace bellwether::experiment
