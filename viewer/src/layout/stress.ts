// SPDX-License-Identifier: MIT
// The main work: move pairs of nodes, in random order, towards the distance that their hops ask for,
// less and less (Zheng, Pawar, Goodman, "Graph drawing by stochastic gradient descent", 2018). Small
// networks use all pairs; large ones links and pivots (Ortmann, Klimenta, Brandes, "A sparse stress
// model", 2016).

import { search, type Graph } from './graph';
import { choosePivots, pivotPlaces, type Pivots } from './pivots';
import type { Random } from './random';

export const ALL_PAIRS = 1000; // nodes: more than that get fewer pairs
const SWEEPS = 30;

/** Pairs (a, b) that want to be `hops` apart; a moves by weight `pull`, b by `back`. */
interface Pairs {
  a: Uint32Array;
  b: Uint32Array;
  hops: Float32Array;
  pull: Float32Array;
  back: Float32Array;
}

export class Stress {
  readonly xy: Float64Array;
  private pairs: Pairs;
  private order: Uint32Array;
  private random: Random;
  private sweep = 0;
  private next = 0; // where in `order` the sweep goes on
  private most = 1;

  constructor(g: Graph, random: Random) {
    this.random = random;
    const pivots = choosePivots(g, Math.min(100, Math.max(24, Math.floor(600000 / g.n))));
    this.xy = pivotPlaces(g, pivots, random);
    this.pairs = g.n <= ALL_PAIRS ? allPairs(g) : somePairs(g, pivots);
    this.most = this.pairs.hops.reduce((most, h) => Math.max(most, h), 1);
    this.order = Uint32Array.from(this.pairs.a, (_, k) => k);
    this.shuffle();
  }

  /** One part of the work, of about a millisecond; false when all is done. */
  work(): boolean {
    if (this.sweep >= SWEEPS) return false;
    const end = Math.min(this.order.length, this.next + 20000);
    const step = this.step();
    for (let k = this.next; k < end; k++) this.move(this.order[k]!, step);
    this.next = end;
    if (end === this.order.length) {
      this.next = 0;
      this.sweep++;
      this.shuffle();
    }
    return this.sweep < SWEEPS;
  }

  /** Falls from where the farthest pair moves to where only neighbours do. */
  private step(): number {
    const first = this.most * this.most;
    return first * Math.pow(0.1 / first, this.sweep / (SWEEPS - 1));
  }

  private move(k: number, step: number): void {
    const { a, b, hops, pull, back } = this.pairs;
    const i = 2 * a[k]!;
    const j = 2 * b[k]!;
    const xy = this.xy;
    let dx = xy[i]! - xy[j]!;
    const dy = xy[i + 1]! - xy[j + 1]!;
    let d = Math.sqrt(dx * dx + dy * dy);
    if (d < 1e-6) {
      dx = 1e-6;
      d = 1e-6;
    }
    const r = (d - hops[k]!) / (2 * d);
    const mi = Math.min(1, pull[k]! * step) * r;
    const mj = Math.min(1, back[k]! * step) * r;
    xy[i]! -= mi * dx;
    xy[i + 1]! -= mi * dy;
    xy[j]! += mj * dx;
    xy[j + 1]! += mj * dy;
  }

  private shuffle(): void {
    for (let k = this.order.length - 1; k > 0; k--) {
      const other = this.random.below(k + 1);
      const kept = this.order[k]!;
      this.order[k] = this.order[other]!;
      this.order[other] = kept;
    }
  }
}

function emptyPairs(count: number): Pairs {
  return {
    a: new Uint32Array(count),
    b: new Uint32Array(count),
    hops: new Float32Array(count),
    pull: new Float32Array(count),
    back: new Float32Array(count),
  };
}

function put(p: Pairs, k: number, a: number, b: number, hops: number, pull: number, back: number) {
  p.a[k] = a;
  p.b[k] = b;
  p.hops[k] = hops;
  p.pull[k] = pull;
  p.back[k] = back;
}

function allPairs(g: Graph): Pairs {
  const pairs = emptyPairs((g.n * (g.n - 1)) / 2);
  const hops = new Uint16Array(g.n);
  let k = 0;
  for (let a = 0; a < g.n; a++) {
    search(g, a, hops);
    for (let b = a + 1; b < g.n; b++) {
      const weight = 1 / (hops[b]! * hops[b]!);
      put(pairs, k++, a, b, hops[b]!, weight, weight);
    }
  }
  return pairs;
}

function somePairs(g: Graph, pivots: Pivots): Pairs {
  const all = emptyPairs(g.next.length / 2 + pivots.nodes.length * g.n);
  let k = 0;
  for (let a = 0; a < g.n; a++) {
    for (let e = g.first[a]!; e < g.first[a + 1]!; e++) {
      if (a < g.next[e]!) put(all, k++, a, g.next[e]!, 1, 1, 1);
    }
  }
  const regions = regionSizes(g.n, pivots);
  pivots.nodes.forEach((p, c) => {
    const hops = pivots.hops[c]!;
    for (let v = 0; v < g.n; v++) {
      if (hops[v]! < 2) continue;
      const weight = regions[c]![hops[v]! >> 1]! / (hops[v]! * hops[v]!);
      put(all, k++, v, p, hops[v]!, weight, 0);
    }
  });
  return {
    a: all.a.subarray(0, k),
    b: all.b.subarray(0, k),
    hops: all.hops.subarray(0, k),
    pull: all.pull.subarray(0, k),
    back: all.back.subarray(0, k),
  };
}

/** A pivot stands for the nodes that are nearest to it: how many within 0, 1, 2, ... hops. */
function regionSizes(n: number, pivots: Pivots): Float64Array[] {
  const most = pivots.hops.reduce((m, hops) => hops.reduce((x, h) => Math.max(x, h), m), 0);
  const sizes = pivots.nodes.map(() => new Float64Array(most + 1));
  for (let v = 0; v < n; v++) {
    let best = 0;
    for (let c = 1; c < sizes.length; c++) {
      if (pivots.hops[c]![v]! < pivots.hops[best]![v]!) best = c;
    }
    sizes[best]![pivots.hops[best]![v]!]!++;
  }
  for (const size of sizes) for (let h = 1; h <= most; h++) size[h]! += size[h - 1]!;
  return sizes;
}
