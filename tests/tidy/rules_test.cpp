// SPDX-License-Identifier: MIT
// Rules of CONTRIBUTING.md that a program can check, line by line and file by file.
#include <gtest/gtest.h>

#include <set>
#include <span>
#include <string>

#include "known.hpp"
#include "tree.hpp"

namespace bellwether::tidy {
namespace {

namespace fs = std::filesystem;

TEST(Tidy, ThereAreSources) {
  EXPECT_GT(sources().size(), 60u);
}

TEST(Tidy, ProtocolsIncludeNoClockSocketThreadFileOrHash) {
  static const std::set<std::string_view> forbidden{
      "random",        "iostream", "fstream",    "thread",
      "mutex",         "atomic",   "filesystem", "unordered_map",
      "unordered_set", "ctime",    "time.h",     "sys/socket.h",
      "unistd.h",      "cstdio",   "future",     "condition_variable",
      "cstdlib"};
  for (const Source& source : sources()) {
    const std::string module = module_of(source.path);
    if (module != "algorithms" && module != "layers") continue;
    for (const Include& include : source.tokens.includes)
      EXPECT_FALSE(forbidden.contains(include.path))
          << place(source, include.line) << "<" << include.path << ">";
    for (const Token& token : source.tokens.code)
      EXPECT_FALSE(token.is("steady_clock") || token.is("system_clock"))
          << place(source, token.line) << token.text;
  }
}

TEST(Tidy, CoreStandsOnTheStandardLibraryAlone) {
  for (const Source& source : sources()) {
    if (module_of(source.path) != "core" || source.is_test()) continue;
    for (const Include& include : source.tokens.includes)
      EXPECT_TRUE(include.quoted || include.path.find_first_of("/.") == std::string_view::npos)
          << place(source, include.line) << "<" << include.path << ">";
  }
}

TEST(Tidy, EveryFileNamesItsLicence) {
  for (const Source& source : sources()) {
    ASSERT_FALSE(source.lines.empty()) << source.path;
    const bool ns3 = source.path.starts_with("ns3/") && source.is_cpp();
    const std::string line =
        std::string("SPDX-License-Identifier: ") + (ns3 ? "GPL-2.0-only" : "MIT");
    EXPECT_NE(source.lines[0].find(line), std::string_view::npos)
        << source.path << " must begin with its SPDX line";
  }
}

TEST(Tidy, LinesFitHundredColumns) {
  for (const Source& source : sources()) {
    for (std::size_t i = 0; i < source.lines.size(); ++i) {
      const std::string_view line = source.lines[i];
      std::size_t columns = 0;  // characters, not bytes
      for (const char c : line)
        if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) ++columns;
      const int number = static_cast<int>(i) + 1;
      EXPECT_LE(columns, 100u) << place(source, number) << columns << " columns";
      EXPECT_FALSE(line.ends_with(' ')) << place(source, number) << "space at the end";
      EXPECT_EQ(line.find('\t'), std::string_view::npos) << place(source, number) << "tab";
    }
  }
}

TEST(Tidy, FilesFitFiveHundredLines) {
  std::map<std::string, std::string> found;
  for (const Source& source : sources())
    if (source.lines.size() > 500)
      found[source.path] = source.path + " has " + std::to_string(source.lines.size()) +
                           " lines, more than 500; make two files of it";
  expect_only(
      {{"src/bellwether/check/oracle_test.hpp", "one oracle, meant to be read in one go"},
       {"src/bellwether/node/http_server.cpp", "has both the server and its connections"},
       {"src/bellwether/observe/metrics/live_network.cpp", "has all that changes in one class"}},
      found);
}

/// The base classes of the class that token `i` begins; none where it begins none.
std::set<std::string_view> bases_at(const std::vector<Token>& code, std::size_t i) {
  if (!code[i].is("class") && !code[i].is("struct")) return {};
  std::size_t at = i + 2;  // behind its name
  if (at < code.size() && code[at].is("final")) ++at;
  if (at >= code.size() || !code[at].is(":")) return {};
  std::set<std::string_view> out;
  for (; at < code.size() && !code[at].is("{") && !code[at].is(";"); ++at)
    if (code[at].is_word()) out.insert(code[at].text);
  return out;
}

/// "path name" of all classes that derive from an exception of the standard library, or from one
/// that does; and what to say of each.
std::map<std::string, std::string> exception_classes(std::span<const Source> files) {
  std::set<std::string_view> exceptions{
      "exception",           "runtime_error",      "logic_error",      "invalid_argument",
      "domain_error",        "length_error",       "out_of_range",     "range_error",
      "overflow_error",      "underflow_error",    "system_error",     "bad_alloc",
      "bad_optional_access", "bad_variant_access", "bad_cast",         "filesystem_error",
      "nested_exception",    "regex_error",        "bad_function_call"};
  std::map<std::string, std::string> found;
  for (std::size_t before = exceptions.size() + 1; before != exceptions.size();) {
    before = exceptions.size();
    for (const Source& source : files) {
      const std::vector<Token>& code = source.tokens.code;
      for (std::size_t i = 0; i + 1 < code.size(); ++i) {
        for (const std::string_view base : bases_at(code, i)) {
          if (!exceptions.contains(base)) continue;
          exceptions.insert(code[i + 1].text);
          found[source.path + " " + std::string(code[i + 1].text)] =
              place(source, code[i].line) + "what refuses input throws core::Problem";
        }
      }
    }
  }
  return found;
}

TEST(Tidy, BadInputHasOneException) {
  constexpr std::string_view alone = "the client library includes no module";
  constexpr std::string_view finding = "what a test has found, not bad input";
  expect_only({{"src/bellwether/core/problem.hpp Problem", "this is the one"},
               {"src/bellwether/core/invariant.hpp Violation", "a finding, not bad input"},
               {"src/bellwether/client/client.hpp ClientError", alone},
               {"src/bellwether/client/http.hpp Malformed", alone},
               {"tests/conformance/subject.hpp Broken", finding},
               {"tests/golden/stage.hpp BadScript", "a script of the tests alone"},
               {"tests/node/chaos.cpp Wrong", finding}},
              exception_classes(sources()));
}

TEST(TidyItself, FindsExceptions) {
  const std::vector<Source> files = sources_of(
      {{"src/bellwether/a/a.hpp",
        "class BadA : public std::runtime_error {};\nstruct Plain : Base<int> {};\n"
        "class Later; // class No : public std::exception\nusing E = std::exception;\n"},
       {"src/bellwether/b/b.cpp",
        "struct Worse final : a::Bad {};\nstruct Node : core::NodeBase, std::exception {};\n"},
       {"src/bellwether/c/c.hpp", "class Bad : public BadA {};\n"}});
  std::string names;
  for (const auto& [name, sentence] : exception_classes(files)) names += name + "; ";
  EXPECT_EQ(names,
            "src/bellwether/a/a.hpp BadA; src/bellwether/b/b.cpp Node; "
            "src/bellwether/b/b.cpp Worse; src/bellwether/c/c.hpp Bad; ");
}

/// The algorithm's name in its header, the first that stands there; empty if it is none.
std::string algorithm_of(const Source& source) {
  static constexpr std::string_view name = "static constexpr std::string_view name = \"";
  if (source.text.find("core::Facts facts") == std::string::npos) return "";
  const std::size_t begin = source.text.find(name);
  if (begin == std::string::npos) return "";
  const std::size_t end = source.text.find('"', begin + name.size());
  return source.text.substr(begin + name.size(), end - begin - name.size());
}

TEST(Tidy, EveryAlgorithmHasItsPage) {
  std::size_t algorithms = 0;
  for (const Source& source : sources()) {
    if (module_of(source.path) != "algorithms" || !source.is_header()) continue;
    const std::string name = algorithm_of(source);
    if (name.empty()) continue;
    ++algorithms;
    EXPECT_TRUE(fs::exists(root / "docs" / "algorithms" / (name + ".md")))
        << "docs/algorithms/" << name << ".md is missing";
  }
  EXPECT_GE(algorithms, 35u);
}

TEST(Tidy, EveryScenarioIsListed) {
  const std::string page = read_file(root / "docs" / "scenarios.md");
  for (const auto& entry : fs::directory_iterator(root / "scenarios"))
    if (entry.path().extension() == ".toml") {
      EXPECT_NE(page.find(entry.path().filename().string()), std::string::npos)
          << entry.path().filename() << " is not in docs/scenarios.md";
    }
}

}  // namespace
}  // namespace bellwether::tidy
