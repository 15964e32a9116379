// SPDX-License-Identifier: MIT
// Places for nodes that have none. The whole is found once; later changes move only the nodes they
// concern, so that people do not lose their way in the picture.

import { components, graph } from './graph';
import { declutter } from './declutter';
import { pack, type Box } from './pack';
import { Part } from './part';
import { Random } from './random';

export const SIDE = 1000;
const MARGIN = 40;
const GAP = 1; // between components, in links
const SOFT_ROUNDS = 40;
const CALM = 5000; // nodes: in larger networks new links move no node
const MOST_SEEN = 200000;

export class ForceLayout {
  places: Float32Array;
  private links: Uint32Array;
  private given: boolean; // the topology knows its places
  private parts: Part[] = [];
  private random = new Random(7);
  private held = new Map<number, [number, number]>();
  private loose = new Set<number>(); // nodes that a change concerns, and
  private pulls: [number, number][] = []; // links that it has brought
  private rounds = 0;
  private seen = new Set<number>(); // links that are or were there: they move nothing

  constructor(n: number, links: Uint32Array, start?: [number, number][] | null) {
    this.places = new Float32Array(2 * n);
    this.links = links.slice();
    this.given = !!start && start.length > 0;
    if (start && this.given) {
      start.slice(0, n).forEach(([x, y], v) => this.put(v, x * SIDE, y * SIDE));
      for (let v = start.length; v < n; v++) this.welcome(v);
    } else {
      this.begin();
    }
  }

  /** Works for about `budgetMs`; false when all nodes are where they stay. */
  step(budgetMs: number): boolean {
    const end = now() + budgetMs;
    const solving = this.parts.length > 0;
    do {
      if (this.parts.length > 0) this.solve();
      else if (this.rounds > 0) this.settle();
      else break;
    } while (now() < end);
    if (solving) this.show();
    return this.parts.length > 0 || this.rounds > 0;
  }

  setLinks(links: Uint32Array): void {
    const newcomers = this.loose.size > 0;
    this.links = links.slice();
    if ((this.given || this.places.length > 2 * CALM) && !newcomers) return;
    const now = names(links);
    const fresh = [...now].filter((name) => !this.seen.has(name));
    if (!this.given && (this.parts.length > 0 || fresh.length > 0.7 * now.size)) {
      this.begin();
      return;
    }
    for (const name of fresh) this.seen.add(name);
    if (this.seen.size > MOST_SEEN) this.seen = now;
    this.soften(fresh);
  }

  setCount(n: number): void {
    const old = this.places;
    const before = old.length / 2;
    if (n === before) return;
    if (this.parts.length > 0) this.finish();
    this.places = new Float32Array(2 * n);
    this.places.set(old.subarray(0, Math.min(2 * n, old.length)));
    for (const v of [...this.held.keys(), ...this.loose]) {
      if (v >= n) this.held.delete(v) && this.loose.delete(v);
    }
    for (let v = before; v < n; v++) this.welcome(v);
  }

  hold(node: number, x: number, y: number): void {
    this.held.set(node, [x, y]);
    this.put(node, x, y);
  }

  /** It stays where it was put: a user who arranges a picture means it. */
  release(node: number): void {
    if (!this.held.has(node)) return;
    this.loose.delete(node);
    if (this.parts.length === 0) this.held.delete(node);
  }

  private put(v: number, x: number, y: number): void {
    this.places[2 * v] = x;
    this.places[2 * v + 1] = y;
  }

  private begin(): void {
    this.random = new Random(7);
    this.seen = names(this.links);
    this.rounds = 0;
    this.loose.clear();
    const g = graph(this.places.length / 2, this.links);
    this.parts = components(g).map((nodes) => new Part(g, nodes, this.random));
    this.show();
    if (!this.parts.some((part) => part.busy())) this.parts = [];
  }

  private solve(): void {
    const busy = this.parts.find((part) => part.busy());
    if (busy) busy.work();
    if (this.parts.some((part) => part.busy())) return;
    this.show();
    this.parts = [];
  }

  private finish(): void {
    while (this.parts.length > 0) this.solve();
  }

  /** Packs the components and stores the place of each node. */
  private show(): void {
    if (this.parts.length === 0) return;
    const boxes = this.parts.map((part) => boxOf(part.xy));
    const side = pack(boxes) - GAP;
    const scale = (SIDE - 2 * MARGIN) / Math.max(side, 1);
    const edge = (SIDE - scale * side) / 2;
    this.parts.forEach((part, k) => {
      const box = boxes[k]!;
      part.nodes.forEach((v, at) => {
        const x = edge + scale * (box.x + part.xy[2 * at]! - box.left);
        const y = edge + scale * (box.y + part.xy[2 * at + 1]! - box.top);
        this.put(v, x, y);
      });
    });
    for (const [v, [x, y]] of this.held) this.put(v, x, y);
  }

