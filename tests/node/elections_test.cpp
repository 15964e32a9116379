// SPDX-License-Identifier: MIT
// Daemons elect: every shape of network, every algorithm whose model fits.
#include <algorithm>
#include <set>

#include "node/bed_fixture.hpp"
#include "node/flock.hpp"

namespace bellwether::bed {
namespace {

class Elections : public BedTest {};

/// The middle of the line is a fact, not a matter of ids.
TEST_F(Elections, TheMiddleOfALineLeads) {
  Network network;
  network.line(5);
  Flock flock(network, by_map());
  flock.start_all();
  ASSERT_TRUE(flock.settle_on(2)) << flock.logs();
  EXPECT_TRUE(eventually([&] { return flock.hops(0, 4) == 4; })) << flock.logs();
  for (const auto& member : flock.client(0).members().members)
    EXPECT_EQ(member.via, member.id == 1 ? std::nullopt : std::optional<std::uint64_t>(2));
}

TEST_F(Elections, TheMiddleOfAStarLeads) {
  Network network;
  network.star(6);
  Flock flock(network, by_map());
  flock.start_all();
  ASSERT_TRUE(flock.settle_on(0)) << flock.logs();
}

TEST_F(Elections, OnALanTheHighestIdLeads) {
  Network network;
  network.lan(6);
  Flock flock(network, by_map());
  flock.start_all();
  ASSERT_TRUE(flock.settle_on(5)) << flock.logs();
}

TEST_F(Elections, ARingAgrees) {
  Network network;
  network.ring(6);
  Flock flock(network);
  flock.start_all();
  ASSERT_TRUE(flock.settle()) << flock.logs();
}

/// Several hops by the default election: ways to the leader, a message along its tree, and a silent
/// loss of the leader that splits the group.
TEST_F(Elections, ALineOfSixByDrumbeat) {
  Network network;
  network.line(6);
  Flock flock(network);
  for (const std::size_t i : flock.all())  // by its priority, a test knows who leads
    flock.start(i, {"--priority", i == 2 ? "200" : "100"});
  ASSERT_TRUE(flock.settle_on(2)) << flock.logs();
  EXPECT_TRUE(eventually([&] {
    const std::vector<std::uint64_t> hops{2, 1, 0, 1, 2, 3};
    return std::all_of(hops.begin(), hops.end(), [&, i = 0u](std::uint64_t each) mutable {
      return flock.client(i++).leader().hops == each;
    });
  })) << flock.logs();

  const std::string id = flock.client(5).to_leader("three hops");
  const auto inbox = flock.client(2).inbox(0, 10s).messages;
  ASSERT_EQ(inbox.size(), 1u) << flock.logs();
  EXPECT_EQ(inbox[0].id, id);
  EXPECT_EQ(inbox[0].from, 6u);

  network.pull(network[2]);
  EXPECT_TRUE(eventually([&] {
    return flock.common_leader({0, 1}) && flock.common_leader({2}) &&
           flock.common_leader({3, 4, 5});
  })) << flock.logs();
  network.plug(network[2]);
  EXPECT_TRUE(eventually([&] { return flock.common_leader(flock.all()) == 3u; })) << flock.logs();
}

TEST_F(Elections, TwentyInARandomNetworkAgree) {
  Network network;
  network.random(20, 7);
  Flock flock(network);
  flock.start_all();
  ASSERT_TRUE(flock.settle()) << flock.logs();
}

TEST_F(Elections, PlainFramesOverIpv4MulticastAndBroadcast) {
  for (const char* cast : {"ipv4", "broadcast"}) {
    Network network;
    network.lan(3);
    Flock flock(network, {.sealed = false, .arguments = {"--cast", cast}});
    flock.start_all();
    ASSERT_TRUE(flock.settle()) << cast << "\n" << flock.logs();
  }
}

TEST_F(Elections, PeersWhereThereIsNoMulticast) {
  Network network;
  network.lan(3);
  TestFolder folder;
  const std::string key = folder.write("group.key", std::string(64, 'a') + "\n");
  std::vector<Process> daemons;
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<std::string> words{
        node_program(), "node", "--id",     std::to_string(i + 1),
        "--key",        key,    "--socket", folder.path(std::to_string(i))};
    for (std::size_t j = 0; j < 3; ++j)
      if (j != i) words.insert(words.end(), {"--peer", network[j].address() + ":7745"});
    daemons.push_back(network[i].spawn(words));
  }
  EXPECT_TRUE(eventually([&] {
    std::set<std::uint64_t> leaders;
    try {
      for (std::size_t i = 0; i < 3; ++i)
        leaders.insert(Client(folder.path(std::to_string(i))).leader().leader.value_or(0));
      return leaders.size() == 1 && *leaders.begin() > 0;
    } catch (const client::ClientError&) {
      return false;
    }
  })) << daemons[0].log();
}

/// `cel` and `topology-aware` run as published, with the faults that they were published with:
/// there is no promise that they agree.
TEST_F(Elections, ThePublishedOnesRun) {
  for (const char* algorithm : {"cel", "topology-aware"}) {
    Network network;
    network.line(3);
    Flock flock(network, {.algorithm = algorithm});
    flock.start_all();
    EXPECT_TRUE(eventually([&] {
      for (const std::size_t i : flock.all()) {
        const auto said = flock.leadership(i);
        if (!said || !said->leader) return false;
      }
      return true;
    })) << flock.logs();
  }
}

class EachAlgorithm : public BedTest, public testing::WithParamInterface<const char*> {};

/// The daemon lists its members, whatever elects: by a map, or by a list.
TEST_P(EachAlgorithm, ElectsOnALineOfThreeAndAfterALoss) {
  Network network;
  network.line(3);
  Flock flock(network, {.algorithm = GetParam()});
  flock.start_all();
  ASSERT_TRUE(flock.settle()) << flock.logs();
  const std::uint64_t before = flock.client(0).leader().epoch;
  flock.kill(2);
  ASSERT_TRUE(flock.settle({{0, 1}})) << flock.logs();
  EXPECT_GE(flock.client(0).leader().epoch, before);
  const bool ranked = std::string(GetParam()).find("hierarchy") != std::string::npos;
  EXPECT_TRUE(eventually([&] { return flock.client(0).leader().chain.empty() == !ranked; }));
}

INSTANTIATE_TEST_SUITE_P(Node, EachAlgorithm,
                         testing::Values("drumbeat", "cel-2", "topology-aware-2",
                                         "central-hierarchy", "flooding", "vasudevan",
                                         "gomez-calzado", "height", "hierarchy"),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace bellwether::bed
