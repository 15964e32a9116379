// SPDX-License-Identifier: MIT
#include "outline.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace bellwether::tidy {
namespace {

using Kind = Declaration::Kind;

bool one_of(const Token& token, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](auto word) { return token.is(word); });
}

bool is_class_key(const Token& token) {
  return one_of(token, {"class", "struct", "union"});
}

struct Lost {
  int line;
};

class Reader {
 public:
  explicit Reader(const std::vector<Token>& code) : code_(code) {}

  Outline read() {
    try {
      while (at_ < code_.size()) read_statement();
    } catch (const Lost& lost) {
      out_.stopped_at = lost.line;
    }
    return std::move(out_);
  }

 private:
  // -- tokens

  const Token& peek(std::size_t ahead = 0) const {
    static constexpr Token end{Token::Kind::punctuation, "", 0};
    return at_ + ahead < code_.size() ? code_[at_ + ahead] : end;
  }
  bool next_is(std::string_view what) const { return peek().is(what); }
  bool accept(std::string_view what) {
    if (!next_is(what)) return false;
    ++at_;
    return true;
  }
  [[noreturn]] void lose() const {
    throw Lost{at_ < code_.size() ? code_[at_].line : code_.empty() ? 1 : code_.back().line};
  }

  // -- expressions: groups in brackets, and the lambdas and classes inside them

  /// From an opening bracket to behind the closing one.
  void skip_group() {
    const std::string_view close = next_is("(") ? ")" : next_is("[") ? "]" : "}";
    ++at_;
    while (!next_is(close)) skip_item();
    ++at_;
  }

  /// A token of an expression or of a body, or a whole group.
  void skip_item() {
    if (at_ >= code_.size() || one_of(peek(), {")", "]", "}"})) lose();
    if (next_is("[")) {
      skip_brackets();
    } else if (one_of(peek(), {"(", "{"})) {
      skip_group();
    } else if (is_class_key(peek()) && begins_local_class()) {
      read_class();
    } else {
      ++at_;
    }
  }

  /// "struct A {", "struct A final : B<C> {", "struct {"; not the "class T" of a template.
  bool begins_local_class() const {
    const Token& name = peek(1);
    if (name.is("{")) return true;
    return name.is_word() && one_of(peek(2), {"{", ":", "final"});
  }

  /// Attributes, subscripts, captures: a lambda is what goes on like one.
  void skip_brackets() {
    const bool captures = !peek(1).is("[") && (at_ == 0 || !is_value(code_[at_ - 1]));
    const std::size_t begin = at_;
    skip_group();
    if (!captures) return;
    const std::size_t behind = at_;
    if (next_is("<")) skip_angles();
    if (next_is("(")) skip_group();
    skip_trailer();
    if (!next_is("{")) {
      at_ = behind;
      return;
    }
    read_body("a lambda", begin, true);
  }

  static bool is_value(const Token& token) {
    if (token.is_word())
      return !one_of(token, {"return", "co_return", "co_yield", "co_await", "else", "do", "case"});
    return token.kind != Token::Kind::punctuation || one_of(token, {")", "]"});
  }

  /// From '<' to behind its '>', if it has one; otherwise it is an operator.
  void skip_angles() {
    const std::size_t begin = at_;
    int depth = 0;
    do {
      if (accept("<")) {
        ++depth;
      } else if (accept(">")) {
        --depth;
      } else if (at_ >= code_.size() || one_of(peek(), {";", ")", "}", "]"})) {
        at_ = begin + 1;
        return;
      } else {
        skip_item();
      }
    } while (depth > 0);
  }

  void skip_to_semicolon() {
    while (!accept(";")) skip_item();
  }

  /// Names with their template arguments, up to one of these.
  void skip_until(std::initializer_list<std::string_view> ends) {
    while (!one_of(peek(), ends)) {
      if (next_is("<"))
        skip_angles();
      else
        skip_item();
    }
  }

  void read_body(std::string name, std::size_t begin, bool lambda) {
    const std::size_t place = out_.functions.size();
    out_.functions.push_back({std::move(name), code_[begin].line, 0, lambda});
    skip_group();
    while (accept("catch")) {  // of a body that is a try block
      skip_group();
      skip_group();
    }
    out_.functions[place].last = code_[at_ - 1].line;
  }

  /// What may stand between parameters and body: const, noexcept(...), -> type, requires ...
  void skip_trailer() {
    for (;;) {
      if (next_is("[") && peek(1).is("[")) {
        skip_group();
      } else if (next_is("requires")) {
        skip_requires();
      } else if (accept("->")) {
        skip_type();
      } else if (one_of(peek(), {"const", "volatile", "override", "final", "mutable", "constexpr",
                                 "consteval", "static", "try", "&", "&&"})) {
        ++at_;
      } else if (accept("noexcept")) {
        if (next_is("(")) skip_group();
      } else {
        return;
      }
    }
  }

