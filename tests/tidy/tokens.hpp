// SPDX-License-Identifier: MIT
// The tokens of a C++ source: enough of a lexer to know what is code and what is not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bellwether::tidy {

struct Token {
  enum class Kind { word, number, text, punctuation };
  Kind kind;
  std::string_view text;
  int line;  // from 1

  bool is(std::string_view wanted) const { return kind != Kind::text && text == wanted; }
  bool is_word() const { return kind == Kind::word; }
};

struct Include {
  std::string_view path;
  bool quoted;  // "path", not <path>
  int line;
};

/// Views of the text that was read, which must outlive them.
struct Tokens {
  std::vector<Token> code;
  std::vector<Token> directives;  // the tokens of all preprocessor lines but includes
  std::vector<Include> includes;
};

/// Comments are dropped; a string, raw or not, is one token. Of operators with several characters
/// only those are one token that a reader of declarations must not take apart.
Tokens tokens_of(std::string_view text);

}  // namespace bellwether::tidy
