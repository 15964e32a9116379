// SPDX-License-Identifier: MIT
#include "bellwether/core/capabilities.hpp"

#include <gtest/gtest.h>

namespace bellwether::core {
namespace {

enum class Bell : std::uint8_t { beat, silence };

/// As the contract says.
struct InATree {
  std::optional<TreePlace> tree_place() const { return TreePlace{}; }
  const MemberList& member_list() const { return list; }
  MemberList list;
};
/// Nearly.
struct NearATree {
  TreePlace tree_place() const { return {}; }
  MemberList member_list() const { return {}; }
};

template <class Heeds>
struct Election : Heeds {
  struct Options {
    static constexpr std::tuple<> fields{};
  };
  using Message = std::variant<std::monostate>;
  using Timer = Bell;
  using Step = core::Step<Message, Timer>;
  static constexpr std::string_view name = "election";
  Election() = default;
  Election(NodeId, Options) {}
  void start(Step&) {}
  void link_up(Step&, Port) {}
  void link_down(Step&, Port) {}
  void receive(Step&, Port, const Message&) {}
  void timeout(Step&, Timer) {}
  std::optional<NodeId> leader() const { return std::nullopt; }
  friend bool operator==(const Election&, const Election&) { return true; }
};
struct Heedful {
  template <class Options>
  static std::optional<OptionConflict> conflict(const Options&) {
    return std::nullopt;
  }
  static bool is_silence(Bell bell) { return bell == Bell::silence; }
  template <class Step>
  void farewell(Step&, Port) {}
};
struct Heedless {
  template <class Options>
  static std::string conflict(const Options&) {
    return {};
  }
  static int is_silence(Bell) { return 0; }
  void farewell(Port) {}
};

TEST(Capabilities, APlaceAndAListAreShownExactlySoOrNotAtAll) {
  EXPECT_TRUE(BuildsTree<InATree>);
  EXPECT_TRUE(ListsMembers<InATree>);
  EXPECT_FALSE(BuildsTree<NearATree>);
  EXPECT_FALSE(ListsMembers<NearATree>);
}

TEST(Capabilities, WhatIsHeededIsToldFromNearMisses) {
  ASSERT_TRUE(Protocol<Election<Heedful>>);
  ASSERT_TRUE(Protocol<Election<Heedless>>);
  EXPECT_TRUE(KnowsSilence<Election<Heedful>>);
  EXPECT_TRUE(HeedsFarewells<Election<Heedful>>);
  EXPECT_FALSE(KnowsSilence<Election<Heedless>>);
  EXPECT_FALSE(HeedsFarewells<Election<Heedless>>);
  EXPECT_TRUE(FindsConflicts<Election<Heedful>>);
  EXPECT_FALSE(FindsConflicts<Election<Heedless>>);
}

}  // namespace
}  // namespace bellwether::core
