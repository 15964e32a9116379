// SPDX-License-Identifier: MIT
#include "words.hpp"

#include <algorithm>
#include <regex>

#include "tree.hpp"

namespace bellwether::tidy {
namespace {

struct Banned {
  std::string_view phrase;  // a regular expression of whole words, in lower case
  std::string_view instead;
};

constexpr Banned banned[] = {
    {"for ever", "permanently; never stops"},
    {"so (many|often) (?!as|that)\\S+", "N; the number of"},
    {"newborns?", "restarted without memory"},
    {"bears? (loss|losses|changes|crashes|churn|reordering|duplicates|it)", "tolerates"},
    {"told of", "notified of"},
    {"(is|are|be|was|were) told", "is notified"},
    {"(at|of) rest", "quiescent"},
    {"parted", "partitioned; split"},
    {"doubled frames?", "duplicated"},
    {"nobody", "no node; name who does not"},
    {"whoever", "the node that; name the subject"},
    {"take (it |them )?back", "undo"},
    {"do (it |them )?again", "redo; repeat"},
    {"never leads?", "is not eligible"},
    {"beforehand", "in advance"},
    {"(as|if) wished", "optional"},
};

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

/// Blanks, but for the line ends, so that lines keep their numbers.
void blank(std::string& text, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end && i < text.size(); ++i)
    if (text[i] != '\n') text[i] = ' ';
}

int line_at(std::string_view text, std::size_t offset) {
  return static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(offset), '\n'));
}

}  // namespace

std::vector<Prose> prose_of(const Tokens& tokens) {
  std::vector<Prose> out;
  bool follows = false;
  for (const Token& token : tokens.code) {
    if (token.kind != Token::Kind::text) {
      follows = false;
      continue;
    }
    std::string_view text = token.text;
    if (!text.empty() && text.front() == '"') text.remove_prefix(1);
    if (!text.empty() && text.back() == '"') text.remove_suffix(1);
    if (follows)
      out.back().text += text;
    else
      out.push_back({std::string(text), token.line});
    follows = true;
  }
  return out;
}

std::vector<Prose> prose_of_markdown(std::string_view page) {
  std::string text(page);
  std::size_t at = 0;
  bool fenced = false;
  for (const std::string_view line : lines_of(page)) {
    const bool fence =
        line.substr(std::min(line.find_first_not_of(' '), line.size())).starts_with("```");
    if (fence) fenced = !fenced;
    if (fence || fenced) blank(text, at, at + line.size());
    at += line.size() + 1;
  }
  for (std::size_t open = text.find('`'); open != text.npos; open = text.find('`', open)) {
    const std::size_t close = text.find('`', open + 1);
    if (close == text.npos) break;
    blank(text, open, close + 1);
  }
  return {{std::move(text), 1}};
}

std::vector<Prose> prose_of_script(std::string_view text) {
  std::vector<Prose> out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (text.substr(i).starts_with("//")) {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (text.substr(i).starts_with("/*")) {
      i = std::min(text.find("*/", i), text.size() - 1) + 1;
    } else if (c == '"' || c == '`' || c == '\'') {
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != c) end += text[end] == '\\' ? 2 : 1;
      end = std::min(end, text.size());
      out.push_back({std::string(text.substr(i + 1, end - i - 1)), line_at(text, i) + 1});
      i = end;
    }
  }
  return out;
}

std::vector<Slip> slips_in(const Prose& prose) {
  // A phrase may go on in the next line.
  std::string text = lower_case(prose.text);
  const std::string lines = text;
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::vector<Slip> out;
  for (const Banned& each : banned) {
    const std::regex phrase("\\b(?:" + std::string(each.phrase) + ")\\b");
    for (auto it = std::sregex_iterator(text.begin(), text.end(), phrase);
         it != std::sregex_iterator(); ++it)
      out.push_back({it->str(), std::string(each.instead),
                     prose.line + line_at(lines, static_cast<std::size_t>(it->position()))});
  }
  return out;
}

}  // namespace bellwether::tidy
