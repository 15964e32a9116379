// SPDX-License-Identifier: MIT
#include "bellwether/layers/deployed.hpp"

#include <charconv>

#include "bellwether/core/time.hpp"

namespace bellwether::layers {
namespace {

constexpr std::uint64_t far = 255;        // hops: farther than any network is wide
constexpr std::uint64_t most_missed = 5;  // signs of life of a leader
constexpr std::uint32_t longest_wave = 1000;

const core::OptionRow* find(const core::Algorithm& algorithm, std::string_view name) {
  for (const core::OptionRow& row : algorithm.options)
    if (row.name == name) return &row;
  return nullptr;
}

bool is_zero(std::string_view text) {
  return !text.empty() && text.find_first_not_of('0') == text.npos;
}

bool is_duration(const core::OptionRow* row) {
  return row != nullptr && row->is_duration;
}

/// What is no duration is refused where nodes are made.
Duration value_of(const core::OptionTexts& given, std::string_view name, Duration otherwise) {
  const auto at = given.find(name);
  if (at == given.end()) return otherwise;
  return core::parse_duration(at->second).value_or(otherwise);
}

/// Beats from one wave of the tree to the next. What is no number is refused where nodes are made.
std::uint32_t beats_of_wave(const core::Algorithm& algorithm, const core::OptionTexts& options) {
  const core::OptionRow* row = find(algorithm, "wave");
  if (!algorithm.tree || row == nullptr) return 0;
  const auto given = options.find("wave");
  const std::string& text = given == options.end() ? row->default_text : given->second;
  std::uint32_t beats = 0;
  std::from_chars(text.data(), text.data() + text.size(), beats);
  return std::clamp(beats, 1u, longest_wave);
}

}  // namespace

std::string unsuitable_because(const core::Algorithm& algorithm) {
  const core::Model& model = algorithm.facts.model;
  if (algorithm.rounds) return "needs synchronous rounds; deployed machines have no common clock";
  if (model.shape != core::Shape::any)
    return "needs a " + std::string(core::name_of(model.shape)) +
           "; a deployed network's topology is not known";
  if (!model.tolerates_changes)
    return "assumes that links do not change; those of a deployed network do";
  if (model.knows != core::Knows::nothing)
    return std::string("its nodes must know the ") +
           (model.knows == core::Knows::nodes ? "number of nodes" : "network's diameter") +
           " in advance";
  return {};
}

core::OptionTexts deployed_options(const core::Algorithm& algorithm, core::OptionTexts given,
                                   const ProbeOptions& probes) {
  if (const core::OptionRow* horizon = find(algorithm, "horizon")) {
    const auto at = given.try_emplace("horizon", horizon->default_text).first;
    if (is_zero(at->second)) at->second = std::to_string(far);
  }
  if (is_duration(find(algorithm, "digest")))
    given.try_emplace("digest", core::to_text(probes.timeout));
  if (is_duration(find(algorithm, "heartbeat")) && algorithm.has_option("missed")) {
    given.try_emplace("heartbeat", core::to_text(probes.period));
    given.try_emplace("missed", std::to_string(most_missed));
  }
  if (algorithm.tree && algorithm.has_option("patience") &&
      is_duration(find(algorithm, "period"))) {
    given.try_emplace("period", core::to_text(probes.period));
    // What follows from the others never contradicts what was given.
    const Duration period = value_of(given, "period", probes.period);
    const Duration jitter = value_of(given, "jitter", period / 12);
    const Duration slack = value_of(given, "slack", std::max(period / 5, jitter));
    if (is_duration(find(algorithm, "jitter")))
      given.try_emplace("jitter", core::to_text(std::min(jitter, slack)));
    if (is_duration(find(algorithm, "slack"))) given.try_emplace("slack", core::to_text(slack));
    // Each would be a frame; and machines that are busy are late by more than taps allow.
    if (algorithm.has_option("taps")) given.try_emplace("taps", "0");
  }
  return given;
}

ProbeOptions deployed_probes(const core::Algorithm& algorithm, const core::OptionTexts& options,
                             Duration period, Duration timeout, std::uint32_t mtu) {
  const std::uint32_t wave = beats_of_wave(algorithm, options);
  const Duration least = wave == 0 ? Duration{0} : (2 * wave + 1) * period;
  return {.period = period,
          .timeout = std::max(timeout, least),
          .jitter = period / 20,
          .mtu = mtu,
          .spare = wave};
}

StackSpec deployed_stack(const core::Algorithm& algorithm, const core::Algorithm& map,
                         const ProbeOptions& probes, const ProbeLimits& limits) {
  StackSpec spec;
  spec.probes = probes;
  if (algorithm.needs_order()) spec.reliable = {probes.period};
  spec.map = &map;
  spec.map_options = deployed_options(map, {}, probes);
  spec.limits = limits;
  return spec;
}

}  // namespace bellwether::layers
