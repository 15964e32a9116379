// SPDX-License-Identifier: MIT
// A script is a series of blocks: commands, a line `----`, what they are expected to tell, and a
// blank line. Lines that begin with `#` are comments.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bellwether::golden {

struct Command {
  std::size_t line = 0;
  std::vector<std::string> words;  // at least one
};

struct Block {
  std::string lead;  // comments, commands and `----`, as they stand in the file
  std::vector<Command> commands;
  std::size_t line = 0;  // of the first thing that is expected
  std::string expected;  // lines, each with its end
};

struct Script {
  std::string file;  // its name alone
  std::vector<Block> blocks;
  std::string rest;  // comments after the last block
};

/// Throws BadScript, which names file and line, where the text is not a series of blocks.
Script parse_script(std::string file, const std::string& text);
Script read_script(const std::filesystem::path& path);

/// What the commands of each block tell. Throws BadScript, which names file and line.
std::vector<std::string> play(const Script& script);

/// The script with other expectations.
std::string rewritten(const Script& script, const std::vector<std::string>& told);

}  // namespace bellwether::golden
