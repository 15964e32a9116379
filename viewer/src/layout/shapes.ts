// SPDX-License-Identifier: MIT
// Networks that have a form of their own: a ring is a circle, a line is straight, a tree grows from
// its middle. A link is about one long.

import { degree, search, type Graph } from './graph';
import { ALL_PAIRS } from './stress';

/** x, y of each node; or null where the network has no such form. */
export function shape(g: Graph): Float64Array | null {
  const m = g.next.length / 2;
  if (g.n <= 2) return line(g, 0);
  if (m === g.n - 1) {
    const ends = nodesOfDegree(g, 1);
    return ends.length === 2 ? line(g, ends[0]!) : tree(g);
  }
  if (m === g.n && nodesOfDegree(g, 2).length === g.n) return circle(ringOrder(g));
  if (m === (g.n * (g.n - 1)) / 2) return circle([...Array(g.n).keys()]);
  return null;
}

function nodesOfDegree(g: Graph, d: number): number[] {
  const found: number[] = [];
  for (let v = 0; v < g.n; v++) if (degree(g, v) === d) found.push(v);
  return found;
}

function line(g: Graph, end: number): Float64Array {
  const hops = new Uint16Array(g.n);
  const xy = new Float64Array(2 * g.n);
  search(g, end, hops).forEach((v, k) => (xy[2 * v] = k));
  return xy;
}

/** From node 0 round the ring, towards the neighbour with the lower number. */
function ringOrder(g: Graph): number[] {
  const order = [0];
  let before = 0;
  let now = Math.min(g.next[0]!, g.next[1]!);
  while (now !== 0) {
    order.push(now);
    const e = g.first[now]!;
    const on = g.next[e] === before ? g.next[e + 1]! : g.next[e]!;
    before = now;
    now = on;
  }
  return order;
}

/** The first node is at the top, the others follow clockwise (y grows downwards on a screen). */
function circle(order: number[]): Float64Array {
  const n = order.length;
  const radius = 0.5 / Math.sin(Math.PI / n);
  const xy = new Float64Array(2 * n);
  order.forEach((v, k) => {
    const angle = (2 * Math.PI * k) / n - Math.PI / 2;
    xy[2 * v] = radius * Math.cos(angle);
    xy[2 * v + 1] = radius * Math.sin(angle);
  });
  return xy;
}

/** The middle of the longest way. */
function middle(g: Graph): number {
  const hops = new Uint16Array(g.n);
  const far = search(g, 0, hops).at(-1)!;
  let v = search(g, far, hops).at(-1)!;
  for (let up = hops[v]! >> 1; up > 0; up--) v = parent(g, hops, v);
  return v;
}

function parent(g: Graph, hops: Uint16Array, v: number): number {
  for (let e = g.first[v]!; e < g.first[v + 1]!; e++) {
    if (hops[g.next[e]!]! < hops[v]!) return g.next[e]!;
  }
  return v;
}

/** Circles around the middle, one for each number of hops; a branch has room for its leaves. */
function tree(g: Graph): Float64Array | null {
  const hops = new Uint16Array(g.n);
  const order = search(g, middle(g), hops);
  const leaves = countLeaves(g, hops, order);
  const all = leaves[order[0]!]!;
  const radii = treeRadii(hops, leaves, all);
  if (radii === null) return null;
  const begin = new Float64Array(g.n); // in leaves
  const taken = new Float64Array(g.n);
  const xy = new Float64Array(2 * g.n);
  for (const v of order) {
    if (hops[v]! > 0) {
      const p = parent(g, hops, v);
      begin[v] = begin[p]! + taken[p]!;
      taken[p]! += leaves[v]!;
    }
    const angle = (2 * Math.PI * (begin[v]! + leaves[v]! / 2)) / all - Math.PI / 2;
    xy[2 * v] = radii[hops[v]!]! * Math.cos(angle);
    xy[2 * v + 1] = radii[hops[v]!]! * Math.sin(angle);
  }
  return xy;
}

function countLeaves(g: Graph, hops: Uint16Array, order: Uint32Array): Float64Array {
  const leaves = new Float64Array(g.n);
  for (const v of order.slice().reverse()) {
    if (leaves[v] === 0) leaves[v] = 1;
    if (hops[v]! > 0) leaves[parent(g, hops, v)]! += leaves[v]!;
  }
  return leaves;
}

/**
 * Far enough out that neighbours on a circle do not touch. Where links would be very long, small
 * trees have a better way (null), and large ones do with even circles.
 */
function treeRadii(hops: Uint16Array, leaves: Float64Array, all: number): number[] | null {
  const least: number[] = [];
  hops.forEach((h, v) => (least[h] = Math.min(least[h] ?? Infinity, leaves[v]!)));
  const radii = [0];
  for (let h = 1; h < least.length; h++) {
    const room = (0.7 * all) / (2 * Math.PI * least[h]!);
    radii.push(Math.max(radii[h - 1]! + 1, room));
    if (radii[h]! - radii[h - 1]! <= 6 || least.length === 2) continue;
    return hops.length <= ALL_PAIRS ? null : least.map((_, k) => k);
  }
  return radii;
}
