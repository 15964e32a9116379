// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/remoteness.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/moving/hierarchy.hpp"
#include "bellwether/core/options.hpp"

namespace bellwether::algorithms {
namespace {

TEST(Remoteness, IsReadAndShown) {
  Remoteness r;
  EXPECT_EQ(r.text(), "3");
  EXPECT_TRUE(Remoteness::read("5", r));
  EXPECT_EQ(r.text(), "5");
  EXPECT_EQ(r.of(1), 5u);
  EXPECT_EQ(r.of(9), 5u);
  EXPECT_TRUE(Remoteness::read("[4, 2 ,1]", r));
  EXPECT_EQ(r.text(), "[4, 2, 1]");
  EXPECT_EQ(r.of(2), 2u);
  EXPECT_EQ(r.of(4), 1u);
  EXPECT_TRUE(Remoteness::read("4,2", r));
  EXPECT_EQ(r.text(), "[4, 2]");
  for (const char* bad :
       {"", "0", "[3, 0]", "-1", "x", "3,", "[3", "3]", "[]", "65536", "1.5", "1,1,1,1,1,1,1,1,1"})
    EXPECT_FALSE(Remoteness::read(bad, r)) << bad;
  EXPECT_EQ(r.text(), "[4, 2]") << "untouched";
}

TEST(Remoteness, BoundsTheHops) {
  Remoteness r;
  EXPECT_TRUE(Remoteness::read("2", r));
  EXPECT_EQ(r.hops(1), 2u);
  EXPECT_EQ(r.hops(2), 8u);
  EXPECT_EQ(r.hops(3), 26u);
  EXPECT_EQ(r.hops(100), ~std::uint64_t{0});
}

TEST(Remoteness, OfZeroIsRefusedWithTheReason) {
  Hierarchy::Options options;
  EXPECT_EQ(core::set_option(options, "remoteness", "0"), core::OptionOutcome::wrong_kind);
  EXPECT_NE(Remoteness::kind().find("with 0 every node would lead itself"), std::string::npos);
}

}  // namespace
}  // namespace bellwether::algorithms
