// SPDX-License-Identifier: MIT
// The tables of a results file, for what reads it and what writes it. Private to this module.
//
// meta    key, value: the experiment, its scenario, the version of the program, ...
// runs    one row for each run: point, seed, a label for each axis, and the numbers
// series  what is kept over time: point, seed, time_s, and the metrics
// aside   points below 0, which the experiment no longer has, and the digest of their scenario
#pragma once

#include "bellwether/experiment/database.hpp"
#include "bellwether/experiment/results.hpp"

namespace bellwether::experiment {

inline constexpr const char* results_format = "1";

std::string quoted_name(const std::string& name);
std::string list_of(const std::vector<std::string>& names);

/// point, seed, the axes, ended, fingerprint, and the numbers.
std::vector<std::string> names_of_run(const Experiment& experiment);
std::vector<std::string> names_of_series(const Experiment& experiment);

std::string meta(Database& database, std::string_view key);
/// Whether this program, or an earlier one, has made it.
bool is_results(Database& database);
/// Which medium carried its runs; earlier programs wrote none down.
std::string engine_in(Database& database);
/// The experiment that its rows belong to. Throws Problem.
Experiment experiment_in(Database& database);

/// Rows of points that the experiment has: by point, then seed, with their series; or in the order
/// in which they came, without.
enum class RowOrder { by_point, as_made };
std::vector<Row> read_rows(Database& database, const Experiment& experiment, RowOrder order);

/// Refuses what cannot be a results file, such as a folder or a device. Throws Problem.
void require_file(const std::string& path);

}  // namespace bellwether::experiment
