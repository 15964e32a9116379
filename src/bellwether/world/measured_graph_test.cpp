// SPDX-License-Identifier: MIT
// What only those ask for who measure a graph: METIS, names, weights, and files that are not tidy.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "bellwether/core/problem.hpp"
#include "bellwether/world/graph_file.hpp"

namespace bellwether::world {
namespace {

using Links = std::vector<graph::Edge>;
using Weights = std::vector<std::uint32_t>;

constexpr GraphReading with_weights{.format = {}, .weights = true, .two_way = false};

void expect_bad(std::string_view text, const std::string& path, std::size_t line,
                const std::string& part, const GraphReading& reading = {}) {
  try {
    parse_measured_graph(text, path, reading);
    ADD_FAILURE() << "accepted; expected: " << part;
  } catch (const core::Problem& bad) {
    const std::string what = bad.what();
    EXPECT_EQ(bad.where().line, line) << what;
    EXPECT_TRUE(what.starts_with(path)) << what;
    EXPECT_NE(what.find(part), std::string::npos) << what;
  }
}

std::vector<std::string> names_in(const MeasuredGraph& graph) {
  std::vector<std::string> names;
  for (NodeIndex u = 0; u < graph.nodes; ++u) names.push_back(graph.names[u]);
  return names;
}

// METIS.

TEST(Metis, ListsEachLinkAtBothEnds) {
  const std::string_view text = "% a triangle, a tail and a loner\n5 4\n2 3\n1 3\n\t2 1 4\r\n3\n\n";
  for (const std::string path : {"a.graph", "a.metis", "A.GRAPH"}) {
    const Network network = parse_graph(text, path);
    EXPECT_EQ(network.nodes, 5u);
    EXPECT_EQ(network.links, (Links{{0, 1}, {0, 2}, {1, 2}, {2, 3}}));
    EXPECT_EQ(network.direction, graph::Direction::both_ways);
  }
  const MeasuredGraph graph = parse_measured_graph(text, "a.txt", {.format = GraphFormat::metis});
  EXPECT_EQ(graph.links.size(), 4u);
  EXPECT_EQ(names_in(graph), (std::vector<std::string>{"1", "2", "3", "4", "5"}));
  EXPECT_EQ(graph.loops + graph.repeated, 0u);
}

TEST(Metis, EmptyLinesAreNodesAndCommentsAreNot) {
  EXPECT_EQ(parse_graph("\n% x\n\n3 0\n\n%\n\n\n", "a.graph").nodes, 3u);
  EXPECT_EQ(parse_graph("3 1\n\n3\n% 1\n2\n\n \n\n", "a.graph").links, (Links{{1, 2}}));
  EXPECT_EQ(parse_graph("1 0\n\n", "a.graph").nodes, 1u);
}

TEST(Metis, SizesAndWeightsOfNodesAreSkippedAndThoseOfLinksRead) {
  const std::map<std::string, std::string> texts{
      {"links", "3 2 1\n2 7\n1 7 3 9\n2 9\n"},
      {"links, in full", "3 2 001\n2 7\n1 7 3 9\n2 9\n"},
      {"nodes and links", "3 2 11\n50 2 7\n60 1 7 3 9\n0 2 9\n"},
      {"two of nodes, and links", "3 2 011 2\n50 1 2 7\n60 1 1 7 3 9\n0 0 2 9\n"},
      {"all three", "3 2 111 1\n5 50 2 7\n6 60 1 7 3 9\n0 0 2 9\n"},
  };
  for (const auto& [name, text] : texts) {
    SCOPED_TRACE(name);
    const MeasuredGraph graph = parse_measured_graph(text, "a.graph", with_weights);
    EXPECT_EQ(graph.links, (Links{{0, 1}, {1, 2}}));
    EXPECT_EQ(graph.weights, (Weights{7, 9}));
    EXPECT_EQ(parse_graph(text, "a.graph").links, graph.links) << "a scenario sees no weights";
    EXPECT_TRUE(parse_measured_graph(text, "a.graph").weights.empty());
  }
  EXPECT_EQ(parse_graph("2 1 10 3\n1 1 1 2\n1 1 1 1\n", "a.graph").links, (Links{{0, 1}}));
  EXPECT_EQ(parse_graph("2 1 100\n1 2\n1 1\n", "a.graph").links, (Links{{0, 1}}));
  EXPECT_EQ(parse_graph("2 1 0\n2\n1\n", "a.graph").links, (Links{{0, 1}}));
}

TEST(Metis, HeadersThatAreRefused) {
  const std::string path = "a.graph";
  expect_bad("", path, 0, "the graph has no nodes: there is no header; begin with");
  expect_bad("% nothing\n\n", path, 0, "there is no header");
  expect_bad("0 0\n", path, 1, "the graph has no nodes; a network has from 1");
  expect_bad("3000000000 1\n", path, 1, "not 3000000000");
  for (const std::string header : {"3", "x 3", "3 y", "-3 3", "3 3 1 1 1"})
    expect_bad("%\n" + header + "\n", path, 2, "a METIS file begins with \"NODES LINKS\"");
  for (const std::string fmt : {"2", "0001", "x", "-1"})
    expect_bad("2 1 " + fmt + "\n2\n1\n", path, 1, "FMT is up to three digits");
  for (const std::string rest : {"10 0", "11 x", "1 2"})
    expect_bad("2 1 " + rest + "\n2\n1\n", path, 1, "NCON is how many weights a node has");
  expect_bad("2 1\n2\n1\n", path, 1, "links of this file have no weights", with_weights);
  expect_bad("2 1 10\n1 2\n1 1\n", path, 1, "links of this file have no weights", with_weights);
}

TEST(Metis, LinesThatAreRefused) {
  const std::string path = "a.graph";
  expect_bad("3 1\n2\n1\n", path, 1, "promises 3 nodes, but there are lines for 2; add");
  expect_bad("2 1\n2\n1\n\n1\n", path, 5, "promises 2 nodes, and here is a line for one more");
  expect_bad("2 1\n2\n3\n", path, 3, "nodes are numbered from 1 to 2; not \"3\"");
  expect_bad("2 1\n2\n0\n", path, 3, "not \"0\"");
  expect_bad("2 1\n2\none\n", path, 3, "not \"one\"");
  expect_bad("2 1\n2 99999999999999999999999\n1\n", path, 2, "not \"9999");
  expect_bad("2 1 1\n2 5\n1\n", path, 3, "neighbour \"1\" has no weight");
  expect_bad("2 1 10\n5 2\n\n", path, 3, "node 2 has 1 whole number, as the header says");
  expect_bad("2 1 11 2\n5 5 2 1\n4 x 1 1\n", path, 3, "node 2 has 2 whole numbers");
  expect_bad("2 1 1\n2 5\n1 6\n", path, 3, "has another weight on line 2; make", with_weights);
  expect_bad("2 1 1\n2 0\n1 0\n", path, 2, "a weight is a whole number from 1", with_weights);
  expect_bad("2 2\n2\n1\n", path, 1, "promises 2 links, but the lines list 2 neighbours");
  expect_bad("3 1\n2\n1 3\n2\n", path, 1, "promises 1 links, but the lines list 4 neighbours");
}

TEST(Metis, ALinkThatIsListedOnOneSideOnlyIsRefused) {
  const std::string path = "a.graph";
  expect_bad("3 2\n2\n1\n2\n", path, 4,
             "node 3 lists node 2, but node 2 does not list node 3; add");
  expect_bad("3 2\n2 3\n3\n1 2\n", path, 2, "node 1 lists node 2, but node 2 does not");
  expect_bad("3 1\n2 2\n\n\n", path, 2, "node 2 does not list node 1");
}

TEST(Metis, LoopsAndRepetitions) {
  const std::string_view loop = "2 2\n1 2\n1\n";  // the loop listed once, and counted
  for (const std::string_view text :
       {loop, std::string_view("2 2\n1 1 2\n1\n"), std::string_view("2 1\n1 2\n1\n")}) {
    EXPECT_EQ(parse_measured_graph(text, "a.graph").links, (Links{{0, 1}}));
    EXPECT_GE(parse_measured_graph(text, "a.graph").loops, 1u);
  }
  EXPECT_THROW(parse_graph(loop, "a.graph"), core::Problem);
  const std::string_view twice = "2 2 1\n2 5 2 4\n1 4 1 5\n";
  const MeasuredGraph graph = parse_measured_graph(twice, "a.graph", with_weights);
  EXPECT_EQ(graph.links, (Links{{0, 1}}));
  EXPECT_EQ(graph.weights, (Weights{4}));
  EXPECT_EQ(graph.repeated, 1u);
  EXPECT_THROW(parse_graph(twice, "a.graph"), core::Problem);
}

// Leniency.

TEST(MeasuredGraph, LeavesOutLoopsAndRepetitionsAndCountsThem) {
  const MeasuredGraph graph = parse_measured_graph("3 3\n1 2\n2 1\n5 3\n1 2\n3 3\n", "a.edges");
  EXPECT_EQ(graph.nodes, 4u);
  EXPECT_EQ(graph.links, (Links{{0, 1}, {3, 2}}));
  EXPECT_EQ(names_in(graph), (std::vector<std::string>{"1", "2", "3", "5"}));
  EXPECT_EQ(graph.loops, 2u);
  EXPECT_EQ(graph.repeated, 2u);
  const MeasuredGraph alone = parse_measured_graph("x x\n", "a");
  EXPECT_EQ(alone.nodes, 1u);
  EXPECT_TRUE(alone.links.empty());
}

TEST(MeasuredGraph, ArcsInBothDirectionsAreNoRepetition) {
  const std::string_view text = "p sp 3 6\na 1 2 5\na 2 1 7\na 1 2 4\na 3 2 1\na 2 3 1\na 1 1 9\n";
  const MeasuredGraph graph = parse_measured_graph(text, "a.gr", with_weights);
  EXPECT_EQ(graph.links, (Links{{0, 1}, {2, 1}}));
  EXPECT_EQ(graph.weights, (Weights{4, 1}));
  EXPECT_EQ(graph.repeated, 1u);
  EXPECT_EQ(graph.loops, 1u);
  EXPECT_EQ(parse_measured_graph("p edge 2 2\ne 1 2\ne 2 1\n", "a.col").repeated, 1u);
}

TEST(MeasuredGraph, NamesAreThoseOfTheFile) {
  EXPECT_EQ(names_in(parse_measured_graph("rome paris\nparis 007\n", "a")),
            (std::vector<std::string>{"rome", "paris", "7"}));
  EXPECT_EQ(names_in(parse_measured_graph("10 9\n9 0100\n", "a")),
            (std::vector<std::string>{"9", "10", "100"}));
  EXPECT_EQ(names_in(parse_measured_graph("p edge 2 0\n", "a.col")),
            (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(names_in(parse_measured_graph(
                "<graphml><graph><node id='b'/><node id='a&amp;c'/></graph></graphml>", "a.xml")),
            (std::vector<std::string>{"b", "a&c"}));
}

TEST(MeasuredGraph, DirectedGraphsStayDirectedUnlessAskedOtherwise) {
  const std::string_view text =
      "<graphml><graph edgedefault='directed'><node id='a'/><node id='b'/><node id='c'/>"
      "<edge source='a' target='b'/><edge source='b' target='a'/><edge source='b' target='c'/>"
      "<edge source='b' target='c'/></graph></graphml>";
  const MeasuredGraph directed = parse_measured_graph(text, "a.graphml");
  EXPECT_EQ(directed.direction, graph::Direction::one_way);
  EXPECT_EQ(directed.links, (Links{{0, 1}, {1, 0}, {1, 2}}));
  EXPECT_EQ(directed.repeated, 1u);
  const GraphReading reading{.format = {}, .two_way = true};
  const MeasuredGraph two_way = parse_measured_graph(text, "a.graphml", reading);
  EXPECT_EQ(two_way.direction, graph::Direction::both_ways);
  EXPECT_EQ(two_way.links, (Links{{0, 1}, {1, 2}}));
  EXPECT_EQ(two_way.repeated, 1u) << "an arrow and its way back are no repetition";
}

TEST(MeasuredGraph, TheFormatCanBeNamed) {
  const std::string_view text = "2 1\n2\n1\n";
  EXPECT_EQ(parse_measured_graph(text, "a", {.format = GraphFormat::metis}).links.size(), 1u);
  expect_bad(text, "a.graph", 2, "a line names two nodes", {.format = GraphFormat::edges});
  expect_bad(text, "a.graph", 4, "this is not XML", {.format = GraphFormat::graphml});
  expect_bad(text, "a", 1, "a line begins with c, p, e or a", {.format = GraphFormat::dimacs});
}

// Weights.

TEST(Weights, OfEdgeListsStandInTheThirdColumn) {
  const MeasuredGraph graph =
      parse_measured_graph("a b 3\nb,c,4294967295 # far\nb a 2.0\n", "a", with_weights);
  EXPECT_EQ(graph.links, (Links{{0, 1}, {1, 2}}));
  EXPECT_EQ(graph.weights, (Weights{2, 4294967295})) << "the smallest counts";
  EXPECT_TRUE(parse_measured_graph("a b 3\nb c x\n", "a").weights.empty());
  const std::string range = "a weight is a whole number from 1 to 4294967295, not ";
  for (const std::string bad : {"0", "-1", "0.5", "1.01", "4294967296", "x", "1e3", ".0", "{}"})
    expect_bad("1 2 1\n2 3 " + bad + "\n", "a", 2, range + '"' + bad + '"', with_weights);
  expect_bad("1 2 1\n2 3\n", "a", 2, "this link has no weight; add one, or measure", with_weights);
  expect_bad("source,target,length\n1,2,3\n", "a", 1, "if this line is a heading", with_weights);
}

TEST(Weights, OfDimacs) {
  EXPECT_EQ(parse_measured_graph("p edge 2 1\ne 1 2 6\n", "a.col", with_weights).weights,
            (Weights{6}));
  expect_bad("p edge 2 1\ne 1 2\n", "a.col", 2, "this link has no weight", with_weights);
  expect_bad("p sp 2 1\na 1 2 0\n", "a.gr", 2, "not \"0\"", with_weights);
}

std::string graphml(const std::string& key, const std::string& data) {
  return "<graphml>\n" + key + "<graph><node id='a'/><node id='b'/>\n<edge source='a' target='b'>" +
         data + "</edge></graph></graphml>";
}

TEST(Weights, OfGraphMlAreAnAttributeOfThatName) {
  const std::string key = "<key id='d3' for='edge' attr.name='weight' attr.type='double'/>";
  const std::string other =
      "<key id='d0' for='node' attr.name='weight'/><key id='d1' for='edge' "
      "attr.name='colour'/>";
  const std::string data = "<data key='d1'>9</data><data key='d3'> 5.0\n</data>";
  EXPECT_EQ(parse_measured_graph(graphml(other + key, data), "a.xml", with_weights).weights,
            (Weights{5}));
  const std::string standard =
      "<key id='w' for='all' attr.name='weight'><default>8</default></key>";
  EXPECT_EQ(parse_measured_graph(graphml(standard, ""), "a.xml", with_weights).weights,
            (Weights{8}));
  expect_bad(graphml(key, ""), "a.xml", 3, "this link has no weight", with_weights);
  expect_bad(graphml(key, "<data key='d3'>heavy</data>"), "a.xml", 3, "not \"heavy\"",
             with_weights);
  expect_bad(graphml(other, data), "a.xml", 0, "edges have no attribute called \"weight\"",
             with_weights);
}

// Against a plain oracle.

struct Drawn {
  NodeIndex nodes = 0;
  std::vector<std::pair<graph::Edge, std::uint32_t>> entries;  // loops and repetitions among them
  std::map<graph::Edge, std::uint32_t> least;                  // what must come out
  std::size_t loops = 0;
};

Drawn draw(core::Prng& prng) {
  Drawn drawn;
  drawn.nodes = static_cast<NodeIndex>(1 + prng.below(12));
  for (std::uint64_t i = prng.below(30); i > 0; --i) {
    const auto a = static_cast<NodeIndex>(prng.below(drawn.nodes));
    const auto b = static_cast<NodeIndex>(prng.below(drawn.nodes));
    const auto w = static_cast<std::uint32_t>(1 + prng.below(9));
    drawn.entries.push_back({{a, b}, w});
    if (a == b) ++drawn.loops;
    if (a == b) continue;
    const auto [at, fresh] = drawn.least.try_emplace({std::min(a, b), std::max(a, b)}, w);
    at->second = std::min(at->second, w);
  }
  return drawn;
}

std::string edges_text(const Drawn& drawn) {
  std::ostringstream out;
  for (NodeIndex u = 0; u < drawn.nodes; ++u) out << u << ' ' << u << " 1\n";  // all are named
  for (const auto& [e, w] : drawn.entries) out << e.a << '\t' << e.b << ' ' << w << '\n';
  return out.str();
}

std::string dimacs_text(const Drawn& drawn) {
  std::ostringstream out;
  out << "p sp " << drawn.nodes << ' ' << drawn.entries.size() << '\n';
  for (const auto& [e, w] : drawn.entries)
    out << "a " << e.a + 1 << ' ' << e.b + 1 << ' ' << w << '\n';
  return out.str();
}

std::string metis_text(const Drawn& drawn) {
  std::vector<std::ostringstream> lines(drawn.nodes);
  for (const auto& [e, w] : drawn.entries) {
    lines[e.a] << ' ' << e.b + 1 << ' ' << w;
    if (e.a != e.b) lines[e.b] << ' ' << e.a + 1 << ' ' << w;
  }
  std::string text =
      std::to_string(drawn.nodes) + ' ' + std::to_string(drawn.entries.size()) + " 001\n";
  for (const auto& line : lines) text += line.str() + '\n';
  return text;
}

void expect_drawn(const Drawn& drawn, const std::string& text, const std::string& path,
                  std::size_t loops) {
  SCOPED_TRACE(path + "\n" + text);
  const MeasuredGraph graph = parse_measured_graph(text, path, with_weights);
  EXPECT_EQ(graph.nodes, drawn.nodes);
  EXPECT_EQ(graph.loops, loops);
  ASSERT_EQ(graph.weights.size(), graph.links.size());
  std::map<graph::Edge, std::uint32_t> found;
  for (std::size_t i = 0; i < graph.links.size(); ++i) {
    const auto [a, b] = graph.links[i];
    found[{std::min(a, b), std::max(a, b)}] = graph.weights[i];
  }
  EXPECT_EQ(found, drawn.least);
  EXPECT_EQ(graph.links.size(), drawn.least.size()) << "each once";
}

TEST(MeasuredGraph, EveryFormatTellsTheSame) {
  core::Prng prng(7);
  for (int i = 0; i < 2000; ++i) {
    const Drawn drawn = draw(prng);
    expect_drawn(drawn, edges_text(drawn), "a.edges", drawn.loops + drawn.nodes);
    expect_drawn(drawn, dimacs_text(drawn), "a.gr", drawn.loops);
    expect_drawn(drawn, metis_text(drawn), "a.graph", drawn.loops);
    const std::size_t others = drawn.entries.size() - drawn.loops;
    EXPECT_EQ(parse_measured_graph(edges_text(drawn), "a").repeated, others - drawn.least.size());
    EXPECT_EQ(parse_measured_graph(metis_text(drawn), "a.graph").repeated,
              others - drawn.least.size());
    if (HasFailure()) return;
  }
}

TEST(MeasuredGraph, DamagedTextIsReadOrRefusedNeverWorse) {
  const std::string_view samples[] = {"4 3 11 1\n1 2 5\n1 1 5 3 6\n7 2 6 4 1\n8 3 1\n",
                                      "3 2\n2\n1 3\n2\n", "a b 3\nb c 4\n",
                                      "p sp 3 2\na 1 2 5\na 2 3 5\n"};
  const std::string_view paths[] = {"a.graph", "a.metis", "a", "a.gr"};
  core::Prng prng(3);
  int read = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text(samples[i % 4]);
    for (std::uint64_t n = 1 + prng.below(3); n > 0; --n) {
      const std::uint64_t at = prng.below(text.size());
      switch (prng.below(4)) {
        case 0:
          text[at] = static_cast<char>(prng.below(256));
          break;
        case 1:
          text.erase(at, 1 + prng.below(3));
          break;
        default:
          text.insert(at, 1, text[prng.below(text.size())]);
      }
    }
    try {
      const MeasuredGraph graph =
          parse_measured_graph(text, paths[i % 4], {.format = {}, .weights = i % 8 != 1});
      ++read;
      for (const graph::Edge& e : graph.links)
        EXPECT_TRUE(e.a < graph.nodes && e.b < graph.nodes && e.a != e.b);
      EXPECT_EQ(std::ranges::count(graph.weights, 0u), 0);
    } catch (const core::Problem&) {
    }
  }
  EXPECT_GT(read, 500);
}

}  // namespace
}  // namespace bellwether::world
