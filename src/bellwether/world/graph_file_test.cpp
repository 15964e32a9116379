// SPDX-License-Identifier: MIT
#include "bellwether/world/graph_file.hpp"
#include "bellwether/core/problem.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "bellwether/world/topology.hpp"

namespace bellwether::world {
namespace {

using Links = std::vector<graph::Edge>;

void expect_bad(std::string_view text, const std::string& path, std::size_t line,
                const std::string& part) {
  try {
    parse_graph(text, path);
    ADD_FAILURE() << "accepted; expected: " << part;
  } catch (const core::Problem& bad) {
    const std::string what = bad.what();
    EXPECT_EQ(bad.where().name, path);
    EXPECT_EQ(bad.where().line, line) << what;
    const std::string place = line ? path + ":" + std::to_string(line) + ": " : path + ": ";
    EXPECT_TRUE(what.starts_with(place)) << what;
    EXPECT_NE(what.find(part), std::string::npos) << what;
  }
}

TEST(EdgeList, IntegersAscendWhateverTheirOrder) {
  const Network network = parse_graph("30 7\n7 100\n# note\n100 30\n", "a.edges");
  EXPECT_EQ(network.nodes, 3u);
  EXPECT_EQ(network.direction, graph::Direction::both_ways);
  EXPECT_EQ(network.links, (Links{{1, 0}, {0, 2}, {2, 1}}));
}

TEST(EdgeList, WordsKeepTheOrderOfTheirFirstAppearance) {
  const Network network = parse_graph("rome paris\nparis 7\n7 rome\n", "a.txt");
  EXPECT_EQ(network.links, (Links{{0, 1}, {1, 2}, {2, 0}}));
}

TEST(EdgeList, BearsEverySeparatorAndComment) {
  const std::string_view text =
      "\xEF\xBB\xBF% konect\r\n\r\n  0,1\r\n1 ,\t2,0.75\n2\t3 9 # the third column is a weight\n3 "
      "0 %";
  EXPECT_EQ(parse_graph(text, "a.csv").links.size(), 4u);
  EXPECT_EQ(parse_graph("0 1 {}\n1 2 {}", "a").links, (Links{{0, 1}, {1, 2}}));
}

TEST(EdgeList, TheValueNamesAnInteger) {
  const Network network = parse_graph("007 8\n7 0\n99999999999999999999999 00\n", "a");
  EXPECT_EQ(network.nodes, 4u);
  EXPECT_EQ(network.links, (Links{{1, 2}, {1, 0}, {3, 0}}));
}

TEST(EdgeList, Refusals) {
  expect_bad("", "a", 0, "the graph has no nodes: there is no link; write one");
  expect_bad("# nothing\n", "a", 0, "there is no link");
  expect_bad("1 2\n\n3\n", "a", 3, "a line names two nodes");
  expect_bad("1 2\n3 4 5 6\n", "a", 2, "one more column");
  expect_bad("1 2\n2 3\n3 3\n", "a", 3, "leads from a node to itself");
  expect_bad("1 01\n", "a", 1, "leads from a node to itself");
  expect_bad("1 2\n-1 2\n", "a", 2, "a node cannot be called \"-1\"");
  expect_bad("1 2\n2 3\n\n1 2\n1 2\n", "a", 4, "this link is on line 1 already; delete one");
  expect_bad("5 6\n1 2\n2 1\n6 5\n", "a", 3, "on line 2 already; delete one of the two (links go");
}

TEST(EdgeList, AHeadingIsToldFromALink) {
  expect_bad("source,target\n1,2\n2,3\n", "a.csv", 1, "looks like a heading; put a # before it");
  EXPECT_EQ(parse_graph("a b\n", "x").nodes, 2u);
  EXPECT_EQ(parse_graph("a b\nb 1\n", "x").nodes, 3u);
  EXPECT_EQ(parse_graph("a b\nc 1\n", "x").nodes, 4u);
}

TEST(EdgeList, ALargeOne) {
  std::string text;
  for (int i = 0; i < 200'000; ++i)
    text += std::to_string(i) + " " + std::to_string((i + 1) % 200'000) + "\n";
  EXPECT_TRUE(is_ring(parse_graph(text, "ring.edges")));
}

constexpr std::string_view graphml = R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="node" attr.name="colour" attr.type="string"/>
  <graph id="G" edgedefault="undirected">
    <node id="n2"><data key="d0">green</data></node>
    <edge source="n2" target="n0"/>
    <node id="n0"/>
    <node id="n1"/>
    <edge source="n0" target="n1"/>
  </graph>
</graphml>
)";

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out(text);
  return out.replace(out.find(from), from.size(), to);
}

TEST(GraphMl, NodesKeepTheirOrder) {
  const Network network = parse_graph(graphml, "a.graphml");
  EXPECT_EQ(network.nodes, 3u);
  EXPECT_EQ(network.links, (Links{{0, 1}, {1, 2}}));
  EXPECT_EQ(network.direction, graph::Direction::both_ways);
}

TEST(GraphMl, DirectedIsOneWay) {
  const std::string directed =
      replaced(replaced(graphml, "undirected", "directed"), "</graph>",
               "<edge source=\"n1\" target=\"n0\" directed=\"true\"/></graph>");
  const Network network = parse_graph(directed, "a.XML");
  EXPECT_EQ(network.direction, graph::Direction::one_way);
  EXPECT_EQ(network.links, (Links{{0, 1}, {1, 2}, {2, 1}}));
}

TEST(GraphMl, IsFoundByItsContents) {
  EXPECT_EQ(parse_graph(graphml, "a.txt").nodes, 3u);
  EXPECT_EQ(
      parse_graph("<g:graphml xmlns:g='x'><g:graph><g:node id='0'/></g:graph></g:graphml>", "-")
          .nodes,
      1u);
}

TEST(GraphMl, IntegersAscend) {
  const Network network = parse_graph(
      "<graphml><graph><node id='10'/><node id='9'/><edge source='10' target='9'/>"
      "<node id='8'/></graph></graphml>",
      "a.xml");
  EXPECT_EQ(network.nodes, 3u);
  EXPECT_EQ(network.links, (Links{{2, 1}}));
}

TEST(GraphMl, Refusals) {
  const std::string path = "a.graphml";
  expect_bad("", path, 1, "this is not XML");
  expect_bad("<graphml>\n<graph>\n</graphml>", path, 3, "this is not XML");
  expect_bad("\n<svg/>", path, 2, "begins with <graphml>, not <svg>");
  expect_bad("<graphml/>", path, 0, "there is no <graph>");
  expect_bad("<graphml><graph/></graphml>", path, 0, "the graph has no nodes");
  expect_bad("<graphml><graph/>\n<graph/></graphml>", path, 2, "a second graph");
  const auto with = [](std::string_view from, std::string_view to) {
    return replaced(graphml, from, to);
  };
  expect_bad(with("undirected", "sideways"), path, 4, "not \"sideways\"");
  expect_bad(with("<node id=\"n1\"/>", "<node/>"), path, 8, "a node needs an id");
  expect_bad(with("id=\"n1\"", "id=\"n0\""), path, 8, "there are two nodes \"n0\"");
  expect_bad(with("<node id=\"n1\"/>", "<node id=\"n1\"><graph/></node>"), path, 8,
             "a graph within a node");
  expect_bad(with("target=\"n1\"", "target=\"n9\""), path, 9, "there is no node \"n9\"");
  expect_bad(with("target=\"n1\"", ""), path, 9, "there is no node \"\"");
  expect_bad(with("target=\"n1\"", "target=\"n0\""), path, 9, "from a node to itself");
  expect_bad(with("target=\"n1\"", "target=\"n2\""), path, 9, "this link is on line 6 already");
  expect_bad(with("target=\"n1\"", "target=\"n1\" directed=\"true\""), path, 9, "all edges are");
  expect_bad(with("</graph>", "<hyperedge/></graph>"), path, 10, "hyperedges cannot be read");
}

TEST(Dimacs, EdgeFiles) {
  const std::string_view text =
      "c a square and a loner\np edge 5 4\ne 1 2\ne 2 3\r\ne 3 4\n\ne 4 1\n";
  for (const std::string_view path : {"a.col", "a.clq", "a.dimacs", "a.gr", "a", "a.txt"}) {
    const Network network = parse_graph(text, path);
    EXPECT_EQ(network.nodes, 5u);
    EXPECT_EQ(network.links, (Links{{0, 1}, {1, 2}, {2, 3}, {3, 0}}));
    EXPECT_EQ(network.direction, graph::Direction::both_ways);
  }
  EXPECT_EQ(parse_graph("p col 3 0\nn 1 5\n", "a.col").nodes, 3u);
}

TEST(Dimacs, ArcsMerge) {
  const Network network =
      parse_graph("p sp 3 5\na 1 2 803\na 2 1 803\na 3 2 1\na 1 2 804\na 2 3 1\n", "a.gr");
  EXPECT_EQ(network.nodes, 3u);
  EXPECT_EQ(network.links, (Links{{0, 1}, {2, 1}}));
}

TEST(Dimacs, Refusals) {
  const std::string path = "a.col";
  expect_bad("c only words\n", path, 0, "there is no p line");
  expect_bad("e 1 2\n", path, 1, "the p line must come first");
  expect_bad("p edge 3 1\np edge 3 1\n", path, 2, "a second p line");
  expect_bad("p max 3 1\n", path, 1, "only edge, col and sp are read");
  expect_bad("p edge 3\n", path, 1, "a p line reads \"p edge NODES LINKS\"");
  expect_bad("p edge x 1\n", path, 1, "a p line reads");
  expect_bad("p edge 0 0\n", path, 1, "from 1 to 2147483647 nodes, not 0");
  expect_bad("p edge 3000000000 0\n", path, 1, "not 3000000000");
  expect_bad("p edge 3 1\ne 1 4\n", path, 2, "nodes are numbered from 1 to 3; not \"4\"");
  expect_bad("p edge 3 1\ne 0 1\n", path, 2, "not \"0\"");
  expect_bad("p edge 3 1\ne 1 -2\n", path, 2, "not \"-2\"");
  expect_bad("p edge 3 1\ne 1\n", path, 2, "a link has two ends");
  expect_bad("p edge 3 1\na 1 2 3\n", path, 2, "links begin with \"e\", not with \"a\"");
  expect_bad("p sp 3 1\ne 1 2\n", path, 2, "links begin with \"a\", not with \"e\"");
  expect_bad("p edge 3 1\nq 1 2\n", path, 2, "begins with c, p, e or a, not with \"q\"");
  expect_bad("p edge 3 1\ne 2 2\n", path, 2, "from a node to itself");
  expect_bad("p edge 3 2\ne 2 1\ne 1 2\n", path, 3, "this link is on line 2 already");
  expect_bad("c cut\np edge 3 2\ne 2 1\n", path, 2, "promises 2 links, but there are lines for 1;");
  expect_bad("p sp 3 1\na 2 1 1\na 3 1 1\na 1 2 1\n", path, 1, "but there are lines for 3;");
}

TEST(Dimacs, AnEdgeListWithSuchWordsIsNone) {
  EXPECT_EQ(parse_graph("c d\np q\n", "a").nodes, 4u);
  EXPECT_EQ(parse_graph("p q 3\n", "a").nodes, 2u);
}

TEST(GraphFile, RubbishIsNoText) {
  using namespace std::string_literals;
  expect_bad("1 2\n2 \0\n"s, "a", 2, "bytes that are not text; unpack the file");
  expect_bad("p edge 3 1\ne 1 \x01\n"s, "a.col", 2, "bytes that are not text");
  expect_bad(
      "\x7F"
      "ELF\2\1\1\0"s,
      "a.graph", 1, "bytes that are not text");
  expect_bad("\x1F\x8B\x08\0"s, "a.edges.gz", 0, "is compressed; unpack it with gunzip first");
  expect_bad("\x28\xB5\x2F\xFD"s, "a.graphml", 0, "unpack it with unzstd first");
  expect_bad("1 -" + std::string(1000, '7'), "a", 1, "called \"-" + std::string(59, '7') + "...\"");
}

TEST(GraphFile, DamagedTextIsReadOrRefusedNeverWorse) {
  const std::string_view samples[] = {graphml, "1 2\n2 3\n# end\n", "p sp 3 2\na 1 2 5\na 2 3 5\n"};
  core::Prng prng(1);
  for (int i = 0; i < 6000; ++i) {
    std::string text(samples[i % 3]);
    for (std::uint64_t n = 1 + prng.below(4); n > 0; --n) {
      const std::uint64_t at = prng.below(text.size());
      if (prng.below(2) == 0)
        text[at] = text[prng.below(text.size())];
      else
        text[at] = static_cast<char>(prng.below(256));
    }
    text.resize(prng.below(4) == 0 ? prng.below(text.size()) : text.size());
    try {
      const Network network = parse_graph(text, i % 2 == 0 ? "a" : "a.graphml");
      for (const graph::Edge& e : network.links)
        EXPECT_TRUE(e.a < network.nodes && e.b < network.nodes && e.a != e.b);
    } catch (const core::Problem&) {
    }
  }
}

TEST(GraphFile, ReadsFromDisk) {
  const std::string path = testing::TempDir() + "bellwether-" + std::to_string(getpid()) + ".gr";
  std::ofstream(path) << "p sp 2 2\na 1 2 5\na 2 1 5\n";
  EXPECT_EQ(read_graph_file(path).links, (Links{{0, 1}}));
  std::remove(path.c_str());
  EXPECT_THROW(read_graph_file(path), core::Problem);
  EXPECT_THROW(read_graph_file(testing::TempDir()), core::Problem);
  try {
    read_graph_file("/nowhere/at/all.edges");
    ADD_FAILURE() << "read";
  } catch (const core::Problem& bad) {
    EXPECT_STREQ(bad.what(), "/nowhere/at/all.edges: there is no such file");
    EXPECT_EQ(bad.where().line, 0u);
  }
}

}  // namespace
}  // namespace bellwether::world
