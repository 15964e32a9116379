// SPDX-License-Identifier: MIT
// bellwether central: graphs of all formats, tables, JSON, and everything that can be wrong.
#include <gtest/gtest.h>

#include <algorithm>

#include "bellwether/json/json.hpp"
#include "cli/program.hpp"

namespace bellwether::cli_test {
namespace {

using json::Json;

const std::string villages = project("scenarios/villages.edges");

testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << '"' << part << "\" is not in:\n" << text;
}

std::string printed(const Folder& folder, Arguments arguments,
                    const std::string& input = "/dev/null") {
  arguments.insert(arguments.begin(), "central");
  const Outcome outcome = run(folder, arguments, input);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return outcome.out;
}

Json answer(const Folder& folder, Arguments arguments) {
  arguments.emplace_back("--json");
  const std::string out = printed(folder, arguments);
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 1) << "one object on one line";
  const Json json = Json::read(out).value_or(Json());
  EXPECT_FALSE(json.is_null()) << out;
  return json;
}

/// All but the last line, which is the time.
std::string timeless(const std::string& out) {
  const std::size_t at = out.rfind("\ntime  ");
  EXPECT_NE(at, std::string::npos) << out;
  EXPECT_EQ(out.find('\n', at + 1), out.size() - 1) << "the time is the last line";
  return out.substr(0, at);
}

TEST(Central, PrintsATable) {
  const Folder folder;
  folder.write("a.edges", "7 8\n1 2\n2 3\n3 4\n3 3\n2 1\n9 9\n");
  EXPECT_EQ(timeless(printed(folder, {"a.edges"})),
            "most central in a.edges\n"
            "-----------------------\n"
            "measure     closeness: the smallest sum of distances, in hops\n"
            "nodes       7\n"
            "links       4\n"
            "components  3\n"
            "left out    2 loops and 1 repeated link\n"
            "\n"
            "component  nodes  links  most central  distance sum  mean distance\n"
            "---------  -----  -----  ------------  ------------  -------------\n"
            "        1      4      3  3                        4         1.3333\n"
            "        2      2      1  8                        1         1.0000\n"
            "        3      1      0  9                        0              -\n");
}

TEST(Central, PrintsTheSameJsonButForTheTime) {
  const Folder folder;
  folder.write("a.edges", "7 8\n1 2\n2 3\n3 4\n3 3\n2 1\n9 9\n");
  Json json = answer(folder, {"a.edges", "--top", "2"});
  for (const char* key : {"reading_s", "computing_s", "computing_cpu_s"})
    EXPECT_GE(json.at("time").at(key).get<double>(), 0.0);
  json.erase("time");
  const auto node = [](const char* name, int reaches, int sum, const Json& mean) {
    return Json{
        {"node", name}, {"reaches", reaches}, {"distance_sum", sum}, {"mean_distance", mean}};
  };
  const auto part = [](int number, int nodes, int links, const Json& ranked) {
    return Json{{"component", number}, {"nodes", nodes}, {"links", links}, {"ranked", ranked}};
  };
  const Json expected = {
      {"graph", "a.edges"},
      {"measure", "closeness"},
      {"weighted", false},
      {"directed", false},
      {"nodes", 7},
      {"links", 4},
      {"left_out", {{"loops", 2}, {"repeated_links", 1}}},
      {"components", 3},
      {"most_central",
       Json::array(
           {part(1, 4, 3, Json::array({node("3", 3, 4, 4 / 3.0), node("2", 3, 4, 4 / 3.0)})),
            part(2, 2, 1, Json::array({node("8", 1, 1, 1), node("7", 1, 1, 1)})),
            part(3, 1, 0, Json::array({node("9", 0, 0, nullptr)}))})},
      {"not_shown", {{"components", 0}, {"nodes", 0}}}};
  EXPECT_EQ(json, expected);
}

