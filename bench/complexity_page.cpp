// SPDX-License-Identifier: MIT
// The prose of docs/complexity.md around its tables.
#include "complexity_studies.hpp"

namespace bellwether::complexity {

const std::string_view page_head = R"(# What the classical elections cost

`make complexity` (build/bellwether_complexity) writes this page: it runs every election below in
the simulator and counts messages. Nothing is timed: the figures are the same on every machine.
Every message takes one unit of time, and so does a round; *time there* is in these units, until
the network is quiescent. Messages and time include the announcement. *Average* is the mean over
random orders of the ids (200 runs for small networks, 8 for the largest), or over random
networks. *Fitted* gives the constants of a law, with a linear term where it helps, that come
nearest to the measured messages, with the same weight for relative errors at all sizes; n is
the number of nodes, e that of links. The program fails if any run exceeds a published worst
case, or if the leading constant of an average differs from a published one by more than 2 %.
)";

const std::string_view page_tail = R"(
## How to read it

- Where a constant is published for the average, the measured one agrees: `chang-roberts` and
  `clockwise` fit n H_n, that is 0.693 n log2 n, within 2 %, and `lelann` n^2 + n exactly. Where
  only a worst case is published, no run exceeds it; the orders of *worst known* come close to
  it for `franklin`, `alternate` and `peterson`.
- The best worst-case constants are not the best on average: `chang-roberts`, with n^2 / 2 at
  worst, needs fewer messages on random orders than any election with O(n log n) at worst.
- Rounds trade time for messages: `time-slice` sends n messages and waits for n min id rounds.
- Published constants that are not reached: see *The rest of the survey* in
  [classical.md](classical.md).
)";

}  // namespace bellwether::complexity
