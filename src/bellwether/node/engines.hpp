// SPDX-License-Identifier: MIT
// A catalogue, folded for the daemon.
#pragma once

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/node/engine.hpp"

namespace bellwether::node {

template <class... P>
std::vector<EngineEntry> engines(catalogue::Catalogue<P...>) {
  return {engine_of<P>()...};
}

}  // namespace bellwether::node
