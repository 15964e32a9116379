// SPDX-License-Identifier: MIT
// Files that people write: a configuration, or keys, by the first byte. What is wrong with them is
// said by the one exception for it. A configuration that is right makes an engine, or its options
// are refused.
#include "bellwether/node/config.hpp"

#include "bellwether/core/problem.hpp"
#include "bellwether/node/engine_spec.hpp"
#include "bellwether/node/keyring.hpp"
#include "bellwether/operate/node_config.hpp"
#include "bellwether/terminal/program.hpp"
#include "input.hpp"

namespace {

using namespace bellwether;
using fuzz::require;

void read_config(const std::string& text) {
  node::Config config;
  try {
    operate::read_node_config(config, text, "node.toml");
  } catch (const core::Problem& error) {
    return require(std::string_view(error.what()).starts_with("node.toml"), "it has no place");
  }
  config.plain = config.key.empty();
  try {
    node::validate(config);
  } catch (const core::Problem&) {
    return;
  }
  const node::EngineSpec spec = node::engine_spec(config, catalogue::algorithm("cel-2"), 1400, 1);
  std::unique_ptr<node::Engine> engine;
  try {
    engine = std::make_unique<node::Engine>(catalogue::algorithm("cel-2"), spec);
  } catch (const core::Problem&) {
    return;
  }
  // The clocks of the machines that it runs on are about here.
  const core::Time now = std::chrono::hours(24 * 365 * 60);
  engine->start(now);
  engine->on_probe(now, core::NodeId{(std::uint64_t{1} << 48) + 1});
  if (const auto next = engine->next_alarm()) engine->alarm(*next);
}

void read_keys(const std::string& text) {
  try {
    const auto keys = node::parse_keys(text, "group.key");
    require(!keys.empty() && keys.size() <= 8, "no keys, or too many");
    require(!node::Keyring(keys, "boats").plain(), "keys that seal nothing");
  } catch (const core::Problem& error) {
    require(std::string_view(error.what()).starts_with("group.key"), "it has no place");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  if (input.byte() == 'k')
    read_keys(input.text());
  else
    read_config(input.text());
  return 0;
}
