// SPDX-License-Identifier: MIT
// Every asynchronous protocol is a regular value whose steps depend on nothing but what the driver
// shows, and do nothing but what leaves as effects; garbage does not stop it.

#include "bellwether/json/json.hpp"
#include "conformance/typed.hpp"
#include "conformance/world.hpp"

namespace bellwether::conformance {
namespace {

class Steps : public testing::TestWithParam<Subject> {};
INSTANTIATE_TEST_SUITE_P(, Steps, testing::ValuesIn(in_rounds(with_layers(), false)), NameOf{});

TEST_P(Steps, keep_the_contract_in_any_life) {
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    World world(GetParam(), seed);
    try {
      world.run(200);
    } catch (const std::exception& wrong) {  // a Violation, too: garbage is no reason to stop
      FAIL() << "seed " << seed << ": " << wrong.what() << "\nthe last steps:\n" << world.tail();
    }
  }
}

TEST_P(Steps, follow_from_the_seed) {
  World one(GetParam(), 7);
  one.run(50);
  World two(GetParam(), 7);
  two.run(50);
  EXPECT_EQ(one.tail(), two.tail()) << "the same seed gives the same life";
}

class Nodes : public testing::TestWithParam<Subject> {};
INSTANTIATE_TEST_SUITE_P(, Nodes, testing::ValuesIn(with_layers()), NameOf{});

TEST_P(Nodes, begin_with_a_constructor_that_does_nothing) {
  const auto nodes = GetParam().with_defaults();
  const AnyNode a(*nodes, NodeId{3});
  const AnyNode b(*nodes, NodeId{3});
  const AnyNode other(*nodes, NodeId{4});
  EXPECT_TRUE(a == b);
  EXPECT_FALSE(a == other);
  if (GetParam().algorithm) {
    EXPECT_TRUE(typed_row(GetParam().algorithm->name).regular);
  }
}

TEST_P(Nodes, take_the_state_of_another) {
  const auto nodes = GetParam().with_defaults();
  const AnyNode a(*nodes, NodeId{3});
  const AnyNode b(*nodes, NodeId{4});
  nodes->assign(b.index(), a.index());
  EXPECT_TRUE(a == b);
  nodes->reset(b.index(), NodeId{4});
  EXPECT_FALSE(a == b);
}

TEST_P(Nodes, can_be_printed_and_counted) {
  const auto nodes = GetParam().with_defaults();
  const AnyNode node(*nodes, NodeId{3});
  const std::string json = nodes->text(node.index(), core::Form::json);
  if (!nodes->can().described) return;
  EXPECT_FALSE(nodes->text(node.index()).empty());
  EXPECT_TRUE(json::Json::read(json)) << json;
  core::CountSink count;
  node.walk_into(count);
  EXPECT_EQ(count.bytes, bytes_of(node).size());
}

}  // namespace
}  // namespace bellwether::conformance
