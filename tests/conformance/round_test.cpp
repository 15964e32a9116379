// SPDX-License-Identifier: MIT
// The same for protocols that proceed in rounds.
#include "conformance/occasion.hpp"
#include "conformance/protocols.hpp"

namespace bellwether::conformance {
namespace {

template <class P>
class Rounds : public testing::Test {};
TYPED_TEST_SUITE(Rounds, RoundProtocols, Names);

template <class P>
struct Round {
  std::vector<core::Received<typename P::Message>> inbox;
  std::vector<Port> ports;
  Time now{};
  std::uint64_t choices = 0;
};

/// Any ports, at most one message on each.
template <class P>
Round<P> any_round(core::Prng& prng, std::uint64_t number) {
  Round<P> round;
  for (std::uint32_t p = 0; p < 6; ++p) {
    if (prng.below(2) == 0) continue;
    round.ports.push_back(Port{p});
    if (number > 0 && prng.below(3) != 0)
      round.inbox.push_back({Port{p}, core::arbitrary<typename P::Message>(prng)});
  }
  round.now = Time{static_cast<std::int64_t>(number)};
  round.choices = prng.next();
  return round;
}

template <class P>
class RoundBench {
 public:
  explicit RoundBench(bool anonymous)
      : step_(core::DriverHooks{this, anonymous ? nullptr : &RoundBench::peer,
                                &RoundBench::choose}) {}
  RoundBench(const RoundBench&) = delete;
  RoundBench& operator=(const RoundBench&) = delete;

  std::vector<typename core::RoundStepOf<P>::Send> play(P& node, const Round<P>& round) {
    ports_ = round.ports;
    prng_ = core::Prng(round.choices);
    step_.begin(round.ports, round.now);
    node.round(step_, round.inbox);
    require(step_.alarms().empty(), "a round protocol has no timers");
    return step_.sends();
  }

 private:
  static NodeId peer(void* self, Port port) {
    for (const Port known : static_cast<RoundBench*>(self)->ports_)
      if (known == port) return NodeId{raw(port) + 10};
    throw Broken("it asks who is behind a port that is down");
  }
  static std::uint64_t choose(void* self, std::uint64_t n) {
    return static_cast<RoundBench*>(self)->prng_.below(n);
  }
  core::RoundStepOf<P> step_;
  std::vector<Port> ports_;
  core::Prng prng_;
};

template <class P>
void live(std::uint64_t seed) {
  core::Prng prng = core::stream(seed, P::name);
  const auto options = any_options<typename P::Options>(prng);
  P node(NodeId{1 + prng.below(5)}, options);
  RoundBench<P> bench(!P::facts.model.needs_ids && prng.below(2) == 0);
  for (std::uint64_t number = 0; number < 40; ++number) {
    const Round<P> round = any_round<P>(prng, number);
    const P before = node;
    P twin = node;
    const auto sends = bench.play(node, round);
    require(twin == before, "a round has changed a copy of the node");
    const auto same = bench.play(twin, round);
    require(std::equal(sends.begin(), sends.end(), same.begin(), same.end(),
                       [](const auto& a, const auto& b) {
                         return a.port == b.port && a.message == b.message;
                       }),
            "the same round has other effects");
    require(twin == node && twin.leader() == node.leader() && twin.halted() == node.halted(),
            "the same round leads to another state");
    if constexpr (core::Described<P>) {
      require(core::digest(twin) == core::digest(node), "equal states have different digests");
      require(before == node || core::encode(before) != core::encode(node),
              "`fields` leaves out what has changed");
    }
    std::vector<Port> used;
    for (const auto& send : sends) {
      require_round_trip(send.message);
      if (send.port == core::every_port)
        used.insert(used.end(), round.ports.begin(), round.ports.end());
      else
        used.push_back(send.port);
    }
    std::sort(used.begin(), used.end());
    require(std::adjacent_find(used.begin(), used.end()) == used.end(),
            "a port carries at most one message a round");
    require(std::includes(round.ports.begin(), round.ports.end(), used.begin(), used.end()),
            "it sends on a port that is not up");
  }
}

TYPED_TEST(Rounds, keep_the_contract_in_any_life) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    try {
      live<TypeParam>(seed);
    } catch (const std::exception& wrong) {
      FAIL() << "seed " << seed << ": " << wrong.what();
    }
  }
}

}  // namespace
}  // namespace bellwether::conformance