TEST(Central, IsTheSameOnEveryRunButForTheTime) {
  const std::string once = timeless(printed({}, {villages, "--top", "5"}));
  EXPECT_EQ(timeless(printed({}, {villages, "--top", "5"})), once);
}

TEST(Central, EveryFormatTellsTheSame) {
  const Folder folder;  // a path of four with weights that move its middle, and a loner
  folder.write("a.txt", "1 2 1\n2,3,1\n3 4 9\n5 5 1\n");
  folder.write("a.gr", "p sp 5 6\na 1 2 1\na 2 1 1\na 2 3 1\na 3 2 1\na 3 4 9\na 4 3 9\n");
  folder.write("a.col", "p edge 5 3\ne 1 2 1\ne 2 3 1\ne 3 4 9\n");
  folder.write("a.graph", "5 3 011 1\n0 2 1\n0 1 1 3 1\n0 2 1 4 9\n0 3 9\n0\n");
  folder.write("a.graphml",
               "<graphml><key id='w' for='edge' attr.name='weight'><default>1</default></key>"
               "<graph><node id='1'/><node id='2'/><node id='3'/><node id='4'/><node id='5'/>"
               "<edge source='1' target='2'/><edge source='2' target='3'/>"
               "<edge source='3' target='4'><data key='w'>9</data></edge></graph></graphml>");
  for (const std::string name : {"a.txt", "a.gr", "a.col", "a.graph", "a.graphml"}) {
    SCOPED_TRACE(name);
    const auto best = [&](Arguments words) {
      words.insert(words.begin(), name);
      const Json json = answer(folder, words);
      EXPECT_EQ(json.at("components"), 2);
      EXPECT_EQ(json.at("links"), 3);
      return json.at("most_central").at(0).at("ranked").at(0);
    };
    EXPECT_EQ(best({}).at("node"), "3");
    EXPECT_EQ(best({}).at("distance_sum"), 4);
    EXPECT_EQ(best({"--weighted"}).at("node"), "3") << "equal sums: the last one";
    EXPECT_EQ(best({"--weighted"}).at("distance_sum"), 12);
    EXPECT_EQ(best({"--measure", "harmonic"}).at("inverse_distance_sum"), 2.5);
  }
}

/// What is found in the villages by the definitions, on paper: name and value of the first two, and
/// the mean of the first.
TEST(Central, EveryMeasureHasItsBest) {
  struct Row {
    std::string measure;
    std::string key;
    std::string first, second;
    double value, next;
    std::string mean_key{};
    double mean = 0;
  };
  const std::vector<Row> rows{
      {"closeness", "distance_sum", "Cedar", "Dogwood", 19, 20, "mean_distance", 1.9},
      {"harmonic", "inverse_distance_sum", "Cedar", "Birch", 37.0 / 6, 37.0 / 6,
       "mean_inverse_distance", 37.0 / 60},
      {"betweenness", "betweenness", "Cedar", "Birch", 26, 24, "share_of_pairs", 26.0 / 45},
      {"pagerank", "pagerank", "Birch", "Elm", 0.142963488900850, 0.109019256530794},
      {"eccentricity", "eccentricity", "Dogwood", "Cedar", 3, 3},
      {"tree", "depth_sum", "Cedar", "Dogwood", 19, 20, "mean_depth", 1.9},
      {"degree", "degree", "Birch", "Elm", 4, 3}};
  for (const Row& row : rows) {
    SCOPED_TRACE(row.measure);
    const Json json = answer({}, {villages, "--top", "2", "--measure", row.measure});
    EXPECT_EQ(json.at("measure"), row.measure);
    EXPECT_FALSE(json.contains("horizon"));
    const Json ranked = json.at("most_central").at(0).at("ranked");
    EXPECT_EQ(ranked.at(0).at("node"), row.first);
    EXPECT_EQ(ranked.at(1).at("node"), row.second);
    EXPECT_EQ(ranked.at(0).at("reaches"), 10);
    EXPECT_NEAR(ranked.at(0).at(row.key).get<double>(), row.value, 1e-12);
    EXPECT_NEAR(ranked.at(1).at(row.key).get<double>(), row.next, 1e-12);
    EXPECT_EQ(ranked.at(0).size(), row.mean_key.empty() ? 3u : 4u);
    if (!row.mean_key.empty()) {
      EXPECT_NEAR(ranked.at(0).at(row.mean_key).get<double>(), row.mean, 1e-12);
    }
    EXPECT_EQ(json.at("most_central").at(1).at("ranked").at(0).at("node"), "Laver");
    const std::string table = printed({}, {villages, "--measure", row.measure});
    EXPECT_TRUE(has(table, "\nmeasure     " + row.measure + ": "));
    EXPECT_TRUE(has(table, "\n        1     11     11  " + row.first + " "));
  }
}

