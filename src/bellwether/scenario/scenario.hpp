// SPDX-License-Identifier: MIT
// A scenario: everything that a run depends on, as one value. Read from TOML, changed by
// `--set key=value`, printed back.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bellwether/core/facts.hpp"
#include "bellwether/core/options.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/core/synchronizer.hpp"
#include "bellwether/world/changes.hpp"
#include "bellwether/world/channel.hpp"
#include "bellwether/world/mobility.hpp"
#include "bellwether/world/network.hpp"
#include "bellwether/world/radio.hpp"

namespace bellwether::scenario {

using core::Duration;
using core::NodeId;
using core::Time;

/// Which nodes initiate, and when.
struct StartSpec {
  std::uint64_t initiators = 0;  // how many, drawn; 0: all
  std::vector<NodeId> nodes;     // exactly these; empty: drawn
  Duration window{};             // each starts within this time, evenly spread
  friend bool operator==(const StartSpec&, const StartSpec&) = default;
};

/// Each end of a link is notified of a change after a time of its own.
struct NotifySpec {
  Duration min{};
  Duration max{};
  friend bool operator==(const NotifySpec&, const NotifySpec&) = default;
};

/// How a node learns its neighbours: from a driver that sees everything, or from what it hears.
enum class Detect : unsigned char { told, probes };
constexpr auto names_of(Detect) {
  return std::array<std::string_view, 2>{"told", "probes"};
}

/// The layers around an election: those that these keys choose, or those of the daemon.
enum class LayerStack : unsigned char { chosen, deployed };
constexpr auto names_of(LayerStack) {
  return std::array<std::string_view, 2>{"chosen", "deployed"};
}

struct NeighbourSpec {
  Detect detect = Detect::told;
  Duration period = std::chrono::milliseconds(400);
  Duration timeout = std::chrono::milliseconds(450);
  Duration jitter{};
  bool reliable = false;  // ordered reliable links on top
  Duration retry = std::chrono::milliseconds(100);
  LayerStack stack = LayerStack::chosen;

  bool deployed() const { return stack == LayerStack::deployed; }
  bool probes() const { return detect == Detect::probes || deployed(); }
  friend bool operator==(const NeighbourSpec&, const NeighbourSpec&) = default;
};

/// What is measured over time. Unasked: in networks that move, while they are small.
enum class MetricsMode : unsigned char { automatic, on, off };
constexpr auto names_of(MetricsMode) {
  return std::array<std::string_view, 3>{"auto", "on", "off"};
}
inline constexpr std::uint32_t measured_unasked = 2000;  // nodes

struct MetricsSpec {
  MetricsMode on = MetricsMode::automatic;
  Duration interval{};  // 0: a hundredth of the run
  Duration warm_up{};
  Time until{};                           // of a run that is quiescent before; 0: its end
  std::optional<core::Criterion> oracle;  // none: the algorithm's own
  friend bool operator==(const MetricsSpec&, const MetricsSpec&) = default;
};

/// Synchronous algorithms: how their rounds are played.
struct RoundsSpec {
  Duration duration = std::chrono::milliseconds(1);  // of a round, without a synchronizer
  core::Synchronizer synchronizer = core::Synchronizer::none;
  std::uint32_t pulses = 0;  // 0: as many as there are rounds without a synchronizer
  std::uint32_t growth = 2;  // gamma
  friend bool operator==(const RoundsSpec&, const RoundsSpec&) = default;
};

struct StopSpec {
  Time time = std::chrono::hours(1);
  std::uint64_t events = 0;  // 0: no limit
  friend bool operator==(const StopSpec&, const StopSpec&) = default;
};

/// An option of the algorithm as it was written: its kind is known only to the algorithm.
struct RawOption {
  std::string text;
  core::Location where;
  friend bool operator==(const RawOption& x, const RawOption& y) { return x.text == y.text; }
};

/// Where each key was given, for errors: "network.nodes" -> "ring.toml:7" or "--set". Entries of
/// [[change]] count from one: "change[2]". Not part of the value of a scenario: all are equal.
struct KeyLocations : std::map<std::string, core::Location> {
  core::Location file;  // of the scenario, for keys that were not given
  friend bool operator==(const KeyLocations&, const KeyLocations&) { return true; }
};

struct Scenario {
  std::string name;
  std::string about;
  std::string algorithm = "height";
  std::uint64_t seed = 1;
  world::NetworkSpec network;
  world::ChannelSpec channel;
  world::RadioSpec radio;
  world::ChangeSpec changes;
  world::MobilitySpec mobility;
  StartSpec start;
  NotifySpec notify;
  NeighbourSpec neighbours;
  MetricsSpec metrics;
  StopSpec stop;
  Duration clock_skew{};
  bool clock_jumps = false;
  RoundsSpec rounds;
  bool beyond_model = false;            // run where the algorithm's model does not hold
  std::vector<std::string> properties;  // "all", or names; empty: none
  std::map<std::string, RawOption> options;
  std::filesystem::path folder;  // of the file, for relative paths
  KeyLocations where;
  friend bool operator==(const Scenario&, const Scenario&) = default;
};

/// One key of the format: for validation, help and the reference.
struct KeyFact {
  std::string key;           // "network.nodes"
  std::string kind;          // "a whole number from 0"
  std::string default_text;  // the default as text
  std::string description;
  std::string applies{};  // only with this: "churn.rate above 0"; empty: always
};
/// All keys, in the order in which people would write them; the algorithm's options are not here.
std::vector<KeyFact> keys();
/// The same as a table, for docs/scenarios.md.
std::string keys_as_markdown();

Scenario read_scenario(const std::filesystem::path& path);
Scenario parse_scenario(std::string_view toml, const std::string& path);

/// "key=value" as on the command line; strings need no quotes.
void set_key(Scenario& scenario, std::string_view assignment);

/// Checks what no single key can: called by read_scenario, and again after set_key.
void validate(const Scenario& scenario);

/// The changes with `until` filled in: it never lies after the end of the run.
world::ChangeSpec effective_changes(const Scenario& scenario);
/// Whether positions decide which nodes are linked.
bool moves(const Scenario& scenario);
/// Of a network that moves; the servers and the towers of a highway are wired.
bool has_wires(const world::NetworkSpec& network);
/// Whether anything is measured over time.
bool measures(const Scenario& scenario);
/// The network with the path of its file as seen from here: that of the scenario begins at the
/// scenario's folder.
world::NetworkSpec effective_network(const Scenario& scenario);
/// The same for mobility and its trace.
world::MobilitySpec effective_mobility(const Scenario& scenario);

/// What is wrong with a key, with its place where it was given.
core::Problem problem_at(const Scenario& scenario, const std::string& key, std::string sentence);

/// The scenario as TOML, complete: reading it back gives the same value.
std::string print_scenario(const Scenario& scenario);

}  // namespace bellwether::scenario
