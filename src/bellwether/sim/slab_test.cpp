// SPDX-License-Identifier: MIT
#include "bellwether/sim/slab.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "bellwether/core/prng.hpp"
#include "bellwether/sim/simulation_of.hpp"

namespace bellwether::sim {
namespace {

using namespace std::chrono_literals;

static_assert(core::is_small<int>);
static_assert(core::is_small<std::array<std::uint64_t, 4>>);
static_assert(!core::is_small<std::array<std::uint64_t, 5>>, "too large");
static_assert(!core::is_small<std::string>, "not just bytes");
static_assert(!core::is_small<std::shared_ptr<int>>, "not just bytes, however small");

struct Word {
  std::string text;
  static constexpr auto fields = std::tuple{core::field("text", &Word::text)};
  friend bool operator==(const Word&, const Word&) = default;
};

/// A slab of words.
class Words : public Slab {
 public:
  Words() : Slab(core::message_kind<Word>) {}
  Ticket keep(std::string text, std::uint32_t receivers) {
    Word word{std::move(text)};
    return Slab::keep(&word, true, receivers);
  }
};
std::string word(std::string text) {
  return text;
}
const std::string& text(const void* message) {
  return static_cast<const Word*>(message)->text;
}

TEST(Slab, KeepsAMessageUntilItsLastReceiver) {
  Words slab;
  EXPECT_EQ(slab.kept(), 0u);
  const auto ticket = slab.keep(word("hello"), 3);
  EXPECT_EQ(slab.kept(), 1u);
  slab.release(ticket);
  slab.release(ticket);
  EXPECT_EQ(slab.kept(), 1u);
  EXPECT_EQ(text(slab.look(ticket)), "hello");
  slab.release(ticket);
  EXPECT_EQ(slab.kept(), 0u);
}

TEST(Slab, AReceiverMoreKeepsItLonger) {
  Words slab;
  const auto ticket = slab.keep(word("hello"), 1);
  slab.share(ticket);
  slab.release(ticket);
  EXPECT_EQ(slab.kept(), 1u);
  slab.release(ticket);
  EXPECT_EQ(slab.kept(), 0u);
}

TEST(Slab, UsesPlacesAgain) {
  Words slab;
  const auto first = slab.keep(word("first"), 1);
  const auto second = slab.keep(word("second"), 1);
  EXPECT_NE(first, second);
  slab.release(first);
  EXPECT_EQ(slab.keep(word("third"), 2), first);
  EXPECT_EQ(text(slab.look(first)), "third");
  EXPECT_EQ(text(slab.look(second)), "second");
  slab.release(first);
  EXPECT_EQ(slab.kept(), 2u) << "the new one has a count of its own";
}

TEST(Slab, AMessageStaysWhereItIs) {
  Words slab;
  const auto ticket = slab.keep(word("here"), 1);
  const std::string* const place = &text(slab.look(ticket));
  for (int i = 0; i < 10'000; ++i) slab.keep(word(std::to_string(i)), 1);
  EXPECT_EQ(&text(slab.look(ticket)), place);
  EXPECT_EQ(*place, "here");
}

TEST(Slab, AgreesWithAMapUnderRandomOperations) {
  core::Prng prng(5);
  Words slab;
  std::map<Slab::Ticket, std::pair<std::string, std::uint64_t>> model;
  for (int i = 0; i < 20'000; ++i) {
    const bool full = model.size() > 40;
    if (model.empty() || (!full && prng.below(3) == 0)) {
      const auto receivers = static_cast<std::uint32_t>(1 + prng.below(5));
      const auto ticket = slab.keep(word(std::to_string(i)), receivers);
      ASSERT_TRUE(model.emplace(ticket, std::pair(std::to_string(i), receivers)).second);
    } else {
      const auto chosen =
          std::next(model.begin(), static_cast<std::ptrdiff_t>(prng.below(model.size())));
      ASSERT_EQ(text(slab.look(chosen->first)), chosen->second.first);
      if (!full && prng.below(4) == 0) {
        slab.share(chosen->first);
        ++chosen->second.second;
      } else {
        slab.release(chosen->first);
        if (--chosen->second.second == 0) model.erase(chosen);
      }
    }
    ASSERT_EQ(slab.kept(), model.size());
  }
}

/// A large message that counts its copies.
struct Tome {
  static constexpr std::uint8_t tag = 1;
  static constexpr std::string_view name = "tome";
  std::vector<std::uint64_t> pages;
  static constexpr auto fields = std::tuple{core::field("pages", &Tome::pages)};
  static inline std::uint64_t copies = 0;

  Tome() = default;
  explicit Tome(std::vector<std::uint64_t> text) : pages(std::move(text)) {}
  Tome(const Tome& other) : pages(other.pages) { ++copies; }
  Tome& operator=(const Tome& other) {
    pages = other.pages;
    ++copies;
    return *this;
  }
  Tome(Tome&&) = default;
  Tome& operator=(Tome&&) = default;
  ~Tome() = default;
  friend bool operator==(const Tome& x, const Tome& y) { return x.pages == y.pages; }
};
static_assert(!core::is_small<Tome>);

/// A node that starts sends `volumes` volumes to all, one per `pause`; nodes keep what they read.
class Librarian {
 public:
  static constexpr std::string_view name = "librarian";
  struct Options {
    std::uint64_t volumes = 2;
    Duration pause = 100us;
    static constexpr auto fields = std::tuple{core::field("volumes", &Options::volumes),
                                              core::field("pause", &Options::pause)};
    friend bool operator==(const Options&, const Options&) = default;
  };
  struct Next {
    static constexpr std::tuple<> fields{};
    friend bool operator==(const Next&, const Next&) = default;
  };
  using Message = Tome;
  using Timer = Next;
  using Step = core::Step<Message, Timer>;

  Librarian() = default;
  Librarian(NodeId id, Options options) : id_(id), options_(options) {}
  void start(Step& step) { timeout(step, {}); }
  void link_up(Step&, Port) {}
  void link_down(Step&, Port) {}
  void receive(Step&, Port, const Tome& tome) { read.push_back(tome.pages); }
  void timeout(Step& step, Timer) {
    const std::uint64_t volume = 1000 * core::raw(id_) + ++sent_;
    step.broadcast(Tome(std::vector<std::uint64_t>(100, volume)));
    if (sent_ < options_.volumes) step.arm(Next{}, options_.pause, options_.pause);
  }
  std::optional<NodeId> leader() const { return std::nullopt; }
  friend bool operator==(const Librarian&, const Librarian&) = default;

  std::vector<std::vector<std::uint64_t>> read;

 private:
  NodeId id_{};
  Options options_;
  std::uint64_t sent_ = 0;
};

/// A complete network in which the first `writers` nodes start.
class LargeMessages : public testing::Test {
 protected:
  LargeMessages() {
    scenario.network.topology = "complete";
    readers(2, 1);
  }
  void readers(NodeIndex nodes, NodeIndex writers) {
    scenario.network.nodes = nodes;
    scenario.start.nodes.clear();
    for (NodeIndex i = 1; i <= writers; ++i) scenario.start.nodes.push_back(NodeId{i});
  }
  observe::RunReport run(Librarian::Options options = {}) {
    simulation = std::make_unique<SimulationOf<Librarian>>(make_setup(scenario), scenario, options);
    return simulation->run();
  }
  /// What a node has read, each volume as its number; no page may be missing or foreign.
  std::vector<std::uint64_t> volumes(NodeIndex u) const {
    std::vector<std::uint64_t> out;
    for (const auto& pages : simulation->node(u).read) {
      EXPECT_EQ(pages, std::vector<std::uint64_t>(100, pages.at(0)));
      out.push_back(pages.at(0));
    }
    return out;
  }
  static double metric(const observe::RunReport& report, std::string_view name) {
    for (const auto& m : report.metrics)
      if (m.name == name) return m.value;
    return -1;
  }

  scenario::Scenario scenario;
  std::unique_ptr<SimulationOf<Librarian>> simulation;
};

TEST_F(LargeMessages, ReachEveryReceiverWhole) {
  readers(30, 2);
  for (const auto delay : {world::Delay::constant, world::Delay::exponential}) {
    scenario.channel.delay = delay;
    const auto report = run();
    EXPECT_EQ(report.messages, 4u * 29);
    const std::size_t size = core::encoded_size(Tome(std::vector<std::uint64_t>(100, 1001)));
    EXPECT_EQ(report.bytes, report.messages * size);
    for (NodeIndex u = 0; u < 30; ++u) {
      auto got = volumes(u);
      std::sort(got.begin(), got.end());
      std::vector<std::uint64_t> expected{1001, 1002, 2001, 2002};
      std::erase_if(expected, [&](std::uint64_t v) { return v / 1000 == u + 1; });
      EXPECT_EQ(got, expected);
    }
  }
}

TEST_F(LargeMessages, ABroadcastIsKeptOnceWhateverTheNumberOfReceivers) {
  for (const double loss : {0.0, 0.5}) {
    scenario.channel.loss = loss;
    for (const NodeIndex nodes : {3u, 100u}) {
      readers(nodes, 2);
      const std::uint64_t before = Tome::copies;
      run();
      EXPECT_LE(Tome::copies - before, 4u) << "one for each of the four broadcasts";
    }
  }
}

TEST_F(LargeMessages, StayInOrderOnAFifoChannelUnderAnyDelay) {
  for (const auto delay : {world::Delay::uniform, world::Delay::exponential, world::Delay::poisson,
                           world::Delay::adversarial}) {
    scenario.channel = {.duplicate = 0.2, .delay = delay, .mean = 5ms};
    const auto report = run({300, 100us});
    auto got = volumes(1);
    EXPECT_TRUE(std::is_sorted(got.begin(), got.end())) << core::name_of(delay);
    EXPECT_EQ(static_cast<double>(got.size()), 300 + metric(report, "messages_doubled"));
    EXPECT_GT(got.size(), 320u);
    got.erase(std::unique(got.begin(), got.end()), got.end());
    EXPECT_EQ(got.size(), 300u);
  }
}

TEST_F(LargeMessages, OvertakeEachOtherOnAnUnorderedChannel) {
  for (const auto delay : {world::Delay::uniform, world::Delay::exponential, world::Delay::poisson,
                           world::Delay::adversarial}) {
    scenario.channel = {.order = world::Order::unordered, .delay = delay, .mean = 5ms};
    run({300, 100us});
    auto got = volumes(1);
    EXPECT_FALSE(std::is_sorted(got.begin(), got.end())) << core::name_of(delay);
    std::sort(got.begin(), got.end());
    ASSERT_EQ(got.size(), 300u);
    for (std::uint64_t i = 0; i < 300; ++i) EXPECT_EQ(got[i], 1001 + i);
  }
}

TEST_F(LargeMessages, AreLostAndDoubledInTheShareOfTheChannel) {
  scenario.channel = {.loss = 0.3, .duplicate = 0.1};
  const auto report = run({10'000, 10us});
  const double lost = metric(report, "messages_lost");
  const double duplicated = metric(report, "messages_doubled");
  EXPECT_EQ(report.messages, 10'000u);
  EXPECT_NEAR(lost, 3000, 5 * std::sqrt(10'000 * 0.21));
  EXPECT_NEAR(duplicated, 700, 5 * std::sqrt(7'000 * 0.09));
  EXPECT_EQ(static_cast<double>(simulation->node(1).read.size()), 10'000 - lost + duplicated);
}

}  // namespace
}  // namespace bellwether::sim
