// SPDX-License-Identifier: MIT
#include "tokens.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace bellwether::tidy {
namespace {

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

class Lexer {
 public:
  Lexer(std::string_view text, int line) : text_(text), line_(line) {}

  Tokens read() {
    bool at_start = true;  // of a line: only there '#' begins a directive
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        at_start = true;
        ++line_;
        ++at_;
      } else if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '\\') {
        ++at_;
      } else if (starts("//") || starts("/*")) {
        skip_comment();
      } else if (c == '#' && at_start) {
        read_directive();
      } else {
        at_start = false;
        read_token();
      }
    }
    return std::move(out_);
  }

 private:
  bool starts(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  void skip_comment() {
    const bool block = starts("/*");
    move_to(text_.find(block ? "*/" : "\n", at_ + 2), block ? 2 : 0);
  }

  /// To a found position, and `beyond` characters past it; to the end if there is none.
  void move_to(std::size_t place, std::size_t beyond) {
    const std::size_t end =
        place == std::string_view::npos ? text_.size() : std::min(text_.size(), place + beyond);
    line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at_ = end;
  }

  void add(Token::Kind kind, std::size_t end) {
    const int line = line_;
    const std::size_t begin = at_;
    move_to(end, 0);
    out_.code.push_back({kind, text_.substr(begin, at_ - begin), line});
  }

  void read_token() {
    const char c = text_[at_];
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1])))
      return read_number();
    std::size_t end = at_;
    while (end < text_.size() && is_letter(text_[end])) ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    const char next = end < text_.size() ? text_[end] : '\0';
    static constexpr std::array<std::string_view, 4> prefixes{"", "L", "u8", "u"};
    if (next == '"' && word.ends_with('R')) return read_raw_string(end);
    if ((next == '"' || next == '\'') &&
        std::find(prefixes.begin(), prefixes.end(), word) != prefixes.end())
      return read_string(end);
    if (!word.empty()) return add(Token::Kind::word, end);
    read_punctuation();
  }

  void read_number() {
    std::size_t end = at_;
    const auto goes_on = [&] {
      const char c = text_[end];
      if (is_letter(c) || c == '.') return true;
      if (c == '\'') return end + 1 < text_.size() && is_letter(text_[end + 1]);
      const char before = end > at_ ? text_[end - 1] : '\0';
      const bool hex = text_.substr(at_, 2) == "0x" || text_.substr(at_, 2) == "0X";
      const bool exponent = hex ? before == 'p' || before == 'P' : before == 'e' || before == 'E';
      return (c == '+' || c == '-') && exponent;
    };
    while (end < text_.size() && goes_on()) ++end;
    add(Token::Kind::number, end);
  }

  void read_string(std::size_t quote) {
    std::size_t end = quote + 1;
    while (end < text_.size() && text_[end] != text_[quote]) end += text_[end] == '\\' ? 2 : 1;
    add(Token::Kind::text, end + 1);
  }

  void read_raw_string(std::size_t quote) {
    const std::size_t open = text_.find('(', quote);
    const std::string close = ")" + std::string(text_.substr(quote + 1, open - quote - 1)) + "\"";
    const std::size_t end = text_.find(close, open);
    add(Token::Kind::text, end == std::string_view::npos ? end : end + close.size());
  }

  void read_punctuation() {
    static constexpr std::array<std::string_view, 15> whole{
        "::", "->", "==", "<=", ">=", "!=", "+=", "-=", "*=", "/=", "|=", "&=", "^=", "&&", "||"};
    for (const std::string_view sign : whole)
      if (starts(sign)) return add(Token::Kind::punctuation, at_ + sign.size());
    add(Token::Kind::punctuation, at_ + 1);
  }

  void read_directive() {
    std::size_t end = text_.find('\n', at_);
    while (end != std::string_view::npos && text_[end - 1] == '\\') end = text_.find('\n', end + 1);
    if (end == std::string_view::npos) end = text_.size();
    const std::string_view line = text_.substr(at_, end - at_);
    const int number = line_;
    Tokens inside = Lexer(line.substr(1), number).read();
    move_to(end, 0);
    if (!inside.code.empty() && inside.code.front().is("include")) return add_include(line, number);
    out_.directives.insert(out_.directives.end(), inside.code.begin(), inside.code.end());
  }

  void add_include(std::string_view line, int number) {
    const std::size_t open = line.find_first_of("<\"");
    if (open == std::string_view::npos) return;
    const bool quoted = line[open] == '"';
    const std::size_t close = line.find(quoted ? '"' : '>', open + 1);
    out_.includes.push_back({line.substr(open + 1, close - open - 1), quoted, number});
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_;
  Tokens out_;
};

}  // namespace

Tokens tokens_of(std::string_view text) {
  return Lexer(text, 1).read();
}

}  // namespace bellwether::tidy
