// SPDX-License-Identifier: MIT
// What is known about an algorithm, as data: `describe` prints it and the drivers refuse a network
// that breaks it.
#pragma once

#include <array>
#include <string_view>

namespace bellwether::core {

enum class Shape : unsigned char { any, ring, complete };
constexpr auto names_of(Shape) {
  return std::array<std::string_view, 3>{"any connected network", "ring", "complete network"};
}

/// Whom an election ought to find in a connected component: what an oracle that sees everything
/// would name. Ties: the highest id.
enum class Criterion : unsigned char { majority, highest_id, oldest, degree, closeness };
constexpr auto names_of(Criterion) {
  return std::array<std::string_view, 5>{"majority", "highest-id", "oldest", "degree", "closeness"};
}

/// What an algorithm reads of `now()`. At the start: a number that is larger at each start of a
/// node than whatever it counted up to in its earlier lives.
enum class ClockUse : unsigned char { none, at_start, always };
constexpr auto names_of(ClockUse) {
  return std::array<std::string_view, 3>{"none", "at the start", "always"};
}

/// What every node knows of the network before it begins. Drivers fill in the option of that name.
enum class Knows : unsigned char { nothing, nodes, diameter };
constexpr auto names_of(Knows) {
  return std::array<std::string_view, 3>{"nothing", "nodes", "diameter"};
}

/// What an algorithm requires, or tolerates.
struct Model {
  Shape shape = Shape::any;
  bool needs_ids = true;         // false: runs in anonymous networks
  bool needs_direction = false;  // on a ring the first port leads clockwise, at every node
  bool needs_all = false;        // all nodes start, none waits to be woken
  bool randomized = false;       // draws
  Knows knows = Knows::nothing;
  bool tolerates_one_way = false;  // links that carry messages one way only
  bool tolerates_changes = false;  // links that come and go
  bool tolerates_crashes = false;  // nodes that crash, with or without a restart
  bool tolerates_loss = false;     // messages that are lost on a link that is up
  bool tolerates_reordering = false;
  bool tolerates_duplicates = false;
  bool synchronous = false;      // proceeds in rounds
  bool hears_strangers = false;  // handles messages on links of which it has not been notified
  // An algorithm whose options decide this offers `static ClockUse clock_use(const Options&)`.
  ClockUse clock = ClockUse::none;
};

struct Facts {
  std::string_view title;      // the algorithm in a few words
  std::string_view source;     // who published it, where
  std::string_view idea;       // two or three sentences
  std::string_view messages;   // bound, with the constant where it is known
  std::string_view time;       // bound
  std::string_view guarantee;  // what holds in the end
  std::string_view differs;    // where we differ from the source
  Model model;
  // Whom it means to elect; majority: the node that most of the component name. An algorithm whose
  // options decide this offers `static Criterion criterion(const Options&)` as well.
  Criterion criterion = Criterion::majority;
};

/// Whom an algorithm with these options means to elect.
template <class P>
Criterion criterion_of(const typename P::Options& options) {
  if constexpr (requires { P::criterion(options); }) return P::criterion(options);
  if constexpr (requires { P::facts; }) return P::facts.criterion;
  return Criterion::majority;
}

/// What an algorithm with these options reads of `now()`.
template <class P>
ClockUse clock_use_of(const typename P::Options& options) {
  if constexpr (requires { P::clock_use(options); }) return P::clock_use(options);
  if constexpr (requires { P::facts; }) return P::facts.model.clock;
  return ClockUse::none;
}

}  // namespace bellwether::core
