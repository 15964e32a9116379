// SPDX-License-Identifier: MIT
#include "bellwether/sim/slab.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "bellwether/core/prng.hpp"
#include "bellwether/sim/simulation.hpp"

namespace bellwether::sim {
namespace {

using namespace std::chrono_literals;

static_assert(travels_inline<int>);
static_assert(travels_inline<std::array<std::uint64_t, 4>>);
static_assert(!travels_inline<std::array<std::uint64_t, 5>>, "too large");
static_assert(!travels_inline<std::string>, "not just bytes");
static_assert(!travels_inline<std::shared_ptr<int>>, "not just bytes, however small");

TEST(Slab, KeepsAMessageUntilItsLastReceiver) {
  Slab<std::string> slab;
  EXPECT_EQ(slab.kept(), 0u);
  const auto ticket = slab.keep("hello", 3);
  EXPECT_EQ(slab.kept(), 1u);
  slab.release(ticket);
  slab.release(ticket);
  EXPECT_EQ(slab.kept(), 1u);
  EXPECT_EQ(slab.look(ticket), "hello");
  slab.release(ticket);
  EXPECT_EQ(slab.kept(), 0u);
}

TEST(Slab, AReceiverMoreKeepsItLonger) {
  Slab<std::string> slab;
  const auto ticket = slab.keep("hello", 1);
  slab.share(ticket);
  slab.release(ticket);
  EXPECT_EQ(slab.kept(), 1u);
  slab.release(ticket);
  EXPECT_EQ(slab.kept(), 0u);
}

TEST(Slab, UsesPlacesAgain) {
  Slab<std::string> slab;
  const auto first = slab.keep("first", 1);
  const auto second = slab.keep("second", 1);
  EXPECT_NE(first, second);
  slab.release(first);
  EXPECT_EQ(slab.keep("third", 2), first);
  EXPECT_EQ(slab.look(first), "third");
  EXPECT_EQ(slab.look(second), "second");
  slab.release(first);
  EXPECT_EQ(slab.kept(), 2u) << "the new one has a count of its own";
}

TEST(Slab, AMessageStaysWhereItIs) {
  Slab<std::string> slab;
  const auto ticket = slab.keep("here", 1);
  const std::string* const place = &slab.look(ticket);
  for (int i = 0; i < 10'000; ++i) slab.keep(std::to_string(i), 1);
  EXPECT_EQ(&slab.look(ticket), place);
  EXPECT_EQ(*place, "here");
}

TEST(Slab, AgreesWithAMapUnderRandomOperations) {
  core::Prng prng(5);
  Slab<std::string> slab;
  std::map<Slab<std::string>::Ticket, std::pair<std::string, std::uint64_t>> model;
  for (int i = 0; i < 20'000; ++i) {
    const bool full = model.size() > 40;
    if (model.empty() || (!full && prng.below(3) == 0)) {
      const auto receivers = static_cast<std::uint32_t>(1 + prng.below(5));
      const auto ticket = slab.keep(std::to_string(i), receivers);
      ASSERT_TRUE(model.emplace(ticket, std::pair(std::to_string(i), receivers)).second);
    } else {
      const auto chosen =
          std::next(model.begin(), static_cast<std::ptrdiff_t>(prng.below(model.size())));
      ASSERT_EQ(slab.look(chosen->first), chosen->second.first);
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
static_assert(!travels_inline<Tome>);

/// Whoever starts sends its tome to all, twice; everybody keeps what it reads.
class Librarian {
 public:
  static constexpr std::string_view name = "librarian";
  struct Options {
    static constexpr std::tuple<> fields{};
  };
  using Message = Tome;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  Librarian() = default;
  Librarian(NodeId id, Options) : id_(id) {}
  void start(Step& step) {
    for (std::uint64_t volume = 1; volume <= 2; ++volume)
      step.broadcast(Tome(std::vector<std::uint64_t>(100, 1000 * core::raw(id_) + volume)));
  }
  void link_up(Step&, Port) {}
  void link_down(Step&, Port) {}
  void receive(Step&, Port, const Tome& tome) { read.push_back(tome.pages); }
  void timeout(Step&, Timer) {}
  std::optional<NodeId> leader() const { return std::nullopt; }
  friend bool operator==(const Librarian&, const Librarian&) = default;

  std::vector<std::vector<std::uint64_t>> read;

 private:
  NodeId id_{};
};

/// A complete network in which the first two nodes start.
scenario::Scenario library(NodeIndex nodes) {
  scenario::Scenario scenario;
  scenario.network.topology = "complete";
  scenario.network.nodes = nodes;
  scenario.start.nodes = {NodeId{1}, NodeId{2}};
  return scenario;
}

TEST(LargeMessages, ReachEveryReceiverWhole) {
  scenario::Scenario scenario = library(30);
  for (const bool random : {false, true}) {
    scenario.channel.delay = random ? world::Delay::exponential : world::Delay::constant;
    Simulation<Librarian> simulation(make_stage(scenario), scenario, {});
    const auto report = simulation.run();
    EXPECT_EQ(report.messages, 4u * 29);
    const std::size_t size = core::encoded_size(Tome(std::vector<std::uint64_t>(100, 1001)));
    EXPECT_EQ(report.bytes, report.messages * size);
    for (NodeIndex u = 0; u < 30; ++u) {
      std::vector<std::uint64_t> volumes;
      for (const auto& pages : simulation.node(u).read) {
        ASSERT_EQ(pages, std::vector<std::uint64_t>(100, pages.at(0)));
        volumes.push_back(pages[0]);
      }
      std::sort(volumes.begin(), volumes.end());
      std::vector<std::uint64_t> expected{1001, 1002, 2001, 2002};
      std::erase_if(expected, [&](std::uint64_t v) { return v / 1000 == u + 1; });
      EXPECT_EQ(volumes, expected);
    }
  }
}

/// How often tomes are copied in one run.
std::uint64_t copies_among(NodeIndex nodes, double loss) {
  scenario::Scenario scenario = library(nodes);
  scenario.channel.loss = loss;
  Simulation<Librarian> simulation(make_stage(scenario), scenario, {});
  const std::uint64_t before = Tome::copies;
  simulation.run();
  return Tome::copies - before;
}

TEST(LargeMessages, ABroadcastIsKeptOnceWhateverTheNumberOfReceivers) {
  EXPECT_EQ(copies_among(3, 0), copies_among(100, 0));
  EXPECT_LE(copies_among(100, 0), 4u) << "one for each of the four broadcasts";
  EXPECT_LE(copies_among(100, 0.5), 4u);
}

}  // namespace
}  // namespace bellwether::sim