  /// Words up to what cannot be part of a type.
  void skip_type() {
    for (;;) {
      if (next_is("decltype") && peek(1).is("(")) {
        ++at_;
        skip_group();
      } else if (next_is("<")) {
        skip_angles();
      } else if (peek().is_word() ? !next_is("requires") : one_of(peek(), {"::", "*", "&", "&&"})) {
        ++at_;
      } else {
        return;
      }
    }
  }

  /// A clause of primary expressions, joined by && and ||.
  void skip_requires() {
    ++at_;
    do {
      while (accept("!")) {
      }
      if (accept("requires")) {
        if (next_is("(")) skip_group();
        if (!next_is("{")) lose();
        skip_group();
      } else if (next_is("(")) {
        skip_group();
      } else {
        do {
          if (!peek().is_word()) lose();
          ++at_;
          if (next_is("<")) skip_angles();
        } while (accept("::"));
      }
    } while (accept("&&") || accept("||"));
  }

  // -- declarations

  void declare(Kind kind, std::size_t token, bool body) {
    const Token& name = code_[token];
    if (!name.is_word()) return;
    out_.declarations.push_back({std::string(name.text), kind, name.line, body, false, token});
  }

  /// One statement at the level of a namespace or a class.
  void read_statement() {
    if (accept(";")) return;
    if (is_bare_macro()) {
      ++at_;
    } else if (one_of(peek(), {"public", "private", "protected"}) && peek(1).is(":")) {
      at_ += 2;
    } else if (accept("template")) {
      if (next_is("<")) skip_angles();
      if (next_is("requires")) skip_requires();
    } else if (next_is("namespace") || (next_is("inline") && peek(1).is("namespace"))) {
      read_namespace();
    } else if (next_is("extern") && peek(1).kind == Token::Kind::text && peek(2).is("{")) {
      at_ += 2;
      read_scope();
    } else if (next_is("using") || next_is("concept")) {
      ++at_;
      read_alias();
    } else if (next_is("static_assert") || next_is("typedef")) {
      skip_to_semicolon();
    } else {
      read_declaration();
    }
  }

  /// "A = B": a type; but "A = b::A" and "A = b::A<C>" are the same one.
  void read_alias() {
    const std::size_t name = at_;
    skip_to_semicolon();
    if (!code_[name + 1].is("=")) return;
    std::size_t behind = name + 2;
    while (behind < at_ - 1 && !code_[behind].is("<")) ++behind;
    declare(Kind::type, name, code_[behind - 1].text != code_[name].text);
  }

  /// IN_CAPITALS, alone on its line.
  bool is_bare_macro() const {
    const auto is_capital = [](char c) { return c == '_' || (c >= '0' && c <= 'Z'); };
    const std::string_view text = peek().text;
    return peek().is_word() && std::all_of(text.begin(), text.end(), is_capital) &&
           peek(1).line != peek().line && !peek(1).is("(");
  }

  void read_scope() {
    ++at_;
    while (!next_is("}")) {
      if (at_ >= code_.size()) lose();
      read_statement();
    }
    ++at_;
  }

  void read_namespace() {
    while (!one_of(peek(), {"{", ";"})) {
      if (at_ >= code_.size()) lose();
      ++at_;
    }
    if (!accept(";")) read_scope();
  }

  /// From its key to behind its braces. False if it is no definition; then nothing was read.
  bool read_class() {
    const std::size_t begin = at_++;
    while (next_is("[") || (next_is("alignas") && ++at_)) skip_group();
    std::size_t name = 0;
    while (peek().is_word() || next_is("::") || next_is("<")) {
      if (next_is("<")) {
        skip_angles();
        continue;
      }
      if (peek().is_word() && !next_is("final")) name = at_;
      ++at_;
    }
    const std::size_t behind = at_;
    if (accept(":")) skip_until({"{", ";"});
    if (next_is("{")) {
      if (name != 0) declare(Kind::type, name, true);
      read_scope();
      return true;
    }
    at_ = behind;
    if (next_is(";") && name != 0) declare(Kind::type, name, false);
    if (!next_is(";")) at_ = begin;
    return next_is(";");
  }

  void read_enum() {
    ++at_;
    if (is_class_key(peek())) ++at_;
    if (peek().is_word()) declare(Kind::type, at_++, true);
    if (accept(":")) skip_type();
    if (!accept("{")) return;
    while (!accept("}")) {
      declare(Kind::value, at_, false);
      while (!one_of(peek(), {",", "}"})) skip_item();
      accept(",");
    }
  }

  /// A declaration may hold a class, and that others.
  void read_declaration() {
    const std::size_t outer_name = std::exchange(name_, none);
    const bool outer_declared = std::exchange(declared_, false);
    read_declarators();
    name_ = outer_name;
    declared_ = outer_declared;
  }

