// SPDX-License-Identifier: MIT
#include "bellwether/core/shared.hpp"

#include <gtest/gtest.h>

#include "bellwether/core/arbitrary.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/digest.hpp"
#include "bellwether/core/ids.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::core {
namespace {

using Numbers = std::vector<std::uint16_t>;

struct Plain {
  NodeId id{};
  Numbers numbers;
  static constexpr auto fields =
      std::tuple{field("id", &Plain::id), field("numbers", &Plain::numbers)};
  friend bool operator==(const Plain&, const Plain&) = default;
};

/// The same, shared at two levels.
struct Held {
  NodeId id{};
  Shared<Numbers> numbers;
  static constexpr auto fields =
      std::tuple{field("id", &Held::id), field("numbers", &Held::numbers)};
  friend bool operator==(const Held&, const Held&) = default;
};
using Plains = std::vector<Plain>;
using Helds = Shared<std::vector<Held>>;

static_assert(std::regular<Shared<int>> && std::regular<Helds>);

Plains plain(const Helds& helds) {
  Plains out;
  for (const Held& each : *helds) out.push_back({each.id, *each.numbers});
  return out;
}

TEST(Shared, BeginsAsTheDefaultValue) {
  const Shared<Numbers> none;
  EXPECT_TRUE(none->empty());
  EXPECT_EQ(none, Shared<Numbers>(Numbers{}));
  EXPECT_FALSE(none.same(Shared<Numbers>(Numbers{})));
  EXPECT_EQ(*Shared<int>(), 0);
}

TEST(Shared, CopiesShareUntilOneIsEdited) {
  Shared<Numbers> a(Numbers{1, 2});
  const Shared<Numbers> b = a;
  EXPECT_TRUE(a.same(b));
  EXPECT_EQ(&*a, &*b);
  a.edit().push_back(3);
  EXPECT_EQ(*a, (Numbers{1, 2, 3}));
  EXPECT_EQ(*b, (Numbers{1, 2}));
  EXPECT_FALSE(a.same(b));
  EXPECT_NE(a, b);
}

TEST(Shared, WhoHoldsAloneEditsInPlace) {
  Shared<Numbers> a(Numbers{1, 2});
  const Numbers* where = &*a;
  a.edit()[0] = 5;
  EXPECT_EQ(&*a, where);
  {
    const Shared<Numbers> b = a;
    a.edit()[0] = 6;
    EXPECT_NE(&*a, where);
    EXPECT_EQ((*b)[0], 5);
  }
  where = &*a;
  a.edit()[0] = 7;
  EXPECT_EQ(&*a, where);
}

TEST(Shared, TheDefaultValueOfOneIsNotThatOfAll) {
  Shared<Numbers> a;
  a.edit().push_back(1);
  EXPECT_TRUE(Shared<Numbers>()->empty());
}

TEST(Shared, EqualMeansEqualInside) {
  EXPECT_EQ(Shared<Numbers>(Numbers{4}), Shared<Numbers>(Numbers{4}));
  EXPECT_NE(Shared<Numbers>(Numbers{4}), Shared<Numbers>(Numbers{5}));
}

/// Equal, and shares nothing.
Helds arbitrary_copy(const Helds& held) {
  return *decode<Helds>(encode(held));
}

/// Size and digest are remembered, and forgotten when the value changes.
TEST(Shared, RemembersNoOldSizeAndNoOldDigest) {
  Helds held(std::vector<Held>(3));
  const auto size = encoded_size(held);
  const auto before = digest(held);
  held.edit().push_back({});
  EXPECT_GT(encoded_size(held), size);
  EXPECT_NE(digest(held), before);
  Helds copy = held;
  copy.edit().pop_back();
  EXPECT_EQ(encoded_size(copy), size);
  EXPECT_EQ(digest(copy), before);
  EXPECT_GT(encoded_size(held), size);
}

TEST(Shared, IsOnTheWireAndOnPaperWhatIsInside) {
  Prng prng(1);
  int empty = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto held = arbitrary<Helds>(prng);
    const Plains inside = plain(held);
    empty += inside.empty() ? 1 : 0;
    EXPECT_EQ(encode(held), encode(inside));
    EXPECT_EQ(encoded_size(held), encoded_size(inside));
    EXPECT_EQ(digest(held), digest(arbitrary_copy(held)));  // equal, though not the same object
    EXPECT_EQ(text_of(held), text_of(inside));
    EXPECT_EQ(json_of(held), json_of(inside));
    EXPECT_EQ(decode<Helds>(encode(held)), held);
  }
  EXPECT_GT(empty, 0);
  EXPECT_LT(empty, 1000);
  EXPECT_FALSE(decode<Helds>(Bytes{2, 1, 0}));  // the second one is missing
}

}  // namespace
}  // namespace bellwether::core
