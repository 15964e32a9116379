// SPDX-License-Identifier: MIT
// The messages of every protocol on the wire: whatever is sent can be read, and whatever is read
// has exactly one encoding.
#include <gtest/gtest.h>

#include <set>

#include "bellwether/json/json.hpp"
#include "conformance/subject.hpp"

namespace bellwether::conformance {
namespace {

class Messages : public testing::TestWithParam<Subject> {
 protected:
  void expect_nothing_or_the_same(const core::Bytes& bytes) {
    const auto message = nodes_->decode(bytes);
    if (!message) return;
    EXPECT_EQ(bytes_of(*message), bytes) << text_of(*message);
  }
  AnyMessage any_message() { return GetParam().any_message(prng_); }

  const std::unique_ptr<core::Nodes> nodes_ = GetParam().with_defaults();
  core::Prng prng_ = core::stream(1, GetParam().stream());
};
INSTANTIATE_TEST_SUITE_P(, Messages, testing::ValuesIn(with_layers()), NameOf{});

TEST_P(Messages, survive_the_wire) {
  for (int i = 0; i < 20'000; ++i) {
    const AnyMessage message = any_message();
    ASSERT_EQ(&message.kind(), &nodes_->messages());
    ASSERT_NO_THROW(require_round_trip(*nodes_, message)) << text_of(message);
  }
}

TEST_P(Messages, are_never_made_of_garbage) {
  for (int i = 0; i < 50'000; ++i) {
    core::Bytes bytes(prng_.below(40));
    const bool small = prng_.below(2) == 0;  // small numbers get further
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(prng_.below(small ? 6 : 256));
    expect_nothing_or_the_same(bytes);
  }
}

TEST_P(Messages, are_never_made_of_damage) {
  for (int i = 0; i < 20'000; ++i) {
    const AnyMessage message = any_message();
    const core::Bytes whole = bytes_of(message);

    core::Bytes flipped = whole;
    flipped[prng_.below(flipped.size())] ^= static_cast<std::uint8_t>(1u << prng_.below(8));
    expect_nothing_or_the_same(flipped);

    core::Bytes cut = whole;
    cut.resize(prng_.below(whole.size()));
    EXPECT_FALSE(nodes_->decode(cut)) << text_of(message);

    core::Bytes longer = whole;
    longer.push_back(static_cast<std::uint8_t>(prng_.next()));
    EXPECT_FALSE(nodes_->decode(longer)) << text_of(message);

    core::Bytes spliced = whole;
    const core::Bytes other = bytes_of(any_message());
    spliced.resize(prng_.below(whole.size() + 1));
    spliced.insert(spliced.end(), other.begin(), other.end());
    expect_nothing_or_the_same(spliced);
  }
}

TEST_P(Messages, are_copied_whole) {
  for (int i = 0; i < 1'000; ++i) {
    const AnyMessage message = any_message();
    const AnyMessage copy = AnyMessage::copy_of(message.kind(), message.value());
    ASSERT_TRUE(copy == message) << text_of(message);
    ASSERT_EQ(bytes_of(copy), bytes_of(message));
    const AnyMessage other = any_message();
    ASSERT_EQ(other == message, bytes_of(other) == bytes_of(message)) << text_of(other);
  }
}

TEST_P(Messages, can_be_printed) {
  std::set<std::string> names;
  for (const Alternative& each : GetParam().alternatives) names.emplace(each.name);
  for (int i = 0; i < 1'000; ++i) {
    const AnyMessage message = any_message();
    std::string json;
    message.json_into(json);
    ASSERT_TRUE(json::Json::read(json)) << json;
    const std::string text = text_of(message);
    ASSERT_TRUE(names.contains(text.substr(0, text.find('(')))) << text;
  }
}

TEST_P(Messages, have_tags_and_names_of_their_own) {
  std::set<int> tags;
  std::set<std::string_view> names;
  for (const Alternative& each : GetParam().alternatives) {
    EXPECT_TRUE(tags.insert(each.tag).second) << "two messages share the tag " << each.tag;
    EXPECT_TRUE(names.insert(each.name).second) << "two messages share the name " << each.name;
    EXPECT_FALSE(each.name.empty());
  }
  EXPECT_FALSE(tags.empty());
}

}  // namespace
}  // namespace bellwether::conformance
