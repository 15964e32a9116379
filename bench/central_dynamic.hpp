// SPDX-License-Identifier: MIT
// The most central node of a network that changes: what one change costs.
#pragma once

namespace bench {

/// For networks that move and for random ones: CPU time of a link that goes or comes, answer
/// included, beside that of computing the answer anew. All of it on one thread, in one run. False
/// if the two answers differ.
bool dynamic_closeness_table();

}  // namespace bench
