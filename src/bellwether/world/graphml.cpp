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

void read_graphml_node(const Source& source, const pugi::xml_node& node, Names& names) {
  const std::string_view id = node.attribute("id").value();
  if (id.empty()) source.refuse(offset_of(node), "a node needs an id: <node id=\"n1\"/>");
  if (!names.add(id))
    source.refuse(offset_of(node), "there are two nodes " + quoted(id) + "; rename one");
  for (const pugi::xml_node& child : node.children())
    if (local_name(child) == "graph")
      source.refuse(offset_of(child), "a graph within a node cannot be read; take it out");
}

void read_graphml_edge(const Source& source, const pugi::xml_node& edge, const Names& names,
                       graph::Direction direction, Links& links) {
  const bool one_way = direction == graph::Direction::one_way;
  if (edge.attribute("directed").as_bool(one_way) != one_way)
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
  links.add(end[0], end[1], offset_of(edge));
}

}  // namespace

Network parse_graphml(const Source& source) {
  pugi::xml_document document;
  const pugi::xml_parse_result result =
      document.load_buffer(source.text.data(), source.text.size());
  if (!result)
    source.refuse(static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)),
                  std::string("this is not XML: ") + result.description());
  const pugi::xml_node graph = only_graph(source, document);
  Network network;
  network.direction = direction_of(source, graph);
  Names names;
  Links links(source);
  // An edge may stand before its nodes.
  for (const pugi::xml_node& child : graph.children())
    if (local_name(child) == "node") read_graphml_node(source, child, names);
  for (const pugi::xml_node& child : graph.children()) {
    if (local_name(child) == "hyperedge")
      source.refuse(offset_of(child), "hyperedges cannot be read; write edges instead");
    if (local_name(child) == "edge")
      read_graphml_edge(source, child, names, network.direction, links);
  }
  if (names.all().empty()) source.refuse_whole("the graph has no nodes; add some");
  network.nodes = static_cast<NodeIndex>(names.all().size());
  network.links = links.take(network.direction, false);
  names.settle(network.links);
  return network;
}

}  // namespace bellwether::world::parts
