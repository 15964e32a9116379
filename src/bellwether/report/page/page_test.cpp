// SPDX-License-Identifier: MIT
#include "bellwether/report/page/page.hpp"

#include <gtest/gtest.h>

#include <pugixml.hpp>

#include "bellwether/report/figures/example_results_test.hpp"

namespace bellwether::report {
namespace {

using experiment::Results;

/// The page is XML, too, but for its style: that is how we know that nothing is left open.
pugi::xml_document parsed(const std::string& html) {
  pugi::xml_document out;
  const auto result = out.load_string(html.c_str(), pugi::parse_default | pugi::parse_ws_pcdata);
  EXPECT_TRUE(result)
      << result.description() << " at "
      << html.substr(static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset - 40, 0)), 80);
  return out;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Page, IsOneWholeDocumentWithoutScriptAndNetwork) {
  const std::string html = page_html(example_results());
  const auto page = parsed(html);
  EXPECT_STREQ(page.child("html").child("head").child("title").text().get(), "ranges");
  for (const char* alien : {"<script", "<link", "<img", "url(", "@import", " src=", " href="})
    EXPECT_FALSE(contains(html, alien)) << alien;
  // The name of the SVG namespace is the only address.
  for (auto at = html.find("http://"); at != std::string::npos; at = html.find("http://", at + 1))
    EXPECT_EQ(html.substr(at, 26), "http://www.w3.org/2000/svg");
  EXPECT_FALSE(contains(html, "https://"));
  EXPECT_TRUE(contains(html, "default-src 'none'"));
}

TEST(Page, HasItsSections) {
  const auto page = parsed(page_html(example_results()));
  std::vector<std::string> sections;
  for (const auto& each : page.select_nodes("//h2")) sections.push_back(each.node().text().get());
  EXPECT_EQ(sections, (std::vector<std::string>{"Parameters", "Figures", "Numbers",
                                                "Reproduce these results"}));
}

TEST(Page, HasEveryFigureForDeskAndPhone) {
  const auto page = parsed(page_html(example_results()));
  EXPECT_EQ(page.select_nodes("//figure").size(), 3u);
  EXPECT_EQ(page.select_nodes("//figure//svg").size(), 6u);
  for (const auto& each : page.select_nodes("//svg")) {
    EXPECT_STREQ(each.node().attribute("role").value(), "img");
    EXPECT_FALSE(std::string(each.node().attribute("aria-label").value()).empty());
  }
}

TEST(Page, EverythingFromOutsideIsEscaped) {
  const std::string evil = "<b>\"x\" & 'y'</b>";
  Results results = example_results(
      {axis_with("algorithm", {evil, "tree"}), axis_with("radio.range", {"30", "60"})});
  experiment::Experiment& experiment = results.experiment;
  experiment.name = experiment.about = experiment.source = experiment.path = evil;
  experiment.text = evil + "\nsecond line";
  experiment.settings = {{evil, evil}};
  results.version = evil;
  experiment.published = {{evil, "instability", {{"algorithm", "tree"}}, {}, 1, 1, 0.1, evil, 0}};
  experiment::FigureSpec spec;
  spec.x = "radio.range";
  spec.by = "algorithm";
  spec.y = "instability";
  spec.title = spec.note = spec.unit = evil;
  experiment.figures = {spec};
  const std::string html = page_html(results);
  parsed(html);
  EXPECT_FALSE(contains(html, "<b>\"x\""));
  EXPECT_FALSE(contains(html, "& 'y'"));
  EXPECT_TRUE(contains(html, "\nsecond line</pre>")) << "lines stay lines";
}

TEST(Page, SaysWhatWasVariedAndHowToMakeItAgain) {
  Results results = example_results();
  results.experiment.about = "Ranges of radios.";
  results.experiment.base.algorithm = "height";
  const std::string html = page_html(results);
  for (const char* words : {"Ranges of radios.", "<code>radio.range</code>", "30, 60, 90",
                            "seeds 1 to 3", "bellwether sweep experiments/ranges.toml",
                            "bellwether 1.2.3", "Student's t", "algorithm = &quot;height&quot;"})
    EXPECT_TRUE(contains(html, words)) << words;
  EXPECT_TRUE(contains(html, experiment::fingerprint(results.experiment)));
  EXPECT_FALSE(contains(html, "class=\"warn\""));
  EXPECT_FALSE(contains(html, "Measured beside published"));
}

