// SPDX-License-Identifier: MIT
// Every asynchronous protocol is a regular value whose steps depend on nothing but what the driver
// shows, and do nothing but what leaves as effects; garbage does not stop it.
#include "conformance/protocols.hpp"
#include "conformance/world.hpp"

namespace bellwether::conformance {
namespace {

template <class P>
class Steps : public testing::Test {};
TYPED_TEST_SUITE(Steps, AndLayers<AsynchronousProtocols>::Types, Names);

TYPED_TEST(Steps, keep_the_contract_in_any_life) {
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    World<TypeParam> world(seed);
    try {
      world.run(200);
    } catch (const std::exception& wrong) {  // a Violation, too: garbage is no reason to stop
      FAIL() << "seed " << seed << ": " << wrong.what() << "\nthe last steps:\n" << world.tail();
    }
  }
}

TYPED_TEST(Steps, follow_from_the_seed) {
  World<TypeParam> one(7);
  one.run(50);
  World<TypeParam> two(7);
  two.run(50);
  EXPECT_EQ(one.tail(), two.tail()) << "the same seed gives the same life";
}

TYPED_TEST(Steps, begin_with_a_constructor_that_does_nothing) {
  const TypeParam a(NodeId{3}, {});
  const TypeParam b(NodeId{3}, {});
  const TypeParam other(NodeId{4}, {});
  EXPECT_EQ(a, b);
  EXPECT_NE(a, other);
  EXPECT_EQ(TypeParam(), TypeParam());
}

}  // namespace
}  // namespace bellwether::conformance
