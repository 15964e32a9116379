// SPDX-License-Identifier: MIT
// Where to begin: places from the hops to a few nodes that are far from each other (the "pivots"), as
// in classical scaling (Brandes and Pich, "Eigensolver methods for progressive multidimensional
// scaling of large data", 2006). Rings come out round and grids straight.

import { search, type Graph } from './graph';
import type { Random } from './random';

export interface Pivots {
  nodes: number[];
  hops: Uint16Array[]; // of each pivot to all nodes
}

/** Each pivot is as far as possible from those before it. */
export function choosePivots(g: Graph, count: number): Pivots {
  const nearest = new Uint16Array(g.n).fill(0xffff);
  const found: Pivots = { nodes: [], hops: [] };
  let pivot = 0;
  while (found.nodes.length < Math.min(count, g.n)) {
    const hops = new Uint16Array(g.n);
    search(g, pivot, hops);
    found.nodes.push(pivot);
    found.hops.push(hops);
    let farthest = 0;
    for (let v = 0; v < g.n; v++) {
      if (hops[v]! < nearest[v]!) nearest[v] = hops[v]!;
      if (nearest[v]! > nearest[farthest]!) farthest = v;
    }
    pivot = farthest;
  }
  return found;
}

/** x, y of each node; hops are about units. */
export function pivotPlaces(g: Graph, pivots: Pivots, random: Random): Float64Array {
  const columns = centred(g.n, pivots);
  const [a, b] = twoAxes(columns, random);
  const xy = new Float64Array(2 * g.n);
  columns.forEach((column, k) => {
    for (let v = 0; v < g.n; v++) {
      xy[2 * v]! += column[v]! * a[k]!;
      xy[2 * v + 1]! += column[v]! * b[k]!;
    }
  });
  scaleToHops(xy, pivots);
  // Nodes that are alike to all pivots would never leave their common spot.
  for (let k = 0; k < xy.length; k++) xy[k]! += 0.2 * (random.next() - 0.5);
  return xy;
}

/** Squared hops, less the means of rows and columns. */
function centred(n: number, pivots: Pivots): Float64Array[] {
  const rows = new Float64Array(n);
  const columns = pivots.hops.map((hops) => {
    const column = Float64Array.from(hops, (h) => h * h);
    const mean = column.reduce((sum, x) => sum + x, 0) / n;
    for (let v = 0; v < n; v++) {
      column[v]! -= mean;
      rows[v]! += column[v]! / pivots.hops.length;
    }
    return column;
  });
  return columns.map((column) => column.map((x, v) => -0.5 * (x - rows[v]!)));
}

function twoAxes(columns: Float64Array[], random: Random): [Float64Array, Float64Array] {
  const products = columns.map((a) => Float64Array.from(columns, (b) => dot(a, b)));
  const axis = (against: Float64Array | null): Float64Array => {
    let x = Float64Array.from(columns, () => random.next() - 0.5);
    for (let turn = 0; turn < 100; turn++) {
      if (against) removePart(x, against);
      x = Float64Array.from(products, (row) => dot(row, x));
      const size = Math.sqrt(dot(x, x)) || 1;
      x.forEach((value, c) => (x[c] = value / size));
    }
    if (against) removePart(x, against);
    return x;
  };
  const first = axis(null);
  return [first, axis(first)];
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k]! * b[k]!;
  return sum;
}

function removePart(x: Float64Array, of: Float64Array): void {
  const part = dot(x, of);
  x.forEach((value, c) => (x[c] = value - part * of[c]!));
}

/** So that distances to pivots are hops, by least squares. */
function scaleToHops(xy: Float64Array, pivots: Pivots): void {
  let wanted = 0;
  let have = 0;
  pivots.nodes.forEach((p, k) => {
    for (let v = 0; v < xy.length / 2; v++) {
      const [dx, dy] = [xy[2 * v]! - xy[2 * p]!, xy[2 * v + 1]! - xy[2 * p + 1]!];
      const d = Math.sqrt(dx * dx + dy * dy);
      wanted += d * pivots.hops[k]![v]!;
      have += d * d;
    }
  });
  const factor = have > 0 ? wanted / have : 1;
  for (let k = 0; k < xy.length; k++) xy[k]! *= factor;
}