TEST(Central, ANodeAloneHasNoMean) {
  const Folder folder;
  folder.write("a", "1 1\n2 3\n");
  const Json json = answer(folder, {"a", "--measure", "betweenness"});
  EXPECT_EQ(json.at("most_central").at(0).at("ranked").at(0).at("share_of_pairs"), nullptr);
  EXPECT_TRUE(
      has(printed(folder, {"a", "--measure", "betweenness"}), "  0.0000               -\n"));
}

/// Each village elects the most central of those that it knows.
TEST(Central, CountsWhomNodesWithAHorizonElect) {
  const Json json = answer({}, {villages, "--horizon", "2", "--top", "9"});
  EXPECT_EQ(json.at("horizon"), 2);
  std::string found;
  for (const Json& each : json.at("most_central").at(0).at("ranked"))
    if (each.at("elected_by").get<int>() > 0)
      found += each.at("node").get<std::string>() + " " + each.at("elected_by").dump() + ", ";
  EXPECT_EQ(found, "Birch 4, Elm 3, Dogwood 2, Cedar 2, ");
  EXPECT_TRUE(has(printed({}, {villages, "--horizon", "1"}),
                  "\nmeasure     closeness within 1 hop: elected by the most nodes"));
  const Json all = answer({}, {villages, "--horizon", "9"});
  EXPECT_EQ(all.at("most_central").at(0).at("ranked").at(0),
            (Json{{"node", "Cedar"}, {"reaches", 10}, {"elected_by", 11}}));
}

TEST(Central, OfDuplicatesTheSmallestWeightCounts) {
  const Folder folder;
  folder.write("a.edges", "1 2 9\n2 3 4\n2 1 2\n");
  const std::string out = printed(folder, {"a.edges", "--weighted"});
  EXPECT_TRUE(has(out, "\nleft out    1 repeated link (the smallest weight counts)\n"));
  EXPECT_TRUE(has(out, "in weights\n"));
  EXPECT_EQ(
      answer(folder, {"a.edges", "--weighted"})["most_central"][0]["ranked"][0]["distance_sum"], 6);
}

TEST(Central, SumsUpSmallComponentsUnlessAllAreAskedFor) {
  const Folder folder;
  std::string pairs = "x y\ny z\n";
  for (int i = 0; i < 12; ++i) pairs += "a" + std::to_string(i) + " b" + std::to_string(i) + "\n";
  folder.write("pairs", pairs);
  const std::string few = printed(folder, {"pairs"});
  EXPECT_TRUE(has(few, "\n        1      3      2  y "));
  EXPECT_TRUE(has(few, "\n       10      2      1  b8 "));
  EXPECT_FALSE(has(few, "b9 "));
  EXPECT_TRUE(has(few, "\n... and 3 more components with 6 nodes in all (--all shows them)\n"));
  const std::string all = printed(folder, {"pairs", "--all"});
  EXPECT_TRUE(has(all, "\n       13      2      1  b11 "));
  EXPECT_FALSE(has(all, "more component"));
  const Json json = answer(folder, {"pairs"});
  EXPECT_EQ(json.at("most_central").size(), 10u);
  EXPECT_EQ(json.at("not_shown"), (Json{{"components", 3}, {"nodes", 6}}));
  EXPECT_EQ(answer(folder, {"pairs", "--all"}).at("most_central").size(), 13u);
}

