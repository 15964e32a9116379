// SPDX-License-Identifier: MIT
#include "bellwether/layers/inner.hpp"

namespace bellwether::layers {

core::Facts layer_facts(core::Facts inside) {
  inside.model.needs_ids = true;
  inside.model.tolerates_one_way = false;
  inside.model.tolerates_loss = true;
  inside.model.tolerates_reordering = true;
  inside.model.tolerates_duplicates = true;
  return inside;
}

}  // namespace bellwether::layers
