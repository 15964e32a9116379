// SPDX-License-Identifier: MIT
// The words of docs/complexity.md around its tables.
#include "complexity_studies.hpp"

namespace bellwether::complexity {

const std::string_view page_head = R"(# What the classical elections cost

Written by `make complexity` (build/bellwether_complexity), which runs every election below in
the simulator and counts. Nothing is timed: the figures are the same on every machine. Every
message takes one unit of time, a round as well; *time there* is in these units, until nothing
is left to do, the announcement included, as it is in all messages. *Average* is the mean over
random orders of the ids (200 runs for small networks, 8 for the largest), or over networks
where these are drawn. *Fitted* are the constants of a law, where it helps with a linear term,
that come nearest to the measured messages, relative errors weighing the same at all sizes; n is
the number of nodes, e that of links. The program fails if any run exceeds a published worst
case, or if the leading constant of an average is more than 2 % off a published one.
)";

const std::string_view page_tail = R"(
## How to read it

- Where a constant is published for the average, it is met: `chang-roberts` and `clockwise` fit
  n H_n, that is 0.693 n log2 n, within 2 %, and `lelann` n^2 + n exactly. Where only a worst
  case is published, no run exceeds it; the orders of *worst known* come close to it for
  `franklin`, `alternate` and `peterson`.
- The best constants at worst are not the best on average: `chang-roberts`, with n^2 / 2 at
  worst, needs fewer messages on random orders than any election with O(n log n) at worst.
- Rounds buy messages with time: `time-slice` sends n messages and waits n min id rounds.
- Published constants that are not reached: see *The rest of the survey* in
  [classical.md](classical.md).
)";

}  // namespace bellwether::complexity