TEST(Page, TablesHaveARowForEachPoint) {
  const auto page = parsed(page_html(example_results()));
  const auto table = page.select_node("//h2[@id='numbers']/following-sibling::div[1]/table").node();
  ASSERT_TRUE(table);
  const auto rows = table.child("tbody").select_nodes("tr");
  ASSERT_EQ(rows.size(), 6u);
  const auto cells = rows.begin()->node().select_nodes("td");
  ASSERT_EQ(cells.size(), 5u) << "two axes, two metrics, the runs";
  EXPECT_STREQ(cells[0].node().text().get(), "flood");
  EXPECT_STREQ(cells[2].node().text().get(), "10.0 ± 2.5");
  EXPECT_STREQ(cells[3].node().text().get(), "1,000");
  EXPECT_STREQ(cells[4].node().text().get(), "3");
}

TEST(Page, LongTablesAreFolded) {
  std::vector<std::string> ranges;
  for (int i = 1; i <= 50; ++i) ranges.push_back(std::to_string(i));
  const std::string html = page_html(example_results({axis_with("radio.range", ranges)}));
  EXPECT_TRUE(contains(html, "<summary>50 points</summary>"));
}

TEST(Page, MeasuredStandsBesidePublished) {
  Results results = example_results();
  const std::vector<experiment::Setting> where{{"algorithm", "tree"}, {"radio.range", "60"}};
  results.experiment.published = {
      {"near", "instability", where, {}, 41, 100, 0.1, "", 0},
      {"far", "instability", where, {}, 7, 100, 0.1, "another network", 0},
      {"half", "messages", where, {}, 6000, 1, 0.1, "", 0},
      {"none", "energy_mean_j", where, {}, 7, 1, 0.1, "", 0}};
  const std::string html = page_html(results);
  parsed(html);
  for (const char* words :
       {"1 of 4 values reproduced, 1 in the same direction, 1 not reproduced, 1 "
        "without data",
        "✓ reproduced", "✗ not reproduced", "≈ same direction", "– no data", "another network"})
    EXPECT_TRUE(contains(html, words)) << words;
}

TEST(Page, TwoEnginesStandSideBySide) {
  Results fast = example_results();
  fast.experiment.size = experiment::Size::brief;
  fast.experiment.figures = {{}};
  fast.experiment.figures[0].x = "radio.range";
  fast.experiment.figures[0].y = "instability";
  fast.experiment.figures[0].by = "algorithm";
  fast.experiment.published = {
      {"near", "instability", {{"algorithm", "tree"}}, {}, 41, 100, 0.1, "", 0}};
  Results other = fast;
  other.engine = "ns3";
  const std::string html = page_html(experiment::side_by_side({fast, other}));
  const auto page = parsed(html);
  for (const char* words :
       {"<p>fast: 1 of 1 value reproduced.</p>", "<p>ns3: 1 of 1 value reproduced.</p>",
        "bellwether sweep experiments/ranges.toml --short\n",
        "bellwether sweep experiments/ranges.toml --short --engine ns3", "flood, ns3"})
    EXPECT_TRUE(contains(html, words)) << words;
  // One colour for an algorithm; the second engine is dashed.
  for (const char* look : {"curve k0", "curve k1", "curve k0 dash", "curve k1 dash"})
    EXPECT_GE(page.select_nodes(("//path[@class='" + std::string(look) + "']").c_str()).size(), 1u)
        << look;
  EXPECT_TRUE(contains(page_html(other), "--engine ns3"));
}

TEST(Page, WarnsOfWhatIsMissingAndOfRunsThatWentWrong) {
  Results results = example_results();
  results.rows.back().ended = "violation";
  results.rows.erase(results.rows.begin());
  std::string html = page_html(results);
  EXPECT_TRUE(contains(html, "not complete"));
  EXPECT_TRUE(contains(html, "only 2"));
  EXPECT_TRUE(contains(html, "1 run ended with <b>violation</b>"));
  results.rows.clear();
  html = page_html(results);
  parsed(html);
  EXPECT_TRUE(contains(html, "some points have none"));
}

TEST(Page, ASinglePointHasTablesAndNoFigures) {
  Results results = example_results({});
  results.experiment.series.clear();
  const auto page = parsed(page_html(results));
  EXPECT_EQ(page.select_nodes("//figure").size(), 0u);
  EXPECT_EQ(page.select_nodes("//h2[@id='numbers']").size(), 1u);
}

}  // namespace
}  // namespace bellwether::report
