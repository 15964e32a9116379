// SPDX-License-Identifier: MIT
#include "bellwether/experiment/database.hpp"

#include <cmath>
#include <limits>

#include "bellwether/core/problem.hpp"

namespace bellwether::experiment {

Database::Database(std::string path, Mode mode, Wait wait) : path_(std::move(path)) {
  sqlite3* db = nullptr;
  const int flags =
      mode == Mode::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const int error = sqlite3_open_v2(path_.c_str(), &db, flags, nullptr);
  db_.reset(db);
  if (error != SQLITE_OK) complain();
  sqlite3_busy_timeout(db, wait == Wait::yes ? 10'000 : 0);
}

void Database::complain() const {
  const int error = db_ ? sqlite3_errcode(db_.get()) : SQLITE_NOMEM;
  switch (error & 0xFF) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      throw core::Problem(path_, {},
                          "is not a results file of bellwether sweep; name another file");
    case SQLITE_FULL:
      throw core::Problem(path_, {},
                          "the disk is full; runs that were made are kept: make room, and run "
                          "the same command again");
    case SQLITE_IOERR:
      throw core::Problem(path_, {},
                          "the disk cannot be read or written; is it full? Runs that were made are "
                          "kept: make room, and run the same command again");
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
      throw core::Problem(path_, {},
                          "cannot be opened; does its folder exist, and may you write to it?");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw core::Problem(path_, {},
                          "another program is writing to it; wait for it, or name another "
                          "file with --out");
    default:
      throw core::Problem(path_, {}, (db_ ? sqlite3_errmsg(db_.get()) : "no memory"));
  }
}

void Database::run(const char* sql) {
  if (sqlite3_exec(db_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) complain();
}

Statement Database::prepare(const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(db_.get(), sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) complain();
  return Statement(*this, statement);
}

void Statement::bind(int place, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), place, value);
}

void Statement::bind(int place, double value) {
  if (std::isnan(value))
    sqlite3_bind_null(statement_.get(), place);
  else
    sqlite3_bind_double(statement_.get(), place, value);
}

void Statement::bind(int place, std::string_view value) {
  sqlite3_bind_text(statement_.get(), place, value.data(), static_cast<int>(value.size()),
                    SQLITE_TRANSIENT);
}

bool Statement::step() {
  const int outcome = sqlite3_step(statement_.get());
  if (outcome == SQLITE_ROW) return true;
  if (outcome != SQLITE_DONE) database_->complain();
  return false;
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
}

double Statement::number(int place) const {
  if (sqlite3_column_type(statement_.get(), place) == SQLITE_NULL)
    return std::numeric_limits<double>::quiet_NaN();
  return sqlite3_column_double(statement_.get(), place);
}

std::string Statement::text(int place) const {
  const auto* bytes = sqlite3_column_text(statement_.get(), place);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), place));
  return bytes ? std::string(reinterpret_cast<const char*>(bytes), size) : std::string();
}

}  // namespace bellwether::experiment
