// SPDX-License-Identifier: MIT
#include "bellwether/world/graph_file.hpp"

#include <algorithm>
#include <filesystem>
#include <istream>

#include "bellwether/core/input_file.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/world/graph_parts.hpp"
#include "bellwether/world/topology.hpp"

namespace bellwether::world {

namespace parts {

namespace {

// Edge lists.

/// A heading such as "source,target" looks like a link between two words; where all other names
/// are integers it is one.
void refuse_heading(const Source& source, const NameTable& names, const Listing& listing) {
  const auto& all = names.all();
  if (all.size() < 3 || is_integer(all[0]) || is_integer(all[1])) return;
  if (!std::all_of(all.begin() + 2, all.end(), is_integer)) return;
  const auto numbers_only = [](const graph::Edge& e) { return e.a > 1 && e.b > 1; };
  if (std::all_of(listing.links.begin() + 1, listing.links.end(), numbers_only))
    source.refuse(listing.offsets[0], "this line looks like a heading; put a # before it");
}

void edge_line(const Source& source, const LineWords& words, std::size_t offset, NameTable& names,
               Listing& listing) {
  if (words.count == 1)
    source.refuse(offset, "a line names two nodes, such as \"3 7\"; add the other one");
  if (words.count > 3)
    source.refuse(offset,
                  "a line names two nodes, and may have one more column; delete the rest (a METIS "
                  "file must end in .graph or .metis)");
  for (std::size_t i = 0; i < 2; ++i)
    if (words.word[i][0] == '-' && is_integer(words.word[i].substr(1)))
      source.refuse(offset, "a node cannot be called " + quoted(words.word[i]) +
                                "; use words or non-negative integers");
  if (source.reading.weights) {
    const bool first = listing.links.empty();
    if (first && !is_integer(words.word[0]) && words.count == 3 && !is_number(words.word[2]))
      source.refuse(offset, "the weight " + quoted(words.word[2]) +
                                " is not a number; if this line is a heading, put a # before it");
    listing.weights.push_back(weight(source, words.word[2], offset));
  }
  const NodeIndex a = names.number(words.word[0]);
  listing.add(a, names.number(words.word[1]), offset);
}

// DIMACS.

struct Dimacs {
  const Source& source;
  Listing listing{};
  std::uint64_t promised = 0;  // links

  void problem(const LineWords& words, std::size_t offset) {
    const std::string_view kind = words.word[1];
    if (listing.nodes != 0) source.refuse(offset, "there is a second p line; keep one");
    if (kind != "edge" && kind != "edges" && kind != "col" && kind != "sp")
      source.refuse(offset, "the p line says " + quoted(kind) + "; only edge, col and sp are read");
    const auto n = integer(words.word[2]);
    const auto m = integer(words.word[3]);
    if (words.count != 4 || !n || !m)
      source.refuse(offset, "a p line reads \"p " + std::string(kind) + " NODES LINKS\"");
    listing.nodes = node_count(source, *n, offset);
    listing.listed = kind == "sp" ? LinkMentions::as_arcs : LinkMentions::once;
    promised = *m;
    listing.header = offset;
  }

  NodeIndex node(std::string_view word, std::size_t offset) const {
    const auto n = integer(word);
    if (!n || *n == 0 || *n > listing.nodes)
      source.refuse(offset, "nodes are numbered from 1 to " + std::to_string(listing.nodes) +
                                "; not " + quoted(word));
    return static_cast<NodeIndex>(*n - 1);
  }

  void line(const LineWords& words, std::size_t offset) {
    const std::string_view kind = words.word[0];
    if (kind == "p") return problem(words, offset);
    if (kind == "n" || kind == "d" || kind == "v" || kind == "x") return;  // weights and the like
    if (kind != "e" && kind != "a")
      source.refuse(offset, "a line begins with c, p, e or a, not with " + quoted(kind));
    if (listing.nodes == 0)
      source.refuse(offset, "the p line must come first: \"p edge NODES LINKS\"");
    const std::string_view wanted = listing.listed == LinkMentions::as_arcs ? "a" : "e";
    if (kind != wanted)
      source.refuse(offset, "after this p line links begin with " + quoted(wanted) + ", not with " +
                                quoted(kind));
    if (words.count < 3)
      source.refuse(offset, "a link has two ends: \"" + std::string(kind) + " 3 7\"");
    const NodeIndex a = node(words.word[1], offset);
    listing.add(a, node(words.word[2], offset), offset);
    if (source.reading.weights) listing.weights.push_back(weight(source, words.word[3], offset));
  }

