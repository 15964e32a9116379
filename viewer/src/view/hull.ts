// SPDX-License-Identifier: MIT
// Rounded outlines around groups of points.

export type Point = [number, number];

/** Convex hull, counter-clockwise; Andrew's chain. */
export function hull(points: Point[]): Point[] {
  if (points.length < 3) return points;
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list: Point[]) => {
    const chain: Point[] = [];
    for (const p of list) {
      while (chain.length > 1 && turn(chain[chain.length - 2], chain[chain.length - 1], p) <= 0)
        chain.pop();
      chain.push(p);
    }
    chain.pop();
    return chain;
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

const turn = (o: Point, a: Point, b: Point) =>
  (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);

const CORNERS = 14;

/** The hull, `room` wider on all sides, with round corners. */
export function roundHull(points: Point[], room: number): Point[] {
  const wide: Point[] = [];
  for (const [x, y] of hull(points)) {
    for (let k = 0; k < CORNERS; k++) {
      const angle = (2 * Math.PI * k) / CORNERS;
      wide.push([x + room * Math.cos(angle), y + room * Math.sin(angle)]);
    }
  }
  return hull(wide);
}
