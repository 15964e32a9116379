// SPDX-License-Identifier: MIT
#include "bellwether/core/utf8.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace bellwether::core {
namespace {

std::string encoded(std::uint32_t code) {
  const auto byte = [](std::uint32_t bits) { return static_cast<char>(bits); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xC0 | code >> 6), byte(0x80 | (code & 0x3F))};
  if (code < 0x1'0000)
    return {byte(0xE0 | code >> 12), byte(0x80 | (code >> 6 & 0x3F)), byte(0x80 | (code & 0x3F))};
  return {byte(0xF0 | code >> 18), byte(0x80 | (code >> 12 & 0x3F)),
          byte(0x80 | (code >> 6 & 0x3F)), byte(0x80 | (code & 0x3F))};
}

TEST(Utf8, EveryCharacterButSurrogates) {
  for (std::uint32_t code = 0; code < 0x12'0000; ++code) {
    const std::string text = encoded(code);
    const bool right = code <= 0x10'FFFF && (code < 0xD800 || code > 0xDFFF);
    ASSERT_EQ(utf8_length(text + "x"), right ? text.size() : 0) << code;
    ASSERT_EQ(is_utf8(text), right) << code;
    ASSERT_EQ(utf8_length(text.substr(0, text.size() - 1)), 0u) << "cut short: " << code;
  }
}

TEST(Utf8, NothingOverlong) {
  for (const char* text :
       {"\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF", "\x80", "\xFF"})
    EXPECT_EQ(utf8_length(text), 0u);
}

TEST(Utf8, ReplacesByteByByte) {
  EXPECT_EQ(valid_utf8(""), "");
  EXPECT_EQ(valid_utf8("\xF0\x9F\x91\x91"), "\xF0\x9F\x91\x91");  // a crown
  EXPECT_EQ(valid_utf8("\xC0\x80"), "\uFFFD\uFFFD");              // an overlong zero
  EXPECT_EQ(valid_utf8("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(valid_utf8("a\xC3\xA9\xC3z"), "a\xC3\xA9\xEF\xBF\xBDz");
  EXPECT_EQ(valid_utf8("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

}  // namespace
}  // namespace bellwether::core
