// SPDX-License-Identifier: MIT
#include "files.hpp"

#include <gtest/gtest.h>

#include "known.hpp"

namespace bellwether::tidy {
namespace {

using Names = std::vector<std::string>;

TEST(TidyFiles, EveryHeaderIsIncluded) {
  EXPECT_EQ(dead_headers(sources()), Names{}) << "nobody includes them; remove them";
}

TEST(TidyFiles, WhatOnlyTestsIncludeIsATestsOwn) {
  std::map<std::string, std::string> found;
  for (const std::string& path : headers_for_tests(sources()))
    found[path] = path + " is included by tests alone; call it _test.hpp, use it or remove it";
  expect_only({{"src/bellwether/core/arbitrary.hpp", "also for tests of elections elsewhere"}},
              found);
}

TEST(TidyFiles, EverySourceIsCompiled) {
  // `bellwether run --algorithm FILE.cpp` compiles that one; tests/cli does so.
  EXPECT_EQ(dead_sources(sources()), Names{"examples/one-file/ring_of_trust.cpp"})
      << "no CMakeLists.txt names or matches them";
}

TEST(TidyFilesItself, PatternsStayInTheirFolder) {
  EXPECT_TRUE(matches("src/*/*.cpp", "src/a/b.cpp"));
  EXPECT_TRUE(matches("a/*_test.cpp", "a/b_test.cpp"));
  EXPECT_FALSE(matches("src/*/*.cpp", "src/a/b/c.cpp"));
  EXPECT_FALSE(matches("src/*.cpp", "src/a.hpp"));
  EXPECT_TRUE(matches("src/*/**.cpp", "src/a/b/c.cpp"));
  EXPECT_TRUE(matches("src/*/**_test.cpp", "src/a/b_test.cpp"));
  EXPECT_FALSE(matches("src/*/**.cpp", "src/a.cpp"));
}

TEST(TidyFilesItself, FindsWhatNothingLeadsTo) {
  const std::vector<Source> files = sources_of(
      {{"CMakeLists.txt", "add(${PROJECT_SOURCE_DIR}/a/named.cpp) # a/dead.cpp\n"},
       {"a/named.cpp", "#include \"beside.hpp\"\n#include \"bellwether/m/used.hpp\"\n"},
       {"a/dead.cpp", ""},
       {"a/beside.hpp", ""},
       {"a/dead.hpp", "// #include \"dead.hpp\"\n"},
       {"cmake/modules.cmake", "file(GLOB sources ${name}/*.cpp)\nset(x ${name}/${made}.cpp)\n"},
       {"src/bellwether/m/m.cpp", "#include \"bellwether/m/m.hpp\"\n"},
       {"src/bellwether/m/m.hpp", ""},
       {"src/bellwether/m/used.hpp", ""},
       {"src/bellwether/algorithms/a.cpp", "#include \"bellwether/algorithms/a.hpp\"\n"},
       {"src/bellwether/algorithms/a.hpp", "static constexpr core::Facts facts{};\n"},
       {"src/bellwether/algorithms/b.cpp", "#include \"bellwether/algorithms/b.hpp\"\n"},
       {"src/bellwether/algorithms/b.hpp", ""},
       {"src/bellwether/m/deep/n.cpp", ""},
       {"tests/b/CMakeLists.txt", "add(b.cpp ../../a/*.hpp -include given.hpp)\n"},
       {"tests/b/b.cpp", ""},
       {"tests/b/given.hpp", ""}});
  EXPECT_EQ(dead_headers(files), (Names{"a/dead.hpp"}));
  EXPECT_EQ(headers_for_tests(files),
            (Names{"src/bellwether/algorithms/b.hpp", "src/bellwether/m/m.hpp"}));
  EXPECT_EQ(dead_sources(files), (Names{"a/dead.cpp", "src/bellwether/m/deep/n.cpp"}));
}

}  // namespace
}  // namespace bellwether::tidy
