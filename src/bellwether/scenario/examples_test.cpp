// SPDX-License-Identifier: MIT
// The scenarios of the repository, and the page that lists them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "bellwether/scenario/scenario.hpp"
#include "bellwether/world/topology.hpp"

namespace bellwether::scenario {
namespace {

const std::filesystem::path source_dir = BELLWETHER_SOURCE_DIR;

std::vector<std::filesystem::path> examples() {
  std::vector<std::filesystem::path> out;
  for (const auto& each : std::filesystem::directory_iterator(source_dir / "scenarios"))
    if (each.path().extension() == ".toml") out.push_back(each.path());
  std::ranges::sort(out);
  return out;
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Examples, AreReadValidAndPrintedBack) {
  EXPECT_GE(examples().size(), 9u);
  for (const auto& path : examples()) {
    const Scenario s = read_scenario(path);
    EXPECT_EQ(s.name, path.stem());
    EXPECT_FALSE(s.about.empty()) << path;
    EXPECT_TRUE(contents(path).starts_with("# ")) << path;
    EXPECT_EQ(parse_scenario(print_scenario(s), path.string()), s) << path;
  }
}

TEST(Examples, DescribeWorldsThatCanBeBuilt) {
  for (const auto& path : examples()) {
    const Scenario s = read_scenario(path);
    const auto network = world::build_network(effective_network(s), s.seed);
    const auto ids = world::assign_ids(s.network, network.nodes, s.seed);
    const auto changes = world::make_changes(effective_changes(s), network, ids, s.seed);
    EXPECT_EQ(changes->next().has_value(), s.changes.any()) << path;
  }
}

TEST(Docs, ThePageQuotesAndListsTheExamples) {
  const std::string page = contents(source_dir / "docs" / "scenarios.md");
  const auto has = [&](const std::string& text) { return page.find(text) != std::string::npos; };
  EXPECT_TRUE(
      has("```toml\n" + contents(source_dir / "scenarios" / "first-election.toml") + "```"));
  for (const auto& path : examples()) {
    const std::string file = path.filename().string();
    EXPECT_TRUE(
        has("| [`" + file + "`](../scenarios/" + file + ") | " + read_scenario(path).about + " |"))
        << file;
  }
}

TEST(Docs, ThePageHasTheTableOfKeys) {
  const std::string page = contents(source_dir / "docs" / "scenarios.md");
  const std::string begin = "<!-- keys: begin -->\n";
  const std::size_t from = page.find(begin);
  const std::size_t to = page.find("<!-- keys: end -->");
  ASSERT_TRUE(from != std::string::npos && to != std::string::npos);
  EXPECT_EQ(page.substr(from + begin.size(), to - from - begin.size()), keys_as_markdown());
}

}  // namespace
}  // namespace bellwether::scenario
