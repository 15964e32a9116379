// SPDX-License-Identifier: MIT
// Where the rows of a sweep are kept: an SQLite file, which a killed program leaves whole, and the
// same as CSV beside it.
#pragma once

#include <memory>

#include "bellwether/experiment/experiment.hpp"
#include "bellwether/experiment/row.hpp"

namespace bellwether::experiment {

/// The medium of runs where no other is chosen.
inline constexpr const char* own_engine = "fast";

/// A whole results file.
struct Results {
  Experiment experiment;
  std::vector<GridPoint> points;
  std::string version;              // of the program that made it
  std::vector<Row> rows;            // by point, then seed
  std::string engine = own_engine;  // the medium of its runs; empty: several
};
/// Throws Problem.
Results read_results(const std::string& path);

/// The name of the axis that results of several engines have.
inline constexpr const char* engine_axis = "engine";
/// The same experiment on several engines as one, with one axis more.
Results side_by_side(const std::vector<Results>& engines);
/// Whose runs these are, in order.
std::vector<std::string> engines_of(const Results& results);

/// The table as CSV: one line for each row, after a header.
std::string csv_header(const Experiment& experiment);
std::string csv_line(const Experiment& experiment, const GridPoint& point, const Row& row);

/// Removes a results file and all that lies beside it.
void remove_results(const std::string& path);

/// A results file that grows. Each row is in the file when append() returns.
class Store {
 public:
  /// Begins the file, or goes on with it. Then it must be of the same version and engine, and its
  /// rows must be runs of the same scenarios: values, variants and runs may have been added to the
  /// experiment, or removed. Rows of what was removed stay in the file and are not used. Throws
  /// Problem, and then leaves no new file behind.
  Store(std::string path, const Experiment& experiment, const std::string& version,
        const std::string& engine = own_engine);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /// What the file had when it was opened.
  const std::vector<Row>& found() const;
  void append(const Row& row);

 private:
  class Backend;
  std::unique_ptr<Backend> backend_;
};

}  // namespace bellwether::experiment
