// SPDX-License-Identifier: MIT
// In front of the nodes: their names, and what the hand is about to do.
import type { Camera } from '../camera';
import { ABSENT, ALIVE, LEADS, NO_NODE } from '../model';
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
const TOKEN = 8; // half the height of a token, in pixels

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
  y: number;
  radius: number;
  left: number; // where its name begins
  top: number; // and the middle of its height
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
  const all = look.wanted && (n <= 200 || look.radius >= 7.5);
  const list: Label[] = [];
  if (!all && !look.selected.size) return list;
  for (let node = 0; node < n && list.length < MOST_LABELS; node++) {
    if (state[node] & ABSENT || !(all || look.selected.has(node))) continue;
    const [x, y] = look.camera.toScreen(run.places[2 * node], run.places[2 * node + 1], w, h);
    if (x < -40 || y < -20 || x > w + 20 || y > h + 20) continue;
    const radius = look.radius * look.scene.sizeOf(node);
    list.push({ node, x, y, radius, left: x + radius + 4, top: y });
  }
  return list;
}

/** Right of a node, left, below or above it: the first that covers no other node and no name. */
function placed(label: Label, wide: number, taken: Taken): boolean {
  const { x, y, radius } = label;
  const spots = [
    [x + radius + 4, y],
    [x - radius - 4 - wide, y],
    [x - wide / 2, y + radius + 8],
    [x - wide / 2, y - radius - 8],
  ];
  for (const [left, top] of spots) {
    if (!taken.free(left, left + wide, top - 4, top + 4)) continue;
    Object.assign(label, { left, top });
    return true;
  }
  return false;
}

/** Names where there is room, those of leaders and of the selection first; after each name the
 * leader that the node names. */
export function drawLabels(ctx: Ink, w: number, h: number, run: Run, look: LabelLook): void {
  const all = visible(w, h, run, look);
  const taken = new Taken();
  for (const { x, y, radius } of all) taken.put(x - radius, x + radius, y - radius, y + radius);
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
    const { node } = label;
    ctx.font = state[node] & LEADS ? LEADER_NAME : NAME;
    const own = String(run.stage.ids[node]);
    const wide = ctx.measureText(own).width;
    if (!placed(label, wide, taken) && !first(label)) continue;
    const { left, top } = label;
    taken.put(left, left + wide, top - 5, top + 5);
    list.push(label);
    ctx.strokeText(own, left, top);
    ctx.fillStyle = state[node] & ALIVE ? css.ink : css.muted;
    ctx.fillText(own, left, top);
  }
  if (look.radius >= 6) drawNamed(ctx, run, list, taken, css.muted);
  if (rank && look.radius >= 5) drawRanks(ctx, run, all);
}

/** The id that a token carries, in pixels of the canvas. */
export interface FlightMark {
  x: number;
  y: number;
  text: string;
  colour: string;
}

export function drawMarks(ctx: Ink, marks: readonly FlightMark[], theme: Theme): void {
  ctx.font = '600 11px system-ui, sans-serif';
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.lineWidth = 1.5;
  ctx.strokeStyle = theme.css.canvas;
  for (const { x, y, text, colour } of marks) {
    const half = Math.max(TOKEN, ctx.measureText(text).width / 2 + 4);
    ctx.beginPath();
    ctx.roundRect(x - half, y - TOKEN, 2 * half, 2 * TOKEN, TOKEN);
    ctx.fillStyle = colour;
    ctx.fill();
    ctx.stroke();
    ctx.fillStyle = theme.css.canvas;
    ctx.fillText(text, x, y + 0.5);
  }
}

function drawNamed(ctx: Ink, run: Run, list: Label[], taken: Taken, colour: string): void {
  const { state, leader } = run.shown;
  ctx.fillStyle = colour;
  for (const { node, left, top } of list) {
    if (!(state[node] & ALIVE) || state[node] & LEADS) continue;
    ctx.font = NAME;
    const at = left + ctx.measureText(String(run.stage.ids[node])).width + 3;
    ctx.font = NAMED;
    const named = leader[node] === NO_NODE ? '?' : `▸${run.stage.ids[leader[node]] ?? '?'}`;
    const end = at + ctx.measureText(named).width;
    if (!taken.free(at, end, top)) continue;
    taken.put(at, end, top - 5, top + 5);
    ctx.strokeText(named, at, top + 0.5);
    ctx.fillText(named, at, top + 0.5);
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
