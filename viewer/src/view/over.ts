// SPDX-License-Identifier: MIT
// In front of the nodes: their names, and what the hand is about to do.
import type { Camera } from '../camera';
import { ABSENT, ALIVE, LEADS, NOBODY } from '../model';
import type { Run } from '../run';
import type { Scene } from './scene';
import type { Theme } from './theme';

type Ink = CanvasRenderingContext2D;

/** What the tool in hand draws, in pixels of the canvas. */
export interface Gesture {
  line?: [number, number][]; // a cut
  box?: [number, number, number, number]; // selection
  band?: { from: [number, number]; to: [number, number]; cuts: boolean }; // a link
  ghost?: [number, number]; // a newcomer
}

const MOST_LABELS = 320;
const NAME = '500 11px system-ui, sans-serif';
const LEADER_NAME = '600 12px system-ui, sans-serif';
const NAMED = '10px system-ui, sans-serif';

/** Rectangles that are taken, in rows of a few pixels. */
class Taken {
  private readonly rows = new Map<number, [number, number][]>();

  put(left: number, right: number, top: number, bottom: number): void {
    for (let r = Math.floor(top / 6); r <= Math.floor(bottom / 6); r++) {
      const row = this.rows.get(r);
      if (row) row.push([left, right]);
      else this.rows.set(r, [[left, right]]);
    }
  }

  free(left: number, right: number, top: number, bottom = top): boolean {
    for (let r = Math.floor(top / 6); r <= Math.floor(bottom / 6); r++) {
      if (this.rows.get(r)?.some(([a, b]) => right >= a && left <= b)) return false;
    }
    return true;
  }
}

interface Label {
  node: number;
  x: number;
  left: number;
  y: number;
}

export interface LabelLook {
  camera: Camera;
  scene: Scene;
  theme: Theme;
  radius: number;
  selected: ReadonlySet<number>;
  wanted: boolean;
}

function visible(w: number, h: number, run: Run, look: LabelLook): Label[] {
  const { n, state } = run.shown;
  const everybody = look.wanted && (n <= 200 || look.radius >= 7.5);
  const list: Label[] = [];
  if (!everybody && !look.selected.size) return list;
  for (let node = 0; node < n && list.length < MOST_LABELS; node++) {
    if (state[node] & ABSENT || !(everybody || look.selected.has(node))) continue;
    const [x, y] = look.camera.toScreen(run.places[2 * node], run.places[2 * node + 1], w, h);
    if (x < -40 || y < -20 || x > w + 20 || y > h + 20) continue;
    list.push({ node, x, left: x + look.radius * look.scene.sizeOf(node) + 4, y });
  }
  return list;
}

/** Names where there is room, those of leaders and of the selection first; behind them whom a node
 * names. */
export function drawLabels(ctx: Ink, w: number, h: number, run: Run, look: LabelLook): void {
  const all = visible(w, h, run, look);
  const taken = new Taken();
  const { state, rank } = run.shown;
  const { css } = look.theme;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  ctx.lineJoin = 'round';
  ctx.lineWidth = 3;
  ctx.strokeStyle = css.canvas;
  const first = ({ node }: Label) => (state[node] & LEADS) !== 0 || look.selected.has(node);
  const list: Label[] = [];
  for (const label of [...all.filter(first), ...all.filter((l) => !first(l))]) {
    const { node, left, y } = label;
    ctx.font = state[node] & LEADS ? LEADER_NAME : NAME;
    const own = String(run.stage.ids[node]);
    const right = left + ctx.measureText(own).width;
    if (!taken.free(left, right, y - 4, y + 4)) continue;
    taken.put(left, right, y - 5, y + 5);
    list.push(label);
    ctx.strokeText(own, left, y);
    ctx.fillStyle = state[node] & ALIVE ? css.ink : css.muted;
    ctx.fillText(own, left, y);
  }
  for (const { x, left, y } of all) {
    const r = left - x - 4;
    taken.put(x - r, left, y - Math.max(5, r), y + Math.max(5, r));
  }
  if (look.radius >= 6) drawNamed(ctx, run, list, taken, css.muted);
  if (rank && look.radius >= 5) drawRanks(ctx, run, list);
}

