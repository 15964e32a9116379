// SPDX-License-Identifier: MIT
#include "words.hpp"

#include <gtest/gtest.h>

#include "known.hpp"
#include "tree.hpp"

namespace bellwether::tidy {
namespace {

namespace fs = std::filesystem;

void expect_plain(const std::string& path, const std::vector<Prose>& prose) {
  for (const Prose& each : prose)
    for (const Slip& slip : slips_in(each))
      ADD_FAILURE() << path << ':' << slip.line << ": \"" << slip.phrase << "\"; write \""
                    << slip.instead << '"';
}

/// Below these folders, and the files at the top of the tree.
std::vector<fs::path> files_with(std::string_view extension,
                                 std::initializer_list<const char*> folders) {
  std::vector<fs::path> out;
  const auto add = [&](const fs::directory_entry& entry) {
    if (entry.is_regular_file() && entry.path().extension() == extension)
      out.push_back(entry.path());
  };
  for (const char* folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) add(entry);
  for (const auto& entry : fs::directory_iterator(root)) add(entry);
  std::sort(out.begin(), out.end());
  return out;
}

std::string from_root(const fs::path& path) {
  return path.lexically_relative(root).string();
}

TEST(TidyWords, ProgramsSpeakPlainly) {
  for (const Source& source : sources())
    if (source.is_cpp() && !source.is_test() && !source.path.starts_with("tests/"))
      expect_plain(source.path, prose_of(source.tokens));
}

TEST(TidyWords, DocumentsArePlain) {
  for (const fs::path& path : files_with(".md", {"docs", "examples", "tests"}))
    if (path.filename() != "CHANGELOG.md")  // it tells of what was, in the words of then
      expect_plain(from_root(path), prose_of_markdown(read_file(path)));
}

TEST(TidyWords, TheViewerSpeaksPlainly) {
  for (const fs::path& path : files_with(".ts", {"viewer/src"}))
    expect_plain(from_root(path), prose_of_script(read_file(path)));
  expect_plain("viewer/index.html", {{read_file(root / "viewer/index.html"), 1}});
}

TEST(TidyWords, ScenariosArePlain) {
  for (const fs::path& path : files_with(".toml", {"scenarios", "experiments"}))
    expect_plain(from_root(path), {{read_file(path), 1}});
}

std::string slips(const std::vector<Prose>& prose) {
  std::string out;
  for (const Prose& each : prose)
    for (const Slip& slip : slips_in(each))
      out += std::to_string(slip.line) + ' ' + slip.phrase + "; ";
  return out;
}

TEST(TidyWordsItself, ReadsStringsOfCpp) {
  EXPECT_EQ(
      slips(prose_of(tokens_of("int a;  // for ever\nf(\"it goes on for \"\n  \"ever\");\n"))),
      "2 for ever; ");
  EXPECT_EQ(slips(prose_of(tokens_of("f(\"for\", \"ever\"); int told;"))), "");
}

TEST(TidyWordsItself, ReadsMarkdown) {
  EXPECT_EQ(slips(prose_of_markdown("a\n```\nfor ever\n```\nTold\nof a link, `for ever`.\n")),
            "5 told of; ");
}

TEST(TidyWordsItself, ReadsScripts) {
  EXPECT_EQ(slips(prose_of_script("// for ever\nconst a = \"so many nodes\"; /* nobody\n*/\n"
                                  "f(`for\never`);")),
            "2 so many nodes; 4 for ever; ");
}

TEST(TidyWordsItself, KnowsWholeWords) {
  EXPECT_EQ(slips({{"forever, so many that, bearing, Newborns", 7}}), "7 newborns; ");
}

}  // namespace
}  // namespace bellwether::tidy
