// SPDX-License-Identifier: MIT
// Lines that people draw through a network.

export type Point = [number, number];

const side = (a: Point, b: Point, p: Point) =>
  (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);

export function crosses(a: Point, b: Point, c: Point, d: Point): boolean {
  return side(a, b, c) > 0 !== side(a, b, d) > 0 && side(c, d, a) > 0 !== side(c, d, b) > 0;
}

export function crossings(line: Point[], a: Point, b: Point): number {
  let count = 0;
  for (let k = 1; k < line.length; k++) if (crosses(line[k - 1], line[k], a, b)) count++;
  return count;
}

/** Fewer points; freehand lines have hundreds. */
export function simplify(line: Point[], gap: number): Point[] {
  const out: Point[] = [];
  for (const p of line) {
    const last = out[out.length - 1];
    if (!last || Math.hypot(p[0] - last[0], p[1] - last[1]) >= gap) out.push(p);
  }
  const end = line[line.length - 1];
  if (end && out[out.length - 1] !== end) out.push(end);
  return out;
}

/**
 * Which points lie on one side of a line: a loop encloses them; any other line is thought to go on
 * straight at both ends.
 */
export function onOneSide(line: Point[], points: Point[], reach: number): number[] {
  const first = line[0];
  const last = line[line.length - 1];
  let length = 0;
  for (let k = 1; k < line.length; k++)
    length += Math.hypot(line[k][0] - line[k - 1][0], line[k][1] - line[k - 1][1]);
  const gap = Math.hypot(first[0] - last[0], first[1] - last[1]);
  const loop = line.length > 3 && gap < 0.2 * length;
  const fence = loop
    ? [...line, first]
    : [beyond(line[1], first, reach), ...line, beyond(line[line.length - 2], last, reach)];
  const away = loop
    ? ([first[0] + 3 * reach, first[1] + 3.1 * reach] as Point)
    : beside(first, last, reach);
  return points.map((_, i) => i).filter((i) => crossings(fence, points[i], away) % 2 === 1);
}

function beyond(from: Point, through: Point, reach: number): Point {
  const dx = through[0] - from[0];
  const dy = through[1] - from[1];
  const length = Math.hypot(dx, dy) || 1;
  return [through[0] + (dx / length) * 10 * reach, through[1] + (dy / length) * 10 * reach];
}

function beside(first: Point, last: Point, reach: number): Point {
  const dx = last[0] - first[0];
  const dy = last[1] - first[1];
  const length = Math.hypot(dx, dy) || 1;
  const middle: Point = [(first[0] + last[0]) / 2, (first[1] + last[1]) / 2];
  return [middle[0] - (dy / length) * 3 * reach, middle[1] + (dx / length) * 3 * reach];
}
