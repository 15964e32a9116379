// SPDX-License-Identifier: MIT
#include "pages/page.hpp"

#include <regex>
#include <sstream>
#include <utility>

namespace bellwether::pages {
namespace {

constexpr char mark = '\036';

struct Block {
  std::string language;
  std::vector<std::string> lines;
};

std::vector<Block> blocks_of(const std::string& text) {
  std::vector<Block> out;
  std::istringstream in(text);
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) out.push_back({line.substr(3), {}});
    } else if (inside) {
      out.back().lines.push_back(line);
    }
  }
  return out;
}

/// The name of the file that a block is; else empty.
std::string file_of(const Block& block) {
  static const std::regex heading("(?:#|//) file: ([A-Za-z0-9_./-]+)");
  std::smatch match;
  if (!block.lines.empty() && std::regex_match(block.lines.front(), match, heading))
    return match[1];
  return "";
}

void write_file(Page& page, const Block& block, const std::string& name) {
  page.script += "cat > " + name + " <<'END_OF_THE_BLOCK'\n";
  for (const std::string& line : block.lines) page.script += line + "\n";
  page.script += "END_OF_THE_BLOCK\n";
}

void add_command(Page& page, std::string text) {
  const std::string number = std::to_string(page.commands.size());
  page.script += "printf '\\036begin " + number + "\\n'\n" + text + "\nprintf '\\036end " + number +
                 " %s\\n' $?\n";
  page.commands.push_back({std::move(text), {}});
}

void run_block(Page& page, const Block& block) {
  std::string command;
  const auto finish = [&] {
    if (!command.empty()) add_command(page, std::exchange(command, {}));
  };
  bool any = false;
  for (const std::string& line : block.lines) {
    if (line.starts_with("$ ")) {
      finish();
      command = line.substr(2);
      any = true;
    } else if (!command.empty() && line.starts_with("> ")) {
      command += "\n" + line.substr(2);
    } else {
      finish();
      if (any && line != "..." && !line.empty() && !line.starts_with("---"))
        page.commands.back().lines.push_back(line);
    }
  }
  finish();
}

/// Tables may grow wider without a change of the page.
std::string single_spaced(const std::string& text) {
  std::string out = "\n";
  for (const char c : text) {
    if (c == '\n' && out.back() == ' ') out.pop_back();
    if (c != ' ' || (out.back() != ' ' && out.back() != '\n')) out += c;
  }
  if (out.back() == ' ') out.pop_back();
  return out;
}

/// What was printed between two marks; nothing: the script has not come that far.
std::string between(const std::string& printed, const std::string& begin, const std::string& end) {
  const std::size_t from = printed.find(begin);
  const std::size_t to = from == printed.npos ? from : printed.find(end, from);
  if (to == printed.npos) return printed.substr(from == printed.npos ? printed.size() : from);
  return printed.substr(from + begin.size(), to - from - begin.size());
}

std::string compare(std::size_t number, const Command& command, const std::string& printed) {
  const std::string name = std::to_string(number);
  const std::string end = mark + std::string("end ") + name + " ";
  const std::string out = between(printed, mark + std::string("begin ") + name + "\n", end);
  const std::string told = "\n  $ " + command.text + "\n" + out;
  const std::size_t at = printed.find(end);
  if (at == printed.npos) return "a command of the page does not end:" + told;
  // 1 is a verdict: a broken property is what some pages are about.
  const bool verdict =
      out.find("a property was broken") != out.npos || out.find("is violated after") != out.npos;
  const std::string status = printed.substr(at + end.size(), 2);
  if (status != "0\n" && !(status == "1\n" && verdict && !command.lines.empty()))
    return "a command of the page fails:" + told;
  const std::string spaced = single_spaced(out);
  std::size_t from = 0;
  for (const std::string& line : command.lines) {
    const std::size_t found = spaced.find(single_spaced(line) + '\n', from);
    if (found == spaced.npos) return "the page quotes what is not printed: " + line + told;
    from = found;
  }
  return "";
}

}  // namespace

Page read_page(const std::string& text) {
  Page page;
  static const std::regex ours("(?:^|[ /])bellwether(?:-node)? ([a-z]+)([^#|&;]*)");
  for (const Block& block : blocks_of(text)) {
    if (const std::string name = file_of(block); !name.empty())
      write_file(page, block, name);
    else if (block.language == "console")
      run_block(page, block);
    else if (block.language == "sh")
      for (const std::string& line : block.lines)
        if (std::smatch match; std::regex_search(line, match, ours))
          page.others.push_back(match[1].str() + match[2].str());
  }
  return page;
}

std::string compare(const Page& page, const std::string& printed) {
  for (std::size_t i = 0; i < page.commands.size(); ++i)
    if (std::string wrong = compare(i, page.commands[i], printed); !wrong.empty()) return wrong;
  return "";
}

}  // namespace bellwether::pages
