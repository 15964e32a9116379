// SPDX-License-Identifier: MIT
// What the readers of graph_file.hpp share; no other source includes this.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bellwether/world/graph_file.hpp"

namespace bellwether::world::parts {

/// Graphs and traces are read whole; what is larger has more links or legs than fit.
inline constexpr std::uint64_t largest_input = 4'000'000'000;  // bytes

/// A text and the path that it came from. Places in it are offsets; lines are counted only when
/// something is wrong.
struct Source {
  std::string_view text;
  std::string_view path;
  GraphReading reading{};

  std::size_t line(std::size_t offset) const;
  [[noreturn]] void refuse(std::size_t offset, const std::string& sentence) const;
  [[noreturn]] void refuse_whole(const std::string& sentence) const;
};

/// Shortened where it is long: files may hold anything.
std::string quoted(std::string_view word);
bool is_integer(std::string_view word);
/// Nothing where the word is no integer or needs more than 64 bits.
std::optional<std::uint64_t> integer(std::string_view word);
/// How many nodes a file declares. Refuses none and too many.
NodeIndex node_count(const Source& source, std::uint64_t number, std::size_t offset);
/// Digits, with or without a point.
bool is_number(std::string_view word);
/// The weight of a link; 3.0 is 3. Refuses what is none; an empty word is one that is missing.
std::uint32_t weight(const Source& source, std::string_view word, std::size_t offset);

/// Calls visit(line, its offset) until it returns false.
template <class Visit>
void for_each_line(std::string_view text, Visit&& visit) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (!visit(text.substr(begin, end - begin), begin)) return;
    begin = end + 1;
  }
}

/// What separates words.
class Blanks {
 public:
  constexpr explicit Blanks(std::string_view characters) {
    for (const char c : characters) is_[static_cast<unsigned char>(c)] = true;
  }
  /// Takes the next word off the line; empty at its end.
  std::string_view next_word(std::string_view& line) const {
    std::size_t from = 0;
    while (from < line.size() && is_[static_cast<unsigned char>(line[from])]) ++from;
    std::size_t to = from;
    while (to < line.size() && !is_[static_cast<unsigned char>(line[to])]) ++to;
    const std::string_view word = line.substr(from, to - from);
    line.remove_prefix(to);
    return word;
  }

 private:
  std::array<bool, 256> is_{};
};
inline constexpr Blanks blanks(" \t\r\f\v");
inline constexpr Blanks blanks_and_commas(" \t\r\f\v,");

/// The first words of a line, and how many there are in all. A word that begins with one of
/// `comments` ends the line.
struct LineWords {
  std::array<std::string_view, 5> word{};
  std::size_t count = 0;

  LineWords(std::string_view line, const Blanks& separators, std::string_view comments);
};

/// How often a file names a link.
enum class LinkMentions : unsigned char {
  once,
  as_arcs,         // each direction on its own, and they merge
  from_both_ends,  // each end names the other
};

/// What a file says, before it is validated: loops and repetitions are still there.
struct Listing {
  NodeIndex nodes = 0;
  graph::Direction direction = graph::Direction::both_ways;
  LinkMentions listed = LinkMentions::once;
  std::vector<graph::Edge> links;
  std::vector<std::uint32_t> weights;  // empty unless the reading asks for them
  std::vector<std::size_t> offsets;    // where each link stands in the text
  NodeNames names;
  std::string miscounted;  // what is wrong with the number of links; said if nothing exacter is
  std::size_t header = 0;  // where that number stands

  void add(NodeIndex a, NodeIndex b, std::size_t offset) {
    links.push_back({a, b});
    offsets.push_back(offset);
  }
};

/// The two ways to make a network of it.
Network strict_network(const Source& source, Listing listing);
MeasuredGraph lenient_graph(const Source& source, Listing listing);

/// Numbers for names, in the order of their appearance; the names live elsewhere.
class NameTable {
 public:
  explicit NameTable(const Source& source) : table_limit_(source.text.size()) {}

  /// False where the name was known already.
  bool add(std::string_view name);
  std::optional<NodeIndex> find(std::string_view name);
  NodeIndex number(std::string_view name);
  const std::vector<std::string_view>& all() const { return names_; }

  /// Hands nodes and names over. Nodes with integers for names change their numbers, so that these
  /// ascend.
  void settle(Listing& listing) const;

 private:
  static constexpr NodeIndex unknown = 0xFFFF'FFFF;
  /// Where the number of a name is kept.
  NodeIndex& slot(std::string_view name);
  /// Nodes in the order of their names where all of these are integers, else as they came.
  std::vector<NodeIndex> ascending() const;

  std::vector<std::string_view> names_;
  /// Integers below the size of the text have a table, since most files count from 0 or 1. All
  /// others are only looked up, never walked.
  std::uint64_t table_limit_;
  std::vector<NodeIndex> table_;
  std::unordered_map<std::string_view, NodeIndex> numbers_;
};

Listing list_edges(const Source& source);
Listing list_dimacs(const Source& source);
Listing list_graphml(const Source& source);
Listing list_metis(const Source& source);

}  // namespace bellwether::world::parts
