// SPDX-License-Identifier: MIT
// One step as a value: all that a handler can see, and all that it did. The same occasion can be
// played again on an equal state, and must have the same effects.
#pragma once

#include <stdexcept>

#include "bellwether/core/arbitrary.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/options.hpp"
#include "bellwether/core/print.hpp"
#include "bellwether/core/prng.hpp"
#include "bellwether/core/protocol.hpp"

namespace bellwether::conformance {

using core::NodeId;
using core::Port;
using core::Time;

/// A protocol broke a rule; what() says which.
class Broken : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline void require(bool holds, const std::string& rule) {
  if (!holds) throw Broken(rule);
}

enum class Kind : std::uint8_t { start, link_up, link_down, receive, timeout };
constexpr auto names_of(Kind) {
  return std::array<std::string_view, 5>{"start", "link_up", "link_down", "receive", "timeout"};
}

template <class P>
struct Occasion {
  Kind kind = Kind::start;
  Port port = core::every_port;  // that the step is about
  typename P::Message message{};
  typename P::Timer timer{};
  std::vector<Port> ports;                     // up, and not only for listening
  std::vector<std::pair<Port, NodeId>> peers;  // whom a node may ask for
  Time now{};
  std::uint64_t choices = 0;  // the seed of choose()
};

template <class P>
std::string text(const Occasion<P>& o) {
  std::string out(core::name_of(o.kind));
  if (o.port != core::every_port) out += " port " + core::text_of(o.port);
  if (o.kind == Kind::receive) out += " " + core::text_of(o.message);
  if (o.kind == Kind::timeout) out += " " + core::text_of(o.timer);
  return out + " ports " + core::text_of(o.ports) + " now " + std::to_string(o.now.count());
}

template <class P>
struct Effects {
  using Step = core::StepOf<P>;
  std::vector<typename Step::Send> sends;
  std::vector<typename Step::Alarm> alarms;

  friend bool operator==(const Effects& a, const Effects& b) {
    const auto same_send = [](const auto& x, const auto& y) {
      return x.port == y.port && x.message == y.message;
    };
    const auto same_alarm = [](const auto& x, const auto& y) {
      return x.timer == y.timer && x.armed == y.armed && x.min == y.min && x.max == y.max;
    };
    return std::equal(a.sends.begin(), a.sends.end(), b.sends.begin(), b.sends.end(), same_send) &&
           std::equal(a.alarms.begin(), a.alarms.end(), b.alarms.begin(), b.alarms.end(),
                      same_alarm);
  }
};

/// Plays occasions.
template <class P>
class Bench {
 public:
  explicit Bench(bool anonymous)
      : step_(core::DriverHooks{this, anonymous ? nullptr : &Bench::peer, &Bench::choose}) {}
  Bench(const Bench&) = delete;  // the step points back here
  Bench& operator=(const Bench&) = delete;

  Effects<P> play(P& node, const Occasion<P>& occasion) {
    seen_ = &occasion;
    prng_ = core::Prng(occasion.choices);
    step_.begin(occasion.ports, occasion.now);
    switch (occasion.kind) {
      case Kind::start:
        node.start(step_);
        break;
      case Kind::link_up:
        node.link_up(step_, occasion.port);
        break;
      case Kind::link_down:
        node.link_down(step_, occasion.port);
        break;
      case Kind::receive:
        node.receive(step_, occasion.port, occasion.message);
        break;
      case Kind::timeout:
        node.timeout(step_, occasion.timer);
        break;
    }
    return {step_.sends(), step_.alarms()};
  }

 private:
  static NodeId peer(void* self, Port port) {
    for (const auto& [known, id] : static_cast<Bench*>(self)->seen_->peers)
      if (known == port) return id;
    throw Broken("it asks who is behind a port that is down");
  }
  static std::uint64_t choose(void* self, std::uint64_t n) {
    return static_cast<Bench*>(self)->prng_.below(n);
  }

  core::StepOf<P> step_;
  const Occasion<P>* seen_ = nullptr;
  core::Prng prng_;
};

/// The codec and the digest keep what they are given.
template <class Message>
void require_round_trip(const Message& message) {
  const core::Bytes bytes = core::encode(message);
  require(bytes.size() == core::encoded_size(message), "encoded_size is not the size");
  const auto back = core::decode<Message>(bytes);
  require(back.has_value(), "an encoding is not decoded");
  require(*back == message, "decode does not give back what was encoded");
  require(core::digest(*back) == core::digest(message), "equal messages have different digests");
}

/// A message whose bytes were damaged on the way, if it can still be read.
template <class Message>
std::optional<Message> damaged(const Message& message, core::Prng& prng) {
  core::Bytes bytes = core::encode(message);
  for (std::uint64_t n = 1 + prng.below(2); n > 0 && !bytes.empty(); --n)
    bytes[prng.below(bytes.size())] ^= static_cast<std::uint8_t>(1u << prng.below(8));
  return core::decode<Message>(bytes);
}

/// Options as a user could set them: what the reader refuses keeps its default.
template <class Options>
Options any_options(core::Prng& prng) {
  Options options{};
  core::for_each_field<Options>([&](const auto& f) {
    using T = std::remove_cvref_t<decltype(options.*f.member)>;
    if (prng.below(2) == 0) return;
    core::set_option(options, f.name, core::text_of(core::arbitrary<T>(prng)));
  });
  return options;
}

}  // namespace bellwether::conformance
