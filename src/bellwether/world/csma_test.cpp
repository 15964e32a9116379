// SPDX-License-Identifier: MIT
// Every rule of the medium, by hand.
#include "bellwether/world/csma.hpp"

#include <gtest/gtest.h>

#include "bellwether/world/air_test.hpp"

namespace bellwether::world {
namespace {

using namespace std::chrono_literals;
using Nodes = std::set<NodeIndex>;

constexpr auto aifs = 37us;  // 10 + 3 * 9
constexpr auto small = 976us;
constexpr auto large = 5296us;

RadioSpec without_backoff() {
  RadioSpec spec = short_slots();
  spec.csma.cw = 0;
  return spec;
}

/// 0 - 1 - 2: the outer two cannot hear each other.
Air hidden(const RadioSpec& spec, std::uint64_t seed = 1) {
  Air air(spec, 3, seed);
  air.medium.link(0, 1, true);
  air.medium.link(1, 2, true);
  return air;
}
Air pair(const RadioSpec& spec, std::uint64_t seed = 1) {
  Air air(spec, 2, seed);
  air.medium.link(0, 1, true);
  return air;
}

TEST(Airtime, IsThatOfDsssAtOneMegabit) {
  const CsmaSpec spec;
  EXPECT_EQ(spec.aifs(), 70us);
  EXPECT_EQ(short_slots().csma.aifs(), aifs);
  EXPECT_EQ(spec.airtime(60), small);
  EXPECT_EQ(spec.airtime(600), large);
  CsmaSpec fast;
  fast.rate = 6e6;
  EXPECT_EQ(fast.airtime(60), 192us + 130'667ns);
  fast = {.rate = 1e15, .preamble = 0s, .overhead = 0};
  EXPECT_EQ(fast.airtime(0), 1ns);
}

TEST(Csma, AFreeMediumIsUsedAtOnceAndAllInRangeHear) {
  Air air(short_slots(), 4);
  air.medium.link(1, 0, true);
  air.medium.link(1, 2, true);
  air.send(5ms, 1, 7);
  air.run();
  EXPECT_EQ(air.heard, (std::set<Air::Arrival>{{5ms + small, 7, 0}, {5ms + small, 7, 2}}));
  EXPECT_EQ(air.done.at(7), 5ms + small);
  EXPECT_EQ(air.wakes, 1u);
  EXPECT_EQ(air.medium.counts().sent, 1u);
  EXPECT_EQ(air.medium.counts().possible, 2u);
  EXPECT_EQ(air.medium.counts().received, 2u);
}

TEST(Csma, WhoHearsAFrameWaitsForItsEndAndAifs) {
  Air air = pair(without_backoff());
  air.send(1ms, 0, 1, 600);
  air.send(2ms, 1, 2);
  air.run();
  EXPECT_EQ(air.began(2), 1ms + large + aifs);
  EXPECT_EQ(air.got(1), Nodes{1});
  EXPECT_EQ(air.got(2), Nodes{0});
}

TEST(Csma, AMediumThatHasBeenFreeForLessThanAifsIsNotFree) {
  for (const auto& [after, waits] : {std::pair<Time, bool>{aifs - 1ns, true}, {aifs, false}}) {
    Nodes starts;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Air air = pair(short_slots(), seed);
      air.send(1ms, 0, 1);
      air.send(1ms + small + after, 1, 2);
      air.run();
      const Duration slots = air.began(2) - (1ms + small + aifs);
      EXPECT_EQ(slots % 9us, 0ns);
      starts.insert(static_cast<NodeIndex>(slots / 9us));
    }
    EXPECT_EQ(starts.size() > 1, waits);
    EXPECT_LE(*starts.rbegin(), 15u);
  }
}

TEST(Csma, EachTransmissionIsFollowedByABackoff) {
  std::vector<int> count(16, 0);
  for (std::uint64_t seed = 0; seed < 1600; ++seed) {
    Air air = pair(short_slots(), seed);
    air.send(1ms, 0, 1);
    air.send(1ms + small + 1us, 0, 2);  // nothing was in line when the first frame ended
    air.run();
    const Duration slots = air.began(2) - (1ms + small + aifs);
    ASSERT_EQ(slots % 9us, 0ns);
    ++count.at(static_cast<std::size_t>(slots / 9us));
  }
  for (const int each : count) EXPECT_NEAR(each, 100, 45);

  Air air = pair(short_slots());
  air.send(1ms, 0, 1);
  const Time over = 1ms + small + aifs + 15 * 9us;
  air.send(over, 0, 2);  // by then any backoff has run down
  air.run();
  EXPECT_EQ(air.began(2), over);
}

TEST(Csma, FramesOfANodeGoInLine) {
  Air air = pair(short_slots());
  for (std::uint32_t frame = 1; frame <= 40; ++frame) air.send(1ms, 0, frame);
  air.run();
  for (std::uint32_t frame = 2; frame <= 40; ++frame) {
    const Duration gap = air.began(frame) - air.done.at(frame - 1);
    EXPECT_GE(gap, aifs);
    EXPECT_LE(gap, aifs + 15 * 9us);
    EXPECT_EQ(air.got(frame), Nodes{1});
  }
  EXPECT_EQ(air.wakes, 40u + 39u);
}

TEST(Csma, ABackoffStandsStillWhileTheMediumIsBusy) {
  int tested = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const auto begin = [&](bool interrupted) {
      Air air = hidden(short_slots(), seed);
      air.send(1ms, 0, 1);
      air.send(1500us, 1, 2);  // waits for the end of 1, and draws
      if (interrupted) air.send(1ms + small + aifs + 2 * 9us + 4us, 2, 3);
      air.run();
      return air.began(2);
    };
    const Duration slots = (begin(false) - (1ms + small + aifs)) / 9us * 1us;
    const Time interruption = 1ms + small + aifs + 2 * 9us + 4us;
    if (slots < 3us) continue;  // node 1 is first
    ++tested;
    EXPECT_EQ(begin(true), interruption + small + aifs + (slots / 1us - 2) * 9us) << seed;
  }
  EXPECT_GT(tested, 15);
}

TEST(Csma, TurnsOfTheSameInstantBothSend) {
  // All of a clique wait for the end of one frame, and no node draws a backoff.
  Air air(without_backoff(), 4);
  for (NodeIndex u = 0; u < 4; ++u)
    for (NodeIndex v = 0; v < u; ++v) air.medium.link(u, v, true);
  air.send(1ms, 0, 1);
  air.send(1100us, 1, 2);
  air.send(1200us, 2, 3);
  air.run();
  EXPECT_EQ(air.began(2), 1ms + small + aifs);
  EXPECT_EQ(air.began(3), 1ms + small + aifs);
  EXPECT_EQ(air.got(1), (Nodes{1, 2, 3}));
  EXPECT_TRUE(air.got(2).empty());
  EXPECT_TRUE(air.got(3).empty());
  EXPECT_EQ(air.medium.counts().lost_deaf, 2u);     // 1 and 2 each other
  EXPECT_EQ(air.medium.counts().lost_overlap, 4u);  // 0 and 3 both frames
}

TEST(Csma, WhatBeginsNowCannotBeSensed) {
  Air air = pair(short_slots());
  air.send(1ms, 0, 1);
  air.send(1ms, 1, 2);
  air.run();
  EXPECT_EQ(air.began(1), 1ms);
  EXPECT_EQ(air.began(2), 1ms);
  EXPECT_TRUE(air.heard.empty());
  EXPECT_EQ(air.medium.counts().lost_deaf, 2u);

  Air later = pair(short_slots());
  later.send(1ms, 0, 1);
  later.send(1ms + 1ns, 1, 2);
  later.run();
  EXPECT_GE(later.began(2), 1ms + small + aifs);
  EXPECT_EQ(later.medium.counts().received, 2u);
}

TEST(Csma, OfHiddenSendersTheFirstSurvivesByCapture) {
  Air air = hidden(short_slots());
  air.send(1ms, 0, 1);
  air.send(1ms + 100us, 2, 2);
  air.run();
  EXPECT_EQ(air.began(2), 1ms + 100us);
  EXPECT_EQ(air.got(1), Nodes{1});
  EXPECT_TRUE(air.got(2).empty());
  EXPECT_EQ(air.medium.counts().lost_overlap, 1u);
}

TEST(Csma, WithoutCaptureBothAreLost) {
  RadioSpec spec = short_slots();
  spec.csma.capture = 0;
  Air air = hidden(spec);
  air.send(1ms, 0, 1);
  air.send(1ms + 100us, 2, 2);
  air.run();
  EXPECT_TRUE(air.heard.empty());
  EXPECT_EQ(air.medium.counts().lost_overlap, 2u);
}

TEST(Csma, APreambleThatIsNotYetDetectedIsHiddenByTheNext) {
  for (const auto& [apart, survivors] :
       {std::pair<Time, Nodes>{0us, {}}, {4us, {}}, {4us + 1ns, {1}}}) {
    Air air = hidden(short_slots());
    air.send(1ms, 0, 1);
    air.send(1ms + apart, 2, 2);
    air.run();
    EXPECT_EQ(air.got(1), survivors);
    EXPECT_TRUE(air.got(2).empty());
    EXPECT_EQ(air.medium.counts().lost_overlap, 2u - survivors.size());
  }
}

TEST(Csma, NobodyLocksOnAFrameWhileThereIsOtherEnergy) {
  // 1 hears 0, 2 and 3, hidden from each other. It reads the frame of 0 until 1.976 ms; that of
  // 2 is still on the air when 3 begins.
  Air air(short_slots(), 4);
  for (const NodeIndex u : {0u, 2u, 3u}) air.medium.link(1, u, true);
  air.send(1ms, 0, 1);
  air.send(1500us, 2, 2, 600);
  air.send(2500us, 3, 3);
  air.run();
  EXPECT_EQ(air.got(1), Nodes{1});
  EXPECT_TRUE(air.got(2).empty());
  EXPECT_TRUE(air.got(3).empty());
  EXPECT_EQ(air.medium.counts().lost_overlap, 2u);
}

TEST(Csma, AFrameThatEndsDoesNotDisturbOneThatBegins) {
  for (const bool first : {true, false}) {  // whichever the caller reports first
    Air air = hidden(short_slots());
    if (first) air.send(1ms + small, 2, 2);
    air.send(1ms, 0, 1);
    air.run(1ms);
    if (!first) air.send(1ms + small, 2, 2);
    air.run();
    EXPECT_EQ(air.heard, (std::set<Air::Arrival>{{1ms + small, 1, 1}, {1ms + 2 * small, 2, 1}}));
  }
}

TEST(Csma, WhoSendsIsDeaf) {
  // 1 sends a long frame, which 2 does not hear: a link that comes up leaves it as it is.
  Air air(short_slots(), 3);
  air.medium.link(0, 1, true);
  air.send(1ms, 1, 1, 600);
  air.run(1ms);
  air.medium.link(1, 2, true);
  air.send(2ms, 2, 2);
  air.run();
  EXPECT_EQ(air.began(2), 2ms);
  EXPECT_EQ(air.got(1), Nodes{0});
  EXPECT_TRUE(air.got(2).empty());
  EXPECT_EQ(air.medium.counts().lost_deaf, 1u);
}

TEST(Csma, LinksThatChangeLeaveWhatIsOnTheAirAsItIs) {
  Air air = pair(short_slots());
  air.send(1ms, 0, 1);
  air.run(1ms);
  air.medium.link(0, 1, false);
  air.medium.link(0, 1, false);
  air.run();
  EXPECT_EQ(air.got(1), Nodes{1});
  air.send(5ms, 0, 2);
  air.run();
  EXPECT_TRUE(air.got(2).empty());
  EXPECT_EQ(air.medium.counts().possible, 1u);
}

TEST(Csma, RefusesFramesAboveTheMtu) {
  Air air = pair(short_slots());
  air.send(1ms, 0, 1, 1501);
  air.send(1ms, 0, 2, 1500);
  air.run();
  EXPECT_EQ(air.done.at(1), 1ms);
  EXPECT_EQ(air.got(2), Nodes{1});
  EXPECT_EQ(air.medium.counts().too_large, 1u);
  EXPECT_EQ(air.medium.counts().sent, 1u);
}

// Crashes.

TEST(CsmaCrash, OfTheSenderCutsItsFrameOffAndDropsTheLine) {
  Air air = hidden(without_backoff());
  air.send(1ms, 0, 1, 600);
  air.send(1ms, 0, 2);
  air.send(2ms, 1, 3);  // waits for the end of 1, which comes early
  air.push(Air::Event::off, 3ms, 0);
  air.send(4ms, 0, 4);  // from beyond the grave
  air.run();
  EXPECT_TRUE(air.got(1).empty());
  for (const std::uint32_t frame : {1u, 2u}) EXPECT_EQ(air.done.at(frame), 3ms) << frame;
  EXPECT_EQ(air.done.at(4), 4ms);
  EXPECT_EQ(air.began(3), 3ms + aifs);
  EXPECT_EQ(air.got(3), Nodes{2});
  EXPECT_EQ(air.medium.counts().cut_off, 1u);
  EXPECT_EQ(air.medium.counts().possible, 2u);
  const auto energy = air.medium.energy(1, 10ms);
  EXPECT_EQ(energy.busy, 192us);
  EXPECT_EQ(energy.rx, 2ms - 192us);
  EXPECT_EQ(energy.tx, small);
}

TEST(CsmaCrash, OfOneSenderLeavesTheEnergyOfAnother) {
  Air air = hidden(without_backoff());
  air.send(1ms, 0, 1, 600);
  air.send(2ms, 2, 2, 600);
  air.send(3ms, 1, 3);
  air.push(Air::Event::off, 4ms, 0);
  air.run();
  EXPECT_EQ(air.began(3), 2ms + large + aifs);
  EXPECT_TRUE(air.got(2).empty());  // no node locks on to the rest of a frame
}

TEST(CsmaCrash, OfTheReceiverEndsItsReceptionForGood) {
  Air air = hidden(short_slots());
  air.send(1ms, 1, 1, 600);
  air.push(Air::Event::off, 2ms, 0);
  air.push(Air::Event::on, 3ms, 0);
  air.send(4ms, 0, 2);  // what it hears is noise, but it waits for its end
  air.run();
  EXPECT_EQ(air.got(1), Nodes{2});
  EXPECT_GE(air.began(2), 1ms + large + aifs);
  EXPECT_EQ(air.got(2), Nodes{1});
  EXPECT_EQ(air.medium.counts().cut_off, 1u);
  const auto energy = air.medium.energy(0, 1ms + large);
  EXPECT_EQ(energy.sleep, 1ms);
  EXPECT_EQ(energy.rx, 1ms - 192us);
  EXPECT_EQ(energy.busy, 192us + (large - 2ms));
  EXPECT_EQ(energy.idle, 1ms);
}

TEST(CsmaCrash, WhoIsOffHearsNothing) {
  Air air = pair(short_slots());
  air.push(Air::Event::off, 0ms, 1);
  air.send(1ms, 0, 1);
  air.push(Air::Event::on, 2ms, 1);
  air.send(3ms, 0, 2);
  air.run();
  EXPECT_TRUE(air.got(1).empty());
  EXPECT_EQ(air.got(2), Nodes{1});
  EXPECT_EQ(air.medium.counts().possible, 1u);
}

TEST(CsmaCrash, AtTheEndOfAFrameComesTooLate) {
  for (const NodeIndex who : {0u, 1u}) {
    Air air = pair(short_slots());
    air.push(Air::Event::off, 1ms + small, who);
    air.send(1ms, 0, 1);
    air.run();
    EXPECT_EQ(air.got(1), Nodes{1});
    EXPECT_EQ(air.medium.counts().cut_off, 0u);
  }
}

TEST(CsmaCrash, ANewcomerListensFirst) {
  Air air = pair(without_backoff());
  air.push(Air::Event::off, 0ms, 0);
  air.push(Air::Event::on, 1ms, 0);
  air.send(1ms, 0, 1);
  air.run();
  EXPECT_EQ(air.began(1), 1ms + aifs);
}

// Energy.

TEST(CsmaEnergy, OfOneFrameByHand) {
  Air air(short_slots(), 3);
  air.medium.link(0, 1, true);
  air.send(1ms, 0, 1);
  air.run();
  const auto sender = air.medium.energy(0, 1s);
  EXPECT_EQ(sender.tx, small);
  EXPECT_EQ(sender.idle, 1s - small);
  EXPECT_NEAR(sender.joules, 0.5 + 2 * 976e-6, 1e-12);
  const auto receiver = air.medium.energy(1, 1s);
  EXPECT_EQ(receiver.busy, 192us);
  EXPECT_EQ(receiver.rx, 784us);
  EXPECT_EQ(receiver.idle, 1s - small);
  EXPECT_NEAR(receiver.joules, 0.5 + 0.5 * 784e-6, 1e-12);
  EXPECT_EQ(air.medium.energy(2, 1s).idle, 1s);
}

TEST(CsmaEnergy, WhatCannotBeReadIsBusy) {
  Air air = hidden(short_slots());
  air.send(1ms, 0, 1);         // read until 1.976 ms
  air.send(1500us, 2, 2, 60);  // on the air until 2.476 ms
  air.run();
  const auto energy = air.medium.energy(1, 3ms);
  EXPECT_EQ(energy.rx, 784us);
  EXPECT_EQ(energy.busy, 192us + 500us);
  EXPECT_EQ(energy.idle, 3ms - 784us - 692us);

  Air both = hidden(short_slots());
  both.send(1ms, 0, 1);
  both.send(1ms + 3us, 2, 2);
  both.run();
  EXPECT_EQ(both.medium.energy(1, 3ms).rx, 0us);
  EXPECT_EQ(both.medium.energy(1, 3ms).busy, small + 3us);
}

TEST(CsmaEnergy, CanBeAskedAtAnyTime) {
  Air air = pair(short_slots());
  air.send(1ms, 0, 1);
  air.run(1ms);
  EXPECT_EQ(air.medium.energy(0, 1500us).tx, 500us);
  EXPECT_EQ(air.medium.energy(1, 1100us).busy, 100us);
  EXPECT_EQ(air.medium.energy(1, 1500us).rx, 308us);
}

TEST(Airtime, OfdmComesInWholeSymbols) {
  CsmaSpec spec;
  spec.rate = 6e6;
  spec.preamble = 26us;
  spec.symbol = 4us;
  EXPECT_EQ(spec.airtime(60), 162us);  // 98 bytes and 22 bits in symbols of 24 bits: 34 of them
  EXPECT_EQ(spec.airtime(600), 882us);
  spec.rate = 52e6;
  spec.preamble = 42us;
  EXPECT_EQ(spec.airtime(60), 58us);
  EXPECT_EQ(spec.airtime(600), 142us);
}

TEST(Access, WaitsForTheNextSlotWhereSlotsAreAligned) {
  RadioSpec spec;
  spec.csma.cw = 0;
  Air air = pair(spec);
  air.send(100ms, 0, 1);  // slots begin 70 us after an hour before: at 10, 30, 50 us, ...
  air.run();
  EXPECT_EQ(air.began(1), 100ms + 10us);
  air.send(200ms, 1, 2);  // now 70 us after the end of that frame
  air.run();
  const Duration since = air.began(2) - (100ms + 10us + small + 70us);
  EXPECT_EQ(since % 20us, 0us);
  EXPECT_GE(air.began(2), 200ms);
  EXPECT_LT(air.began(2), 200ms + 20us);
}

TEST(Access, WhoFindTheMediumFreeInOneSlotCollide) {
  RadioSpec spec = without_backoff();
  spec.csma.slot = 20us;
  for (const bool aligned : {false, true}) {
    spec.csma.aligned = aligned;
    Air air = pair(spec);
    air.send(100ms + 1us, 0, 1);
    air.send(100ms + 6us, 1, 2);
    air.run();
    EXPECT_EQ(air.began(1) == air.began(2), aligned);
  }
}

/// What two have heard together they answer together, unless a backoff keeps them apart.
TEST(Access, WhoAnswersAtOnceCollidesWithTheOthersWhereSlotsAreAligned) {
  std::size_t together = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (const bool aligned : {false, true}) {
      RadioSpec spec = short_slots();
      spec.csma.aligned = aligned;
      Air air(spec, 3, seed);
      for (const NodeIndex u : {0u, 1u, 2u})
        for (NodeIndex v = 0; v < u; ++v) air.medium.link(u, v, true);
      air.send(100ms, 0, 1);
      air.run();
      const Time heard = air.done.at(1);
      air.send(heard, 1, 2);
      air.send(heard, 2, 3);
      air.run();
      if (aligned) {
        EXPECT_EQ(air.began(2), air.began(3));
      }
      if (!aligned && air.began(2) == air.began(3)) ++together;
    }
  EXPECT_LT(together, 20u) << "one of sixteen draws";
}

TEST(Reception, CaptureMayBeAMatterOfChance) {
  RadioSpec spec = without_backoff();
  spec.csma.capture = 0.5;
  std::size_t survived = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Air air = hidden(spec, seed);
    air.send(100ms, 0, 1);
    air.send(100ms + 100us, 2, 2);
    air.run();
    survived += air.medium.counts().received;
  }
  EXPECT_NEAR(static_cast<double>(survived), 200, 40);
}

}  // namespace
}  // namespace bellwether::world
