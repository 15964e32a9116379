// SPDX-License-Identifier: MIT
// Turns a form so that it stands well.

import type { Graph } from './graph';

/** Long forms lie flat; round ones stay as they are. */
export function lieDown(xy: Float64Array): void {
  const [mx, my] = [mean(xy, 0), mean(xy, 1)];
  let [xx, yy, mixed] = [0, 0, 0];
  for (let k = 0; k < xy.length; k += 2) {
    const [dx, dy] = [xy[k]! - mx, xy[k + 1]! - my];
    xx += dx * dx;
    yy += dy * dy;
    mixed += dx * dy;
  }
  if (Math.hypot(xx - yy, 2 * mixed) < 0.3 * (xx + yy)) return;
  turn(xy, -0.5 * Math.atan2(2 * mixed, xx - yy));
}

/** Links that go in four directions, as those of a grid, go up, down, left and right; if they do. */
export function straighten(g: Graph, xy: Float64Array): boolean {
  let [c, s] = [0, 0];
  for (let a = 0; a < g.n; a++) {
    for (let e = g.first[a]!; e < g.first[a + 1]!; e++) {
      const b = g.next[e]!;
      const angle = Math.atan2(xy[2 * b + 1]! - xy[2 * a + 1]!, xy[2 * b]! - xy[2 * a]!);
      c += Math.cos(4 * angle);
      s += Math.sin(4 * angle);
    }
  }
  if (Math.hypot(c, s) < 0.5 * g.next.length) return false;
  turn(xy, -Math.atan2(s, c) / 4);
  return true;
}

function turn(xy: Float64Array, angle: number): void {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  for (let k = 0; k < xy.length; k += 2) {
    const [x, y] = [xy[k]!, xy[k + 1]!];
    xy[k] = c * x - s * y;
    xy[k + 1] = s * x + c * y;
  }
}

function mean(xy: Float64Array, axis: 0 | 1): number {
  let sum = 0;
  for (let k = axis; k < xy.length; k += 2) sum += xy[k]!;
  return xy.length ? (2 * sum) / xy.length : 0;
}