  /// Some files count each direction of a link on its own, some do not.
  void count() {
    const std::size_t lines = listing.links.size();
    if (lines == promised || (lines % 2 == 0 && lines / 2 == promised)) return;
    listing.miscounted = "the p line promises " + std::to_string(promised) +
                         " links, but there are lines for " + std::to_string(lines) +
                         "; if the file is not cut short, correct the p line";
  }
};

}  // namespace

Listing list_edges(const Source& source) {
  NameTable names(source);
  Listing listing;
  for_each_line(source.text, [&](std::string_view line, std::size_t offset) {
    const LineWords words(line, blanks_and_commas, "#%");
    if (words.count != 0) edge_line(source, words, offset, names, listing);
    return true;
  });
  if (listing.links.empty())
    source.refuse_whole("the graph has no nodes: there is no link; write one \"a b\" a line");
  refuse_heading(source, names, listing);
  names.settle(listing);
  return listing;
}

Listing list_dimacs(const Source& source) {
  Dimacs file{.source = source};
  for_each_line(source.text, [&](std::string_view line, std::size_t offset) {
    const LineWords words(line, blanks, "");
    const bool comment = words.count == 0 || words.word[0].starts_with('c');
    if (!comment) file.line(words, offset);
    return true;
  });
  if (file.listing.nodes == 0)
    source.refuse_whole("there is no p line; add \"p edge NODES LINKS\"");
  file.count();
  return std::move(file.listing);
}

}  // namespace parts

namespace {

using namespace parts;

// Which is it?

std::optional<GraphFormat> by_ending(std::string_view path) {
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (ending == ".graphml" || ending == ".xml") return GraphFormat::graphml;
  if (ending == ".graph" || ending == ".metis") return GraphFormat::metis;
  for (const std::string_view each : {".col", ".clq", ".dimacs", ".gr"})
    if (ending == each) return GraphFormat::dimacs;
  return std::nullopt;
}

GraphFormat by_contents(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin != text.npos && text[begin] == '<') return GraphFormat::graphml;
  GraphFormat format = GraphFormat::edges;
  for_each_line(text, [&](std::string_view line, std::size_t) {
    const LineWords words(line, blanks, "");
    if (words.count == 0 || words.word[0] == "c") return true;  // a comment of DIMACS
    if (words.word[0] == "p" && words.count == 4 && integer(words.word[2]))
      format = GraphFormat::dimacs;
    return false;
  });
  return format;
}

void refuse_packed(const Source& source) {
  using namespace std::string_view_literals;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> packers{
      {{"\x1F\x8B"sv, "gunzip"},
       {"\xFD\x37\x7A\x58\x5A"sv, "unxz"},
       {"\x28\xB5\x2F\xFD"sv, "unzstd"},
       {"BZh"sv, "bunzip2"},
       {"PK\x03\x04"sv, "unzip"}}};
  for (const auto& [magic, tool] : packers)
    if (source.text.starts_with(magic))
      source.refuse_whole("the file is compressed; unpack it with " + std::string(tool) + " first");
}

/// XML has encodings of its own; all else is text.
void refuse_rubbish(const Source& source) {
  const auto odd = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && (byte < '\t' || byte > '\r');
  };
  const auto found = std::ranges::find_if(source.text, odd);
  if (found != source.text.end())
    source.refuse(static_cast<std::size_t>(found - source.text.begin()),
                  "this line holds bytes that are not text; unpack the file, or save it as text");
}

Listing listing_of(const Source& source) {
  refuse_packed(source);
  std::optional<GraphFormat> format = source.reading.format;
  if (!format) format = by_ending(source.path);
  if (!format) format = by_contents(source.text);
  if (format == GraphFormat::graphml) return list_graphml(source);
  refuse_rubbish(source);
  if (format == GraphFormat::dimacs) return list_dimacs(source);
  return format == GraphFormat::metis ? list_metis(source) : list_edges(source);
}

/// Some editors mark UTF-8 so.
std::string_view without_mark(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

}  // namespace

Network parse_graph(std::string_view text, std::string_view path) {
  const Source source{without_mark(text), path};
  return strict_network(source, listing_of(source));
}

Network read_graph_file(const std::string& path) {
  return parse_graph(file_text(path), path);
}

MeasuredGraph parse_measured_graph(std::string_view text, std::string_view path,
                                   const GraphReading& reading) {
  const Source source{without_mark(text), path, reading};
  return lenient_graph(source, listing_of(source));
}

std::string file_text(const std::string& path) {
  return core::read_file(path, parts::largest_input);
}

std::string stream_text(std::istream& in, const std::string& path) {
  std::string text;
  for (std::size_t piece = 1 << 16; in; piece *= 2) {
    const std::size_t size = text.size();
    text.resize(size + piece);
    in.read(text.data() + size, static_cast<std::streamsize>(piece));
    text.resize(size + static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) throw core::Problem(path, {}, "the file cannot be read to its end");
  return text;
}

}  // namespace bellwether::world
