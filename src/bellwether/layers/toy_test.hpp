// SPDX-License-Identifier: MIT
// Protocols to put layers around: one greets each new link with the numbers 1, 2, 3, ... and writes
// down what it hears; one shows a place in a tree.
#pragma once

#include "bellwether/core/typed.hpp"

namespace bellwether::layers {

class Toy {
 public:
  static constexpr std::string_view name = "toy";
  struct Options {
    std::uint64_t numbers = 3;
    std::uint64_t ballast = 0;  // bytes that each number carries
    bool to_all = false;        // broadcast instead of sending on the new link
    static constexpr auto fields = std::tuple{core::field("numbers", &Options::numbers, "")};
    friend bool operator==(const Options&, const Options&) = default;
  };
  struct Word {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "word";
    std::uint64_t number = 0;
    std::vector<std::uint8_t> ballast;
    static constexpr auto fields =
        std::tuple{core::field("number", &Word::number), core::field("ballast", &Word::ballast)};
    friend bool operator==(const Word&, const Word&) = default;
  };
  using Message = std::variant<Word>;
  enum class Timer : std::uint8_t { alarm };
  friend constexpr auto names_of(Timer) { return std::array<std::string_view, 1>{"alarm"}; }
  using Step = core::Step<Message, Timer>;

  /// One life of one link, as seen from inside.
  struct Life {
    core::Port port{};
    core::NodeId peer{};
    bool over = false;
    std::vector<std::uint64_t> heard;
    static constexpr auto fields = std::tuple{core::field("heard", &Life::heard)};
    friend bool operator==(const Life&, const Life&) = default;
  };

  Toy() = default;
  Toy(core::NodeId id, Options options) : id_(id), options_(options) {}

  void start(Step& step) {
    step.arm(Timer::alarm, std::chrono::seconds(5), std::chrono::seconds(5));
    for (const core::Port port : step.ports()) link_up(step, port);
  }
  void link_up(Step& step, core::Port port) {
    lives.push_back({port, step.peer(port), false, {}});
    for (std::uint64_t i = 1; i <= options_.numbers; ++i) {
      const Word word{i, std::vector<std::uint8_t>(options_.ballast, std::uint8_t(200 + i))};
      if (options_.to_all)
        step.broadcast(word);
      else
        step.send(port, word);
    }
  }
  void link_down(Step& step, core::Port port) {
    Life& life = of(port);
    core::invariant(!life.over, "a link that is down went down");
    core::invariant(step.peer(port) == life.peer, "a link changed its peer");
    life.over = true;
  }
  void receive(Step& step, core::Port port, const Message& message) {
    Life& life = of(port);
    core::invariant(!life.over, "a message came on a link that is down");
    core::invariant(step.peer(port) == life.peer, "a link changed its peer");
    life.heard.push_back(std::get<Word>(message).number);
  }
  void timeout(Step&, Timer) { ++alarms; }
  std::optional<core::NodeId> leader() const { return id_; }

  Life& of(core::Port port) {
    for (Life& life : lives)
      if (life.port == port) return life;
    throw core::Violation("a port that nobody announced");
  }

  std::vector<Life> lives;
  std::uint64_t alarms = 0;
  friend bool operator==(const Toy&, const Toy&) = default;

 private:
  core::NodeId id_{};
  Options options_;

 public:
  static constexpr auto fields = std::tuple{core::field("lives", &Toy::lives)};
};

/// A node of a tree: its parent has the id that is set as its priority; 0: it is in no tree.
class Branch {
 public:
  static constexpr std::string_view name = "branch";
  struct Options {
    static constexpr std::tuple<> fields{};
    friend bool operator==(const Options&, const Options&) = default;
  };
  using Message = std::variant<Toy::Word>;
  enum class Timer : std::uint8_t { beat, silence };
  friend constexpr auto names_of(Timer) {
    return std::array<std::string_view, 2>{"beat", "silence"};
  }
  using Step = core::Step<Message, Timer>;

  Branch() = default;
  Branch(core::NodeId id, Options) : id_(id) {}
  void start(Step&) {}
  void link_up(Step&, core::Port) {}
  void link_down(Step&, core::Port) { ++losses; }
  void farewell(Step&, core::Port) { ++farewells; }
  void receive(Step&, core::Port, const Message&) { ++words; }
  void timeout(Step& step, Timer) { step.broadcast(Toy::Word{}); }
  void set_priority(Step&, std::uint32_t priority) { parent_ = core::NodeId{priority}; }
  static bool is_silence(Timer timer) { return timer == Timer::silence; }
  std::optional<core::NodeId> leader() const { return id_; }
  std::optional<core::TreePlace> tree_place() const {
    if (raw(parent_) == 0) return std::nullopt;
    return core::TreePlace{parent_, 1, 2};
  }

  std::uint64_t losses = 0, farewells = 0, words = 0;
  friend bool operator==(const Branch&, const Branch&) = default;

 private:
  core::NodeId id_{};
  core::NodeId parent_{};

 public:
  static constexpr auto fields = std::tuple{core::field("parent", &Branch::parent_)};
};

inline std::shared_ptr<core::Nodes> toys(Toy::Options options) {
  return std::make_shared<core::Typed<Toy>>(options);
}
/// The toy that a layer carries.
inline const Toy& toy_in(const core::AnyNode& inside) {
  return static_cast<const core::Typed<Toy>&>(inside.nodes()).node(inside.index());
}
inline core::AnyMessage word(std::uint64_t number) {
  return core::AnyMessage::of(Toy::Message(Toy::Word{number, {}}));
}

}  // namespace bellwether::layers
