// SPDX-License-Identifier: MIT
// The tables of docs/algorithms/hierarchy.md. Nothing is timed: the figures are the same on every
// machine.
#pragma once

void print_losses();
void print_leaves();
void print_built();
