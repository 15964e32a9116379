// SPDX-License-Identifier: MIT
#include "conformance/subject.hpp"

#include <algorithm>
#include <ostream>

#include "bellwether/layers/listed.hpp"
#include "bellwether/layers/mapped.hpp"
#include "bellwether/layers/stack.hpp"
#include "bellwether/layers/synchronized.hpp"
#include "conformance/typed.hpp"

namespace bellwether::conformance {
namespace {

using Draw = std::function<AnyMessage(core::Prng&)>;
const Draw* inside = nullptr;  // whose messages a layer's message carries

}  // namespace
}  // namespace bellwether::conformance

template <>
bellwether::core::AnyMessage bellwether::core::arbitrary<bellwether::core::AnyMessage>(Prng& prng) {
  return (*conformance::inside)(prng);
}

namespace bellwether::conformance {
namespace {

template <class Layer>
Draw carrying(Draw inner) {
  return [inner](core::Prng& prng) {
    const Draw* outside = std::exchange(inside, &inner);
    AnyMessage message = AnyMessage::of(core::arbitrary<typename Layer::Message>(prng));
    inside = outside;
    return message;
  };
}
Draw beside(Draw map, Draw inner) {
  using layers::Mapped;
  return [map, inner](core::Prng& prng) {
    return AnyMessage::of(prng.below(2) == 0 ? Mapped::Message(Mapped::OfMap{map(prng)})
                                             : Mapped::Message(Mapped::OfElection{inner(prng)}));
  };
}

Subject stacked(std::string name, std::string_view election, const layers::StackSpec& spec) {
  const core::Algorithm& algorithm = catalogue::algorithm(election);
  const TypedRow& row = typed_row(election);
  Subject out;
  out.name = std::move(name);
  out.any = [&algorithm, &row, spec](core::Prng& prng) {
    return layers::stack(algorithm, row.any_options(prng), spec);
  };
  out.with_defaults = [&algorithm, spec] { return layers::stack(algorithm, {}, spec); };
  out.any_message = row.any_message;
  const auto put_on = [&](Draw draw, std::vector<Alternative> alternatives) {
    out.any_message = std::move(draw);
    out.alternatives = std::move(alternatives);
  };
  if (spec.rounds)
    put_on(carrying<layers::Synchronized>(out.any_message),
           alternatives_of(static_cast<layers::Synchronized::Message*>(nullptr)));
  if (spec.reliable)
    put_on(carrying<layers::Reliable>(out.any_message),
           alternatives_of(static_cast<layers::Reliable::Message*>(nullptr)));
  if (spec.map && algorithm.tree)
    put_on(carrying<layers::Listed>(out.any_message),
           alternatives_of(static_cast<layers::Listed::Message*>(nullptr)));
  else if (spec.map)
    put_on(beside(typed_row(spec.map->name).any_message, out.any_message),
           alternatives_of(static_cast<layers::Mapped::Message*>(nullptr)));
  if (spec.probes)
    put_on(carrying<layers::Probed>(out.any_message),
           alternatives_of(static_cast<layers::Probed::Message*>(nullptr)));
  return out;
}

}  // namespace

const TypedRow& typed_row(std::string_view name) {
  const auto found = std::find_if(typed_rows().begin(), typed_rows().end(),
                                  [&](const TypedRow& row) { return row.name == name; });
  core::invariant(found != typed_rows().end(), "no row of this name");
  return *found;
}

std::vector<Subject> algorithms() {
  std::vector<Subject> out;
  for (const core::Algorithm& algorithm : catalogue::all()) {
    const TypedRow& row = typed_row(algorithm.name);
    std::string name(algorithm.name);
    std::replace(name.begin(), name.end(), '-', '_');
    out.push_back({std::move(name), &algorithm,
                   [&](core::Prng& prng) { return algorithm.make(row.any_options(prng)); },
                   [&] { return algorithm.make({}); }, row.any_message, row.alternatives});
  }
  return out;
}

/// Layers are protocols, too, and what they say on the wire is decoded by strangers.
std::vector<Subject> with_layers() {
  std::vector<Subject> out = algorithms();
  layers::StackSpec probed, reliable, both, synchronized, mapped;
  probed.probes = layers::ProbeOptions{};
  out.push_back(stacked("probed_cel", "cel", probed));
  reliable.reliable = layers::ReliableOptions{};
  out.push_back(stacked("reliable_height", "height", reliable));
  both = probed;
  both.reliable = reliable.reliable;
  out.push_back(stacked("probed_reliable_height", "height", both));
  synchronized.rounds = layers::PulseOptions{};
  synchronized.rounds->pulses = 20;  // a node without neighbours would never stop
  out.push_back(stacked("synchronized_flood_max", "flood-max", synchronized));
  mapped.map = &catalogue::algorithm("cel-2");
  out.push_back(stacked("mapped_height", "height", mapped));
  both.map = mapped.map;
  both.limits.members = 5;
  out.push_back(stacked("deployed_height", "height", both));
  out.push_back(stacked("listed_drumbeat", "drumbeat", mapped));
  layers::StackSpec beats = probed;
  beats.map = mapped.map;
  beats.probes->spare = 4;
  beats.limits.members = 5;
  out.push_back(stacked("deployed_drumbeat", "drumbeat", beats));
  return out;
}

std::vector<Subject> in_rounds(std::vector<Subject> subjects, bool rounds) {
  std::erase_if(subjects, [&](const Subject& each) {
    return (each.algorithm != nullptr && each.algorithm->rounds) != rounds;
  });
  return subjects;
}

core::Bytes bytes_of(const AnyMessage& message) {
  core::Bytes out;
  core::ByteSink sink{out};
  message.walk_into(sink);
  return out;
}
core::Bytes bytes_of(const AnyNode& node) {
  core::Bytes out;
  core::ByteSink sink{out};
  node.walk_into(sink);
  return out;
}
std::string text_of(const AnyMessage& message) {
  std::string out;
  message.print_into(out);
  return out;
}

void require_round_trip(const core::Nodes& nodes, const AnyMessage& message) {
  const core::Bytes bytes = bytes_of(message);
  require(bytes.size() == message.encoded_size(), "encoded_size is not the size");
  const auto back = nodes.decode(bytes);
  require(back.has_value(), "an encoding is not decoded");
  require(*back == message, "decode does not give back what was encoded");
  require(back->digest() == message.digest(), "equal messages have different digests");
}

void PrintTo(const Subject& subject, std::ostream* out) {
  *out << subject.name;
}

}  // namespace bellwether::conformance
