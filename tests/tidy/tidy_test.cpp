// SPDX-License-Identifier: MIT
// A linter that is a unit test: the rules of docs/architecture.md that a program can check.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
const fs::path root = BELLWETHER_SOURCE_DIR;

struct Source {
  std::string path;  // from the root
  std::vector<std::string> lines;
};

/// Our own sources: everything but build folders.
std::vector<Source> sources() {
  static const std::set<std::string> ours{".hpp", ".cpp", ".inl", ".cmake"};
  std::vector<Source> out;
  for (const char* folder : {"src", "apps", "tests", "bench", "cmake", "examples"}) {
    if (!fs::exists(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const fs::path& path = entry.path();
      if (!entry.is_regular_file()) continue;
      if (!ours.contains(path.extension()) && path.filename() != "CMakeLists.txt") continue;
      Source source{fs::relative(path, root).generic_string(), {}};
      std::ifstream in(path);
      for (std::string line; std::getline(in, line);) source.lines.push_back(line);
      out.push_back(std::move(source));
    }
  }
  return out;
}

/// "core" for src/bellwether/core/...; empty elsewhere.
std::string room_of(const std::string& path) {
  static const std::regex pattern("src/bellwether/([a-z]+)/.*");
  std::smatch match;
  return std::regex_match(path, match, pattern) ? match[1].str() : "";
}

/// What each room may include, beside itself. Every room may include core.
const std::map<std::string, std::set<std::string>> may_include{
    {"core", {}},
    {"graph", {}},
    {"layers", {}},
    {"algorithms", {"graph", "layers"}},
    {"catalogue", {"algorithms"}},
    {"world", {"graph"}},
    {"scenario", {"world"}},
    {"observe", {"graph"}},
    {"sim", {"graph", "layers", "algorithms", "catalogue", "world", "scenario", "observe"}},
    {"check", {"graph", "layers", "algorithms", "catalogue", "world", "scenario", "observe"}},
    {"results", {"world", "observe", "scenario"}},
    {"sweep", {"results", "scenario"}},
    {"report", {"observe", "scenario", "results"}},
    {"node", {"graph", "layers", "algorithms", "catalogue", "observe"}},
    {"client", {}},
    {"deploy", {"scenario", "node", "client"}},
    {"view", {"graph", "algorithms", "catalogue", "world", "scenario", "observe", "sim"}},
    {"cli",
     {"graph", "layers", "algorithms", "catalogue", "world", "scenario", "observe", "sim", "check",
      "results", "sweep", "report", "node", "client", "deploy", "view"}}};

/// The room or the system header that a line includes; empty if it includes nothing.
std::string included(const std::string& line, const char* what) {
  const std::regex pattern(what);
  std::smatch match;
  return std::regex_search(line, match, pattern) ? match[1].str() : "";
}

std::string place(const Source& source, std::size_t line) {
  return source.path + ":" + std::to_string(line + 1) + ": ";
}

TEST(Tidy, ThereAreSources) {
  EXPECT_GT(sources().size(), 60u);
}

TEST(Tidy, RoomsIncludeOnlyWhatTheDesignLetsThem) {
  for (const Source& source : sources()) {
    const std::string room = room_of(source.path);
    if (room.empty()) continue;
    ASSERT_TRUE(may_include.contains(room)) << source.path << " is in a room nobody knows";
    for (std::size_t i = 0; i < source.lines.size(); ++i) {
      const std::string other =
          included(source.lines[i], R"re(^\s*#\s*include\s+"bellwether/([a-z]+)/)re");
      if (other.empty() || other == room || other == "core") continue;
      EXPECT_TRUE(may_include.at(room).contains(other))
          << place(source, i) << room << " must not include " << other;
    }
  }
}

TEST(Tidy, ProtocolsIncludeNoClockSocketThreadFileOrHash) {
  static const std::set<std::string> forbidden{
      "random",        "iostream", "fstream",    "thread",
      "mutex",         "atomic",   "filesystem", "unordered_map",
      "unordered_set", "ctime",    "time.h",     "sys/socket.h",
      "unistd.h",      "cstdio",   "future",     "condition_variable",
      "cstdlib"};
  for (const Source& source : sources()) {
    const std::string room = room_of(source.path);
    if (room != "algorithms" && room != "layers") continue;
    for (std::size_t i = 0; i < source.lines.size(); ++i) {
      const std::string header = included(source.lines[i], R"(^\s*#\s*include\s+<([^>]+)>)");
      EXPECT_FALSE(forbidden.contains(header)) << place(source, i) << "<" << header << ">";
      EXPECT_EQ(source.lines[i].find("steady_clock"), std::string::npos) << place(source, i);
      EXPECT_EQ(source.lines[i].find("system_clock"), std::string::npos) << place(source, i);
    }
  }
}

TEST(Tidy, CoreStandsOnTheStandardLibraryAlone) {
  for (const Source& source : sources()) {
    if (room_of(source.path) != "core" || source.path.ends_with("_test.cpp")) continue;
    for (std::size_t i = 0; i < source.lines.size(); ++i)
      for (const char* library : {"fmt/", "toml++", "nlohmann", "CLI/", "boost/", "pugixml"})
        EXPECT_FALSE(source.lines[i].starts_with("#include <" + std::string(library)))
            << place(source, i);
  }
}

TEST(Tidy, EveryFileNamesItsLicence) {
  for (const Source& source : sources()) {
    ASSERT_FALSE(source.lines.empty()) << source.path;
    EXPECT_NE(source.lines[0].find("SPDX-License-Identifier: MIT"), std::string::npos)
        << source.path << " must begin with its SPDX line";
  }
}

TEST(Tidy, LinesFitHundredColumnsAndFilesFiveHundredLines) {
  for (const Source& source : sources()) {
    EXPECT_LE(source.lines.size(), 550u) << source.path << " has outgrown its room";
    for (std::size_t i = 0; i < source.lines.size(); ++i) {
      std::size_t columns = 0;  // characters, not bytes
      for (const char c : source.lines[i])
        if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) ++columns;
      EXPECT_LE(columns, 100u) << place(source, i) << columns << " columns";
      EXPECT_FALSE(source.lines[i].ends_with(' ')) << place(source, i) << "space at the end";
      EXPECT_EQ(source.lines[i].find('\t'), std::string::npos) << place(source, i) << "tab";
    }
  }
}

