// SPDX-License-Identifier: MIT
#include "node/test_bed.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <set>

#include "node/bed_fixture.hpp"

namespace bellwether::bed {
namespace {

using namespace std::chrono_literals;

constexpr int port = 4711;
constexpr const char* group6 = "ff02::be11";
constexpr const char* group4 = "239.190.17.1";

using NetworkTest = BedTest;
using FaultsTest = BedTest;
using TrafficTest = BedTest;

/// A socket that hears multicast, broadcast and what is sent to the host.
UdpSocket ear(const Host& host, Ip version, const std::string& interface = "") {
  UdpSocket socket = host.udp(version, port, interface);
  socket.join(version == Ip::v4 ? group4 : group6);
  return socket;
}

/// Whether a multicast of one gets to another's ear in time. Only what is sent now counts.
bool arrives(UdpSocket& listener, const Host& speaker, const std::string& interface,
             std::chrono::milliseconds patience) {
  static int number = 0;
  const std::string word = "word " + std::to_string(++number);
  while (listener.receive(0ms)) continue;
  UdpSocket mouth = speaker.udp(Ip::v6, 0, interface);
  if (!mouth.send(word, group6, port)) return false;
  while (const auto heard = listener.receive(patience))
    if (heard->payload == word) return true;
  return false;
}

bool hears(UdpSocket& listener, const Host& speaker, const std::string& interface = "") {
  return arrives(listener, speaker, interface, patience);
}

bool misses(UdpSocket& listener, const Host& speaker, const std::string& interface = "") {
  return !arrives(listener, speaker, interface, 60ms);
}

/// How many of `count` datagrams are heard. Then losses end, and a last datagram marks the end.
std::size_t heard_of(Network& network, UdpSocket& listener, const Host& speaker,
                     std::size_t count) {
  static int number = 0;
  const std::string drop = "drop " + std::to_string(++number), last = "last of " + drop;
  speaker.inject(drop, group6, port, {.count = count});
  network.heal();
  speaker.inject(last, group6, port);
  std::size_t heard = 0;
  for (;;) {
    const auto datagram = listener.receive(patience);
    if (!datagram) ADD_FAILURE() << "nothing comes any more";
    if (!datagram || datagram->payload == last) return heard;
    if (datagram->payload == drop) ++heard;
  }
}

TEST_F(NetworkTest, LanCarriesMulticastBroadcastAndUnicastOfBothKinds) {
  Network network;
  network.lan(3);
  const Host& speaker = network[0];
  std::vector<UdpSocket> ears4, ears6;
  for (std::size_t i = 1; i < 3; ++i) {
    ears4.push_back(ear(network[i], Ip::v4));
    ears6.push_back(ear(network[i], Ip::v6));
  }
  UdpSocket mouth4 = speaker.udp(Ip::v4), mouth6 = speaker.udp(Ip::v6);
  ASSERT_TRUE(mouth6.send("six", group6, port));
  ASSERT_TRUE(mouth4.send("four", group4, port));
  ASSERT_TRUE(mouth4.send("all", "255.255.255.255", port));
  for (std::size_t i = 0; i < 2; ++i) {
    const auto six = ears6[i].receive(patience);
    ASSERT_TRUE(six);
    EXPECT_EQ(six->payload, "six");
    EXPECT_EQ(six->source, speaker.link_local());
    const auto four = ears4[i].receive(patience), all = ears4[i].receive(patience);
    ASSERT_TRUE(four && all);
    EXPECT_EQ(four->payload, "four");
    EXPECT_EQ(four->source, speaker.address());
    EXPECT_EQ(all->payload, "all");
  }
  ASSERT_TRUE(mouth4.send("you", network[2].address(), port));
  ASSERT_TRUE(mouth6.send("thou", network[2].link_local(), port));
  EXPECT_EQ(ears4[1].receive(patience).value().payload, "you");
  EXPECT_EQ(ears6[1].receive(patience).value().payload, "thou");
  EXPECT_FALSE(ears4[0].receive(50ms));
  EXPECT_FALSE(ears6[0].receive(0ms));
}

TEST_F(NetworkTest, NothingCrossesAHopOfALine) {
  Network network;
  network.line(3);
  UdpSocket middle = ear(network[1], Ip::v6, "to-h1"), far = ear(network[2], Ip::v6, "to-h2");
  EXPECT_TRUE(hears(middle, network[0], "to-h2"));
  EXPECT_FALSE(far.receive(50ms));
  EXPECT_TRUE(hears(far, network[1], "to-h3"));
  EXPECT_EQ(network[1].interfaces(), (std::vector<std::string>{"to-h1", "to-h3"}));
}

TEST_F(NetworkTest, ShapesHaveTheirLinks) {
  using Links = std::vector<std::pair<std::size_t, std::size_t>>;
  Network line, ring, star;
  line.line(3);
  EXPECT_EQ(line.links(), (Links{{0, 1}, {1, 2}}));
  ring.ring(3);
  EXPECT_EQ(ring.links(), (Links{{0, 1}, {1, 2}, {2, 0}}));
  star.star(4);
  EXPECT_EQ(star.links(), (Links{{0, 1}, {0, 2}, {0, 3}}));
}

TEST_F(NetworkTest, RandomNetworkIsConnectedAndTheSameForTheSameSeed) {
  Network network, twin, other;
  network.random(8, 5);
  twin.random(8, 5);
  other.random(8, 6);
  EXPECT_EQ(network.links(), twin.links());
  EXPECT_NE(network.links(), other.links());
  EXPECT_EQ(network.links().size(), 7u + 4u);
  std::set<std::size_t> reached{0};
  for (std::size_t turn = 0; turn < 8; ++turn)
    for (const auto& [a, b] : network.links())
      if (reached.contains(a) || reached.contains(b)) reached.insert({a, b});
  EXPECT_EQ(reached.size(), 8u);
}

TEST_F(NetworkTest, TwentyHostsAllHearOne) {
  Network network;
  network.lan(20);
  std::vector<UdpSocket> ears;
  for (std::size_t i = 1; i < network.size(); ++i) ears.push_back(ear(network[i], Ip::v6));
  network[0].inject("hello", group6, port);
  for (UdpSocket& each : ears) EXPECT_TRUE(each.receive(patience));
}

TEST_F(NetworkTest, HostsAreNamedAndBadNamesAreRefused) {
  Network network;
  Host& alpha = network.lan_host("alpha");
  EXPECT_EQ(&network.host("alpha"), &alpha);
  EXPECT_THROW(network.host("beta"), std::runtime_error);
  EXPECT_THROW(network.add("alpha"), std::runtime_error);
  EXPECT_THROW(network.add(""), std::runtime_error);
  EXPECT_THROW(network.add("a name"), std::runtime_error);
  EXPECT_THROW(network.add("much-too-long"), std::runtime_error);
  Host& beta = network.add("beta");
  EXPECT_THROW(network.block(alpha, beta), std::runtime_error);
  network.link(alpha, beta);
  EXPECT_THROW(network.link(beta, alpha), std::runtime_error);
  EXPECT_EQ(alpha.interfaces(), (std::vector<std::string>{"lan0", "to-beta"}));
}

TEST_F(NetworkTest, LargeFramesPassWhereTheMtuAllowsThem) {
  Network network;
  network.lan(2);
  UdpSocket listener = ear(network[1], Ip::v6);
  const Payload large(4000, 'x');
  const Capture capture = network[1].capture(port);
  network[0].inject(large, group6, port);
  EXPECT_TRUE(listener.receive(patience));  // in fragments, which a capture leaves out
  EXPECT_EQ(capture.size(), 0u);
  for (std::size_t i = 0; i < 2; ++i) network.set_mtu(network[i], 9000);
  network[0].inject(large, group6, port);
  EXPECT_TRUE(listener.receive(patience));
  EXPECT_TRUE(eventually([&] { return capture.size() == 1; }));
}

TEST_F(FaultsTest, PulledCableIsSilentWithCarrier) {
  Network network;
  network.lan(2);
  UdpSocket listener = ear(network[1], Ip::v6);
  ASSERT_TRUE(hears(listener, network[0]));
  network.pull(network[0]);
  EXPECT_TRUE(misses(listener, network[0]));
  EXPECT_TRUE(network[0].has_carrier());
  EXPECT_FALSE(network[0].link_local().empty());
  network.plug(network[0]);
  EXPECT_TRUE(hears(listener, network[0]));
}

TEST_F(FaultsTest, UnpluggedCableTakesTheCarrier) {
  Network network;
  network.lan(2);
  UdpSocket listener = ear(network[1], Ip::v6);
  network.unplug_with_carrier(network[0]);
  EXPECT_TRUE(eventually([&] { return !network[0].has_carrier(); }));
  EXPECT_TRUE(network[1].has_carrier());
  network.plug(network[0]);
  EXPECT_TRUE(eventually([&] { return network[0].has_carrier(); }));
  EXPECT_TRUE(eventually([&] { return hears(listener, network[0]); }));
}

TEST_F(FaultsTest, PullTakesAllLinksOfAHost) {
  Network network;
  network.star(3);
  UdpSocket second = ear(network[1], Ip::v6), third = ear(network[2], Ip::v6);
  network.pull(network[0]);
  EXPECT_TRUE(misses(second, network[0], "to-h2"));
  EXPECT_TRUE(misses(third, network[0], "to-h3"));
  network.plug(network[0]);
  EXPECT_TRUE(hears(second, network[0], "to-h2"));
  EXPECT_TRUE(hears(third, network[0], "to-h3"));
}

TEST_F(FaultsTest, BlockWorksOneWayBetweenTwo) {
  Network network;
  Host &a = network.lan_host("a"), &b = network.lan_host("b"), &c = network.lan_host("c");
  UdpSocket at_a = ear(a, Ip::v6), at_b = ear(b, Ip::v6), at_c = ear(c, Ip::v6);
  network.block(a, b);
  EXPECT_TRUE(misses(at_b, a));
  EXPECT_TRUE(hears(at_a, b));
  EXPECT_TRUE(hears(at_c, a));
  EXPECT_TRUE(hears(at_b, c));
  network.unblock(a, b);
  EXPECT_TRUE(hears(at_b, a));
}

TEST_F(FaultsTest, CutLinkKeepsItsCarrierAndTheOtherLink) {
  Network network;
  network.line(3);
  UdpSocket at_2 = ear(network[1], Ip::v6, "to-h1"), at_3 = ear(network[2], Ip::v6);
  network.cut(network[0], network[1]);
  EXPECT_TRUE(misses(at_2, network[0]));
  EXPECT_TRUE(hears(at_3, network[1], "to-h3"));
  EXPECT_TRUE(network[0].has_carrier());
  network.join(network[0], network[1]);
  EXPECT_TRUE(hears(at_2, network[0]));
}

TEST_F(FaultsTest, PartitionDividesGroupsUntilItHeals) {
  Network network;
  network.lan(4);
  Host &a = network[0], &b = network[1], &c = network[2], &d = network[3];
  UdpSocket at_b = ear(b, Ip::v6), at_c = ear(c, Ip::v6), at_d = ear(d, Ip::v6);
  network.partition({{a, b}, {c, d}});
  EXPECT_TRUE(hears(at_b, a));
  EXPECT_TRUE(hears(at_d, c));
  EXPECT_TRUE(misses(at_c, a));
  EXPECT_TRUE(misses(at_b, d));
  network.heal();
  EXPECT_TRUE(hears(at_c, a));
  EXPECT_TRUE(hears(at_b, d));
}

TEST_F(FaultsTest, LossIsAboutWhatItShouldBe) {
  Network network;
  network.lan(3);
  UdpSocket second = ear(network[1], Ip::v6), third = ear(network[2], Ip::v6);
  // 1000 draws: six standard deviations to either side.
  network.lose(30);
  const std::size_t heard = heard_of(network, second, network[0], 1000);
  EXPECT_GT(heard, 610u);
  EXPECT_LT(heard, 790u);
  EXPECT_EQ(heard_of(network, second, network[0], 1000), 1000u);
  network.lose(network[0], network[1], 50);
  EXPECT_LT(heard_of(network, second, network[0], 1000), 600u);
  network.lose(network[0], network[1], 50);
  EXPECT_EQ(heard_of(network, third, network[0], 1000), 1000u);
}

TEST_F(TrafficTest, CountersCountFramesAndBytesAtTheSender) {
  Network network;
  network.lan(2);
  UdpSocket listener = ear(network[1], Ip::v6);
  network[0].inject("warm up", group6, port);
  ASSERT_TRUE(listener.receive(patience));
  const Traffic before = network[0].traffic("lan0"), all_before = network.sent();
  const Traffic received_before = network[1].traffic();
  network[0].inject(Payload(38, 'x'), group6, port, {.count = 50});
  ASSERT_EQ(listener.receive_all(patience, 50).size(), 50u);
  const Traffic sent = network[0].traffic("lan0") - before;
  // The kernel itself may report memberships meanwhile.
  EXPECT_GE(sent.frames_sent, 50u);
  EXPECT_LT(sent.frames_sent, 60u);
  EXPECT_GE(sent.bytes_sent, 50u * 100u);  // 14 Ethernet + 40 IPv6 + 8 UDP + 38
  EXPECT_LT(sent.bytes_sent, 50u * 100u + 10u * 100u);
  EXPECT_GE((network[1].traffic() - received_before).frames_received, 50u);
  EXPECT_GE((network.sent() - all_before).frames_sent, sent.frames_sent);
  EXPECT_THROW(network[0].traffic("lan7"), std::runtime_error);
}

TEST_F(TrafficTest, IdleNetworkIsAlmostSilent) {
  Network network;
  network.lan(3);
  std::this_thread::sleep_for(500ms);  // first memberships are reported, twice
  const Traffic before = network.sent();
  const auto begin = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(500ms);
  const std::uint64_t frames = (network.sent() - before).frames_sent;
  // Two of each at once, then one a second: a late look may see more.
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_LE(static_cast<double>(frames), 6 + 3 * (took.count() - 0.5));
}

TEST_F(TrafficTest, CaptureSeesBothWaysAndReplayIsHeardAgain) {
  Network network;
  network.lan(3);
  UdpSocket at_b = ear(network[1], Ip::v6);
  UdpSocket at_b4 = ear(network[1], Ip::v4);
  const Capture sent = network[0].capture(port), got = network[1].capture(port);
  const auto start = std::chrono::steady_clock::now() - 5ms;  // two clocks are compared
  network[0].inject("secret", group6, port);
  network[0].inject("secret", group4, port);
  network[0].inject("elsewhere", group6, port + 1);
  ASSERT_TRUE(at_b.receive(patience) && at_b4.receive(patience));
  ASSERT_TRUE(eventually([&] { return sent.size() == 2 && got.size() == 2; }));
  EXPECT_TRUE(sent.all()[0].outgoing);
  EXPECT_EQ(sent.received().size(), 0u);
  const Captured frame = got.received()[0];
  EXPECT_EQ(frame.payload, "secret");
  EXPECT_EQ(frame.interface, "lan0");
  EXPECT_EQ(frame.source, network[0].link_local());
  EXPECT_EQ(frame.destination, group6);
  EXPECT_EQ(frame.port, port);
  EXPECT_GE(frame.at, start);
  EXPECT_LE(frame.at, std::chrono::steady_clock::now());
  // The third host says it again, in the name of the first.
  EXPECT_EQ(network[2].replay(got.received(), {.count = 10}), 10u);
  const auto again = at_b.receive_all(patience, 5), again4 = at_b4.receive_all(patience, 5);
  EXPECT_EQ(again.size(), 5u);
  EXPECT_EQ(again4.size(), 5u);
  for (const Datagram& each : again) EXPECT_EQ(each.source, network[0].link_local());
}

TEST_F(TrafficTest, FloodsAreBoundedInNumberAndRate) {
  Network network;
  network.lan(2);
  UdpSocket listener = ear(network[1], Ip::v4);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(network[0].inject_garbage(7, 600, "255.255.255.255", port,
                                      {.count = 101, .per_second = 1000}),
            101u);
  EXPECT_GE(std::chrono::steady_clock::now() - start, 100ms);
  const auto heard = listener.receive_all(patience, 101);
  EXPECT_EQ(heard.size(), 101u);
  std::set<Payload> different;
  for (const Datagram& each : heard) {
    EXPECT_LE(each.payload.size(), 600u);
    different.insert(each.payload);
  }
  EXPECT_GT(different.size(), 90u);
  int turns = 0;
  const std::size_t sent = network[0].inject("x", "255.255.255.255", port,
                                             {.count = 1000, .over = [&] { return ++turns > 5; }});
  EXPECT_EQ(sent, 5u);
}

TEST_F(NetworkTest, NothingIsLeftBehind) {
  // A witness on the other side of a veth pair sees the namespace of a host go.
  const Namespace witness(Namespace::Speech::quiet);
  const auto ip = tool("ip").value();
  {
    Network network;
    network.lan(2);
    const Outcome made = run(witness,
                             {ip, "link", "add", "witness0", "type", "veth", "peer", "name",
                              "seen0", "netns", network[0].space().path()},
                             patience);
    ASSERT_EQ(made.status, 0) << made.err;
    const Process sleeper = network[0].spawn({"sleep", "100"});
    ASSERT_TRUE(traffic_of(witness).contains("witness0"));
  }
  EXPECT_TRUE(eventually([&] { return !traffic_of(witness).contains("witness0"); }));
}

TEST_F(NetworkTest, NothingIsLeftBehindByAKilledRun) {
  const Namespace witness(Namespace::Speech::quiet);
  const std::string theirs = witness.path();
  std::array<int, 2> news{};
  ASSERT_EQ(pipe(news.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    close(news[0]);
    Network network;
    network.lan(1);
    const Outcome made = run(network[0].space(),
                             {tool("ip").value(), "link", "add", "seen0", "type", "veth", "peer",
                              "name", "witness0", "netns", theirs},
                             patience);
    // The child of the shell has no death signal, like a daemon that gave up the rights of root.
    const Process sleeper = network[0].spawn({"sh", "-c", "sleep 100 & wait"});
    std::this_thread::sleep_for(50ms);
    const char done = made.status == 0 ? 'y' : 'n';
    if (write(news[1], &done, 1) != 1) _exit(1);
    pause();
  }
  close(news[1]);
  char done = 'n';
  ASSERT_EQ(read(news[0], &done, 1), 1);
  EXPECT_EQ(done, 'y');
  EXPECT_TRUE(traffic_of(witness).contains("witness0"));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(eventually([&] { return !traffic_of(witness).contains("witness0"); }));
  close(news[0]);
}

TEST_F(NetworkTest, OrdinaryUsersCanHaveItToo) {
  if (in_own_namespaces()) return;  // this very program is the proof
  if (geteuid() != 0) GTEST_SKIP() << "only root can become an ordinary user";
  const auto setpriv = tool("setpriv");
  if (!setpriv) GTEST_SKIP() << "setpriv is not installed; install the package util-linux";
  std::array<char, 4096> self{};
  ASSERT_GT(readlink("/proc/self/exe", self.data(), self.size() - 1), 0);
  const Namespace nowhere;
  const std::vector<std::string> as_nobody{*setpriv, "--reuid=65534", "--regid=65534",
                                           "--clear-groups", self.data()};
  auto words = as_nobody;
  words.push_back("--gtest_filter=FaultsTest.BlockWorks*:ProcessTest.Runs*:*/CableTest.Delay*");
  words.push_back("--gtest_color=no");
  const Outcome outcome = run(nowhere, words, 5 * patience, {.folder = "/"});
  if (outcome.out.find("cannot be had here") != std::string::npos)
    GTEST_SKIP() << "ordinary users have no user namespaces here";
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  // Three of three, or of four where /dev/net/tun is for root alone.
  EXPECT_TRUE(outcome.out.find("[  PASSED  ] 3 tests") != std::string::npos ||
              outcome.out.find("[  PASSED  ] 4 tests") != std::string::npos)
      << outcome.out << outcome.err;
}

}  // namespace
}  // namespace bellwether::bed
