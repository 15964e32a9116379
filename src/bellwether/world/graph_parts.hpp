// SPDX-License-Identifier: MIT
// What the readers of graph_file.hpp share; nobody else includes this.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bellwether/world/network.hpp"

namespace bellwether::world::parts {

/// A text and the path that it came from. Places in it are offsets; lines are counted only when
/// something is wrong.
struct Source {
  std::string_view text;
  std::string_view path;

  std::size_t line(std::size_t offset) const;
  [[noreturn]] void refuse(std::size_t offset, const std::string& sentence) const;
  [[noreturn]] void refuse_whole(const std::string& sentence) const;
};

std::string quoted(std::string_view word);
bool is_integer(std::string_view word);
/// Nothing where the word is no integer or needs more than 64 bits.
std::optional<std::uint64_t> integer(std::string_view word);

/// Calls visit(line, its offset) until it returns false.
template <class Visit>
void for_each_line(std::string_view text, Visit&& visit) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (!visit(text.substr(begin, end - begin), begin)) return;
    begin = end + 1;
  }
}

/// The first words of a line, and how many there are in all. A word that begins with one of
/// `comments` ends the line.
struct Words {
  std::array<std::string_view, 4> word{};
  std::size_t count = 0;

  Words(std::string_view line, std::string_view separators, std::string_view comments);
};

/// Numbers for names, in the order of their appearance; the names live elsewhere.
class Names {
 public:
  /// False where the name was known already.
  bool add(std::string_view name);
  std::optional<NodeIndex> find(std::string_view name) const;
  NodeIndex number(std::string_view name);
  const std::vector<std::string_view>& all() const { return names_; }

  /// Nodes with integers for names change their numbers, so that these ascend.
  void settle(std::vector<graph::Edge>& links) const;

 private:
  std::vector<std::string_view> names_;
  std::unordered_map<std::string_view, NodeIndex> numbers_;  // only looked up, never walked
};

/// Links as they are read, each with its place in the file.
class Links {
 public:
  explicit Links(const Source& source) : source_(source) {}

  /// Refuses a loop.
  void add(NodeIndex a, NodeIndex b, std::size_t offset);
  /// All links, once each: a second one is refused, or left out where links merge.
  std::vector<graph::Edge> take(graph::Direction direction, bool merge);

  const std::vector<graph::Edge>& seen() const { return links_; }
  std::size_t offset(std::size_t link) const { return offsets_[link]; }

 private:
  const Source& source_;
  std::vector<graph::Edge> links_;
  std::vector<std::size_t> offsets_;
};

Network parse_graphml(const Source& source);

}  // namespace bellwether::world::parts
