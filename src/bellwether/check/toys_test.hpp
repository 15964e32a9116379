// SPDX-License-Identifier: MIT
// Protocols of a few lines, each for one thing that the search must see.
#pragma once

#include <set>

#include "bellwether/core/facts.hpp"
#include "bellwether/core/protocol.hpp"

namespace bellwether::check {

using namespace std::chrono_literals;

struct NoOptions {
  static constexpr std::tuple<> fields{};
  friend bool operator==(const NoOptions&, const NoOptions&) = default;
};

struct Word {
  static constexpr std::uint8_t tag = 1;
  static constexpr std::string_view name = "word";
  core::NodeId id{};
  static constexpr auto fields = std::tuple{core::field("id", &Word::id)};
  friend bool operator==(const Word&, const Word&) = default;
};

/// One of several alarms.
struct Bell {
  std::uint64_t number = 0;
  static constexpr auto fields = std::tuple{core::field("number", &Bell::number)};
  friend bool operator==(const Bell&, const Bell&) = default;
};

inline constexpr core::Facts changing_facts = [] {
  core::Facts known{};
  known.model.tolerates_changes = true;
  return known;
}();

/// What all toys share. `Self` has on_start, on_word, on_bell where it wants them.
template <class Self, class T>
class Toy {
 public:
  using Options = NoOptions;
  using Message = Word;
  using Timer = T;
  using Step = core::Step<Message, Timer>;
  Toy() = default;
  Toy(core::NodeId id, Options) : id_(id) {}
  void link_up(Step&, core::Port) {}
  void link_down(Step&, core::Port) {}
  void timeout(Step&, Timer) {}
  std::optional<core::NodeId> leader() const { return id_; }
  friend bool operator==(const Toy&, const Toy&) = default;

 protected:
  core::NodeId id_{};
};

/// Draws twice at its start; the second draw depends on the first.
class Drawer : public Toy<Drawer, core::NoTimer> {
 public:
  static constexpr std::string_view name = "drawer";
  static constexpr core::Facts facts{};
  using Toy::Toy;
  void start(Step& step) {
    first_ = step.choose(3);
    second_ = first_ == 1 ? step.choose(4) : 9;
  }
  void receive(Step&, core::Port, const Word&) {}
  friend bool operator==(const Drawer&, const Drawer&) = default;

 private:
  std::uint64_t first_ = 7;
  std::uint64_t second_ = 7;

 public:
  static constexpr auto fields =
      std::tuple{core::field("id", &Drawer::id_), core::field("first", &Drawer::first_),
                 core::field("second", &Drawer::second_)};
};

/// Writes down the order in which its bells ring. The plan is that of the test.
template <class Plan>
class Ringer : public Toy<Ringer<Plan>, Bell> {
 public:
  using Base = Toy<Ringer<Plan>, Bell>;
  using typename Base::Step;
  static constexpr std::string_view name = "ringer";
  static constexpr core::Facts facts{};
  using Base::Base;
  void start(Step& step) { Plan::start(step, core::raw(this->id_)); }
  void receive(Step&, core::Port, const Word&) { heard_ += 'm'; }
  void timeout(Step& step, Bell bell) {
    heard_ += static_cast<char>('0' + bell.number);
    Plan::ring(step, bell.number);
  }
  friend bool operator==(const Ringer&, const Ringer&) = default;

 private:
  std::string heard_;

 public:
  static constexpr auto fields = std::tuple{core::field("heard", &Ringer::heard_)};
};

/// Never stops swinging. `stops`: a word ends it. `agrees`: a word makes it name the greatest that
/// it has heard of. Every node sends one word at the start.
template <bool stops, bool agrees>
class Pendulum : public Toy<Pendulum<stops, agrees>, Bell> {
 public:
  using Base = Toy<Pendulum<stops, agrees>, Bell>;
  using typename Base::Step;
  static constexpr std::string_view name = "pendulum";
  static constexpr core::Facts facts{};
  Pendulum() = default;
  Pendulum(core::NodeId id, NoOptions options) : Base(id, options), leader_(id) {}
  void start(Step& step) {
    if (stops || agrees) step.broadcast(Word{this->id_});
    if (!(stops && heard_)) step.arm(Bell{1}, 10ms, 10ms);
  }
  void receive(Step& step, core::Port, const Word& word) {
    heard_ = true;
    if (agrees) leader_ = std::max(leader_, word.id);
    if (stops) step.disarm(Bell{1});
  }
  void timeout(Step& step, Bell) {
    right_ = !right_;
    step.arm(Bell{1}, 10ms, 10ms);
  }
  std::optional<core::NodeId> leader() const { return leader_; }
  friend bool operator==(const Pendulum&, const Pendulum&) = default;

