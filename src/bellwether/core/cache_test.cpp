// SPDX-License-Identifier: MIT
// What a driver keeps for its nodes from step to step (`Cache` in capabilities.hpp).
#include <gtest/gtest.h>

#include "bellwether/core/typed.hpp"

namespace bellwether::core {
namespace {

/// Sends how many steps all nodes of its driver have made.
class Counting {
 public:
  static constexpr std::string_view name = "counting";
  struct Options {
    static constexpr std::tuple<> fields{};
    friend bool operator==(const Options&, const Options&) = default;
  };
  struct Count {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "count";
    std::uint32_t steps = 0;
    static constexpr auto fields = std::tuple{field("steps", &Count::steps)};
    friend bool operator==(const Count&, const Count&) = default;
  };
  using Message = std::variant<Count>;
  using Timer = NoTimer;
  struct Cache {
    std::uint32_t steps = 0;
  };
  using Step = core::Step<Message, Timer, Cache>;

  Counting() = default;
  Counting(NodeId id, Options) : id_(id) {}
  void start(Step& step) { step.broadcast(Count{++step.cache().steps}); }
  void link_up(Step&, Port) {}
  void link_down(Step&, Port) {}
  void receive(Step&, Port, const Message&) {}
  void timeout(Step&, Timer) {}
  std::optional<NodeId> leader() const { return id_; }
  friend bool operator==(const Counting&, const Counting&) = default;

 private:
  NodeId id_{};
};
static_assert(Protocol<Counting>);
static_assert(std::is_same_v<CacheOf<Counting>, Counting::Cache>);

std::uint32_t steps_after_one_of(Nodes& nodes, NodeIndex u) {
  Effects effects;
  nodes.call(u, Call::start(), {}, effects);
  const auto& message = *static_cast<const Counting::Message*>(effects.sends.at(0).message);
  return std::get<Counting::Count>(message).steps;
}

TEST(Cache, BelongsToOneDriverAndAllItsNodes) {
  Typed<Counting> some({}), others({});
  const NodeIndex a = some.add(NodeId{1}), b = some.add(NodeId{2}), c = others.add(NodeId{1});
  EXPECT_EQ(steps_after_one_of(some, a), 1u);
  EXPECT_EQ(steps_after_one_of(some, b), 2u);
  EXPECT_EQ(steps_after_one_of(others, c), 1u);
}

TEST(Cache, IsNoPartOfANode) {
  Typed<Counting> nodes({});
  const NodeIndex a = nodes.add(NodeId{1});
  const NodeIndex before = nodes.copy(a);
  EXPECT_EQ(steps_after_one_of(nodes, a), 1u);
  EXPECT_TRUE(nodes.same(a, before));
  nodes.reset(a, NodeId{1});
  EXPECT_EQ(steps_after_one_of(nodes, a), 2u);
}

TEST(Cache, CostsNothingWhereThereIsNone) {
  using Message = Counting::Message;
  EXPECT_LT(sizeof(Step<Message, NoTimer>), sizeof(Step<Message, NoTimer, std::uint64_t>));
}

}  // namespace
}  // namespace bellwether::core
