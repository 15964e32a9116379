// SPDX-License-Identifier: MIT
// An election in one file, for `bellwether run SCENARIO --algorithm ./ring_of_trust.cpp`. Behind
// the class stands one line:
//
//   extern "C" auto bellwether_plugin() { return bellwether::core::plugin<RingOfTrust>(); }
#pragma once

#include "bellwether/core/algorithm_of.hpp"

namespace bellwether::core {

/// Of the host interface: Algorithm, Nodes and all that they speak of. A plug-in of another version
/// is refused. To be raised with every change of a class or function that a plug-in sees.
inline constexpr std::uint32_t host_version = 2;

/// What a plug-in says of itself. A pointer to it is handed over, and the version stands first, so
/// that plug-ins of all versions can be asked for theirs.
struct Plugin {
  std::uint32_t version;
  Algorithm (*algorithm)();
};

/// The handler of a plug-in that runs in this thread, so that a crash can be blamed on it.
struct RunningHandler {
  std::string_view election;
  const char* handler = nullptr;  // null: none runs
};
extern constinit thread_local RunningHandler running_handler;

const char* handler_name(Call::Handler handler);

/// Nodes that note which of their handlers runs.
template <AnyProtocol P>
class Watched final : public Typed<P> {
 public:
  using Typed<P>::Typed;

  void call(NodeIndex u, const Call& what, const Surroundings& around, Effects& out) override {
    const Note note(handler_name(what.handler));
    Typed<P>::call(u, what, around, out);
  }
  void deliver(const EventQueue::Batch& batch, PlainRun& run) override {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const bool message = run.is_message(batch[i]);
      const Note note(handler_name(message ? Call::Handler::receive : Call::Handler::start));
      Typed<P>::deliver(batch.one(i), run);
    }
  }
  void play(RoundRun& run) override {
    const Note note(handler_name(Call::Handler::round));
    Typed<P>::play(run);
  }

 private:
  struct Note {
    explicit Note(const char* handler) { running_handler = {P::name, handler}; }
    ~Note() { running_handler = {}; }
    Note(const Note&) = delete;
    Note& operator=(const Note&) = delete;
  };
};

template <AnyProtocol P>
const Plugin* plugin() {
  static constexpr Plugin out{
      host_version, [] {
        Algorithm algorithm = algorithm_of<P>();
        algorithm.make = [](const OptionTexts& texts) -> std::unique_ptr<Nodes> {
          return std::make_unique<Watched<P>>(parsed_options<P>(texts));
        };
        return algorithm;
      }};
  return &out;
}

}  // namespace bellwether::core
