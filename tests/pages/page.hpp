// SPDX-License-Identifier: MIT
// A page of the documents as something to do: see README.md.
#pragma once

#include <string>
#include <vector>

namespace bellwether::pages {

/// A command of a page and the lines that it must print.
struct Command {
  std::string text;
  std::vector<std::string> lines;
};

struct Page {
  std::vector<Command> commands;    // in order
  std::string script;               // bash: all of the page; says when each command begins and ends
  std::vector<std::string> others;  // commands of ours in blocks that are not run
};

/// `text`: Markdown.
Page read_page(const std::string& text);

/// What is wrong with what the script has printed; empty: nothing.
std::string compare(const Page& page, const std::string& printed);

}  // namespace bellwether::pages
