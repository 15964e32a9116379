// SPDX-License-Identifier: MIT
// What is wrong with something that was given to us. Everything that refuses input throws this, and
// one function prints it: nobody takes a sentence apart.
#pragma once

#include <exception>
#include <string>
#include <utility>

namespace bellwether::core {

class Problem : public std::exception {
 public:
  explicit Problem(std::string sentence) : Problem({}, {}, std::move(sentence)) {}
  Problem(std::string key, std::string sentence)
      : Problem({}, std::move(key), std::move(sentence)) {}
  Problem(std::string where, std::string key, std::string sentence)
      : where_(std::move(where)), key_(std::move(key)), sentence_(std::move(sentence)) {
    say();
  }

  const std::string& where() const { return where_; }        // "my.toml:12", "--set"; may be empty
  const std::string& key() const { return key_; }            // "radio.range"; may be empty
  const std::string& sentence() const { return sentence_; }  // what is wrong; what to do
  /// "my.toml:12: radio.range: must be positive; write ..."
  const char* what() const noexcept override { return text_.c_str(); }

  /// The same, with the place where it was read.
  Problem at(std::string where) const { return {std::move(where), key_, sentence_}; }

 private:
  void say() {
    text_ = where_.empty() ? "" : where_ + ": ";
    if (!key_.empty()) text_ += key_ + ": ";
    text_ += sentence_;
  }

  std::string where_;
  std::string key_;
  std::string sentence_;
  std::string text_;
};

}  // namespace bellwether::core
