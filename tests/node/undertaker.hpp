// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

namespace bellwether::bed {

/// The process group is killed when this program ends in whatever way, kill -9 included. A death
/// signal (prctl) alone does not do: a daemon that gives up the rights of root loses it.
void bury_with_us(pid_t group);

/// It has ended: its number may soon be another group's.
void already_buried(pid_t group);

}  // namespace bellwether::bed