  /** A node that has come: anywhere in the middle, until its links say where. */
  private welcome(v: number): void {
    const angle = 2 * Math.PI * this.random.next();
    this.put(v, SIDE / 2 + 60 * Math.cos(angle), SIDE / 2 + 60 * Math.sin(angle));
    this.loose.add(v);
    this.soften([]);
  }

  private soften(fresh: number[]): void {
    const n = this.places.length / 2;
    this.pulls = fresh.map((name): [number, number] => [Math.floor(name / FAR), name % FAR]);
    this.pulls = this.pulls.filter(([a, b]) => a < n && b < n);
    for (const v of [...this.loose]) this.nearNeighbours(v);
    this.rounds = this.loose.size > 0 || this.pulls.length > 0 ? SOFT_ROUNDS : 0;
  }

  /** Beside its neighbours, on the side away from the middle. */
  private nearNeighbours(v: number): void {
    let [x, y, count] = [0, 0, 0];
    for (let k = 0; k + 1 < this.links.length; k += 2) {
      const [a, b] = [this.links[k]!, this.links[k + 1]!];
      const other = a === v ? b : b === v ? a : v;
      if (other === v || 2 * other >= this.places.length) continue;
      x += this.places[2 * other]!;
      y += this.places[2 * other + 1]!;
      count++;
    }
    if (count === 0) return;
    const length = this.length();
    const out = Math.hypot(x / count - SIDE / 2, y / count - SIDE / 2) || 1;
    const push = count === 1 ? length : 0.3 * length;
    this.put(
      v,
      clamp(x / count + (push * (x / count - SIDE / 2)) / out),
      clamp(y / count + (push * (y / count - SIDE / 2)) / out),
    );
  }

  /** New links draw their ends a little together; new nodes make room for themselves. */
  private settle(): void {
    const gain = (0.04 * this.rounds) / SOFT_ROUNDS;
    const length = this.length();
    if (!this.given) for (const [a, b] of this.pulls) this.draw(a, b, 1.6 * length, gain);
    const free = (v: number) => this.loose.has(v) && !this.held.has(v);
    if (this.loose.size > 0) declutter(this.places, 0.6 * length, this.random, free);
    for (const v of this.loose) {
      if (free(v)) this.put(v, clamp(this.places[2 * v]!), clamp(this.places[2 * v + 1]!));
    }
    this.rounds--;
    if (this.rounds === 0) this.loose.clear();
  }

  private draw(a: number, b: number, length: number, gain: number): void {
    const dx = this.places[2 * b]! - this.places[2 * a]!;
    const dy = this.places[2 * b + 1]! - this.places[2 * a + 1]!;
    const d = Math.hypot(dx, dy);
    if (d <= length) return;
    const pull = (gain * (d - length)) / d;
    const ends: [number, number][] = [
      [a, 1],
      [b, -1],
    ];
    for (const [v, sign] of ends) {
      if (this.held.has(v)) continue;
      const x = this.places[2 * v]! + sign * pull * dx;
      this.put(v, clamp(x), clamp(this.places[2 * v + 1]! + sign * pull * dy));
    }
  }

  /** About the distance of neighbours: as if nodes stood evenly in the square. */
  private length(): number {
    return (SIDE - 2 * MARGIN) / Math.max(3, Math.sqrt(this.places.length / 2));
  }
}

const FAR = 2 ** 26; // more nodes than that are not drawn

function names(links: Uint32Array): Set<number> {
  const all = new Set<number>();
  for (let k = 0; k + 1 < links.length; k += 2) {
    const [a, b] = [links[k]!, links[k + 1]!];
    all.add(Math.min(a, b) * FAR + Math.max(a, b));
  }
  return all;
}

function boxOf(xy: Float64Array): Box & { left: number; top: number } {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let k = 0; k < xy.length; k += 2) {
    left = Math.min(left, xy[k]!);
    right = Math.max(right, xy[k]!);
    top = Math.min(top, xy[k + 1]!);
    bottom = Math.max(bottom, xy[k + 1]!);
  }
  return { width: right - left + GAP, height: bottom - top + GAP, x: 0, y: 0, left, top };
}

function clamp(x: number): number {
  return Math.min(SIDE - MARGIN / 2, Math.max(MARGIN / 2, x));
}

function now(): number {
  return performance.now();
}