TEST(Tidy, FunctionsAreShort) {
  // With our formatting, a function body at namespace level opens with "{" at the end of a line
  // that does not begin with a space and closes with "}" in the first column.
  for (const Source& source : sources()) {
    if (!source.path.ends_with(".cpp") && !source.path.ends_with(".inl")) continue;
    std::size_t begin = 0;
    bool inside = false;
    for (std::size_t i = 0; i < source.lines.size(); ++i) {
      const std::string& line = source.lines[i];
      if (!inside && line.ends_with(") {") && !line.starts_with(" ")) {
        inside = true;
        begin = i;
      } else if (inside && line == "}") {
        inside = false;
        EXPECT_LE(i - begin, 72u) << place(source, begin) << "a function of " << i - begin
                                  << " lines";
      }
    }
  }
}

TEST(Tidy, EveryAlgorithmHasItsPageAndEveryScenarioIsListed) {
  std::set<std::string> pages;
  for (const auto& entry : fs::directory_iterator(root / "docs" / "algorithms"))
    pages.insert(entry.path().stem().string());
  const std::regex name(R"re(static constexpr std::string_view name = "([a-z0-9-]+)";)re");
  for (const Source& source : sources()) {
    if (room_of(source.path) != "algorithms" || !source.path.ends_with(".hpp")) continue;
    bool protocol = false;
    for (const auto& line : source.lines)
      protocol = protocol || line.find("core::Facts facts") != std::string::npos;
    if (!protocol) continue;
    std::smatch match;
    for (const auto& line : source.lines)
      if (std::regex_search(line, match, name)) {
        EXPECT_TRUE(pages.contains(match[1])) << "docs/algorithms/" << match[1] << ".md is missing";
        break;  // the first name in the header is the algorithm's
      }
  }
  std::ifstream in(root / "docs" / "scenarios.md");
  std::stringstream page;
  page << in.rdbuf();
  for (const auto& entry : fs::directory_iterator(root / "scenarios"))
    if (entry.path().extension() == ".toml") {
      EXPECT_NE(page.str().find(entry.path().filename().string()), std::string::npos)
          << entry.path().filename() << " is not in docs/scenarios.md";
    }
}

}  // namespace
