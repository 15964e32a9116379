// SPDX-License-Identifier: MIT
#include "files.hpp"

#include <algorithm>
#include <set>

namespace bellwether::tidy {
namespace {

namespace fs = std::filesystem;

/// The words of a file of CMake, without its comments.
std::vector<std::string> words_of(const Source& cmake) {
  std::vector<std::string> out;
  for (std::string_view line : cmake.lines) {
    line = line.substr(0, line.find('#'));
    while (!line.empty()) {
      const std::size_t begin = line.find_first_not_of(" ()\";");
      if (begin == std::string_view::npos) break;
      const std::size_t end = line.find_first_of(" ()\";", begin);
      out.emplace_back(line.substr(begin, end - begin));
      line.remove_prefix(end == std::string_view::npos ? line.size() : end);
    }
  }
  return out;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at))
    text.replace(at, from.size(), to);
}

/// What a word means as a path from the root. A variable stands for one folder or name, whichever.
std::string path_of(const Source& cmake, std::string word) {
  // Relative paths in cmake/ are those of the folder that calls them.
  const fs::path folder = cmake.path.starts_with("cmake/") ? fs::path("src/bellwether")
                                                           : fs::path(cmake.path).parent_path();
  const bool from_root = word.starts_with("${PROJECT_SOURCE_DIR}/");
  replace_all(word, "${PROJECT_SOURCE_DIR}/", "");
  replace_all(word, "${CMAKE_CURRENT_SOURCE_DIR}/", "");
  for (std::size_t at = word.find("${"); at != std::string::npos; at = word.find("${"))
    word.replace(at, word.find('}', at) + 1 - at, "*");
  return ((from_root ? fs::path() : folder) / word).lexically_normal().generic_string();
}

/// The pattern that is also matched in folders of its folder.
std::string with_folders(std::string pattern) {
  const std::size_t star = pattern.find('*', pattern.rfind('/') + 1);
  if (star != std::string::npos) pattern.insert(star, "*");
  return pattern;
}

bool is_source(std::string_view path) {
  return path.ends_with(".cpp") || path.ends_with(".c");
}

/// Names and patterns of sources. A name with a variable in it is one of a file that is made.
std::set<std::string> patterns_of(std::span<const Source> files) {
  std::set<std::string> out;
  for (const Source& file : files) {
    if (!file.is_cmake()) continue;
    bool below = false;  // folders in folders, too
    for (const std::string& word : words_of(file)) {
      if (word.starts_with("GLOB")) below = word == "GLOB_RECURSE";
      const bool made = word.find('$') != std::string::npos && word.find('*') == std::string::npos;
      if (is_source(word) && (!made || word.starts_with("${PROJECT_SOURCE_DIR}/")))
        out.insert(below ? with_folders(path_of(file, word)) : path_of(file, word));
    }
  }
  return out;
}

/// cmake/algorithms.cmake makes a source that includes it.
bool is_in_catalogue(const Source& file) {
  return module_of(file.path) == "algorithms" && file.is_header() &&
         file.text.find("static constexpr core::Facts facts") != std::string::npos;
}

/// Where an include may lead: beside the file, or to one of the folders that are searched.
std::set<std::string> included_by(const Source& file) {
  std::set<std::string> out;
  const fs::path folder = fs::path(file.path).parent_path();
  for (const Include& include : file.tokens.includes)
    for (const fs::path& from : {folder, fs::path("src"), fs::path("tests"), fs::path("ns3")})
      out.insert((from / include.path).lexically_normal().generic_string());
  return out;
}

}  // namespace

bool matches(std::string_view pattern, std::string_view path) {
  if (pattern.empty()) return path.empty();
  if (pattern.front() != '*')
    return !path.empty() && path.front() == pattern.front() &&
           matches(pattern.substr(1), path.substr(1));
  const bool any_folder = pattern.starts_with("**");
  const std::string_view rest = pattern.substr(any_folder ? 2 : 1);
  for (std::size_t i = 0; i <= path.size(); ++i) {
    if (matches(rest, path.substr(i))) return true;
    if (i < path.size() && path[i] == '/' && !any_folder) return false;
  }
  return false;
}

std::vector<std::string> dead_sources(std::span<const Source> files) {
  const std::set<std::string> patterns = patterns_of(files);
  std::vector<std::string> out;
  for (const Source& file : files)
    if (is_source(file.path) && std::none_of(patterns.begin(), patterns.end(), [&](auto& pattern) {
          return matches(pattern, file.path);
        }))
      out.push_back(file.path);
  return out;
}

std::vector<std::string> headers_for_tests(std::span<const Source> files) {
  std::set<std::string> reached;
  for (const Source& file : files) {
    if (file.is_test()) continue;
    if (is_in_catalogue(file)) reached.insert(file.path);
    std::set<std::string> included = included_by(file);
    included.erase(fs::path(file.path).replace_extension(".hpp").generic_string());  // its own
    reached.merge(included);
  }
  std::vector<std::string> out;
  for (const Source& file : files)
    if (!module_of(file.path).empty() && file.path.ends_with(".hpp") && !file.is_test() &&
        !reached.contains(file.path))
      out.push_back(file.path);
  return out;
}

std::vector<std::string> dead_headers(std::span<const Source> files) {
  std::set<std::string> reached;
  for (const Source& file : files) {
    reached.merge(included_by(file));
    if (file.is_cmake())
      for (const std::string& word : words_of(file)) reached.insert(path_of(file, word));
  }
  std::vector<std::string> out;
  for (const Source& file : files)
    if (file.is_header() && !reached.contains(file.path)) out.push_back(file.path);
  return out;
}

}  // namespace bellwether::tidy
