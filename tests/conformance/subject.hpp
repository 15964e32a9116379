// SPDX-License-Identifier: MIT
// What is tried: every algorithm of the catalogue, and layers around some of them, without types.
// What only a type can tell, typed.hpp says of each.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/core/host.hpp"
#include "bellwether/core/prng.hpp"

namespace bellwether::conformance {

using core::AnyMessage;
using core::AnyNode;
using core::NodeId;
using core::Port;
using core::Time;

/// A protocol broke a rule; what() says which.
class Broken : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline void require(bool holds, const char* rule) {
  if (!holds) throw Broken(rule);
}

/// One kind of message.
struct Alternative {
  int tag;
  std::string_view name;
};

struct Subject {
  std::string name;  // of its tests: small letters, digits and underscores
  const core::Algorithm* algorithm = nullptr;  // null: layers
  /// With options as a user could set them, drawn; or as they are by default.
  std::function<std::unique_ptr<core::Nodes>(core::Prng&)> any;
  std::function<std::unique_ptr<core::Nodes>()> with_defaults;
  std::function<AnyMessage(core::Prng&)> any_message;
  std::vector<Alternative> alternatives;

  /// What its random lives are drawn from, with a seed.
  std::string_view stream() const { return algorithm ? algorithm->name : std::string_view(name); }
};

/// All algorithms; `with_layers`: and what stands on them.
std::vector<Subject> algorithms();
std::vector<Subject> with_layers();

/// Those that proceed in rounds, or those that do not.
std::vector<Subject> in_rounds(std::vector<Subject> subjects, bool rounds);

/// The codec and the digest keep what they are given.
void require_round_trip(const core::Nodes& nodes, const AnyMessage& message);

core::Bytes bytes_of(const AnyMessage& message);
core::Bytes bytes_of(const AnyNode& node);
std::string text_of(const AnyMessage& message);

/// The tests have the names of the algorithms.
struct NameOf {
  template <class Info>
  std::string operator()(const Info& each) const {
    return each.param.name;
  }
};
/// What a failed test prints of its parameter.
void PrintTo(const Subject& subject, std::ostream* out);

}  // namespace bellwether::conformance
