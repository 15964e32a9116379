// SPDX-License-Identifier: MIT
// What happens to a message on its way: how long it takes, whether it is lost or duplicated.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "bellwether/core/poisson.hpp"
#include "bellwether/core/prng.hpp"
#include "bellwether/core/time.hpp"

namespace bellwether::world {

using core::Duration;
using core::Time;

enum class Order : unsigned char { fifo, unordered };
constexpr auto names_of(Order) {
  return std::array<std::string_view, 2>{"fifo", "unordered"};
}

enum class Delay : unsigned char { constant, uniform, exponential, poisson, adversarial };
constexpr auto names_of(Delay) {
  return std::array<std::string_view, 5>{"constant", "uniform", "exponential", "poisson",
                                         "adversarial"};
}

struct ChannelSpec {
  Order order = Order::fifo;
  double loss = 0;       // share of messages that vanish
  double duplicate = 0;  // share of messages that arrive twice
  Delay delay = Delay::constant;
  Duration mean = std::chrono::milliseconds(1);  // constant, exponential, poisson
  Duration min = std::chrono::milliseconds(1);   // uniform
  Duration max = std::chrono::milliseconds(10);  // uniform, adversarial
  Duration unit = std::chrono::milliseconds(1);  // poisson: a delay is a whole number of these
  friend bool operator==(const ChannelSpec&, const ChannelSpec&) = default;
};

/// A name, a sentence, the keys that matter: for `bellwether list`.
struct NamedFact {
  std::string_view name;
  std::string_view description;
};
std::span<const NamedFact> channels();
std::span<const NamedFact> delays();

/// Every message takes at least a nanosecond, so that an effect never comes with its cause.
class ChannelModel {
 public:
  /// The `kind`-th sort of links draws from streams of its own.
  ChannelModel(const ChannelSpec& spec, std::uint64_t seed, std::uint64_t kind = 0)
      : spec_(spec),
        units_(static_cast<double>(spec.mean.count()) / static_cast<double>(spec.unit.count())),
        delays_(core::stream(seed, "delay", kind)),
        losses_(core::stream(seed, "loss", kind)) {}

  /// The same delay for all, nothing lost or duplicated: no draw, and always in order.
  bool plain() const {
    return spec_.delay == Delay::constant && spec_.loss == 0 && spec_.duplicate == 0;
  }
  /// In order by our own doing: a constant delay keeps the order by itself.
  bool keeps_order() const { return spec_.order == Order::fifo && spec_.delay != Delay::constant; }

  Duration delay(Time now) {
    return std::max(Duration{1}, spec_.delay == Delay::constant ? spec_.mean : draw(now));
  }
  bool loses() { return losses_.chance(spec_.loss); }
  bool doubles() { return losses_.chance(spec_.duplicate); }

 private:
  Duration draw(Time now);

  ChannelSpec spec_;
  core::Poisson units_;  // of a delay
  core::Prng delays_;
  core::Prng losses_;
};

}  // namespace bellwether::world
