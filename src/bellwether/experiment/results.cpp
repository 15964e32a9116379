// SPDX-License-Identifier: MIT
#include "bellwether/experiment/results.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "bellwether/core/fields.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/experiment/results_parts.hpp"

namespace bellwether::experiment {
namespace {

namespace fs = std::filesystem;

std::string csv_cell(const std::string& text) {
  return text.find_first_of(",\"\n\r") == text.npos ? text : quoted_name(text);
}

/// The shortest text that is read as the same number.
std::string csv_cell(double number) {
  if (std::isnan(number)) return "";
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

void read_series(Database& database, const Experiment& experiment, std::vector<Row>& rows) {
  if (experiment.series.empty()) return;
  Statement statement =
      database.prepare("SELECT " + list_of(names_of_series(experiment)) +
                       " FROM series WHERE point >= 0 ORDER BY point, seed, time_s");
  auto row = rows.begin();
  while (statement.step()) {
    const auto key = std::pair{statement.whole(0), statement.whole(1)};
    const auto of = [](const Row& r) {
      return std::pair{std::int64_t{r.point}, static_cast<std::int64_t>(r.seed)};
    };
    while (row != rows.end() && of(*row) < key) ++row;
    if (row == rows.end() || of(*row) != key) continue;
    SeriesPoint moment{statement.number(2), {}};
    for (std::size_t i = 0; i < experiment.series.size(); ++i)
      moment.values.push_back(statement.number(static_cast<int>(i) + 3));
    row->series.push_back(std::move(moment));
  }
}

void read_overrides(const std::string& text, Experiment& experiment) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    const std::size_t equals = std::min(line.find('='), line.size() - 1);
    experiment.overrides.push_back({line.substr(0, equals), line.substr(equals + 1)});
    begin = end + 1;
  }
}

Size size_in(Database& database) {
  if (const auto size = core::value_named<Size>(meta(database, "size"))) return *size;
  return meta(database, "quick").empty() ? Size::full : Size::quick;  // of an older program
}

/// A killed sweep leaves a journal, and reading makes an index of it: both go into the file, unless
/// a sweep still writes to it or nothing can be written here.
void take_in_journal(const std::string& path) {
  std::error_code ignored;
  if (!fs::exists(path + "-wal", ignored)) return;
  try {
    Database database(path, Database::Mode::write, Database::Wait::no);
    database.run("PRAGMA journal_mode = DELETE");
  } catch (const core::Problem&) {  // then they stay beside it
  }
}

Results read_all(const std::string& path) {
  Database database(path, Database::Mode::read);
  if (!is_results(database))
    throw core::Problem(path, {}, "is not a results file of bellwether sweep; name another file");
  Results out;
  try {
    out.experiment = experiment_in(database);
    out.points = points(out.experiment);
  } catch (const core::Problem& error) {
    throw core::Problem(
        path, {}, "this version cannot read the experiment in it: " + std::string(error.what()));
  }
  out.version = meta(database, "version");
  out.engine = engine_in(database);
  out.rows = read_rows(database, out.experiment, RowOrder::by_point);
  std::erase_if(out.rows, [&](const Row& row) { return row.point >= out.points.size(); });
  return out;
}

}  // namespace

std::string quoted_name(const std::string& name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string list_of(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& each : names) out += (out.empty() ? "" : ", ") + quoted_name(each);
  return out;
}

std::vector<std::string> names_of_run(const Experiment& experiment) {
  std::vector<std::string> out{"point", "seed"};
  for (const auto& axis : experiment.axes) out.push_back("axis " + axis.name);
  out.insert(out.end(), {"ended", "fingerprint"});
  out.insert(out.end(), columns().begin(), columns().end());
  return out;
}

std::vector<std::string> names_of_series(const Experiment& experiment) {
  std::vector<std::string> out{"point", "seed", "time_s"};
  out.insert(out.end(), experiment.series.begin(), experiment.series.end());
  return out;
}

std::string meta(Database& database, std::string_view key) {
  Statement statement = database.prepare("SELECT value FROM meta WHERE key = ?");
  statement.bind(1, key);
  return statement.step() ? statement.text(0) : "";
}

bool is_results(Database& database) {
  Statement statement = database.prepare(
      "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('meta', 'runs')");
  return statement.step() && statement.whole(0) == 2 && meta(database, "format") == results_format;
}

std::string engine_in(Database& database) {
  const std::string name = meta(database, "engine");
  return name.empty() ? own_engine : name;
}

Experiment experiment_in(Database& database) {
  Experiment out = parse_experiment(
      meta(database, "experiment"), meta(database, "path"),
      scenario::parse_scenario(meta(database, "scenario"), meta(database, "scenario_path")));
  out = version_of(std::move(out), size_in(database));
  read_overrides(meta(database, "overrides"), out);
  return out;
}

std::vector<Row> read_rows(Database& database, const Experiment& experiment, RowOrder order) {
  std::vector<std::string> names{"point", "seed", "ended", "fingerprint"};
  names.insert(names.end(), columns().begin(), columns().end());
  const bool sorted = order == RowOrder::by_point;
  Statement statement =
      database.prepare("SELECT " + list_of(names) + " FROM runs WHERE point >= 0 ORDER BY " +
                       (sorted ? "point, seed" : "rowid"));
  std::vector<Row> rows;
  while (statement.step()) {
    Row row;
    row.point = static_cast<std::uint32_t>(statement.whole(0));
    row.seed = static_cast<std::uint64_t>(statement.whole(1));
    row.ended = statement.text(2);
    row.fingerprint = statement.text(3);
    for (std::size_t i = 0; i < columns().size(); ++i)
      row.values.push_back(statement.number(static_cast<int>(i) + 4));
    rows.push_back(std::move(row));
  }
  if (sorted) read_series(database, experiment, rows);
  return rows;
}

void require_file(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    throw core::Problem(path, {}, "is a folder; name the .sqlite file of bellwether sweep");
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored))
    throw core::Problem(path, {},
                        "is not a regular file; name the .sqlite file of bellwether sweep");
}

Results read_results(const std::string& path) {
  require_file(path);
  std::error_code ignored;
  if (!fs::exists(path, ignored))
    throw core::Problem(path, {}, "there is no such file; bellwether sweep EXPERIMENT makes one");
  Results out = read_all(path);
  take_in_journal(path);
  return out;
}

std::string csv_header(const Experiment& experiment) {
  std::string out;
  for (const auto& axis : experiment.axes) out += csv_cell(axis.name) + ',';
  out += "seed,ended,fingerprint";
  for (const std::string& name : columns()) out += ',' + name;
  return out + '\n';
}

std::string csv_line(const Experiment& experiment, const GridPoint& point, const Row& row) {
  std::string out;
  for (std::size_t axis = 0; axis < point.size(); ++axis)
    out += csv_cell(label(experiment, point, axis)) + ',';
  out += std::to_string(row.seed) + ',' + row.ended + ',' + row.fingerprint;
  for (const double value : row.values) out += ',' + csv_cell(value);
  return out + '\n';
}

}  // namespace bellwether::experiment
