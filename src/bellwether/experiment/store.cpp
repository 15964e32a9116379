// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "bellwether/core/fields.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/experiment/extend.hpp"
#include "bellwether/experiment/results_parts.hpp"

namespace bellwether::experiment {
namespace {

constexpr const char* cure = "; name another file with --out, or remove this one";
/// More than there are points: where indices wait until all have been given their new one.
constexpr std::int64_t far = 1'000'000;

std::string marks(std::size_t count) {
  std::string out = "?";
  for (std::size_t i = 1; i < count; ++i) out += ", ?";
  return out;
}

/// Settings of the command line, a line each.
std::string overrides_text(const Experiment& experiment) {
  std::string out;
  for (const auto& each : experiment.overrides) out += each.key + '=' + each.text + '\n';
  return out;
}

std::string csv_path_of(const std::string& path) {
  return std::filesystem::path(path).replace_extension(".csv").string();
}

/// Of a sweep that could not begin: a CSV beside it is not its own. A folder stays.
void remove_database(const std::string& path) {
  for (const char* more : {"", "-wal", "-shm", "-journal"}) unlink((path + more).c_str());
  unlink((csv_path_of(path) + ".part").c_str());
}

/// All or nothing.
template <class Work>
void in_transaction(Database& database, Work&& work) {
  database.run("BEGIN");
  try {
    work();
    database.run("COMMIT");
  } catch (const core::Problem&) {
    try {
      database.run("ROLLBACK");
    } catch (const core::Problem&) {  // the first complaint is the one that matters
    }
    throw;
  }
}

std::string create_runs(const Experiment& experiment) {
  std::string out = "CREATE TABLE runs (";
  for (const std::string& name : names_of_run(experiment)) {
    const bool text = name.starts_with("axis ") || name == "ended" || name == "fingerprint";
    const bool whole = name == "point" || name == "seed";
    out += quoted_name(name) + (text ? " TEXT, " : whole ? " INTEGER, " : " REAL, ");
  }
  return out + "UNIQUE (point, seed))";
}

std::string create_series(const Experiment& experiment) {
  std::string out = "CREATE TABLE series (";
  for (const std::string& name : names_of_series(experiment))
    out += quoted_name(name) + (name == "point" || name == "seed" ? " INTEGER, " : " REAL, ");
  return out + "UNIQUE (point, seed, time_s))";
}

void put_meta(Database& database, const Experiment& experiment, const std::string& version,
              const std::string& engine) {
  const auto scenario_path = experiment.base.folder / "scenario.toml";
  const std::pair<std::string, std::string> all[] = {
      {"format", results_format},
      {"version", version},
      {"path", experiment.path},
      {"experiment", experiment.text},
      {"scenario", scenario::print_scenario(experiment.base)},
      {"scenario_path", scenario_path.string()},
      {"overrides", overrides_text(experiment)},
      {"size", std::string(core::name_of(experiment.size))},
      {"engine", engine},
      {"fingerprint", fingerprint(experiment)}};
  Statement put = database.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)");
  for (const auto& [key, value] : all) {
    put.reset();
    put.bind(1, key);
    put.bind(2, value);
    put.step();
  }
}

/// The points that have rows, with their labels in the order of the present axes.
std::vector<KeptPoint> kept_points(Database& database, const Experiment& present) {
  std::vector<std::string> names{"point"};
  for (const Axis& axis : present.axes) names.push_back("axis " + axis.name);
  std::vector<KeptPoint> out;
  Statement rows = database.prepare("SELECT DISTINCT " + list_of(names) + " FROM runs");
  Statement aside = database.prepare("SELECT meaning FROM aside WHERE point = ?");
  while (rows.step()) {
    KeptPoint& kept = out.emplace_back();
    kept.index = rows.whole(0);
    for (std::size_t axis = 0; axis < present.axes.size(); ++axis)
      kept.labels.push_back(rows.text(static_cast<int>(axis) + 1));
    aside.reset();
    aside.bind(1, kept.index);
    if (aside.step()) kept.meaning = aside.text(0);
  }
  return out;
}

void move_rows(Database& database, const Renumbering& moves) {
  for (const char* table : {"runs", "series"}) {
    const std::string update = "UPDATE " + std::string(table) + " SET point = ";
    database.run((update + "point + " + std::to_string(far)).c_str());
    Statement move = database.prepare(update + "? WHERE point = ?");
    for (const auto& [from, to] : moves.index) {
      move.reset();
      move.bind(1, to);
      move.bind(2, from + far);
      move.step();
    }
  }
  database.run("DELETE FROM aside");
  Statement put = database.prepare("INSERT INTO aside VALUES (?, ?)");
  for (const auto& [index, meaning] : moves.set_aside) {
    put.reset();
    put.bind(1, index);
    put.bind(2, meaning);
    put.step();
  }
}

bool has_rows(Database& database) {
  return database.prepare("SELECT 1 FROM runs LIMIT 1").step();
}

/// The rows of an earlier version of the experiment get their place in the present one.
void extend(Database& database, const Experiment& present) {
  const std::string& path = database.path();
  const std::string other = "holds the results of another experiment";
  Experiment earlier;
  try {
    earlier = experiment_in(database);
  } catch (const core::Problem&) {
    throw core::Problem(path, {}, other + cure);
  }
  if (const std::string why = other_shape(earlier, present); !why.empty())
    throw core::Problem(path, {}, "its runs cannot be used: " + why + cure);
  database.run("CREATE TABLE IF NOT EXISTS aside (point INTEGER PRIMARY KEY, meaning TEXT)");
  move_rows(database, renumbered(earlier, present, kept_points(database, present), path, cure));
}

}  // namespace