  /// Specifiers, a type and what is declared with it.
  void read_declarators() {
    while (!accept(";")) {
      const Token& token = peek();
      if (token.is("enum")) {
        read_enum();
      } else if (is_class_key(token)) {
        if (!read_class()) ++at_;
      } else if (one_of(token, {"alignas", "decltype", "explicit", "noexcept", "__attribute__"})) {
        ++at_;
        if (next_is("(")) skip_group();
      } else if (token.is("operator")) {
        if (read_operator()) return;
      } else if (token.is_word()) {
        name_ = at_++;
      } else if (token.is("<") && name_ == at_ - 1) {
        skip_angles();
      } else if (token.is("(")) {
        if (read_parameters()) return;
      } else if (one_of(token, {"=", "{", ",", ":"})) {
        read_initialiser();
      } else if (token.is("[")) {
        skip_group();
      } else if (one_of(token, {")", "}", "]"})) {
        lose();
      } else {
        ++at_;
      }
    }
    if (name_ != none && !declared_) declare(Kind::value, name_, false);
  }

  bool read_operator() {
    name_ = at_++;
    if (next_is("(")) at_ += 2;
    while (!next_is("(")) {
      if (at_ >= code_.size() || next_is(";")) lose();
      ++at_;
    }
    return read_parameters();
  }

  /// A value that begins with braces or '=', a bit field, or one of several after a comma.
  void read_initialiser() {
    if (name_ != none && !declared_) declare(Kind::value, name_, false);
    declared_ = true;
    if (accept(",")) {
      declared_ = false;
      return;
    }
    if (next_is("{")) return skip_group();
    ++at_;
    while (!next_is(";")) {
      if (next_is(",") && peek(1).is_word() && one_of(peek(2), {"=", "{", ";", ","})) return;
      skip_item();
    }
  }

  /// At a '(' of a declaration. True if a body was read, which ends it.
  bool read_parameters() {
    if (one_of(peek(1), {"*", "&"}) && peek(2).is_word() && !declared_) {  // a pointer to functions
      name_ = at_ + 2;
      skip_group();
      if (next_is("(")) skip_group();
      return false;
    }
    const std::size_t name = name_;
    skip_group();
    if (name == none || declared_) return false;
    const std::size_t trailer = at_;
    skip_trailer();
    const std::size_t place = out_.declarations.size();
    declare(Kind::function, name, false);
    for (std::size_t i = trailer; i < at_; ++i)
      if (code_[i].is("override")) out_.declarations[place].overrides = true;
    if (next_is(":")) skip_initialisers_of_members();
    declared_ = !next_is("{");
    if (declared_) {
      if (next_is("=")) skip_to_end_of_declaration();
      return false;
    }
    out_.declarations[place].body = true;
    for (std::size_t i = qualifier_of(name); i != none; i = qualifier_of(i))
      out_.qualifiers.push_back(i);
    read_body(title(name), name, false);
    return true;
  }

  /// "= default", "= delete", "= 0"
  void skip_to_end_of_declaration() {
    while (!next_is(";")) skip_item();
  }

  void skip_initialisers_of_members() {
    do {
      ++at_;
      skip_until({"(", "{", ";"});
      if (next_is(";")) lose();
      skip_group();
      while (accept(".")) {  // "...": one for each of a pack
      }
    } while (next_is(","));
  }

  /// The "A" of "A::f" or "A<T>::f", or none.
  std::size_t qualifier_of(std::size_t name) const {
    if (name >= 2 && code_[name - 1].is("~")) --name;  // a destructor
    if (name < 2 || !code_[name - 1].is("::")) return none;
    std::size_t i = name - 2;
    for (int depth = 0; i > 0 && (depth > 0 || code_[i].is(">")); --i)
      depth += code_[i].is(">") ? 1 : code_[i].is("<") ? -1 : 0;
    return code_[i].is_word() ? i : none;
  }

  /// The name with its class, or a test with its suite and its name.
  std::string title(std::size_t name) const {
    std::string out(code_[name].text);
    const std::size_t qualifier = qualifier_of(name);
    if (qualifier != none) return std::string(code_[qualifier].text) + "::" + out;
    if (out.starts_with("TEST") && name + 4 < code_.size())
      return out + "(" + std::string(code_[name + 2].text) + ", " +
             std::string(code_[name + 4].text) + ")";
    return out;
  }

  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  const std::vector<Token>& code_;
  std::size_t at_ = 0;
  std::size_t name_ = none;  // of what is being declared: the last word so far
  bool declared_ = false;    // it is among the declarations already
  Outline out_;
};

}  // namespace

Outline outline_of(const std::vector<Token>& code) {
  return Reader(code).read();
}

}  // namespace bellwether::tidy
