// SPDX-License-Identifier: MIT
// The outline of a C++ source: where its functions begin and end, and which names it declares.
// It is no compiler. It distinguishes what braces hold by the tokens before them, and that is
// enough for code that is formatted and compiled.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tokens.hpp"

namespace bellwether::tidy {

/// A body in braces: of a function, wherever it stands, or of a lambda.
struct Function {
  std::string name;
  int first;  // line of its name, or of the '[' of a lambda
  int last;
  bool lambda;

  int lines() const { return last - first + 1; }
};

/// A name that is declared at the level of a namespace or a class.
struct Declaration {
  enum class Kind { function, type, value };  // a value: a constant, variable, member, enumerator
  std::string name;
  Kind kind;
  int line;
  bool body;          // a function or a type: with its braces here, or an alias of another name
  bool overrides;     // a function: of a base
  std::size_t token;  // in Tokens::code
};

struct Outline {
  std::vector<Function> functions;
  std::vector<Declaration> declarations;
  /// Tokens that repeat where a function belongs, the "A" of `void A::f() {}`.
  std::vector<std::size_t> qualifiers;
  /// The line of unbalanced braces or of a statement that cannot be parsed. 0: none.
  int stopped_at = 0;
};

Outline outline_of(const std::vector<Token>& code);

}  // namespace bellwether::tidy
