// SPDX-License-Identifier: MIT
// Pushes apart nodes that are too near to each other; looks into the cells of a grid around each.

import type { Random } from './random';

/** One round over all nodes; `free` says which nodes may be moved. Returns the longest push. */
export function declutter(
  xy: Float64Array | Float32Array,
  least: number,
  random: Random,
  free: (v: number) => boolean = () => true,
): number {
  const n = xy.length / 2;
  const cells = new Map<number, number[]>();
  const cell = (x: number, y: number) => Math.floor(x / least) * 1000003 + Math.floor(y / least);
  for (let v = 0; v < n; v++) {
    const key = cell(xy[2 * v]!, xy[2 * v + 1]!);
    const there = cells.get(key);
    if (there) there.push(v);
    else cells.set(key, [v]);
  }
  let longest = 0;
  for (let v = 0; v < n; v++) {
    const x = xy[2 * v]!;
    const y = xy[2 * v + 1]!;
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        const near = cells.get(cell(x + dx * least, y + dy * least));
        if (!near) continue;
        // A crowded cell costs the square of its nodes: some of them will do.
        for (let k = 0; k < Math.min(near.length, 12); k++) {
          if (near[k]! <= v) continue;
          longest = Math.max(longest, apart(xy, v, near[k]!, least, random, free));
        }
      }
    }
  }
  return longest;
}

function apart(
  xy: Float64Array | Float32Array,
  v: number,
  w: number,
  least: number,
  random: Random,
  free: (v: number) => boolean,
): number {
  let dx = xy[2 * v]! - xy[2 * w]!;
  let dy = xy[2 * v + 1]! - xy[2 * w + 1]!;
  let d = Math.hypot(dx, dy);
  if (d >= least) return 0;
  if (d < least * 1e-3) {
    const angle = 2 * Math.PI * random.next();
    dx = least * 1e-3 * Math.cos(angle);
    dy = least * 1e-3 * Math.sin(angle);
    d = least * 1e-3;
  }
  const both = free(v) && free(w);
  const push = ((least - d) / d) * (both ? 0.4 : 0.8);
  if (free(v)) {
    xy[2 * v]! += dx * push;
    xy[2 * v + 1]! += dy * push;
  }
  if (free(w)) {
    xy[2 * w]! -= dx * push;
    xy[2 * w + 1]! -= dy * push;
  }
  return push * d;
}
