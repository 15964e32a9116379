// SPDX-License-Identifier: MIT
#include "modules.hpp"

#include <sstream>

namespace bellwether::tidy {
namespace {

/// The module that a file of ours stands in, when it is included; empty: none.
std::string included_module(const Include& include) {
  if (!include.quoted || !include.path.starts_with("bellwether/")) return "";
  return module_of("src/" + std::string(include.path));
}

/// All words between backquotes.
std::set<std::string> quoted_words(std::string_view text) {
  std::set<std::string> out;
  for (std::size_t open = text.find('`'); open != std::string_view::npos;) {
    const std::size_t close = text.find('`', open + 1);
    if (close == std::string_view::npos) break;
    out.emplace(text.substr(open + 1, close - open - 1));
    open = text.find('`', close + 1);
  }
  return out;
}

}  // namespace

ModuleTable read_modules(std::string_view text) {
  ModuleTable out;
  for (const std::string_view line : lines_of(text)) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words{std::string(line)};
    std::string name;
    words >> name;
    out.order.push_back(name);
    out.code[name];
    out.tests[name];
    bool tests = false;
    for (std::string word; words >> word;) {
      if (word == "|")
        tests = true;
      else
        (tests ? out.tests : out.code)[name].insert(word);
    }
  }
  return out;
}

ModuleTable used_modules(std::span<const Source> files) {
  ModuleTable out;
  for (const Source& file : files) {
    const std::string module = module_of(file.path);
    if (module.empty()) continue;
    out.code[module];
    Edges& edges = file.is_test() ? out.tests : out.code;
    for (const Include& include : file.tokens.includes) {
      const std::string other = included_module(include);
      if (!other.empty() && other != module) edges[module].insert(other);
    }
  }
  for (auto& [module, others] : out.code) {
    out.order.push_back(module);
    for (const std::string& other : others) out.tests[module].erase(other);
  }
  return out;
}

std::string example_of(std::span<const Source> files, const std::string& from,
                       const std::string& to) {
  for (const Source& file : files)
    if (module_of(file.path) == from)
      for (const Include& include : file.tokens.includes)
        if (included_module(include) == to) return place(file, include.line);
  return "";
}

Edges table_in_page(std::string_view page) {
  Edges out;
  for (const std::string_view line : lines_of(page)) {
    const std::size_t end = line.find('`', 3);
    if (!line.starts_with("| `") || end == std::string_view::npos) continue;
    if (!line.substr(end - 1).starts_with("/` |") || !line.ends_with("|")) continue;
    const std::size_t last = line.rfind('|', line.size() - 2);
    out[std::string(line.substr(3, end - 4))] = quoted_words(line.substr(last));
  }
  return out;
}

}  // namespace bellwether::tidy
