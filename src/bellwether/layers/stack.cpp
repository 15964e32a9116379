// SPDX-License-Identifier: MIT
#include "bellwether/layers/stack.hpp"

#include "bellwether/core/typed.hpp"
#include "bellwether/layers/listed.hpp"
#include "bellwether/layers/mapped.hpp"
#include "bellwether/layers/synchronized.hpp"

namespace bellwether::layers {
namespace {

template <class Layer>
std::unique_ptr<core::Nodes> host(typename Layer::Options options) {
  return std::make_unique<core::Typed<Layer>>(std::move(options));
}

}  // namespace

std::unique_ptr<core::Nodes> stack(std::unique_ptr<core::Nodes> election, const StackSpec& spec) {
  std::unique_ptr<core::Nodes> out = std::move(election);
  if (spec.rounds) out = host<Synchronized>({*spec.rounds, std::move(out)});
  if (spec.reliable) out = host<Reliable>({*spec.reliable, std::move(out)});
  if (spec.map != nullptr && !out->can().map) {
    if (out->can().tree)
      out = host<Listed>({std::move(out), spec.limits.members});
    else
      out = host<Mapped>({spec.map->make(spec.map_options), std::move(out)});
  }
  if (spec.probes) out = host<Probed>({*spec.probes, std::move(out), spec.limits});
  return out;
}

std::unique_ptr<core::Nodes> stack(const core::Algorithm& algorithm,
                                   const core::OptionTexts& options, const StackSpec& spec) {
  return stack(algorithm.make(options), spec);
}

const Probed& probed(const core::Nodes& stack, core::NodeIndex u) {
  const auto* nodes = dynamic_cast<const core::Typed<Probed>*>(&stack);
  core::invariant(nodes != nullptr, "this stack has no probes");
  return nodes->node(u);
}

}  // namespace bellwether::layers
