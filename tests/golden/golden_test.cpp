// SPDX-License-Identifier: MIT
// Plays every script of testdata/ and compares its output. `golden_test --rewrite` writes the
// expectations anew; then read the difference.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "golden/script.hpp"
#include "golden/stage.hpp"

namespace bellwether::golden {
namespace {

bool rewrite = false;

std::vector<std::filesystem::path> scripts() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(BELLWETHER_SOURCE_DIR "/tests/golden/testdata"))
    if (entry.path().extension() == ".txt") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

class Golden : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Golden, tells_what_is_expected) {
  const Script script = read_script(GetParam());
  const auto told = play(script);
  if (rewrite) {
    std::ofstream(GetParam()) << rewritten(script, told);
    return;
  }
  for (std::size_t i = 0; i < told.size(); ++i) {
    const Block& block = script.blocks[i];
    EXPECT_EQ(block.expected, told[i])
        << script.file << ":" << block.line << ": after `" << block.commands.back().words.front()
        << "` of line " << block.commands.back().line;
  }
}

INSTANTIATE_TEST_SUITE_P(, Golden, testing::ValuesIn(scripts()),
                         [](const auto& each) { return each.param.stem().string(); });

std::string refusal_of(const std::string& text) {
  try {
    play(parse_script("some.txt", text));
  } catch (const BadScript& bad) {
    return bad.what();
  }
  return "accepted";
}

TEST(BadScripts, name_file_and_line) {
  const std::string three = "network height 1 2 3\n----\n\n";
  EXPECT_EQ(refusal_of("start 1\n----\n"), "some.txt:1: a script begins with `network`");
  EXPECT_EQ(refusal_of(three + "jump 1\n----\n"), "some.txt:4: there is no verb `jump`");
  EXPECT_EQ(refusal_of(three + "up 1-9\n----\n"), "some.txt:4: there is no node 9");
  EXPECT_EQ(refusal_of(three + "down 1-2\n----\n"), "some.txt:4: 1 has no link to 2");
  EXPECT_EQ(refusal_of(three + "start 1\n\n----\n"), "some.txt:5: a blank line where ---- belongs");
  EXPECT_EQ(refusal_of(three + "start 1\n"), "some.txt:4: the script ends where ---- belongs");
  EXPECT_EQ(refusal_of(three + "----\n"), "some.txt:4: nothing stands before ----");
  EXPECT_EQ(refusal_of(three + "deliver 1->2\n----\n"), "some.txt:4: nothing is in transit 1->2");
  EXPECT_EQ(refusal_of(three + "deliver 1-2\n----\n"), "some.txt:4: `1-2` is not of the form 1->2");
  EXPECT_EQ(refusal_of(three + "# why\nfire 2 reply\n----\n"),
            "some.txt:5: node 2 has not armed the timer reply");
  EXPECT_EQ(refusal_of(three + "restart 2\n----\n"), "some.txt:4: node 2 has not crashed");
  EXPECT_EQ(refusal_of(three + "crash 2\nstart 2\n----\n"), "some.txt:5: node 2 has crashed");
  EXPECT_EQ(refusal_of(three + "start x\n----\n"), "some.txt:4: `x` is not a number");
  EXPECT_EQ(refusal_of(three + "start all\nlink 1-2\n----\n"),
            "some.txt:5: `link` comes before the first step; later, use `up`");
  EXPECT_EQ(refusal_of("network hight 1\n----\n"), "some.txt:1: there is no algorithm hight");
  EXPECT_EQ(refusal_of("network height 1 1\n----\n"), "some.txt:1: there are two nodes 1");
  EXPECT_EQ(refusal_of("network height 1 clock=sun\n----\n"),
            "some.txt:1: the option clock cannot be sun");
  EXPECT_EQ(refusal_of("network height 1 cook=sun\n----\n"),
            "some.txt:1: height has no option cook");
  EXPECT_EQ(refusal_of("network flood-max 1 2\n----\n"),
            "some.txt:1: flood-max proceeds in rounds; scripts drive messages");
}

TEST(Rewriting, keeps_all_but_the_expectations) {
  const std::string before =
      "# a\n\nnetwork height 1\n# b\nstart 1\n----\nold\nolder\n\n# c\nshow\n----\n";
  const Script script = parse_script("some.txt", before);
  EXPECT_EQ(rewritten(script, {"new\n", "newer\n"}),
            "# a\n\nnetwork height 1\n# b\nstart 1\n----\nnew\n\n# c\nshow\n----\nnewer\n");
  const std::string commented = before + "seen\n\n# the end\n";
  const Script with_rest = parse_script("some.txt", commented);
  EXPECT_EQ(rewritten(with_rest, {"old\nolder\n", "seen\n"}), commented);
}

}  // namespace
}  // namespace bellwether::golden

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]) == "--rewrite") bellwether::golden::rewrite = true;
  return RUN_ALL_TESTS();
}
