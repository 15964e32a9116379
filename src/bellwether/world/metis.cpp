// SPDX-License-Identifier: MIT
// METIS (Karypis and Kumar): a header, then for each node a line with its neighbours, counted from
// 1. Each link stands on two lines, one for each of its ends.
#include <algorithm>

#include "bellwether/world/graph_parts.hpp"

namespace bellwether::world::parts {

namespace {

struct Metis {
  const Source& source;
  Listing listing{};
  std::size_t header = 0;      // where it stands
  std::uint64_t promised = 0;  // links
  std::uint64_t skipped = 0;   // numbers before the neighbours of a node: its size, its weights
  bool weights = false;        // a number after each neighbour
  bool begun = false;          // the header has been read
  NodeIndex lines = 0;         // nodes that have been read
  std::size_t loops = 0;

  void begin(std::string_view line, std::size_t offset) {
    const LineWords words(line, blanks, "");
    if (words.count == 0) return;
    const auto n = integer(words.word[0]);
    const auto m = integer(words.word[1]);
    if (words.count < 2 || words.count > 4 || !n || !m)
      source.refuse(offset,
                    "a METIS file begins with \"NODES LINKS\", and perhaps \"FMT\" and \"NCON\"; "
                    "write for instance \"34 78\"");
    listing.nodes = node_count(source, *n, offset);
    listing.listed = LinkMentions::from_both_ends;
    promised = *m;
    header = offset;
    begun = true;
    kind(words);
  }

  /// FMT: up to three digits, for sizes of nodes, weights of nodes and weights of links.
  void kind(const LineWords& words) {
    std::string digits(words.word[2]);
    if (digits.size() > 3 || digits.find_first_not_of("01") != digits.npos)
      source.refuse(header,
                    "FMT is up to three digits 0 or 1, such as 1 for weights of links; not " +
                        quoted(digits));
    digits.insert(0, 3 - digits.size(), '0');
    weights = digits[2] == '1';
    const auto ncon = words.count < 4 ? 1 : integer(words.word[3]);
    if (!ncon || *ncon == 0 || (words.count == 4 && digits[1] == '0' && *ncon != 1))
      source.refuse(header, "NCON is how many weights a node has where FMT is 10 or 11; correct " +
                                quoted(words.word[3]) + ", or leave it out");
    skipped = (digits[0] == '1' ? 1 : 0) + (digits[1] == '1' ? *ncon : 0);
    if (source.reading.weights && !weights)
      source.refuse(header,
                    "the links of this file have no weights (FMT does not end in 1); add them, or "
                    "measure without weights");
  }

  void node(std::string_view line, std::size_t offset) {
    if (lines == listing.nodes) {
      if (blanks.next_word(line).empty()) return;
      source.refuse(offset, "the header promises " + std::to_string(listing.nodes) +
                                " nodes, and here is a line for one more; delete it, or correct "
                                "the header");
    }
    for (std::uint64_t i = 0; i < skipped; ++i)
      if (!is_integer(blanks.next_word(line)))
        source.refuse(offset, "before its neighbours node " + std::to_string(lines + 1) + " has " +
                                  std::to_string(skipped) +
                                  (skipped == 1 ? " whole number" : " whole numbers") +
                                  ", as the header says; add what is missing");
    for (std::string_view word = blanks.next_word(line); !word.empty();
         word = blanks.next_word(line)) {
      const auto n = integer(word);
      if (!n || *n == 0 || *n > listing.nodes)
        source.refuse(offset, "nodes are numbered from 1 to " + std::to_string(listing.nodes) +
                                  "; not " + quoted(word));
      listing.add(lines, static_cast<NodeIndex>(*n - 1), offset);
      if (*n - 1 == lines) ++loops;
      if (!weights) continue;
      const std::string_view after = blanks.next_word(line);
      if (after.empty())
        source.refuse(offset, "neighbour " + quoted(word) +
                                  " has no weight; as the header says, one follows each neighbour");
      if (source.reading.weights) listing.weights.push_back(weight(source, after, offset));
    }
    ++lines;
  }

  void end() {
    if (!begun)
      source.refuse_whole(
          "the graph has no nodes: there is no header; begin with \"NODES LINKS\", such as "
          "\"34 78\"");
    if (lines < listing.nodes)
      source.refuse(header, "the header promises " + std::to_string(listing.nodes) +
                                " nodes, but there are lines for " + std::to_string(lines) +
                                "; add the others (an empty line is a node without links)");
    // No document says how often a loop is listed, or whether it counts.
    const std::size_t listed = listing.links.size();
    for (const std::size_t entries : {listed, listed - loops, listed + loops})
      if (entries % 2 == 0 && entries / 2 == promised) return;
    listing.header = header;
    listing.miscounted = "the header promises " + std::to_string(promised) +
                         " links, but the lines list " + std::to_string(listed) +
                         " neighbours instead of twice as many; correct the header, or add what is "
                         "missing";
  }
};

}  // namespace

Listing list_metis(const Source& source) {
  Metis file{.source = source};
  for_each_line(source.text, [&](std::string_view line, std::size_t offset) {
    if (line.starts_with('%')) return true;
    file.begun ? file.node(line, offset) : file.begin(line, offset);
    return true;
  });
  file.end();
  return std::move(file.listing);
}

}  // namespace bellwether::world::parts
