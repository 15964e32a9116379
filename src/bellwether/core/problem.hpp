// SPDX-License-Identifier: MIT
// What is wrong with something that was given to us. Everything that refuses input throws this, and
// one function prints it: no code parses a sentence.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <utility>

namespace bellwether::core {

/// Where something was read: a file, with its line where one is to blame, or a flag.
struct Location {
  Location() = default;
  Location(const char* in) : name(in) {}
  Location(std::string in, std::size_t at_line = 0, std::size_t at_column = 0)
      : name(std::move(in)), line(at_line), column(at_column) {}

  std::string name;        // "my.toml", "--set"; empty: nowhere in particular
  std::size_t line = 0;    // from 1; 0: all of it
  std::size_t column = 0;  // likewise

  bool empty() const { return name.empty(); }
  /// "my.toml:12:7", "my.toml:12", "--set"
  std::string text() const;
  friend bool operator==(const Location&, const Location&) = default;
};

class Problem : public std::exception {
 public:
  explicit Problem(std::string sentence);
  Problem(std::string key, std::string sentence);
  Problem(Location where, std::string key, std::string sentence);

  const Location& where() const { return where_; }           // may be empty
  const std::string& key() const { return key_; }            // "radio.range"; may be empty
  const std::string& sentence() const { return sentence_; }  // what is wrong; what to do
  /// "my.toml:12: radio.range: must be positive; write ..."
  const char* what() const noexcept override;

  /// The same, with the place where it was read.
  Problem at(Location where) const { return {std::move(where), key_, sentence_}; }

 private:
  Location where_;
  std::string key_;
  std::string sentence_;
  std::string text_;
};

}  // namespace bellwether::core
