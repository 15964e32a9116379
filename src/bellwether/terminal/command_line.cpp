// SPDX-License-Identifier: MIT
#include "bellwether/terminal/command_line.hpp"

#include <algorithm>
#include <filesystem>

#include "bellwether/terminal/command.hpp"

namespace bellwether::terminal {

std::string program_name(const char* called) {
  const std::string name = called ? std::filesystem::path(called).filename().string() : "";
  return name.empty() ? "bellwether" : name;
}

std::string in_own_name(std::string text, const Command& app) {
  constexpr std::string_view usual = "bellwether ";
  const std::string own = app.get_name() + ' ';
  const auto has = [&](const std::string& command) {
    const std::vector<const Command*> all = app.commands();
    return std::any_of(all.begin(), all.end(),
                       [&](const Command* each) { return each->get_name() == command; });
  };
  for (std::size_t at = 0; (at = text.find(usual, at)) != text.npos;) {
    const std::size_t word = at + usual.size();
    const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", word);
    const std::string command = text.substr(word, std::min(end, text.size()) - word);
    if (command == "--help" || has(command)) {
      text.replace(at, usual.size(), own);
      at += own.size();
    } else {
      at = word;
    }
  }
  return text;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

}  // namespace bellwether::terminal