void remove_results(const std::string& path) {
  remove_database(path);
  unlink(csv_path_of(path).c_str());
}

class Store::Backend {
 public:
  Backend(std::string path, const Experiment& experiment, const std::string& version,
          const std::string& engine)
      : experiment_(experiment),
        points_(points(experiment)),
        csv_path_(csv_path_of(path)),
        database_(std::move(path), Database::Mode::write) {
    Statement tables = database_.prepare("SELECT count(*) FROM sqlite_master");
    tables.step();
    const bool is_new = tables.whole(0) == 0;
    tables.reset();
    if (!is_new) require_own(version, engine);
    in_transaction(database_, [&] {
      is_new ? begin() : go_on();
      put_meta(database_, experiment_, version, engine);
    });
    // A killed program leaves a journal from which the next one takes up all that was written.
    database_.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    found_ = read_rows(database_, experiment_, RowOrder::as_made);
    const auto runs = names_of_run(experiment_);
    insert_run_ = std::make_unique<Statement>(database_.prepare(
        "INSERT INTO runs (" + list_of(runs) + ") VALUES (" + marks(runs.size()) + ")"));
    const auto series = names_of_series(experiment_);
    insert_series_ = std::make_unique<Statement>(database_.prepare(
        "INSERT INTO series (" + list_of(series) + ") VALUES (" + marks(series.size()) + ")"));
    rewrite_csv();
  }

  /// Without its journal the file can be read where nothing can be written.
  ~Backend() {
    insert_run_.reset();
    insert_series_.reset();
    try {
      database_.run("PRAGMA journal_mode = DELETE");
    } catch (const core::Problem&) {  // then it stays beside it
    }
  }
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  const std::vector<Row>& found() const { return found_; }

  void append(const Row& row) {
    in_transaction(database_, [&] { insert(row); });
    append_csv(csv_line(experiment_, points_[row.point], row));
  }

 private:
  void begin() {
    database_.run("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)");
    database_.run(create_runs(experiment_).c_str());
    database_.run(create_series(experiment_).c_str());
  }

  void require_own(const std::string& version, const std::string& engine) {
    const std::string& path = database_.path();
    if (!is_results(database_))
      throw core::Problem(path, {},
                          std::string("is not a results file of bellwether sweep") + cure);
    if (const std::string old = meta(database_, "version"); old != version)
      throw core::Problem(path, {},
                          "was made by version " + old + ", and this is " + version + cure);
    if (const std::string old = engine_in(database_); old != engine)
      throw core::Problem(
          path, {}, "its runs used --engine " + old + ", and this is --engine " + engine + cure);
  }

  /// How often to repeat, and what to draw, may have changed; values may have been added.
  void go_on() {
    if (meta(database_, "fingerprint") == fingerprint(experiment_)) return;
    if (has_rows(database_)) return extend(database_, experiment_);
    for (const char* table : {"meta", "runs", "series", "aside"})
      database_.run(("DROP TABLE IF EXISTS " + std::string(table)).c_str());
    begin();
  }

  void insert(const Row& row) {
    int place = 0;
    Statement& run = *insert_run_;
    run.reset();
    run.bind(++place, std::int64_t{row.point});
    run.bind(++place, static_cast<std::int64_t>(row.seed));
    const GridPoint& point = points_[row.point];
    for (std::size_t axis = 0; axis < point.size(); ++axis)
      run.bind(++place, label(experiment_, point, axis));
    run.bind(++place, row.ended);
    run.bind(++place, row.fingerprint);
    for (const double value : row.values) run.bind(++place, value);
    run.step();
    Statement& moments = *insert_series_;
    for (const SeriesPoint& moment : row.series) {
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
                        "cannot be written; is the disk full? Runs that were made are kept: make "
                        "room, and run the same command again");
  }

  Experiment experiment_;
  std::vector<GridPoint> points_;
  std::string csv_path_;
  Database database_;
  std::unique_ptr<Statement> insert_run_;
  std::unique_ptr<Statement> insert_series_;
  std::vector<Row> found_;
  std::ofstream csv_;
  std::uintmax_t csv_size_ = 0;
};

Store::Store(std::string path, const Experiment& experiment, const std::string& version,
             const std::string& engine) {
  require_file(path);
  std::error_code ignored;
  const bool is_new = !std::filesystem::exists(path, ignored);
  try {
    backend_ = std::make_unique<Backend>(path, experiment, version, engine);
  } catch (const core::Problem&) {
    if (is_new) remove_database(path);
    throw;
  }
}
Store::~Store() = default;
const std::vector<Row>& Store::found() const {
  return backend_->found();
}
void Store::append(const Row& row) {
  backend_->append(row);
}

}  // namespace bellwether::experiment
