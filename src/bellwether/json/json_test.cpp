// SPDX-License-Identifier: MIT
#include "bellwether/json/json.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "bellwether/core/problem.hpp"

namespace bellwether::json {
namespace {

TEST(Json, IsBuiltAsItIsWritten) {
  Json out{{"name", "a \"b\"\n"}, {"nothing", nullptr}, {"yes", true}, {"list", {1, 2.5, "x"}}};
  out["more"]["inside"] = -3;
  out["names"].push_back({{"id", 7u}});
  out["words"] = std::vector<std::string>{"a", "b"};
  EXPECT_EQ(out.dump(), R"({"name":"a \"b\"\n","nothing":null,"yes":true,"list":[1,2.5,"x"],)"
                        R"("more":{"inside":-3},"names":[{"id":7}],"words":["a","b"]})");
  out.erase("list");
  EXPECT_FALSE(out.contains("list"));
  EXPECT_EQ(out.size(), 6u);
}

TEST(Json, KeepsTheOrderOfKeys) {
  EXPECT_EQ(Json::parse(R"({"b": 1, "a": {"d": 2, "c": 3}})").dump(),
            R"({"b":1,"a":{"d":2,"c":3}})");
  EXPECT_EQ(Json::parse(R"({"a": 1, "b": 2, "a": 3})").dump(), R"({"a":3,"b":2})");
}

TEST(Json, IsPrintedWithSpacesToo) {
  EXPECT_EQ((Json{{"a", Json::array()}, {"b", {1, 2}}}).dump(2),
            "{\n  \"a\": [],\n  \"b\": [\n    1,\n    2\n  ]\n}");
}

TEST(Json, WhatIsReadIsWhatWasWritten) {
  for (const char* text :
       {"null", "true", "-1", "18446744073709551615", "-9223372036854775808", "0.1", "1e+300",
        "\"\"", "[]", "{}", "[[],[{}]]", R"("\u0001\\ä")", R"({"a":[1,{"b":null}]})"})
    EXPECT_EQ(Json::parse(text).dump(), text);
  EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).dump(), "null");
  EXPECT_EQ(Json(std::string("a\xff") + "b").dump(), "\"a\uFFFDb\"");
}

TEST(Json, WhatIsNoJsonIsNotRead) {
  for (const char* text : {"", "{", "[1,]", "nul", "{\"a\"}", "1 2", "\"\xff\""}) {
    EXPECT_FALSE(Json::read(text)) << text;
    EXPECT_THROW(Json::parse(text), core::Problem) << text;
  }
}

/// Or a body of brackets would end the daemon that reads it.
TEST(Json, ADeepTextIsNotRead) {
  EXPECT_TRUE(Json::read(std::string(200, '[') + std::string(200, ']')));
  EXPECT_FALSE(Json::read(std::string(201, '[') + std::string(201, ']')));
  EXPECT_FALSE(Json::read(std::string(1'000'000, '[')));
}

TEST(Json, AValueIsTakenForWhatItIs) {
  const Json json = Json::parse(R"({"n": 300, "less": -1, "x": 1.5, "t": "text", "l": [4, 5]})");
  EXPECT_EQ(json.at("n").get<int>(), 300);
  EXPECT_EQ(json.at("n").get<double>(), 300.0);
  EXPECT_EQ(json.at("less").get<std::int8_t>(), -1);
  EXPECT_EQ(json.at("t").get<std::string>(), "text");
  EXPECT_EQ(json["l"][1], 5);
  EXPECT_EQ(json.value("none", 9), 9);
  EXPECT_EQ(json.value("t", ""), "text");
  EXPECT_TRUE(json.at("n").is_unsigned());
  EXPECT_FALSE(json.at("less").is_unsigned());
  EXPECT_FALSE(json.at("x").is_whole());
  EXPECT_THROW(json.at("n").get<std::uint8_t>(), core::Problem);
  EXPECT_THROW(json.at("less").get<unsigned>(), core::Problem);
  EXPECT_THROW(json.at("x").get<int>(), core::Problem);
  EXPECT_THROW(json.at("t").get<bool>(), core::Problem);
  EXPECT_THROW(json.at("none"), core::Problem);
  EXPECT_THROW(json.at("l").at(2), core::Problem);
  EXPECT_THROW(json.begin(), core::Problem);
  EXPECT_THROW(json.at("l").members(), core::Problem);
}

TEST(Json, OneNumberIsOneNumber) {
  EXPECT_EQ(Json(1), Json(1u));
  EXPECT_EQ(Json(1), Json(1.0));
  EXPECT_NE(Json(1), Json(true));
  EXPECT_NE(Json(-1), Json(std::numeric_limits<std::uint64_t>::max()));
}

}  // namespace
}  // namespace bellwether::json
