// SPDX-License-Identifier: MIT
#include "bellwether/view/gate.hpp"

#include <gtest/gtest.h>

namespace bellwether::view {
namespace {

constexpr std::string_view token = "0123456789abcdef";
const std::string door = "127.0.0.1:8080";

bool admitted(const Visitor& visitor) {
  return !refusal_at_the_door(visitor, token, "127.0.0.1", 8080);
}

TEST(Gate, TheTokenLetsIn) {
  EXPECT_TRUE(admitted({"/?token=0123456789abcdef", door, "", ""}));
  EXPECT_TRUE(admitted({"/ws?a=b&token=0123456789abcdef", door, "http://127.0.0.1:8080", ""}));
  EXPECT_TRUE(admitted({"/app.js", door, "", "x=1; bellwether-view=0123456789abcdef"}));
  EXPECT_TRUE(admitted({"/?token=0123456789abcdef", "localhost:8080", "", ""}));
}

TEST(Gate, NothingElseLetsIn) {
  EXPECT_FALSE(admitted({"/", door, "", ""}));
  EXPECT_FALSE(admitted({"/?token=", door, "", ""}));
  EXPECT_FALSE(admitted({"/?token=0123456789abcde", door, "", ""}));
  EXPECT_FALSE(admitted({"/?token=0123456789abcdef0", door, "", ""}));
  EXPECT_FALSE(admitted({"/?nottoken=0123456789abcdef", door, "", ""}));
  EXPECT_FALSE(admitted({"/", door, "", "other=0123456789abcdef"}));
}

TEST(Gate, AnotherPageIsRefusedEvenWithTheToken) {
  EXPECT_FALSE(admitted({"/ws?token=0123456789abcdef", door, "http://evil.example", ""}));
  EXPECT_FALSE(admitted({"/ws?token=0123456789abcdef", door, "http://127.0.0.1:9", ""}));
  EXPECT_FALSE(admitted({"/?token=0123456789abcdef", "evil.example:8080", "", ""}));
  EXPECT_FALSE(admitted({"/?token=0123456789abcdef", "", "", ""}));
}

TEST(Gate, FilesHaveNamesAndTypes) {
  EXPECT_EQ(file_of("/"), "index.html");
  EXPECT_EQ(file_of("/?token=1"), "index.html");
  EXPECT_EQ(file_of("/app.js?v=2"), "app.js");
  EXPECT_EQ(media_type("app.css"), "text/css; charset=utf-8");
}

}  // namespace
}  // namespace bellwether::view
