// SPDX-License-Identifier: MIT
#include "bellwether/layers/inner.hpp"

namespace bellwether::layers {

core::Facts layer_facts(core::Facts inside) {
  inside.model.needs_ids = true;
  inside.model.bears_one_way = false;
  inside.model.bears_loss = true;
  inside.model.bears_reordering = true;
  inside.model.bears_duplicates = true;
  return inside;
}

}  // namespace bellwether::layers
