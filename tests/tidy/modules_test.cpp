// SPDX-License-Identifier: MIT
// One table of modules and of their includes, and it is true: in both directions, and on paper.
#include "modules.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace bellwether::tidy {
namespace {

const ModuleTable& table() {
  static const ModuleTable out = read_modules(read_file(root / "src/bellwether/modules.txt"));
  return out;
}

void compare(const Edges& listed, const Edges& used, const std::string& who) {
  for (const auto& [from, others] : used)
    for (const std::string& to : others) {
      EXPECT_TRUE(listed.contains(from) && listed.at(from).contains(to))
          << example_of(sources(), from, to) << from << " includes " << to << who
          << ", which src/bellwether/modules.txt does not say";
    }
  for (const auto& [from, others] : listed)
    for (const std::string& to : others) {
      EXPECT_TRUE(used.contains(from) && used.at(from).contains(to))
          << "src/bellwether/modules.txt: " << from << " does not include " << to << who;
    }
}

TEST(TidyModules, EveryFolderIsOneAndNoOther) {
  std::vector<std::string> names = table().order;
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, used_modules(sources()).order);
}

TEST(TidyModules, IncludeWhatTheTableSaysAndAllOfIt) {
  const ModuleTable used = used_modules(sources());
  compare(table().code, used.code, "");
  compare(table().tests, used.tests, " in its tests alone");
}

TEST(TidyModules, StandBelowAllThatTheyInclude) {
  std::set<std::string> above;
  for (const std::string& module : table().order) {
    for (const Edges* edges : {&table().code, &table().tests})
      for (const std::string& other : edges->at(module))
        EXPECT_TRUE(above.contains(other)) << module << " stands above " << other;
    above.insert(module);
  }
}

TEST(TidyModules, AreInTheDocuments) {
  Edges without_core = table().code;
  for (auto& [module, others] : without_core) others.erase("core");
  EXPECT_EQ(table_in_page(read_file(root / "docs/architecture.md")), without_core)
      << "docs/architecture.md and src/bellwether/modules.txt differ";
}

TEST(TidyModulesItself, ReadsTablesAndIncludes) {
  const ModuleTable listed = read_modules("# words\na\nb  a\nc  b | a\n");
  EXPECT_EQ(listed.order, (std::vector<std::string>{"a", "b", "c"}));
  const std::vector<Source> files =
      sources_of({{"src/bellwether/a/a.hpp", "int a;"},
                  {"src/bellwether/b/b.cpp", "#include \"bellwether/a/a.hpp\"\n"},
                  {"src/bellwether/c/c.cpp", "#include <x>\n#include \"bellwether/b/b.hpp\"\n"},
                  {"src/bellwether/c/c_test.cpp",
                   "#include \"bellwether/a/a.hpp\"\n#include \"bellwether/b/b.hpp\"\n"},
                  {"tests/d.cpp", "#include \"bellwether/c/c.hpp\"\n"}});
  const ModuleTable used = used_modules(files);
  EXPECT_EQ(used.order, listed.order);
  EXPECT_EQ(used.code, listed.code);
  EXPECT_EQ(used.tests.at("c"), listed.tests.at("c"));
  EXPECT_EQ(example_of(files, "c", "b"), "src/bellwether/c/c.cpp:2: ");
  EXPECT_EQ(table_in_page("| module | what |\n| `a/` | `x` | |\n| `b/` | y | `a`, `c` |\n"),
            (Edges{{"a", {}}, {"b", {"a", "c"}}}));
}

}  // namespace
}  // namespace bellwether::tidy
