// SPDX-License-Identifier: MIT
// The net must have no holes: protocols with one fault each, and what is said of them.
#include <memory>

#include "bellwether/core/typed.hpp"
#include "conformance/typed.hpp"
#include "conformance/world.hpp"

namespace bellwether::conformance {
namespace {

enum class Fault {
  none,
  keeps_a_global,
  sends_where_it_has_no_link,
  asks_for_a_lost_peer,
  stops_at_garbage,
  leaves_out_a_field,
  expects_the_past,
  shares_its_copies,
};

int global = 0;

/// Names the largest id that it has heard of.
template <bool all_fields>
class Faulty {
 public:
  static constexpr std::string_view name = "faulty";
  static constexpr core::Facts facts{};
  struct Options {
    Fault fault = Fault::none;
    static constexpr std::tuple<> fields{};
    friend bool operator==(const Options&, const Options&) = default;
  };
  struct News {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "news";
    NodeId best{};
    static constexpr auto fields = std::tuple{core::field("best", &News::best)};
    friend bool operator==(const News&, const News&) = default;
  };
  using Message = std::variant<News>;
  enum class Timer : std::uint8_t { again };
  friend constexpr auto names_of(Timer) { return std::array<std::string_view, 1>{"again"}; }
  using Step = core::Step<Message, Timer>;

  Faulty() = default;
  Faulty(NodeId id, Options options)
      : fault_(options.fault), best_(id), shared_(std::make_shared<std::uint64_t>(0)) {}

  void start(Step& step) {
    const core::Duration now{0};
    step.arm(Timer::again, now, now - core::Duration{fault_ == Fault::expects_the_past ? 1 : 0});
    tell(step);
  }
  void link_up(Step& step, Port port) { step.send(port, News{best_}); }
  void link_down(Step& step, Port port) {
    if (fault_ == Fault::sends_where_it_has_no_link) step.send(port, News{best_});
    if (fault_ == Fault::asks_for_a_lost_peer && raw(port) > 0) step.peer(Port{raw(port) - 1});
    step.peer(port);
  }
  void receive(Step& step, Port, const Message& message) {
    ++heard_;
    if (fault_ == Fault::shares_its_copies) ++*shared_;
    if (fault_ == Fault::keeps_a_global && ++global % 5 == 0) return tell(step);
    const NodeId theirs = std::get<News>(message).best;
    if (fault_ == Fault::stops_at_garbage) core::invariant(raw(theirs) < 1'000'000, "no such id");
    if (theirs <= best_) return;
    best_ = theirs;
    tell(step);
  }
  void timeout(Step& step, Timer) { tell(step); }
  std::optional<NodeId> leader() const {
    return fault_ == Fault::shares_its_copies && shared_ ? NodeId{*shared_} : best_;
  }

  friend bool operator==(const Faulty& a, const Faulty& b) {
    return a.best_ == b.best_ && a.heard_ == b.heard_;
  }

 private:
  void tell(Step& step) const { step.broadcast(News{best_}); }
  Fault fault_ = Fault::none;
  NodeId best_{};
  std::uint64_t heard_ = 0;
  std::shared_ptr<std::uint64_t> shared_;

  static constexpr auto described() {
    if constexpr (!all_fields)
      return std::tuple{core::field("best", &Faulty::best_)};
    else
      return std::tuple{core::field("best", &Faulty::best_), core::field("heard", &Faulty::heard_)};
  }

 public:
  static constexpr auto fields = described();
};

template <bool all_fields>
Subject faulty(Fault fault) {
  using P = Faulty<all_fields>;
  Subject out;
  out.name = "faulty";
  out.with_defaults = [fault] {
    return std::make_unique<core::Typed<P>>(typename P::Options{fault});
  };
  out.any = [out](core::Prng&) { return out.with_defaults(); };
  out.any_message = row_of<P>().any_message;
  return out;
}

std::string verdict(Fault fault) {
  const Subject subject =
      fault == Fault::leaves_out_a_field ? faulty<false>(fault) : faulty<true>(fault);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    World world(subject, seed);
    try {
      world.run(200);
    } catch (const std::exception& found) {
      return found.what();
    }
  }
  return "nothing found";
}

TEST(Harness, finds_each_fault) {
  EXPECT_EQ(verdict(Fault::none), "nothing found");
  EXPECT_EQ(verdict(Fault::keeps_a_global), "the same step has other effects");
  EXPECT_TRUE(verdict(Fault::sends_where_it_has_no_link).ends_with("which is not up"));
  EXPECT_EQ(verdict(Fault::asks_for_a_lost_peer), "it asks who is behind a port that is down");
  EXPECT_EQ(verdict(Fault::stops_at_garbage), "no such id");
  EXPECT_EQ(verdict(Fault::leaves_out_a_field), "`fields` leaves out what has changed");
  EXPECT_EQ(verdict(Fault::expects_the_past), "a timer expires between 0 s and -1 ns");
  EXPECT_EQ(verdict(Fault::shares_its_copies), "a step has changed a copy of the node");
}

}  // namespace
}  // namespace bellwether::conformance
