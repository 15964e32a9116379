// SPDX-License-Identifier: MIT
// An election whose map does not grow beyond a limit, whatever a neighbour says: a message that
// would make it is dropped as a whole. It stands below the probes, where messages that came in
// parts are whole again.
#pragma once

#include "bellwether/node/mapped.hpp"
#include "bellwether/node/routes.hpp"

namespace bellwether::node {

template <core::Protocol P>
requires KeepsMap<P>
class Bounded : public P {
 public:
  using Step = core::StepOf<P>;

  struct Options {
    typename P::Options inner;
    std::size_t most_members = 0;
    static constexpr std::tuple<> fields{};  // whoever puts the two together sets them
    friend bool operator==(const Options&, const Options&) = default;
  };

  Bounded() = default;
  Bounded(NodeId id, Options options)
      : P(id, std::move(options.inner)), most_members_(options.most_members) {}

  void receive(Step& step, Port port, const typename P::Message& message) {
    if (names_too_many(message, P::known(), most_members_))
      ++dropped_;
    else
      P::receive(step, port, message);
  }
  /// So many messages.
  std::uint64_t dropped() const { return dropped_; }

 private:
  std::size_t most_members_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace bellwether::node