TEST(Central, ReadsStandardInput) {
  const Folder folder;
  folder.write("a", "2 1\n2\n1\n");
  const std::string input = (folder.path() / "a").string();
  EXPECT_TRUE(
      has(printed(folder, {"-", "--format", "metis"}, input), "most central in standard input\n"));
  const Outcome bad = run(folder, {"central", "-"}, input);
  EXPECT_EQ(bad.status, 2);
  EXPECT_TRUE(has(bad.err, "bellwether: standard input:2: a line names two nodes"));
}

TEST(Central, FollowsArrowsUnlessToldOtherwise) {
  const Folder folder;
  folder.write("a.graphml",
               "<graphml><graph edgedefault='directed'><node id='a'/><node id='b'/><node id='c'/>"
               "<edge source='a' target='b'/><edge source='b' target='c'/></graph></graphml>");
  const std::string out = printed(folder, {"a.graphml"});
  EXPECT_TRUE(has(out, "closeness along the arrows: who reaches most, then"));
  EXPECT_TRUE(has(out, "\nmost central  reaches  distance sum  mean distance\n"));
  EXPECT_TRUE(has(out, "\na                   2             3         1.5000\n"));
  const Json json = answer(folder, {"a.graphml"});
  EXPECT_EQ(json.at("directed"), true);
  EXPECT_FALSE(json.contains("components"));
  EXPECT_EQ(json.at("most_central").at(0).at("ranked").at(0).at("node"), "a");
  EXPECT_TRUE(has(printed(folder, {"a.graphml", "--two-way"}), "  b                        2 "));
}

/// Arrows from a and b to c, and on to d: c lies between two pairs of six.
TEST(Central, SomeMeasuresFollowArrows) {
  const Folder folder;
  folder.write("a.graphml",
               "<graphml><graph edgedefault='directed'><node id='a'/><node id='b'/><node id='c'/>"
               "<node id='d'/><edge source='a' target='c'/><edge source='b' target='c'/>"
               "<edge source='c' target='d'/></graph></graphml>");
  EXPECT_TRUE(has(printed(folder, {"a.graphml", "--measure", "betweenness"}),
                  "\nmost central   pairs  share of pairs\n"
                  "------------  ------  --------------\n"
                  "c             2.0000          0.3333\n"));
  const Json json = answer(folder, {"a.graphml", "--measure", "pagerank", "--top", "2"});
  const Json ranked = json.at("most_central").at(0).at("ranked");
  EXPECT_EQ(ranked.at(0).at("node"), "d");
  EXPECT_EQ(ranked.at(1).at("node"), "c");
  EXPECT_EQ(ranked.at(0).size(), 2u) << "nobody has asked whom it reaches";
}

TEST(Central, NamesCannotBreakTheTable) {
  const Folder folder;
  folder.write("a", "k\xC3\xB6ln \x1B[31m\n");
  const Outcome steered = run(folder, {"central", "a"});
  EXPECT_EQ(steered.status, 2) << "an escape is no text";
  folder.write("a", "k\xC3\xB6ln rome\nk\xC3\xB6ln \xFF\n");
  EXPECT_TRUE(has(printed(folder, {"a"}), "  k\xC3\xB6ln                     2 "));
  EXPECT_EQ(answer(folder, {"a", "--top", "3"})["most_central"][0]["ranked"][1]["node"],
            "\xEF\xBF\xBD");
}

void refused(const Folder& folder, Arguments arguments, const std::string& part) {
  arguments.insert(arguments.begin(), "central");
  const Outcome outcome = run(folder, arguments);
  EXPECT_EQ(outcome.status, 2) << part;
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(outcome.err.starts_with("bellwether: ")) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_TRUE(has(outcome.err, part));
}

