// SPDX-License-Identifier: MIT
// Strangers on the wire: garbage, frames of the past, other groups, other keys; and a key that
// changes while the group goes on.
#include <algorithm>
#include <csignal>
#include <functional>

#include "node/bed_fixture.hpp"
#include "node/flock.hpp"

namespace bellwether::bed {
namespace {

constexpr const char* group_address = "ff02::4265:6c6c";
constexpr int port = 7745;

class Hostile : public BedTest {
 protected:
  /// Three daemons on a LAN, and a fourth host for the stranger.
  void begin(const FlockOptions& options = {}) {
    network.lan(4);
    flock = std::make_unique<Flock>(network, options);
    for (const std::size_t i : trio) flock->start(i);
    ASSERT_TRUE(flock->settle({trio})) << flock->logs();
    ASSERT_TRUE(flock->are_all_linked(trio)) << flock->logs();
    ASSERT_TRUE(flock->settle({trio})) << flock->logs();
  }
  std::uint64_t changes() {
    std::uint64_t sum = 0;
    for (const std::size_t i : trio) sum += flock->metric(i, "leader_changes_total");
    return sum;
  }
  std::uint64_t refused(const std::string& reason) {
    std::uint64_t sum = 0;
    for (const std::size_t i : trio)
      if (flock->runs(i))
        sum += flock->metric(i, "frames_refused_total{reason=\"" + reason + "\"}");
    return sum;
  }
  /// Repeats a flood until more than `wanted` frames were refused: how much of a flood a busy
  /// machine drops before a node receives it is not known.
  bool refused_of_a_flood(const std::string& reason, std::uint64_t wanted,
                          const std::function<void()>& pour) {
    return eventually(
        patience,
        [&] {
          pour();
          return refused(reason) > wanted;
        },
        0us);
  }
  const Places trio{0, 1, 2};
  Network network;
  std::unique_ptr<Flock> flock;
};

TEST_F(Hostile, AFloodOfGarbageIsCountedAndDropped) {
  begin();
  std::uint64_t seed = 0;
  EXPECT_TRUE(refused_of_a_flood("garbage", 1000, [&] {
    network[3].inject_garbage(++seed, 1400, group_address, port,
                              {.count = 20000, .per_second = 20000});
  }));
  ASSERT_TRUE(flock->settle({trio})) << flock->logs();
  const long most = is_other_build() ? 512 * 1024 : 64 * 1024;  // sanitizers keep what is freed
  for (const std::size_t i : trio) EXPECT_LT(flock->daemon(i).rss_kib(), most);
}

TEST_F(Hostile, FramesOfThePastAreRefusedAlsoByANodeThatHasJustBegun) {
  begin();
  std::vector<Captured> past;
  {
    const Capture capture = network[3].capture(port);
    ASSERT_TRUE(eventually([&] { return capture.received().size() > 30; }));
    past = capture.received();
  }
  // The group goes on: each of these has been heard before.
  const auto replay = [&] { network[3].replay(past, {.count = 5000, .per_second = 5000}); };
  EXPECT_TRUE(refused_of_a_flood("repeated", 1000, replay));
  ASSERT_TRUE(flock->settle({trio})) << flock->logs();
  // All but one are gone, and a node that knows nothing of the past hears them from the tape.
  for (const std::size_t i : trio) flock->kill(i);
  flock->start(0);
  ASSERT_TRUE(flock->settle({{0}})) << flock->logs();
  EXPECT_TRUE(refused_of_a_flood("unproven", 1000, replay));
  EXPECT_EQ(flock->client(0).members().members.size(), 1u);
  EXPECT_EQ(flock->metric(0, "neighbours"), 0u);
  // Its own old frames are among them: no other node uses its id.
  EXPECT_EQ(flock->metric(0, "own_id_elsewhere_total"), 0u);
  EXPECT_TRUE(flock->client(0).status().warnings.empty()) << flock->client(0).status().warnings[0];
}

TEST_F(Hostile, OtherKeysOtherGroupsAndPlainFramesAreNotHeard) {
  begin();
  const std::string other = flock->folder().write("other.key", std::string(64, 'b') + "\n");
  flock->start(3, {"--key", other});
  EXPECT_TRUE(eventually([&] { return refused("wrong-key") > 3; })) << flock->logs();
  ASSERT_TRUE(eventually([&] { return !flock->client(0).status().warnings.empty(); }));
  const auto warnings = flock->client(0).status().warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0], "frames with another key arrive from " + network[3].link_local() + " on " +
                             network[0].interfaces()[0] +
                             "; give all nodes of the group the same key file");
  flock->kill(3);
  flock->start(3, {"--group", "others"});
  EXPECT_TRUE(eventually([&] { return refused("other-group") > 3; }));
  ASSERT_TRUE(flock->settle({trio, {3}})) << flock->logs();
  EXPECT_EQ(flock->client(0).members().members.size(), 3u);
}

/// A stranger with another key beats with a priority above all.
TEST_F(Hostile, BeatsWithoutTheKeyElectNobody) {
  begin(unhurried());
  const auto before = changes();
  const auto leader = flock->client(0).leader().leader;
  const std::string other = flock->folder().write("other.key", std::string(64, 'b') + "\n");
  flock->start(3, {"--key", other, "--priority", "1000"});
  EXPECT_TRUE(eventually([&] { return refused("wrong-key") > 100; })) << flock->logs();
  EXPECT_EQ(changes(), before) << flock->logs();
  EXPECT_EQ(flock->client(0).leader().leader, leader);
  EXPECT_EQ(flock->client(0).members().members.size(), 3u);
}

TEST_F(Hostile, AKeyIsChangedWithoutLosingTheGroup) {
  begin(unhurried());
  const auto before = changes();
  const std::string old_key = std::string(62, '0') + "07\n", new_key = std::string(64, 'c') + "\n";
  for (const std::string& file : {old_key + new_key, new_key + old_key, new_key}) {
    for (const std::size_t i : trio) {
      flock->folder().write("group.key", file);
      flock->daemon(i).kill(SIGHUP);
      ASSERT_TRUE(eventually([&] {
        return flock->client(i).status().keys.size() ==
               static_cast<std::size_t>(std::count(file.begin(), file.end(), '\n'));
      })) << flock->log(i);
      // Each must understand what is said with these keys now; and no node goes on before the
      // last frame with the previous keys has been read.
      ASSERT_TRUE(flock->hear_each_other(trio)) << flock->logs();
    }
  }
  EXPECT_EQ(flock->client(0).status().keys.size(), 1u);
  EXPECT_EQ(changes(), before) << flock->logs();
  EXPECT_EQ(refused("wrong-key"), 0u);
}

TEST_F(Hostile, APlainGroupIsBoundedToo) {
  begin({.sealed = false, .arguments = {"--most-neighbours", "5", "--most-members", "10"}});
  network[3].inject_garbage(2, 300, group_address, port, {.count = 5000, .per_second = 5000});
  ASSERT_TRUE(flock->settle({trio})) << flock->logs();
}

}  // namespace
}  // namespace bellwether::bed
