// SPDX-License-Identifier: MIT
// The messages of every protocol on the wire: whatever is sent can be read, and whatever is read
// has exactly one encoding.
#include <set>

#include "conformance/occasion.hpp"
#include "conformance/protocols.hpp"

namespace bellwether::conformance {
namespace {

template <class P>
class Messages : public testing::Test {
 protected:
  using Message = typename P::Message;

  static void expect_nothing_or_the_same(const core::Bytes& bytes) {
    const auto message = core::decode<Message>(bytes);
    if (!message) return;
    EXPECT_EQ(core::encode(*message), bytes) << core::text_of(*message);
  }
  core::Prng prng_ = core::stream(1, P::name);
};
TYPED_TEST_SUITE(Messages, AndLayers<EveryProtocol>::Types, Names);

TYPED_TEST(Messages, survive_the_wire) {
  for (int i = 0; i < 20'000; ++i) {
    const auto message = core::arbitrary<typename TypeParam::Message>(this->prng_);
    ASSERT_NO_THROW(require_round_trip(message)) << core::text_of(message);
  }
}

TYPED_TEST(Messages, are_never_made_of_garbage) {
  for (int i = 0; i < 50'000; ++i) {
    core::Bytes bytes(this->prng_.below(40));
    const bool small = this->prng_.below(2) == 0;  // small numbers get further
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(this->prng_.below(small ? 6 : 256));
    this->expect_nothing_or_the_same(bytes);
  }
}

TYPED_TEST(Messages, are_never_made_of_damage) {
  auto& prng = this->prng_;
  for (int i = 0; i < 20'000; ++i) {
    const auto message = core::arbitrary<typename TypeParam::Message>(prng);
    const core::Bytes whole = core::encode(message);

    core::Bytes flipped = whole;
    flipped[prng.below(flipped.size())] ^= static_cast<std::uint8_t>(1u << prng.below(8));
    this->expect_nothing_or_the_same(flipped);

    core::Bytes cut(whole.begin(),
                    whole.begin() + static_cast<std::ptrdiff_t>(prng.below(whole.size())));
    EXPECT_FALSE(core::decode<typename TypeParam::Message>(cut)) << core::text_of(message);

    core::Bytes longer = whole;
    longer.push_back(static_cast<std::uint8_t>(prng.next()));
    EXPECT_FALSE(core::decode<typename TypeParam::Message>(longer)) << core::text_of(message);

    core::Bytes spliced = whole;
    const core::Bytes other = core::encode(core::arbitrary<typename TypeParam::Message>(prng));
    spliced.resize(prng.below(whole.size() + 1));
    spliced.insert(spliced.end(), other.begin(), other.end());
    this->expect_nothing_or_the_same(spliced);
  }
}

template <class... M>
void expect_distinct(std::variant<M...>*) {
  EXPECT_EQ((std::set<int>{M::tag...}.size()), sizeof...(M)) << "two messages share a tag";
  EXPECT_EQ((std::set<std::string_view>{M::name...}.size()), sizeof...(M)) << "or a name";
  EXPECT_TRUE(((!std::string_view(M::name).empty()) && ...));
  static_assert((core::MessageStruct<M> && ...));
}

TYPED_TEST(Messages, have_tags_and_names_of_their_own) {
  expect_distinct(static_cast<typename TypeParam::Message*>(nullptr));
}

}  // namespace
}  // namespace bellwether::conformance