TEST(BadInput, CentralFiles) {
  const Folder folder;
  const auto bad = [&](const std::string& name, const std::string& text, const std::string& part) {
    folder.write(name, text);
    refused(folder, {name}, "bellwether: " + name + part);
  };
  refused(folder, {}, "file is required (see bellwether central --help)");
  refused(folder, {"none.edges"}, "none.edges: there is no such file");
  refused(folder, {"."}, "is a folder; name a file in it");
  refused(folder, {"-"}, "standard input: the graph has no nodes: ");
  bad("a.edges", "", ": the graph has no nodes: there is no link; write one");
  bad("a.graphml", "<graphml><graph/></graphml>", ": the graph has no nodes; add some");
  bad("a.gr", "p sp 0 0\n", ":1: the graph has no nodes; ");
  bad("a.graph", "0 0\n", ":1: the graph has no nodes; ");
  bad("a.gr", "p sp 2 1\na 1 3 1\n", ":2: nodes are numbered from 1 to 2; not \"3\"");
  bad("a.gr", "p sp 2 2\na 1 2 1\n", ":1: the p line promises 2 links, but there are lines for 1");
  bad("a.graph", "2 1\n2\n9\n", ":3: nodes are numbered from 1 to 2; not \"9\"");
  bad("a.graph", "3 1\n2\n1\n", ":1: the header promises 3 nodes, but there are lines for 2");
  bad("a.graph", "2 1\n2\n\n", ":2: node 1 lists node 2, but node 2 does not list node 1; add");
  bad("a.edges", std::string("1 2\n\0\1\2\n", 8), ":2: this line holds bytes that are not text");
  bad("a.edges", "1 2 3 4\n", ":1: a line names two nodes, and may have one more column; delete");
}

TEST(BadInput, CentralOptions) {
  const Folder folder;
  refused(folder, {villages, "--top", "0"}, "--top: must be 1 or greater, not 0");
  refused(folder, {villages, "--top", "many"}, "--top");
  refused(folder, {villages, "--format", "meta"}, "--format: unknown format \"meta\"; known are");
  refused(folder, {villages, "--measure", "harmonik"}, "did you mean \"harmonic\"?");
  refused(folder, {villages, "--weighted", "--measure", "harmonic"}, "--weighted: the harmonic");
  refused(folder, {villages, "--weighted", "--measure", "tree"}, "the tree measure counts hops");
  refused(folder, {villages, "--weighted", "--measure", "pagerank"},
          "--weighted: the pagerank measure counts links; remove one of the two");
  refused(folder, {villages, "--measure", "page"}, "--measure: unknown measure \"page\"");
  refused(folder, {villages, "--horizon", "2", "--weighted"},
          "--horizon: applies to closeness in hops only");
  refused(folder, {villages, "--horizon", "2", "--measure", "tree"}, "remove --measure");
  refused(folder, {villages, "--horizon", "-1"}, "--horizon");
  folder.write("a.edges", "1 2 0\n");
  refused(folder, {"a.edges", "--weighted"}, "a.edges:1: a weight is a whole number from 1 to");
  folder.write("a.edges", "1 2 5\n2 3\n");
  refused(folder, {"a.edges", "--weighted"}, "a.edges:2: this link has no weight; add one");
  folder.write("a.graphml",
               "<graphml><graph edgedefault='directed'><node id='a'/></graph></graphml>");
  refused(folder, {"a.graphml", "--top", "2"}, "--top: applies to undirected graphs only");
  refused(folder, {"a.graphml", "--measure", "harmonic"}, "add --two-way");
  refused(folder, {"a.graphml", "--measure", "tree"},
          "--measure tree: applies to undirected graphs only");
  refused(folder, {"a.graphml", "--measure", "eccentricity"}, "add --two-way");
  refused(folder, {"a.graphml", "--measure", "degree"}, "add --two-way");
  refused(folder, {"a.graphml", "--horizon", "1"}, "--horizon: applies to undirected graphs only");
}

}  // namespace
}  // namespace bellwether::cli_test
