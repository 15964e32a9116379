// SPDX-License-Identifier: MIT
#include "bellwether/scenario/toml_depth.hpp"

#include <algorithm>

namespace bellwether::scenario {
namespace {

// No key of ours has more than two parts; a limit on both bounds their product, the depth.
constexpr std::size_t most_parts = 16;
constexpr std::size_t most_brackets = 16;

class DepthScan {
 public:
  explicit DepthScan(std::string_view toml) : toml_(toml) {}

  TooDeep run() {
    while (at_ < toml_.size()) {
      step();
      if (dots_ >= most_parts)
        return {line_, "this key has more than " + std::to_string(most_parts) +
                           " parts; write a shorter one"};
      if (brackets_ > most_brackets)
        return {line_, "brackets are nested more than " + std::to_string(most_brackets) +
                           " deep; remove some"};
    }
    return {};
  }

 private:
  void step() {
    const char c = toml_[at_];
    if (c == '"' || c == '\'') return skip_string(c);
    if (c == '#') {
      at_ = std::min(toml_.find('\n', at_), toml_.size());
      return;
    }
    ++at_;
    if (c == '.') ++dots_;
    if (c == '\n') ++line_;
    if (c == '[' || c == '{') ++brackets_;
    if ((c == ']' || c == '}') && brackets_ > 0) --brackets_;
    if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos) dots_ = 0;
  }

  /// Of one line or, between three quotes, of many; where its end is missing, a parser stops there.
  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool many = toml_.substr(at_).starts_with(three);
    at_ += many ? 3 : 1;
    while (at_ < toml_.size()) {
      if (!many && toml_[at_] == '\n') return;
      if (many ? toml_.substr(at_).starts_with(three) : toml_[at_] == quote) break;
      if (quote == '"' && toml_[at_] == '\\') ++at_;
      if (at_ < toml_.size() && toml_[at_++] == '\n') ++line_;
    }
    at_ = std::min(at_ + (many ? 3 : 1), toml_.size());
    // Up to two quotes more belong to the text: """He said "no"""" ends with one.
    for (int i = 0; many && i < 2 && at_ < toml_.size() && toml_[at_] == quote; ++i) ++at_;
  }

  std::string_view toml_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t dots_ = 0;  // of a key, since whatever ended the one before
  std::size_t brackets_ = 0;
};

}  // namespace

TooDeep find_too_deep(std::string_view toml) {
  return DepthScan(toml).run();
}

}  // namespace bellwether::scenario