 private:
  core::NodeId leader_{};
  bool right_ = false;
  bool heard_ = false;

 public:
  static constexpr auto fields =
      std::tuple{core::field("leader", &Pendulum::leader_), core::field("right", &Pendulum::right_),
                 core::field("heard", &Pendulum::heard_)};
};

/// Never stops counting, and reads its count only to compare it.
class Counter : public Toy<Counter, Bell> {
 public:
  static constexpr std::string_view name = "counter";
  static constexpr core::Facts facts{};
  using Toy::Toy;
  void start(Step& step) { step.arm(Bell{1}, 10ms, 20ms); }
  void receive(Step&, core::Port, const Word&) {}
  void timeout(Step& step, Bell) {
    ++count_;
    step.arm(Bell{1}, 10ms, 20ms);
  }
  template <class Visit>
  void for_each_stamp(Visit&& visit) {
    visit(0, count_);
  }
  template <class Visit>
  static void for_each_stamp(Message&, Visit&&) {}
  friend bool operator==(const Counter&, const Counter&) = default;

 private:
  std::uint64_t count_ = 0;

 public:
  static constexpr auto fields =
      std::tuple{core::field("id", &Counter::id_), core::field("count", &Counter::count_)};
};

/// Follows the node that it hears of first. Which one that is does not depend on a node's number.
class Follower : public Toy<Follower, core::NoTimer> {
 public:
  static constexpr std::string_view name = "follower";
  static constexpr bool symmetric = true;
  static constexpr core::Facts facts = changing_facts;
  using Toy::Toy;
  void start(Step& step) { greet(step); }
  void link_up(Step& step, core::Port) { greet(step); }
  void receive(Step& step, core::Port, const Word& word) {
    heard_.insert(word.id);
    if (first_) return;
    first_ = word.id;
    step.broadcast(Word{word.id});
  }
  std::optional<core::NodeId> leader() const { return first_ ? first_ : id_; }
  friend bool operator==(const Follower&, const Follower&) = default;

 private:
  void greet(Step& step) {
    if (!first_) step.broadcast(Word{id_});
  }
  std::optional<core::NodeId> first_;
  std::set<core::NodeId> heard_;

 public:
  static constexpr auto fields =
      std::tuple{core::field("id", &Follower::id_), core::field("first", &Follower::first_),
                 core::field("heard", &Follower::heard_)};
};

/// Asserts that no neighbour greets it twice.
class Touchy : public Toy<Touchy, core::NoTimer> {
 public:
  static constexpr std::string_view name = "touchy";
  static constexpr core::Facts facts = changing_facts;
  using Toy::Toy;
  void start(Step&) {}
  void link_up(Step& step, core::Port) { step.broadcast(Word{id_}); }
  void receive(Step&, core::Port, const Word&) {
    core::invariant(!greeted_, "nobody greets twice");
    greeted_ = true;
  }
  std::optional<core::NodeId> leader() const { return std::nullopt; }
  friend bool operator==(const Touchy&, const Touchy&) = default;

 private:
  bool greeted_ = false;

 public:
  static constexpr auto fields =
      std::tuple{core::field("id", &Touchy::id_), core::field("greeted", &Touchy::greeted_)};
};

/// Sends without end.
class Chatter : public Toy<Chatter, Bell> {
 public:
  static constexpr std::string_view name = "chatter";
  static constexpr core::Facts facts{};
  using Toy::Toy;
  void start(Step& step) { step.arm(Bell{1}, 10ms, 20ms); }
  void receive(Step&, core::Port, const Word&) {}
  void timeout(Step& step, Bell) {
    step.broadcast(Word{id_});
    step.arm(Bell{1}, 10ms, 20ms);
  }
  std::optional<core::NodeId> leader() const { return core::NodeId{1}; }
  friend bool operator==(const Chatter&, const Chatter&) = default;
  static constexpr auto fields = std::tuple{core::field("id", &Chatter::id_)};
};

}  // namespace bellwether::check
