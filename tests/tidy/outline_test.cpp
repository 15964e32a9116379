// SPDX-License-Identifier: MIT
// Tidy itself: what it takes for a function, a declaration, or neither.
#include "outline.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tokens.hpp"

namespace bellwether::tidy {
namespace {

std::string words(const std::vector<Token>& tokens) {
  std::string out;
  for (const Token& token : tokens) out += std::string(token.text) + "|";
  return out;
}

std::string functions(std::string_view text) {
  const Tokens tokens = tokens_of(text);
  const Outline outline = outline_of(tokens.code);
  EXPECT_EQ(outline.stopped_at, 0) << text;
  std::string out;
  for (const Function& each : outline.functions)
    out += each.name + " " + std::to_string(each.first) + "-" + std::to_string(each.last) + "; ";
  return out;
}

std::string declarations(std::string_view text) {
  const Tokens tokens = tokens_of(text);
  const Outline outline = outline_of(tokens.code);
  EXPECT_EQ(outline.stopped_at, 0) << text;
  std::string out;
  for (const Declaration& each : outline.declarations)
    out += each.name + (each.kind == Declaration::Kind::function ? "() "
                        : each.kind == Declaration::Kind::type   ? "{} "
                                                                 : " ");
  return out;
}

TEST(TidyTokens, CommentsAndStringsHoldNoCode) {
  EXPECT_EQ(words(tokens_of("a /* { */ b // {\n c").code), "a|b|c|");
  EXPECT_EQ(words(tokens_of(R"(f("{ \" }", '{', '\'', L"x"))").code),
            R"(f|(|"{ \" }"|,|'{'|,|'\''|,|L"x"|)|)");
  EXPECT_EQ(words(tokens_of("x = R\"end({ \" )\" })end\" y").code),
            "x|=|R\"end({ \" )\" })end\"|y|");
}

TEST(TidyTokens, NumbersMayHoldQuotesAndSigns) {
  EXPECT_EQ(words(tokens_of("1'000'000 1e-9 0x1p-3 0xE-1 'a' .5 1.f").code),
            "1'000'000|1e-9|0x1p-3|0xE|-|1|'a'|.5|1.f|");
}

TEST(TidyTokens, LinesOfThePreprocessorStandApart) {
  const Tokens tokens = tokens_of(
      "#include \"a/b.hpp\"  // why\n#include <vector>\n#define TWO(x) \\\n  { x }\n"
      "#if A  // {\nint a;\n#endif\n");
  ASSERT_EQ(tokens.includes.size(), 2u);
  EXPECT_EQ(tokens.includes[0].path, "a/b.hpp");
  EXPECT_TRUE(tokens.includes[0].quoted);
  EXPECT_EQ(tokens.includes[1].path, "vector");
  EXPECT_FALSE(tokens.includes[1].quoted);
  EXPECT_EQ(words(tokens.code), "int|a|;|");
  EXPECT_EQ(words(tokens.directives), "define|TWO|(|x|)|{|x|}|if|A|endif|");
  EXPECT_EQ(tokens.code[0].line, 6);
}

TEST(TidyOutline, FunctionsStandInNamespacesClassesAndTemplates) {
  EXPECT_EQ(functions("namespace a::b {\nint f() {\n return 1;\n}\n}\n"), "f 2-4; ");
  EXPECT_EQ(functions("class A : public B<C, D> {\n public:\n  void f() const noexcept(true) {\n"
                      "  }\n};\n"),
            "f 3-4; ");
  EXPECT_EQ(functions("template <class T, int n = (1 > 2)>\n  requires One<T> && (n < 3)\n"
                      "auto f(T t) -> std::vector<T> requires requires { t.x(); } {\n}\n"),
            "f 3-4; ");
  EXPECT_EQ(functions("template <class T>\nvoid A<T>::f() {}\n"), "A::f 2-2; ");
  EXPECT_EQ(functions("A::operator bool() const { return true; }\n"
                      "bool operator<(A a, A b) { return a.x < b.x; }\n"
                      "struct F { void operator()(int x) { g(x); } };\n"),
            "A::operator 1-1; operator 2-2; operator 3-3; ");
}

TEST(TidyOutline, ConstructorsHaveListsOfBraces) {
  EXPECT_EQ(functions("A::A(int a) : B<C>{a}, c_({1, 2}), d_{} {\n}\nA::~A() {}\n"),
            "A::A 1-2; A::A 3-3; ");
  EXPECT_EQ(functions("int main() try {\n} catch (...) {\n}\n"), "main 1-3; ");
}

TEST(TidyOutline, LambdasAreFunctionsToo) {
  EXPECT_EQ(functions("void f() {\n  const auto g = [&](int x) mutable -> int {\n  };\n"
                      "  call([] {\n  }, a[0], b{[this] { }});\n}\n"),
            "f 1-6; a lambda 2-3; a lambda 4-5; a lambda 5-5; ");
  EXPECT_EQ(functions("const auto f = []<class T>(T t) {\n};\n"), "a lambda 1-2; ");
  EXPECT_EQ(functions("void f() { if (a) [[likely]] { a[1] = b; } auto& [x, y] = z; }"), "f 1-1; ");
}

TEST(TidyOutline, LocalClassesHaveFunctions) {
  EXPECT_EQ(functions("void f() {\n  struct A {\n    void g() {\n    }\n  };\n}\n"),
            "f 1-6; g 3-4; ");
}

TEST(TidyOutline, BracesThatHoldNoFunction) {
  EXPECT_EQ(functions("enum class E : int { a, b = f(1) };\n"
                      "const std::map<int, std::vector<int>> m{{1, {2, 3}}};\n"
                      "constexpr std::array<int, 2> a = {1, 2};\n"
                      "struct S { int x = 0; std::function<void(int)> f; } s{1, {}};\n"
                      "extern \"C\" {\nint g(void);\n}\n"
                      "template <class T> concept C = requires(T t) { t.f(); };\n"
                      "void (*pointer)(int) = nullptr;\n"
                      "class A;\nstruct B b() = delete;\nA_MACRO\n"),
            "");
}

TEST(TidyOutline, TestsHaveTheirNames) {
  EXPECT_EQ(functions("TEST_F(Suite, Name) {\n}\n"), "TEST_F(Suite, Name) 1-2; ");
}

TEST(TidyOutline, DeclarationsHaveAName) {
  EXPECT_EQ(declarations("int f(int a, int b = 2);\nstruct A { int x, y = 3; void g() const; };\n"),
            "f() A{} x y g() ");
  EXPECT_EQ(declarations("enum class E { one, two = 2, };\nusing T = std::vector<int>;\n"
                         "inline constexpr int limits[] = {1, 2};\nclass Later;\n"),
            "E{} one two T{} limits Later{} ");
  EXPECT_EQ(declarations("[[nodiscard]] static std::map<int, int> f(std::string_view s);\n"
                         "std::uint32_t bits : 3 = 0;\nvoid (*call)(int);\n"),
            "f() bits call ");
}

TEST(TidyOutline, WhatDoesNotMatchIsSaid) {
  EXPECT_EQ(outline_of(tokens_of("void f() {\n").code).stopped_at, 1);
  EXPECT_EQ(outline_of(tokens_of("int a;\n}\n").code).stopped_at, 2);
}

}  // namespace
}  // namespace bellwether::tidy
