// SPDX-License-Identifier: MIT
// SQLite as values that clean up after themselves. Private to this module.
#pragma once

#include <sqlite3.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace bellwether::experiment {

class Statement;

class Database {
 public:
  enum class Mode { read, write };
  /// Whether to wait for another program that is writing to it.
  enum class Wait { no, yes };
  /// Throws Problem, as everything here does.
  Database(std::string path, Mode mode, Wait wait = Wait::yes);

  void run(const char* sql);
  Statement prepare(const std::string& sql);
  const std::string& path() const { return path_; }
  [[noreturn]] void complain() const;

 private:
  struct CloseDatabase {
    void operator()(sqlite3* db) const { sqlite3_close(db); }
  };
  std::string path_;
  std::unique_ptr<sqlite3, CloseDatabase> db_;
};

class Statement {
 public:
  Statement(const Database& database, sqlite3_stmt* statement)
      : database_(&database), statement_(statement) {}

  void bind(int place, std::int64_t value);
  void bind(int place, double value);  // not a number: NULL
  void bind(int place, std::string_view value);
  /// True: there is a row.
  bool step();
  void reset();

  std::int64_t whole(int place) const { return sqlite3_column_int64(statement_.get(), place); }
  double number(int place) const;  // NULL: not a number
  std::string text(int place) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  const Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

}  // namespace bellwether::experiment
