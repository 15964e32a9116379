// SPDX-License-Identifier: MIT
#include "bellwether/view/sentence.hpp"

#include <gtest/gtest.h>

namespace bellwether::view {
namespace {

using core::Cause;
using core::NodeId;

TEST(Sentence, AMapIsCountedAndNotPrinted) {
  const char* map =
      R"({"knowledge":{"known":[{"id":1,"clock":2,"neigh":[1]},{"id":2}],"greets":[]}})";
  EXPECT_EQ(sentence_of(Cause::receive, NodeId{24}, map, ""),
            "it received a map of 2 nodes from 24");
}

TEST(Sentence, TheBodyOfALayerIsWhatCounts) {
  const char* data = R"({"data":{"from":3,"to":null,"body":{"knowledge":{"known":[{"id":1}]}}}})";
  EXPECT_EQ(sentence_of(Cause::receive, NodeId{3}, data, ""), "it received a map of 1 node from 3");
}

TEST(Sentence, NamesTheNumbersOfAShortMessage) {
  const auto said = [](const char* json) {
    return sentence_of(Cause::receive, NodeId{2}, json, "");
  };
  EXPECT_EQ(said(R"({"token":{"id":8}})"), "it received a token from 2 (id 8)");
  EXPECT_EQ(said(R"({"probe":{"from":2}})"), "it received a probe from 2");
  EXPECT_EQ(said(R"({"update":{"height":{"id":1},"hello":true}})"), "it received an update from 2");
  EXPECT_EQ(said(R"("the node said so")"), "the node said so");
  EXPECT_EQ(said("no JSON"), "it received a message from 2");
}

TEST(Sentence, SaysWhatElseCausesAStep) {
  EXPECT_EQ(sentence_of(Cause::timeout, {}, "", R"("beat")"), "its timer beat expired");
  EXPECT_EQ(sentence_of(Cause::timeout, {}, "", R"({"wait":{"round":2}})"),
            "its timer wait expired");
  EXPECT_EQ(sentence_of(Cause::timeout, {}, "", ""), "a round began");
  EXPECT_EQ(sentence_of(Cause::link_down, NodeId{5}, "", ""), "the link to 5 went down");
}

TEST(Sentence, ATokenCarriesAnId) {
  EXPECT_EQ(carried_by(R"({"token":{"id":8}})"), 8);
  EXPECT_EQ(carried_by(R"({"envelope":{"label":7,"round":1}})"), 7);
  EXPECT_EQ(carried_by(R"({"probe":{"from":7}})"), std::nullopt);
  EXPECT_EQ(carried_by("no JSON"), std::nullopt);
}

}  // namespace
}  // namespace bellwether::view
