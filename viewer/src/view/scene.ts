// SPDX-License-Identifier: MIT
// From a moment to what each node looks like.
import { ABSENT, ALIVE, LEADS, NO_NODE, type Moment, type Stage } from '../model';
import { rgb, type LeaderColours } from '../palette';
import { CODE, SHAPE } from './shaders';

/** Nodes per line of the textures that hold them. */
export const SHEET_WIDTH = 256;

export interface Marked {
  selected: ReadonlySet<number>;
  hover: number;
  focus: ReadonlySet<number> | null; // others are dimmed
}

/**
 * The leader that most nodes of each component name, by component number. Nearly all name the same
 * one, so that only the others go through a map.
 */
export function majorities(m: Moment): Uint32Array {
  const best = new Uint32Array(m.n).fill(NO_NODE);
  const most = new Uint32Array(m.n);
  const others = new Map<number, number>();
  for (let i = 0; i < m.n; i++) {
    const c = m.component[i];
    if (c >= m.n || !(m.state[i] & ALIVE)) continue;
    const who = m.leader[i];
    if (most[c] === 0) best[c] = who;
    if (best[c] === who) most[c]++;
    else others.set(c * FACTOR + who, (others.get(c * FACTOR + who) ?? 0) + 1);
  }
  for (const [key, count] of others) {
    const c = Math.floor(key / FACTOR);
    if (count <= most[c]) continue;
    most[c] = count;
    best[c] = key % FACTOR;
  }
  return best;
}

const FACTOR = 2 ** 32;

export class Scene {
  /** Per node: x, y, size, code; then the rest of the last line. */
  data = new Float32Array(4);
  hues = new Uint8Array(4);
  private size = new Float32Array(0);
  private code = new Float32Array(0);
  private best: Uint32Array = new Uint32Array(0);

  constructor(readonly colours: LeaderColours) {}

  /** The moment is another one. */
  restyle(stage: Stage, m: Moment, marked: Marked): void {
    this.reserve(m.n);
    this.colours.update(m.leader, (i) => (m.state[i] & ALIVE) !== 0);
    this.best = majorities(m);
    const table = new Map<number, [number, number, number]>();
    let c: [number, number, number] | undefined;
    let last = -1;
    for (let i = 0; i < m.n; i++) {
      this.styleNode(stage, m, i);
      const who = m.leader[i];
      if (who !== last) c = table.get(who);
      last = who;
      if (!c) {
        c = rgb(this.colours.of(who)).map((v) => Math.round(v * 255)) as [number, number, number];
        table.set(who, c);
      }
      this.hues[4 * i] = c[0];
      this.hues[4 * i + 1] = c[1];
      this.hues[4 * i + 2] = c[2];
      this.hues[4 * i + 3] = m.leader[i] === NO_NODE || !(m.state[i] & ALIVE) ? 0 : 255;
    }
    this.remark(m, marked);
  }

  private styleNode(stage: Stage, m: Moment, i: number): void {
    const state = m.state[i];
    const kind = stage.kinds?.[i];
    let code: number = kind === 'fixed' || kind === 'wired' ? SHAPE.square : SHAPE.circle;
    let size = 1;
    if (state & ABSENT) code = SHAPE.hidden;
    else if (!(state & ALIVE)) code = SHAPE.cross;
    else {
      if (m.leader[i] === NO_NODE) code += CODE.hollow;
      if (state & LEADS) {
        code += CODE.leads;
        size = 1.45;
      }
      if (this.best[m.component[i]] !== m.leader[i]) code += CODE.differs;
    }
    if (m.rank) size *= 1 + 0.3 * Math.min(4, m.rank[i]);
    this.code[i] = code;
    this.size[i] = size;
  }

  /** Only the selection is another one. */
  remark(m: Moment, marked: Marked): void {
    for (let i = 0; i < m.n; i++) {
      let code = this.code[i];
      if (marked.selected.has(i)) code += CODE.selected;
      if (marked.focus && !marked.focus.has(i)) code += CODE.dim;
      if (marked.hover === i) code += CODE.hover;
      this.data[4 * i + 2] = this.size[i];
      this.data[4 * i + 3] = code;
    }
  }

  place(places: Float32Array, n: number): void {
    for (let i = 0; i < n; i++) {
      this.data[4 * i] = places[2 * i];
      this.data[4 * i + 1] = places[2 * i + 1];
    }
  }

  sizeOf(i: number): number {
    return this.size[i] ?? 1;
  }

  differs(i: number): boolean {
    return (Math.floor((this.code[i] ?? 0) / CODE.differs) & 1) === 1;
  }

  majority(component: number): number {
    return this.best[component] ?? NO_NODE;
  }

  private reserve(n: number): void {
    const cells = SHEET_WIDTH * Math.max(1, Math.ceil(n / SHEET_WIDTH));
    if (this.data.length === 4 * cells && this.size.length === n) return;
    this.data = new Float32Array(4 * cells);
    this.hues = new Uint8Array(4 * cells);
    this.size = new Float32Array(n);
    this.code = new Float32Array(n);
  }
}
