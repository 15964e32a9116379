// SPDX-License-Identifier: MIT
#include "bellwether/terminal/document.hpp"
#include "bellwether/core/problem.hpp"

#include <gtest/gtest.h>

#include <array>

#include "bellwether/terminal/command.hpp"
#include "bellwether/terminal/program.hpp"

namespace bellwether::terminal {
namespace {

/// A program with two commands.
struct Program {
  Command app{"What it is.", "my-election"};
  std::string algorithm, file;
  std::vector<std::string> set;
  Program() {
    app.footer("Examples:\n  .first");
    auto* run = app.add_subcommand("run", "Run it, don't ask");
    run->add_option("file", file, "A | B")->required();
    run->add_option("-a,--algorithm", algorithm, "Which\\one");
    run->add_option("--set", set, "key=value")->take_all();
    app.add_subcommand("describe", "What it is");
  }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Document, TheManualHasEveryCommandAndOption) {
  const std::string page = man_page(Program().app);
  EXPECT_TRUE(page.starts_with(".TH MY\\-ELECTION 1 ")) << page;
  EXPECT_TRUE(has(page, ".SS my\\-election run [OPTIONS] file\n")) << page;
  EXPECT_TRUE(has(page, ".SS my\\-election describe [OPTIONS]\n"));
  EXPECT_TRUE(has(page, "\\fB\\-a,\\-\\-algorithm\\fR \\fITEXT\\fR\nWhich\\eone\n")) << page;
  EXPECT_TRUE(has(page, "\n\\fBfile\\fR"));
}

/// What begins with a dot is a request to roff, and must not be one by chance.
TEST(Document, TextsAreNoRequests) {
  const std::string page = man_page(Program().app);
  EXPECT_FALSE(has(page, "\n.first"));
  EXPECT_FALSE(has(page, "\n'"));
}

TEST(Document, TheReferenceHasEveryCommandAndOption) {
  const std::string page = markdown_page(Program().app);
  EXPECT_TRUE(page.starts_with("# All commands of `my-election`\n"));
  EXPECT_TRUE(has(page, "- [`run`](#run): Run it, don't ask\n"));
  EXPECT_TRUE(has(page, "| `-a,--algorithm TEXT` | Which\\one |\n")) << page;
  EXPECT_TRUE(has(page, "| `file` | A \\| B |\n")) << page;
  EXPECT_TRUE(has(page, "| `--set TEXT ...` | key=value |\n")) << page;
}

TEST(Document, OtherFormatsAreRefusedByName) {
  Program program;
  int status = -1;
  add_document(program.app, status);
  try {
    const std::array words{"my-election", "document", "pdf"};
    program.app.parse(static_cast<int>(words.size()), words.data());
    FAIL();
  } catch (const core::Problem& error) {
    EXPECT_TRUE(has(error.what(), "man, markdown")) << error.what();
  }
}

}  // namespace
}  // namespace bellwether::terminal
