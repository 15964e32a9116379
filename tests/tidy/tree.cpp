// SPDX-License-Identifier: MIT
#include "tree.hpp"

#include <fstream>
#include <iterator>
#include <set>

namespace bellwether::tidy {

namespace fs = std::filesystem;

bool Source::is_cmake() const {
  return path.ends_with("CMakeLists.txt") || path.ends_with(".cmake");
}

bool Source::is_python() const {
  return path.ends_with(".py") || path.ends_with(".pyi");
}

bool Source::is_cpp() const {
  return !is_cmake() && !is_python();
}

bool Source::is_header() const {
  return path.ends_with(".hpp") || path.ends_with(".h") || path.ends_with(".inl");
}

bool Source::is_test() const {
  return path.starts_with("tests/") || path.ends_with("_test.cpp") || path.ends_with("_test.hpp");
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    out.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

namespace {

std::vector<Source> read_all() {
  static const std::set<fs::path> ours{".hpp", ".cpp", ".inl", ".h", ".c", ".cmake", ".py", ".pyi"};
  std::map<std::string, std::string> files;
  const auto add = [&](const fs::path& path) {
    files[fs::relative(path, root).generic_string()] = read_file(path);
  };
  for (const char* folder :
       {"src", "apps", "tests", "bench", "cmake", "examples", "ns3", "python"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const fs::path& path = entry.path();
      if (!entry.is_regular_file()) continue;
      if (ours.contains(path.extension()) || path.filename() == "CMakeLists.txt") add(path);
    }
  }
  add(root / "CMakeLists.txt");
  return sources_of(std::move(files));
}

}  // namespace

std::vector<Source> sources_of(std::map<std::string, std::string> files) {
  std::vector<Source> out;
  for (auto& [path, text] : files) out.push_back({path, std::move(text), {}, {}, {}});
  for (Source& source : out) {  // views point into texts, which have their places now
    source.lines = lines_of(source.text);
    if (source.is_cpp()) source.tokens = tokens_of(source.text);
    if (source.is_cpp()) source.outline = outline_of(source.tokens.code);
  }
  return out;
}

const std::vector<Source>& sources() {
  static const std::vector<Source> all = read_all();
  return all;
}

std::string module_of(std::string_view path) {
  static constexpr std::string_view folder = "src/bellwether/";
  if (!path.starts_with(folder)) return "";
  path.remove_prefix(folder.size());
  const std::size_t end = path.find('/');
  return end == std::string_view::npos ? "" : std::string(path.substr(0, end));
}

std::string place(const Source& source, int line) {
  return source.path + ":" + std::to_string(line) + ": ";
}

}  // namespace bellwether::tidy
