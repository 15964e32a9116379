// SPDX-License-Identifier: MIT
#include "bellwether/world/graph_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "bellwether/world/graph_parts.hpp"
#include "bellwether/world/topology.hpp"

namespace bellwether::world {

namespace {

using namespace parts;

// Edge lists.

/// A heading such as "source,target" looks like a link between two words; where all other names
/// are integers it is one.
void refuse_heading(const Source& source, const Names& names, const Links& links) {
  const auto& all = names.all();
  if (all.size() < 3 || is_integer(all[0]) || is_integer(all[1])) return;
  if (!std::all_of(all.begin() + 2, all.end(), is_integer)) return;
  const auto& seen = links.seen();
  const auto numbers_only = [](const graph::Edge& e) { return e.a > 1 && e.b > 1; };
  if (std::all_of(seen.begin() + 1, seen.end(), numbers_only))
    source.refuse(links.offset(0), "this line looks like a heading; put a # before it");
}

Network parse_edge_list(const Source& source) {
  Names names;
  Links links(source);
  for_each_line(source.text, [&](std::string_view line, std::size_t offset) {
    const Words words(line, " \t\r\f\v,", "#%");
    if (words.count == 0) return true;
    if (words.count == 1)
      source.refuse(offset, "a line names two nodes, such as \"3 7\"; add the other one");
    if (words.count > 3)
      source.refuse(offset,
                    "a line names two nodes, and may have one more column; delete the rest");
    for (std::size_t i = 0; i < 2; ++i)
      if (words.word[i][0] == '-' && is_integer(words.word[i].substr(1)))
        source.refuse(offset, "a node cannot be called " + std::string(words.word[i]) +
                                  "; use words or non-negative integers");
    const NodeIndex a = names.number(words.word[0]);
    links.add(a, names.number(words.word[1]), offset);
    return true;
  });
  if (links.seen().empty()) source.refuse_whole("there is no link; write one \"a b\" a line");
  refuse_heading(source, names, links);
  Network network;
  network.nodes = static_cast<NodeIndex>(names.all().size());
  network.links = links.take(network.direction, false);
  names.settle(network.links);
  return network;
}

// DIMACS.

struct Dimacs {
  const Source& source;
  Links links{source};
  NodeIndex nodes = 0;
  bool arcs = false;  // a "sp" file

  void problem(const Words& words, std::size_t offset) {
    const std::string_view kind = words.word[1];
    if (nodes != 0) source.refuse(offset, "there is a second p line; keep one");
    if (kind != "edge" && kind != "edges" && kind != "col" && kind != "sp")
      source.refuse(offset, "the p line says " + quoted(kind) + "; only edge, col and sp are read");
    const auto n = integer(words.word[2]);
    if (words.count != 4 || !n || !integer(words.word[3]))
      source.refuse(offset, "a p line reads \"p " + std::string(kind) + " NODES LINKS\"");
    if (*n == 0 || *n > largest_network)
      source.refuse(offset, "a network has from 1 to " + std::to_string(largest_network) +
                                " nodes, not " + std::to_string(*n));
    nodes = static_cast<NodeIndex>(*n);
    arcs = kind == "sp";
  }

  NodeIndex node(std::string_view word, std::size_t offset) const {
    const auto n = integer(word);
    if (!n || *n == 0 || *n > nodes)
      source.refuse(offset, "nodes are numbered from 1 to " + std::to_string(nodes) + "; not " +
                                quoted(word));
    return static_cast<NodeIndex>(*n - 1);
  }

  void line(const Words& words, std::size_t offset) {
    const std::string_view kind = words.word[0];
    if (kind == "p") return problem(words, offset);
    if (kind == "n" || kind == "d" || kind == "v" || kind == "x") return;  // weights and the like
    if (kind != "e" && kind != "a")
      source.refuse(offset, "a line begins with c, p, e or a, not with " + quoted(kind));
    if (nodes == 0) source.refuse(offset, "the p line must come first: \"p edge NODES LINKS\"");
    const std::string_view wanted = arcs ? "a" : "e";
    if (kind != wanted)
      source.refuse(offset, "after this p line links begin with " + quoted(wanted) + ", not with " +
                                quoted(kind));
    if (words.count < 3)
      source.refuse(offset, "a link has two ends: \"" + std::string(kind) + " 3 7\"");
    const NodeIndex a = node(words.word[1], offset);
    links.add(a, node(words.word[2], offset), offset);
  }
};

Network parse_dimacs(const Source& source) {
  Dimacs file{.source = source};
  for_each_line(source.text, [&](std::string_view line, std::size_t offset) {
    const Words words(line, " \t\r", "");
    const bool comment = words.count == 0 || words.word[0].starts_with('c');
    if (!comment) file.line(words, offset);
    return true;
  });
  if (file.nodes == 0) source.refuse_whole("there is no p line; add \"p edge NODES LINKS\"");
  Network network;
  network.nodes = file.nodes;
  network.links = file.links.take(network.direction, file.arcs);
  return network;
}

// Which is it?

using Parser = Network (*)(const Source& source);

Parser by_ending(std::string_view path) {
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (ending == ".graphml" || ending == ".xml") return parse_graphml;
  for (const std::string_view each : {".col", ".clq", ".dimacs", ".gr"})
    if (ending == each) return parse_dimacs;
  return nullptr;
}

Parser by_contents(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin != text.npos && text[begin] == '<') return parse_graphml;
  Parser parser = parse_edge_list;
  for_each_line(text, [&](std::string_view line, std::size_t) {
    const Words words(line, " \t\r", "");
    if (words.count == 0 || words.word[0] == "c") return true;  // a comment of DIMACS
    if (words.word[0] == "p" && words.count == 4 && integer(words.word[2])) parser = parse_dimacs;
    return false;
  });
  return parser;
}

}  // namespace

Network parse_graph(std::string_view text, std::string_view path) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // some editors mark UTF-8 so
  const Source source{text, path};
  const Parser named = by_ending(path);
  return named ? named(source) : by_contents(text)(source);
}

Network read_graph_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw BadFile(path, 0, "this is a folder; name a file in it");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw BadFile(path, 0, "the file cannot be opened; check the path");
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad()) throw BadFile(path, 0, "the file cannot be read to its end");
  return parse_graph(text, path);
}

}  // namespace bellwether::world
