// SPDX-License-Identifier: MIT
// GraphML (Brandes, Eiglsperger, Herman, Himsolt and Marshall 2001): nodes and edges, without
// hyperedges, ports and graphs within nodes.
#include <algorithm>
#include <array>
#include <cstddef>
#include <pugixml.hpp>

#include "bellwether/world/graph_parts.hpp"

namespace bellwether::world::parts {

namespace {

/// The name of an element without the prefix of its namespace.
std::string_view local_name(const pugi::xml_node& node) {
  const std::string_view name = node.name();
  return name.substr(name.find(':') + 1);  // npos + 1 is 0
}

std::size_t offset_of(const pugi::xml_node& node) {
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
}

pugi::xml_node only_graph(const Source& source, const pugi::xml_document& document) {
  pugi::xml_node graph;
  const pugi::xml_node root = document.document_element();
  if (local_name(root) != "graphml")
    source.refuse(offset_of(root),
                  "a GraphML file begins with <graphml>, not <" + std::string(root.name()) + ">");
  for (const pugi::xml_node& child : root.children()) {
    if (local_name(child) != "graph") continue;
    if (graph) source.refuse(offset_of(child), "there is a second graph; keep one in the file");
    graph = child;
  }
  if (!graph) source.refuse_whole("there is no <graph> in the file; add one");
  return graph;
}

graph::Direction direction_of(const Source& source, const pugi::xml_node& graph) {
  const std::string_view word = graph.attribute("edgedefault").as_string("undirected");
  if (word == "undirected") return graph::Direction::both_ways;
  if (word == "directed") return graph::Direction::one_way;
  source.refuse(offset_of(graph),
                "edgedefault is \"directed\" or \"undirected\", not " + quoted(word));
}

void read_graphml_node(const Source& source, const pugi::xml_node& node, NameTable& names) {
  const std::string_view id = node.attribute("id").value();
  if (id.empty()) source.refuse(offset_of(node), "a node needs an id: <node id=\"n1\"/>");
  if (!names.add(id))
    source.refuse(offset_of(node), "there are two nodes " + quoted(id) + "; rename one");
  for (const pugi::xml_node& child : node.children())
    if (local_name(child) == "graph")
      source.refuse(offset_of(child), "a graph within a node cannot be read; take it out");
}

/// The attribute of edges that is called "weight".
struct WeightKey {
  std::string_view id;  // empty: there is none
  std::string_view default_text;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

WeightKey weight_key(const Source& source, const pugi::xml_node& root) {
  for (const pugi::xml_node& key : root.children()) {
    if (local_name(key) != "key") continue;
    if (std::string_view(key.attribute("attr.name").value()) != "weight") continue;
    const std::string_view domain = key.attribute("for").as_string("all");
    if (domain != "edge" && domain != "all") continue;
    WeightKey found{key.attribute("id").value(), {}};
    for (const pugi::xml_node& child : key.children())
      if (local_name(child) == "default") found.default_text = trimmed(child.text().get());
    return found;
  }
  source.refuse_whole(
      "edges have no attribute called \"weight\"; declare <key id=\"w\" for=\"edge\" "
      "attr.name=\"weight\" attr.type=\"int\"/>, or measure without weights");
}

std::string_view weight_of(const pugi::xml_node& edge, const WeightKey& key) {
  for (const pugi::xml_node& data : edge.children())
    if (local_name(data) == "data" && data.attribute("key").value() == key.id)
      return trimmed(data.text().get());
  return key.default_text;
}

void read_graphml_edge(const Source& source, const pugi::xml_node& edge, NameTable& names,
                       Listing& listing) {
  const bool one_way = listing.direction == graph::Direction::one_way;
  if (!source.reading.two_way && edge.attribute("directed").as_bool(one_way) != one_way)
    source.refuse(offset_of(edge),
                  "either all edges are directed or none is; make this one like "
                  "the edgedefault of its graph");
  std::array<NodeIndex, 2> end{};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string_view id = edge.attribute(i == 0 ? "source" : "target").value();
    const auto number = names.find(id);
    if (!number)
      source.refuse(offset_of(edge),
                    "there is no node " + quoted(id) + "; declare it or correct this edge");
    end[i] = *number;
  }
  listing.add(end[0], end[1], offset_of(edge));
}

}  // namespace

Listing list_graphml(const Source& source) {
  pugi::xml_document document;
  const pugi::xml_parse_result result =
      document.load_buffer(source.text.data(), source.text.size());
  if (!result)
    source.refuse(static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)),
                  std::string("this is not XML: ") + result.description());
  const pugi::xml_node graph = only_graph(source, document);
  Listing listing;
  listing.direction = direction_of(source, graph);
  NameTable names(source);
  WeightKey key;
  if (source.reading.weights) key = weight_key(source, document.document_element());
  // An edge may stand before its nodes.
  for (const pugi::xml_node& child : graph.children())
    if (local_name(child) == "node") read_graphml_node(source, child, names);
  for (const pugi::xml_node& child : graph.children()) {
    if (local_name(child) == "hyperedge")
      source.refuse(offset_of(child), "hyperedges cannot be read; write edges instead");
    if (local_name(child) != "edge") continue;
    read_graphml_edge(source, child, names, listing);
    if (source.reading.weights)
      listing.weights.push_back(weight(source, weight_of(child, key), offset_of(child)));
  }
  if (names.all().empty()) source.refuse_whole("the graph has no nodes; add some");
  names.settle(listing);
  return listing;
}

}  // namespace bellwether::world::parts
