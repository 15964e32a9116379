// SPDX-License-Identifier: MIT
// Every algorithm that Bellwether brings.
#pragma once

#include <type_traits>

#include "bellwether/algorithms/afek_gafni.hpp"
#include "bellwether/algorithms/afek_gafni_sync.hpp"
#include "bellwether/algorithms/alternate.hpp"
#include "bellwether/algorithms/bfs_tree.hpp"
#include "bellwether/algorithms/bfs_tree_async.hpp"
#include "bellwether/algorithms/bully.hpp"
#include "bellwether/algorithms/cel.hpp"
#include "bellwether/algorithms/cel_2.hpp"
#include "bellwether/algorithms/central_hierarchy.hpp"
#include "bellwether/algorithms/chang_roberts.hpp"
#include "bellwether/algorithms/clockwise.hpp"
#include "bellwether/algorithms/clockwise_sync.hpp"
#include "bellwether/algorithms/dolev_klawe_rodeh.hpp"
#include "bellwether/algorithms/echo_extinction.hpp"
#include "bellwether/algorithms/flood_max.hpp"
#include "bellwether/algorithms/flooding.hpp"
#include "bellwether/algorithms/franklin.hpp"
#include "bellwether/algorithms/frederickson_lynch.hpp"
#include "bellwether/algorithms/ghs.hpp"
#include "bellwether/algorithms/gomez_calzado.hpp"
#include "bellwether/algorithms/height.hpp"
#include "bellwether/algorithms/hierarchy.hpp"
#include "bellwether/algorithms/higham_przytycka.hpp"
#include "bellwether/algorithms/hirschberg_sinclair.hpp"
#include "bellwether/algorithms/humblet.hpp"
#include "bellwether/algorithms/itai_rodeh.hpp"
#include "bellwether/algorithms/korach_moran_zaks.hpp"
#include "bellwether/algorithms/lelann.hpp"
#include "bellwether/algorithms/opt_flood_max.hpp"
#include "bellwether/algorithms/peleg.hpp"
#include "bellwether/algorithms/peterson.hpp"
#include "bellwether/algorithms/time_slice.hpp"
#include "bellwether/algorithms/topology_aware.hpp"
#include "bellwether/algorithms/topology_aware_2.hpp"
#include "bellwether/algorithms/vasudevan.hpp"
#include "bellwether/catalogue/catalogue.hpp"

namespace bellwether::catalogue {

using AllProtocols = Catalogue<
    algorithms::AfekGafni, algorithms::AfekGafniSync, algorithms::Alternate, algorithms::BfsTree,
    algorithms::BfsTreeAsync, algorithms::Bully, algorithms::Cel, algorithms::Cel2,
    algorithms::CentralHierarchy, algorithms::ChangRoberts, algorithms::Clockwise,
    algorithms::ClockwiseSync, algorithms::DolevKlaweRodeh, algorithms::EchoExtinction,
    algorithms::FloodMax, algorithms::Flooding, algorithms::Franklin, algorithms::FredericksonLynch,
    algorithms::Ghs, algorithms::GomezCalzado, algorithms::Height, algorithms::Hierarchy,
    algorithms::HighamPrzytycka, algorithms::HirschbergSinclair, algorithms::Humblet,
    algorithms::ItaiRodeh, algorithms::KorachMoranZaks, algorithms::LeLann, algorithms::OptFloodMax,
    algorithms::Peleg, algorithms::Peterson, algorithms::TimeSlice, algorithms::TopologyAware,
    algorithms::TopologyAware2, algorithms::Vasudevan>;

template <core::AnyProtocol... Own, core::AnyProtocol... P>
Catalogue<Own..., P...> joined(Catalogue<Own...>, Catalogue<P...>) {
  return {};
}

/// One's own elections, and all of these beside them to compare with.
template <core::AnyProtocol... Own>
auto own_and_all() {
  static_assert((std::is_default_constructible_v<typename Own::Message> && ...),
                "a message that is nested in its election is not whole where it is used there: "
                "write it in front of the class");
  return joined(Catalogue<Own...>{}, AllProtocols{});
}

}  // namespace bellwether::catalogue
