// SPDX-License-Identifier: MIT
#include "golden/script.hpp"

#include <fstream>
#include <sstream>

#include "golden/stage.hpp"

namespace bellwether::golden {
namespace {

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

[[noreturn]] void refuse(const std::string& file, std::size_t line, const std::string& why) {
  throw BadScript(file + ":" + std::to_string(line) + ": " + why);
}

}  // namespace

Script parse_script(std::string file, const std::string& text) {
  Script script{std::move(file), {}, {}};
  std::istringstream in(text);
  Block block;
  bool expecting = false;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const auto words = words_of(line);
    if (expecting) {
      if (!words.empty()) {
        block.expected += line + '\n';
        continue;
      }
      script.blocks.push_back(std::exchange(block, {}));
      expecting = false;
      continue;
    }
    block.lead += line + '\n';
    if (line == "----") {
      if (block.commands.empty()) refuse(script.file, number, "nothing stands before ----");
      block.line = number + 1;
      expecting = true;
    } else if (words.empty()) {
      if (!block.commands.empty()) refuse(script.file, number, "a blank line where ---- belongs");
    } else if (words.front().front() != '#') {
      block.commands.push_back({number, words});
    }
  }
  if (expecting)
    script.blocks.push_back(std::move(block));
  else if (!block.commands.empty())
    refuse(script.file, number, "the script ends where ---- belongs");
  else
    script.rest = std::move(block.lead);
  return script;
}

Script read_script(const std::filesystem::path& path) {
  std::ifstream in(path);
  if (!in) throw BadScript("cannot read " + path.string());
  std::ostringstream text;
  text << in.rdbuf();
  return parse_script(path.filename().string(), text.str());
}

std::string rewritten(const Script& script, const std::vector<std::string>& told) {
  std::string out;
  for (std::size_t i = 0; i < script.blocks.size(); ++i) {
    out += script.blocks[i].lead + told.at(i);
    if (i + 1 < script.blocks.size() || !script.rest.empty()) out += '\n';
  }
  return out + script.rest;
}

}  // namespace bellwether::golden
