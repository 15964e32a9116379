// SPDX-License-Identifier: MIT
#include "names.hpp"

#include <gtest/gtest.h>

#include "known.hpp"

namespace bellwether::tidy {
namespace {

TEST(TidyNames, WhatAHeaderDeclaresIsUsedSomewhere) {
  std::map<std::string, std::string> found;
  for (const DeadName& dead : dead_declarations(sources()))
    found[dead.name] = dead.place + dead.name + " is used by nobody; remove it";
  expect_only({{"PrintTo", "googletest calls it"},
               {"allocate", "the standard library calls it, of an allocator"},
               {"deallocate", "the standard library calls it, of an allocator"},
               {"difference_type", "the standard library reads it, of an iterator"},
               {"inode", "set by its place in braces, and read by the == of all members"},
               {"iterator_category", "the standard library reads it, of an iterator"},
               {"switching", "a number of the file format that has a name by its place"}},
              found);
}

TEST(TidyNames, ATypeNameStandsInOneModule) {
  std::map<std::string, std::string> found;
  for (const auto& [name, modules] : shared_type_names(sources())) {
    std::string& sentence = found[name] = name + " is a type of";
    for (const std::string& module : modules) sentence += " " + module;
    sentence += "; a name means one thing, so choose another for the new type";
  }
  expect_only(
      {{"Message", "each protocol has this member, and clients send messages, too"},
       {"Timer", "each protocol has this member, and core::Typed has that of its protocol"}},
      found);
}

TEST(TidyNames, ProtocolsKeepNothingInTheirThread) {
  for (const Source& source : sources()) {
    const std::string module = module_of(source.path);
    if (module != "algorithms" && module != "layers") continue;
    for (const auto& token : source.tokens.code)
      EXPECT_FALSE(token.is("thread_local"))
          << place(source, token.line) << "what a protocol remembers is its state, or its Cache";
  }
}

TEST(TidyNamesItself, CountsUses) {
  const std::vector<Source> files = sources_of(
      {{"src/bellwether/a/a.hpp",
        "class A { int f(); void g() override; int x_; };\nvoid used(); void dead();\n"
        "#define M by_macro()\nvoid by_macro(); void by_cmake(); // dead\n"},
       {"src/bellwether/a/a.cpp", "int A::f() { return x_; }\nvoid dead() { \"dead\"; used(); }\n"},
       {"CMakeLists.txt", "call(by_cmake)\n"}});
  std::string names;
  for (const DeadName& dead : dead_declarations(files)) names += dead.place + dead.name + "; ";
  EXPECT_EQ(names,
            "src/bellwether/a/a.hpp:1: A; src/bellwether/a/a.hpp:1: f; "
            "src/bellwether/a/a.hpp:2: dead; ");
}

TEST(TidyNamesItself, FindsTypesWithOneName) {
  const std::vector<Source> files = sources_of(
      {{"src/bellwether/a/a.hpp", "struct Both { enum class Way { up }; };\nclass Later;\n"},
       {"src/bellwether/b/b.cpp",
        "class Both {};\nstruct Later {};\nusing Id = a::Id;\nusing List = c::List<int>;\n"},
       {"src/bellwether/b/b_test.cpp", "struct Way {};\n"},
       {"src/bellwether/c/c.hpp", "using Both = int;\nstruct Id {};\nclass List {};\n"},
       {"src/bellwether/algorithms/a.hpp", "struct Ack {};\n"},
       {"src/bellwether/layers/b.hpp", "struct Ack {};\n"}});
  const std::map<std::string, std::set<std::string>> expected{{"Both", {"a", "b", "c"}}};
  EXPECT_EQ(shared_type_names(files), expected);
}

}  // namespace
}  // namespace bellwether::tidy
