// SPDX-License-Identifier: MIT
// Every algorithm that Bellwether brings.
#pragma once

#include "bellwether/algorithms/bully.hpp"
#include "bellwether/algorithms/chang_roberts.hpp"
#include "bellwether/algorithms/flood_max.hpp"
#include "bellwether/algorithms/height.hpp"
#include "bellwether/algorithms/lelann.hpp"
#include "bellwether/catalogue/catalogue.hpp"

namespace bellwether::catalogue {

using AllProtocols = Catalogue<algorithms::Bully, algorithms::ChangRoberts, algorithms::FloodMax,
                               algorithms::Height, algorithms::LeLann>;

}  // namespace bellwether::catalogue
