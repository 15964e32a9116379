// SPDX-License-Identifier: MIT
#include "bellwether/experiment/results.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "bellwether/core/fields.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/experiment/database.hpp"

namespace bellwether::experiment {
namespace {

constexpr const char* format = "1";

std::string quoted_name(const std::string& name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string csv_cell(const std::string& text) {
  return text.find_first_of(",\"\n\r") == text.npos ? text : quoted_name(text);
}

/// The shortest text that is read as the same number.
std::string csv_cell(double number) {
  if (std::isnan(number)) return "";
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

/// point, seed, the axes, ended, fingerprint, and the numbers.
std::vector<std::string> names_of_run(const Experiment& experiment) {
  std::vector<std::string> out{"point", "seed"};
  for (const auto& axis : experiment.axes) out.push_back("axis " + axis.name);
  out.insert(out.end(), {"ended", "fingerprint"});
  out.insert(out.end(), columns().begin(), columns().end());
  return out;
}

std::string list_of(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& each : names) out += (out.empty() ? "" : ", ") + quoted_name(each);
  return out;
}

std::string marks(std::size_t count) {
  std::string out = "?";
  for (std::size_t i = 1; i < count; ++i) out += ", ?";
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

bool is_ours(Database& database) {
  Statement statement = database.prepare(
      "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('meta', 'runs')");
  return statement.step() && statement.whole(0) == 2 && meta(database, "format") == format;
}

void read_series(Database& database, const Experiment& experiment, std::vector<Row>& rows) {
  if (experiment.series.empty()) return;
  Statement statement = database.prepare("SELECT " + list_of(names_of_series(experiment)) +
                                         " FROM series ORDER BY point, seed, time_s");
  auto row = rows.begin();
  while (statement.step()) {
    const auto key = std::pair{statement.whole(0), statement.whole(1)};
    const auto of = [](const Row& r) {
      return std::pair{std::int64_t{r.point}, static_cast<std::int64_t>(r.seed)};
    };
    while (row != rows.end() && of(*row) < key) ++row;
    if (row == rows.end() || of(*row) != key) continue;
    Moment moment{statement.number(2), {}};
    for (std::size_t i = 0; i < experiment.series.size(); ++i)
      moment.values.push_back(statement.number(static_cast<int>(i) + 3));
    row->series.push_back(std::move(moment));
  }
}

/// By point, then seed; or in the order in which they came.
std::vector<Row> read_rows(Database& database, const Experiment& experiment, bool sorted) {
  std::vector<std::string> names{"point", "seed", "ended", "fingerprint"};
  names.insert(names.end(), columns().begin(), columns().end());
  Statement statement = database.prepare("SELECT " + list_of(names) + " FROM runs ORDER BY " +
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

/// Settings of the command line, a line each.
std::string overrides_text(const Experiment& experiment) {
  std::string out;
  for (const auto& each : experiment.overrides) out += each.key + '=' + each.text + '\n';
  return out;
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

/// Older programs wrote none down.
std::string engine_in(Database& database) {
  const std::string name = meta(database, "engine");
  return name.empty() ? own_engine : name;
}

std::string csv_path_of(const std::string& path) {
  return std::filesystem::path(path).replace_extension(".csv").string();
}

}  // namespace

Results read_results(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    throw core::Problem(path, {}, "there is no such file; bellwether sweep EXPERIMENT makes one");
  Database database(path, Database::Mode::read);
  if (!is_ours(database))
    throw core::Problem(path, {}, "is not a results file of bellwether sweep");
  Results out;
  try {
    out.experiment = parse_experiment(
        meta(database, "experiment"), meta(database, "path"),
        scenario::parse_scenario(meta(database, "scenario"), meta(database, "scenario_path")));
    out.experiment = version_of(std::move(out.experiment), size_in(database));
    read_overrides(meta(database, "overrides"), out.experiment);
    out.points = points(out.experiment);
  } catch (const core::Problem& error) {
    throw core::Problem(
        path, {},
        "the experiment in it cannot be read by this version: " + std::string(error.what()));
  }
  out.version = meta(database, "version");
  out.engine = engine_in(database);
  out.rows = read_rows(database, out.experiment, true);
  std::erase_if(out.rows, [&](const Row& row) { return row.point >= out.points.size(); });
  return out;
}

std::string csv_header(const Experiment& experiment) {
  std::string out;
  for (const auto& axis : experiment.axes) out += csv_cell(axis.name) + ',';
  out += "seed,ended,fingerprint";
  for (const std::string& name : columns()) out += ',' + name;
  return out + '\n';
}

std::string csv_line(const Experiment& experiment, const Point& point, const Row& row) {
  std::string out;
  for (std::size_t axis = 0; axis < point.size(); ++axis)
    out += csv_cell(label(experiment, point, axis)) + ',';
  out += std::to_string(row.seed) + ',' + row.ended + ',' + row.fingerprint;
  for (const double value : row.values) out += ',' + csv_cell(value);
  return out + '\n';
}

class Store::Inside {
 public:
  Inside(std::string path, const Experiment& experiment, const std::string& version,
         const std::string& engine)
      : experiment_(experiment),
        points_(points(experiment)),
        csv_path_(csv_path_of(path)),
        database_(std::move(path), Database::Mode::write) {
    // A killed program leaves a journal from which the next one takes up all that was written.
    database_.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    Statement tables = database_.prepare("SELECT count(*) FROM sqlite_master");
    tables.step();
    if (tables.whole(0) == 0)
      begin(version, engine);
    else
      go_on(version, engine);
    const auto runs = names_of_run(experiment_);
    insert_run_ = std::make_unique<Statement>(database_.prepare(
        "INSERT INTO runs (" + list_of(runs) + ") VALUES (" + marks(runs.size()) + ")"));
    const auto series = names_of_series(experiment_);
    insert_series_ = std::make_unique<Statement>(database_.prepare(
        "INSERT INTO series (" + list_of(series) + ") VALUES (" + marks(series.size()) + ")"));
    rewrite_csv();
  }

  /// Without its journal the file can be read where nothing can be written.
  ~Inside() {
    insert_run_.reset();
    insert_series_.reset();
    try {
      database_.run("PRAGMA journal_mode = DELETE");
    } catch (const core::Problem&) {  // then it stays beside it
    }
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

  const std::vector<Row>& found() const { return found_; }
  const std::string& csv_path() const { return csv_path_; }

  void append(const Row& row) {
    database_.run("BEGIN");
    try {
      insert(row);
      database_.run("COMMIT");
    } catch (const core::Problem&) {
      try {
        database_.run("ROLLBACK");
      } catch (const core::Problem&) {  // the first complaint is the one that matters
      }
      throw;
    }
    append_csv(csv_line(experiment_, points_[row.point], row));
  }

 private:
  void begin(const std::string& version, const std::string& engine) {
    std::string runs = "CREATE TABLE runs (";
    for (const std::string& name : names_of_run(experiment_)) {
      const bool text = name.starts_with("axis ") || name == "ended" || name == "fingerprint";
      const bool whole = name == "point" || name == "seed";
      runs += quoted_name(name) + (text ? " TEXT, " : whole ? " INTEGER, " : " REAL, ");
    }
    std::string series = "CREATE TABLE series (";
    for (const std::string& name : names_of_series(experiment_))
      series += quoted_name(name) + (name == "point" || name == "seed" ? " INTEGER, " : " REAL, ");
    database_.run("BEGIN");
    database_.run("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)");
    database_.run((runs + "UNIQUE (point, seed))").c_str());
    database_.run((series + "UNIQUE (point, seed, time_s))").c_str());
    Statement put = database_.prepare("INSERT INTO meta VALUES (?, ?)");
    const auto scenario_path = experiment_.base.folder / "scenario.toml";
    const std::vector<std::pair<std::string, std::string>> all{
        {"format", format},
        {"version", version},
        {"path", experiment_.path},
        {"experiment", experiment_.text},
        {"scenario", scenario::print_scenario(experiment_.base)},
        {"scenario_path", scenario_path.string()},
        {"overrides", overrides_text(experiment_)},
        {"size", std::string(core::name_of(experiment_.size))},
        {"engine", engine},
        {"fingerprint", fingerprint(experiment_)}};
    for (const auto& [key, value] : all) {
      put.bind(1, key);
      put.bind(2, value);
      put.step();
      put.reset();
    }
    database_.run("COMMIT");
  }

  void go_on(const std::string& version, const std::string& engine) {
    const std::string& path = database_.path();
    const std::string cure = "; name another file with --out, or remove this one";
    if (!is_ours(database_))
      throw core::Problem(path, {}, "is no results file of bellwether sweep" + cure);
    if (meta(database_, "fingerprint") != fingerprint(experiment_))
      throw core::Problem(path, {}, "holds the results of another experiment" + cure);
    if (const std::string old = meta(database_, "version"); old != version)
      throw core::Problem(path, {},
                          "was made by version " + old + ", and this is " + version + cure);
    if (const std::string old = engine_in(database_); old != engine)
      throw core::Problem(
          path, {}, "its runs were carried by the engine " + old + ", not by " + engine + cure);
    found_ = read_rows(database_, experiment_, false);
    // How often to repeat, and what to draw, may have changed.
    Statement put = database_.prepare("UPDATE meta SET value = ? WHERE key = ?");
    const std::pair<std::string, std::string> news[] = {
        {experiment_.text, "experiment"},
        {experiment_.path, "path"},
        {std::string(core::name_of(experiment_.size)), "size"}};
    for (const auto& [value, key] : news) {
      put.reset();
      put.bind(1, value);
      put.bind(2, key);
      put.step();
    }
  }

  void insert(const Row& row) {
    int place = 0;
    Statement& run = *insert_run_;
    run.reset();
    run.bind(++place, std::int64_t{row.point});
    run.bind(++place, static_cast<std::int64_t>(row.seed));
    const Point& point = points_[row.point];
    for (std::size_t axis = 0; axis < point.size(); ++axis)
      run.bind(++place, label(experiment_, point, axis));
    run.bind(++place, row.ended);
    run.bind(++place, row.fingerprint);
    for (const double value : row.values) run.bind(++place, value);
    run.step();
    Statement& moments = *insert_series_;
    for (const Moment& moment : row.series) {
      moments.reset();
      moments.bind(1, std::int64_t{row.point});
      moments.bind(2, static_cast<std::int64_t>(row.seed));
      moments.bind(3, moment.time_s);
      for (std::size_t i = 0; i < moment.values.size(); ++i)
        moments.bind(static_cast<int>(i) + 4, moment.values[i]);
      moments.step();
    }
  }

  /// A killed program may have left half a line there: the database knows better.
  void rewrite_csv() {
    const std::string part = csv_path_ + ".part";
    {
      std::ofstream out(part, std::ios::binary);
      out << csv_header(experiment_);
      for (const Row& row : found_)
        if (row.point < points_.size()) out << csv_line(experiment_, points_[row.point], row);
      out.close();
      if (!out) complain_of_csv();
    }
    std::error_code error;
    std::filesystem::rename(part, csv_path_, error);
    if (error) complain_of_csv();
    csv_.open(csv_path_, std::ios::binary | std::ios::app);
    csv_size_ = std::filesystem::file_size(csv_path_, error);
  }

  void append_csv(const std::string& line) {
    csv_ << line << std::flush;
    if (!csv_) {
      csv_.close();
      std::error_code ignored;
      std::filesystem::resize_file(csv_path_, csv_size_, ignored);  // no half lines
      complain_of_csv();
    }
    csv_size_ += line.size();
  }

  [[noreturn]] void complain_of_csv() const {
    throw core::Problem(csv_path_, {},
                        "cannot be written; is the disk full? What was written before "
                        "is kept, and the same command goes on from there");
  }

  Experiment experiment_;
  std::vector<Point> points_;
  std::string csv_path_;
  Database database_;
  std::unique_ptr<Statement> insert_run_;
  std::unique_ptr<Statement> insert_series_;
  std::vector<Row> found_;
  std::ofstream csv_;
  std::uintmax_t csv_size_ = 0;
};

Store::Store(std::string path, const Experiment& experiment, const std::string& version,
             const std::string& engine)
    : inside_(std::make_unique<Inside>(std::move(path), experiment, version, engine)) {}
Store::~Store() = default;
const std::vector<Row>& Store::found() const {
  return inside_->found();
}
const std::string& Store::csv_path() const {
  return inside_->csv_path();
}
void Store::append(const Row& row) {
  inside_->append(row);
}

}  // namespace bellwether::experiment
