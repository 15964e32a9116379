/* SPDX-License-Identifier: MIT
 * Chang and Roberts' election on a ring of N, step by step as in
 * src/bellwether/algorithms/ring/chang_roberts.cpp: one d_step for each handler, so that a state here is
 * a state there. Node i has the id ID(i), from 1 to N; the largest wins and tells the ring.
 */
#ifndef N
#define N 7
#endif
#ifdef DESCENDING
#define ID(i) (N - (i))
#else
#define ID(i) ((i) + 1)
#endif

#define LEADER 128 /* beside the id: the announcement; alone: a token */

#define SLEEP 0
#define CAND 1
#define LOST 2
#define LEADS 3

/* At most one token of each node and the announcement are on their way: no send ever blocks. */
chan ring[N] = [N + 1] of { byte };

/* Whom each node names; 0: nobody. Only the node itself writes it, and it is read when no node can
 * move any more: reductions need not heed it, and so it may be called local. */
local byte chosen[N];

proctype node(byte me; byte id; chan in; chan out) {
  xr in;
  xs out;
  bit started;
  bit initiator;
  byte state;
  byte news;
end:
  do
  :: d_step {
      !started ->
      started = 1;
      if
      :: state == SLEEP ->
        state = CAND;
        initiator = 1;
        out!id
      :: else
      fi
    }
  :: d_step {
      in?news ->
      if
      :: news == id ->
        if
        :: state == CAND ->
          state = LEADS;
          chosen[me] = id;
          out!(id + LEADER)
        :: else
        fi
      :: news == id + LEADER
      :: news > LEADER && news != id + LEADER ->
        chosen[me] = news - LEADER;
        out!news
      :: news < LEADER && news != id ->
        if
        :: initiator && news < id
        :: else ->
          state = LOST;
          out!news
        fi
      fi;
      news = 0
    }
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. N - 1) {
      run node(i, ID(i), ring[i], ring[(i + 1) % N])
    }
    i = 0
  }
  /* Nothing is left to do: all name the same node. */
  timeout ->
  d_step {
    assert(chosen[0] != 0);
    for (i : 1 .. N - 1) {
      assert(chosen[i] == chosen[0])
    }
    i = 0
  }
}