/** The id that a token carries, in pixels of the canvas. */
export interface FlightMark {
  x: number;
  y: number;
  text: string;
}

export function drawMarks(ctx: Ink, marks: readonly FlightMark[], theme: Theme): void {
  ctx.font = '600 11px system-ui, sans-serif';
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.lineJoin = 'round';
  ctx.lineWidth = 3;
  ctx.strokeStyle = theme.css.canvas;
  ctx.fillStyle = theme.css.ink;
  for (const { x, y, text } of marks) {
    ctx.strokeText(text, x, y - 12);
    ctx.fillText(text, x, y - 12);
  }
}

function drawNamed(ctx: Ink, run: Run, list: Label[], taken: Taken, colour: string): void {
  const { state, leader } = run.shown;
  ctx.fillStyle = colour;
  for (const { node, left, y } of list) {
    if (!(state[node] & ALIVE) || state[node] & LEADS) continue;
    ctx.font = NAME;
    const at = left + ctx.measureText(String(run.stage.ids[node])).width + 3;
    ctx.font = NAMED;
    const named = leader[node] === NOBODY ? '?' : `▸${run.stage.ids[leader[node]] ?? '?'}`;
    const end = at + ctx.measureText(named).width;
    if (!taken.free(at, end, y)) continue;
    taken.put(at, end, y - 5, y + 5);
    ctx.strokeText(named, at, y + 0.5);
    ctx.fillText(named, at, y + 0.5);
  }
}

/** The number of a rank, within the node; leaders of all have their crown there. */
function drawRanks(ctx: Ink, run: Run, list: Label[]): void {
  const { rank, state } = run.shown;
  ctx.font = '700 11px system-ui, sans-serif';
  ctx.textAlign = 'center';
  ctx.fillStyle = '#fff';
  for (const { node, x, y } of list) {
    const of = (rank as Uint8Array)[node];
    if (of && state[node] & ALIVE && !(state[node] & LEADS)) ctx.fillText(String(of), x, y + 0.5);
  }
}

export function drawGesture(ctx: Ink, g: Gesture, theme: Theme, radius: number): void {
  ctx.lineCap = 'round';
  ctx.lineJoin = 'round';
  if (g.line && g.line.length > 1) {
    ctx.beginPath();
    for (const [x, y] of g.line) ctx.lineTo(x, y);
    ctx.strokeStyle = theme.css.danger;
    ctx.lineWidth = 2.5;
    ctx.setLineDash([9, 6]);
    ctx.stroke();
    ctx.setLineDash([]);
  }
  if (g.box) {
    const [x0, y0, x1, y1] = g.box;
    ctx.strokeStyle = theme.css.accent;
    ctx.fillStyle = theme.css.accent;
    ctx.globalAlpha = 0.1;
    ctx.fillRect(x0, y0, x1 - x0, y1 - y0);
    ctx.globalAlpha = 1;
    ctx.lineWidth = 1;
    ctx.strokeRect(x0, y0, x1 - x0, y1 - y0);
  }
  if (g.band) {
    ctx.beginPath();
    ctx.moveTo(...g.band.from);
    ctx.lineTo(...g.band.to);
    ctx.strokeStyle = g.band.cuts ? theme.css.danger : theme.css.accent;
    ctx.lineWidth = 3;
    ctx.setLineDash(g.band.cuts ? [4, 6] : []);
    ctx.stroke();
    ctx.setLineDash([]);
  }
  if (g.ghost) {
    ctx.beginPath();
    ctx.arc(g.ghost[0], g.ghost[1], Math.max(6, radius), 0, 2 * Math.PI);
    ctx.strokeStyle = theme.css.accent;
    ctx.lineWidth = 1.5;
    ctx.setLineDash([4, 4]);
    ctx.stroke();
    ctx.setLineDash([]);
  }
}
