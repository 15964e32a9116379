// SPDX-License-Identifier: MIT
// A small picture for the tests: two parts, a leader, a dead node, messages on their way.

import { NO_NODE, type Picture } from '../model';

export function sample(): Picture {
  const links = [0, 1, 1, 2, 2, 0, 3, 4];
  return {
    stage: {
      of: 'scenario',
    name: 'a <b> & "c" 50%', about: '', algorithm: 'my_height', seed: 7, toml: '', n: 6,
      ids: [10, 20, 30, 40, 50, 60], moves: false, area: null, range: null, places: null, kinds: null,
      end: 1e9, delay: 1e6, ranked: false, heights: true, properties: [],
      messages: ['up<date', 'news'],
    },
    moment: {
      t: 1.5e6, n: 6, events: 9, messages: 12, components: 2, leaders: 1, instability: 0.2,
      leader: Uint32Array.of(0, 0, 0, NO_NODE, NO_NODE, NO_NODE),
      component: Uint32Array.of(0, 0, 0, 3, 3, NO_NODE),
      state: Uint8Array.of(3, 1, 1, 1, 1, 0),
      places: Float32Array.of(0, 0, 100, 0, 50, 80, 200, 0, 200, 80, 150, 40),
      rank: null, head: null, links: Uint32Array.from(links), wireless: Uint8Array.of(0, 0, 0, 1),
      direction: Uint8Array.of(2, 2, 1, 0), rest: false, ended: null, violation: null,
    },
    flights: [
      { from: 0, to: 1, kind: 0, fate: 0, sent: 1e6, arrives: 2e6, serial: 1, carries: -1 },
      { from: 3, to: 4, kind: 1, fate: 1, sent: 0, arrives: 2e6, serial: 2, carries: -1 },
    ],
    selected: new Set([2]),
  };
}

/** An empty picture: the formats must accept it. */
export function empty(): Picture {
  const p = sample();
  const none = new Uint32Array(0);
  const moment = {
    ...p.moment, n: 0, leader: none, component: none, state: new Uint8Array(0),
    places: new Float32Array(0), links: none, wireless: new Uint8Array(0), direction: null,
  };
  return { ...p, stage: { ...p.stage, n: 0, ids: [] }, moment, flights: [], selected: new Set() };
}
