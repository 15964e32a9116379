// SPDX-License-Identifier: MIT
// From the type of a protocol to its row in a catalogue:
//
//   const core::Algorithm mine = core::algorithm_of<MyElection>();
#pragma once

#include "bellwether/core/algorithm.hpp"
#include "bellwether/core/capabilities.hpp"
#include "bellwether/core/options.hpp"
#include "bellwether/core/typed.hpp"

namespace bellwether::core {

template <class P>
typename P::Options parsed_options(const OptionTexts& texts) {
  typename P::Options options{};
  for (const auto& [name, text] : texts) {
    const OptionOutcome outcome = set_option(options, name, text);
    if (outcome != OptionOutcome::set)
      refuse_option(P::name, name, text, option_rows<typename P::Options>(), outcome);
  }
  if constexpr (FindsConflicts<P>)
    if (const auto conflict = P::conflict(options)) refuse_conflict(*conflict, texts);
  return options;
}

template <AnyProtocol P>
Algorithm algorithm_of() {
  static_assert(std::is_default_constructible_v<typename P::Message>,
                "a message that is nested in its election is not whole where it is used there: "
                "write it in front of the class");
  Algorithm out;
  out.name = P::name;
  if constexpr (requires { P::facts; }) {
    out.facts = P::facts;
    out.has_facts = true;
  }
  out.rounds = RoundProtocol<P>;
  out.tree = BuildsTree<P>;
  out.priorities = Prioritized<P>;
  out.options = option_rows<typename P::Options>();
  if constexpr (Monitored<P>)
    for (const auto& monitor : P::monitors())
      out.properties.push_back({std::string(monitor->name()), std::string(monitor->says())});
  out.make = [](const OptionTexts& texts) -> std::unique_ptr<Nodes> {
    return std::make_unique<Typed<P>>(parsed_options<P>(texts));
  };
  return out;
}

}  // namespace bellwether::core
