// SPDX-License-Identifier: MIT
#include "bellwether/layers/mapped.hpp"

namespace bellwether::layers {
namespace {

/// One step of one of the two, on the ports of both.
template <class Wrapped, class WrappedTimer>
void run(Mapped::Step& step, core::AnyNode& part, const core::Call& what) {
  const core::Effects& effects = part.call(what, surroundings_of(step));
  for (const core::Effects::Send& send : effects.sends)
    step.send(send.port, Wrapped{taken(part.nodes(), send)});
  pass_alarms_on<WrappedTimer>(step, part.nodes(), effects);
}

/// Reads one of two alternatives, whose fields belong to the map where its tag is that of
/// `OfTheMap`.
template <class OfTheMap, class Variant>
bool read_one(core::Reader& in, Variant& value, const Mapped::Options& options) {
  if (in.left() > 0 && in.rest().front() == OfTheMap::tag) in.set_inside(options.map.get());
  return core::read(in, value);
}

}  // namespace

bool Mapped::read(core::Reader& in, Message& message, const Options& options) {
  return read_one<OfMap>(in, message, options);
}

bool Mapped::read(core::Reader& in, Timer& timer, const Options& options) {
  return read_one<MapTimer>(in, timer, options);
}

void Mapped::call_map(Step& step, const core::Call& what) {
  run<OfMap, MapTimer>(step, map_, what);
}

void Mapped::call_election(Step& step, const core::Call& what) {
  run<OfElection, InnerTimer>(step, inner_, what);
}

void Mapped::both(Step& step, const core::Call& what) {
  call_map(step, what);
  call_election(step, what);
}

void Mapped::receive(Step& step, Port port, const Message& message) {
  if (const auto* of_map = std::get_if<OfMap>(&message))
    call_map(step, core::Call::receive(port, of_map->body.value()));
  else
    call_election(step, core::Call::receive(port, std::get<OfElection>(message).body.value()));
}

void Mapped::timeout(Step& step, const Timer& timer) {
  if (const auto* of_map = std::get_if<MapTimer>(&timer))
    call_map(step, core::Call::timeout(of_map->timer.name()));
  else
    call_election(step, core::Call::timeout(std::get<InnerTimer>(timer).timer.name()));
}

}  // namespace bellwether::layers
