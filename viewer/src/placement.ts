// SPDX-License-Identifier: MIT
// Where nodes are drawn. Moving networks say it themselves; others have places from their topology
// or get them from the force layout, in a square of 1000 by 1000. People may drag the latter.
import { ForceLayout } from './layout';
import type { Moment, Stage } from './model';

export const SQUARE = 1000;

export class Placement {
  places: Float32Array = new Float32Array(0);
  private layout: ForceLayout | null = null;
  private links: Uint32Array | null = null;
  private settled = true;
  private readonly wanted = new Map<number, [number, number]>();

  constructor(
    private stage: Stage,
    moment: Moment,
  ) {
    if (stage.moves) {
      this.places = moment.places;
    } else if (stage.places) {
      this.places = new Float32Array(2 * moment.n);
      this.given(0, moment.n);
    } else {
      this.layout = new ForceLayout(moment.n, moment.links, null);
      this.links = moment.links;
      this.settled = false;
      this.warmUp();
    }
  }

  /** The layout is not ready when the page opens; a short while of it is worth waiting for. */
  private warmUp(): void {
    const until = performance.now() + 120;
    while (!this.settled && performance.now() < until) this.step(20);
    if (this.layout) this.places = this.layout.places;
  }

  /** As another run of the same network is drawn. */
  adopt(other: Placement): void {
    const { places } = other;
    if (!this.layout || !this.links || places.length !== this.places.length) return;
    const start = Array.from({ length: places.length / 2 }, (_, i): [number, number] => [
      places[2 * i] / SQUARE,
      places[2 * i + 1] / SQUARE,
    ]);
    this.layout = new ForceLayout(start.length, this.links, start);
    this.places = this.layout.places;
    this.settled = true;
  }

  private given(from: number, to: number): void {
    const known = this.stage.places ?? [];
    for (let i = from; i < to; i++) {
      const [x, y] =
        this.wanted.get(i) ?? (known[i] ? toSquare(known[i]) : [SQUARE / 2, SQUARE / 2]);
      this.places[2 * i] = x;
      this.places[2 * i + 1] = y;
    }
  }

  /** A newcomer of an abstract graph will stand here. */
  want(node: number, x: number, y: number): void {
    this.wanted.set(node, [x, y]);
  }

  /** The network has changed: more nodes, or other links. */
  follow(stage: Stage, m: Moment): void {
    this.stage = stage;
    if (stage.moves) return;
    const before = this.places.length / 2;
    if (this.layout) this.followLayout(m, before);
    else if (m.n !== before) {
      const grown = new Float32Array(2 * m.n);
      grown.set(this.places.subarray(0, 2 * Math.min(before, m.n)));
      this.places = grown;
      this.given(before, m.n);
    }
  }

  private followLayout(m: Moment, before: number): void {
    const layout = this.layout as ForceLayout;
    if (m.n !== before) {
      layout.setCount(m.n);
      for (let i = before; i < m.n; i++) {
        const at = this.wanted.get(i);
        if (at) layout.hold(i, at[0], at[1]);
        layout.release(i);
      }
      this.settled = false;
    }
    if (m.links !== this.links) {
      layout.setLinks(m.links);
      this.links = m.links;
      this.settled = false;
    }
    this.places = layout.places;
  }

  /** Lets the layout go on for a while. True where something moved. */
  step(budget: number): boolean {
    if (!this.layout || this.settled) return false;
    this.settled = !this.layout.step(budget);
    this.places = this.layout.places;
    return true;
  }

  drag(node: number, x: number, y: number): void {
    if (this.layout) {
      this.layout.hold(node, x, y);
      this.settled = false;
    } else if (!this.stage.moves) {
      this.places[2 * node] = x;
      this.places[2 * node + 1] = y;
    }
  }

  drop(node: number): void {
    this.layout?.release(node);
  }
}

function toSquare([x, y]: [number, number]): [number, number] {
  return [x * SQUARE, y * SQUARE];
}
