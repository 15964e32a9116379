// SPDX-License-Identifier: MIT
#include "golden/stage.hpp"

#include "bellwether/catalogue/all_protocols.hpp"
#include "golden/interaction.hpp"

namespace bellwether::golden {
namespace {

template <core::AnyProtocol P>
std::unique_ptr<Stage> stage_of(const std::vector<NodeId>& ids, const OptionTexts& texts) {
  typename P::Options options{};
  for (const auto& [name, value] : texts) {
    const auto outcome = core::set_option(options, name, value);
    if (outcome == core::OptionOutcome::unknown_name)
      throw BadScript(std::string(P::name) + " has no option " + name);
    if (outcome == core::OptionOutcome::wrong_kind)
      throw BadScript("the option " + name + " cannot be " + value);
  }
  if constexpr (core::Protocol<P>)
    return std::make_unique<Interaction<P>>(ids, options);
  else
    throw BadScript(std::string(P::name) + " proceeds in rounds; scripts drive messages");
}

template <core::AnyProtocol... P>
std::unique_ptr<Stage> stage_among(catalogue::Catalogue<P...>, std::string_view algorithm,
                                   const std::vector<NodeId>& ids, const OptionTexts& options) {
  std::unique_ptr<Stage> stage;
  const bool found = ((P::name == algorithm && (stage = stage_of<P>(ids, options))) || ...);
  if (!found) throw BadScript("there is no algorithm " + std::string(algorithm));
  return stage;
}

}  // namespace

std::unique_ptr<Stage> make_stage(std::string_view algorithm, const std::vector<NodeId>& ids,
                                  const OptionTexts& options) {
  return stage_among(catalogue::AllProtocols{}, algorithm, ids, options);
}

}  // namespace bellwether::golden
