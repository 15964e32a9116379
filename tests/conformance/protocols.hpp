// SPDX-License-Identifier: MIT
// The catalogue as lists of types for typed tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "bellwether/catalogue/all_protocols.hpp"
#include "bellwether/layers/probed.hpp"
#include "bellwether/layers/reliable.hpp"
#include "bellwether/layers/synchronized.hpp"

namespace bellwether::conformance {

template <class... P>
struct List {
  using Types = testing::Types<P...>;
  template <class Q>
  using With = List<P..., Q>;
};

/// Those of the rest that are asynchronous, or those that are not, behind those kept so far.
template <bool asynchronous, class Kept, class... Rest>
struct Only {
  using Result = Kept;
};
template <bool asynchronous, class Kept, class P, class... Rest>
struct Only<asynchronous, Kept, P, Rest...>
    : Only<asynchronous,
           std::conditional_t<core::Protocol<P> == asynchronous, typename Kept::template With<P>,
                              Kept>,
           Rest...> {};

template <class>
struct Split;
template <core::AnyProtocol... P>
struct Split<catalogue::Catalogue<P...>> {
  using All = testing::Types<P...>;
  using Asynchronous = typename Only<true, List<>, P...>::Result::Types;
  using Rounds = typename Only<false, List<>, P...>::Result::Types;
};

using EveryProtocol = Split<catalogue::AllProtocols>::All;
using AsynchronousProtocols = Split<catalogue::AllProtocols>::Asynchronous;

/// Layers are protocols, too, and what they say on the wire is decoded by strangers.
template <class>
struct AndLayers;
template <class... P>
struct AndLayers<testing::Types<P...>> {
  using Types =
      testing::Types<P..., layers::Probed<algorithms::Cel>, layers::Reliable<algorithms::Height>,
                     layers::Probed<layers::Reliable<algorithms::Height>>,
                     layers::Synchronized<algorithms::FloodMax>>;
};
using RoundProtocols = Split<catalogue::AllProtocols>::Rounds;

/// The tests bear the names of the algorithms.
struct Names {
  template <class P>
  static std::string GetName(int) {
    std::string name(P::name);
    if constexpr (requires { typename P::ProbeTime; })
      name = "probed_" + GetName<typename P::Inner>(0);
    if constexpr (requires { typename P::Body; })
      name = "synchronized_" + GetName<typename P::Inner>(0);
    else if constexpr (requires { typename P::Packet; })
      name = "reliable_" + GetName<typename P::Inner>(0);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
  }
};

}  // namespace bellwether::conformance
