// SPDX-License-Identifier: MIT
// A road with its lanes, for vehicles that drive along it.
import type { Camera } from '../camera';
import type { Run } from '../run';
import { effective, unquote } from '../toml';
import type { Theme } from './theme';

const LANE = 4; // metres, and two lanes in each direction by default, as in the simulation
const LONG = 20; // times as long as its area is wide; what is shorter is drawn as an area

export interface Road {
  length: number; // metres
  lanes: number; // of both directions
  height: number; // metres
}

let known: { toml: string; set: string; road: Road | null } | null = null;

/** Null where nodes do not drive along a road. */
export function roadOf({ stage, recipe }: Run): Road | null {
  const set = recipe.set.join();
  if (known?.toml !== stage.toml || known.set !== set)
    known = { toml: stage.toml, set, road: read(stage, recipe.set) };
  return known.road;
}

function read(stage: Run['stage'], set: string[]): Road | null {
  const values = effective(stage.toml, set);
  const [length, width] = stage.area ?? [0, 0];
  const model = unquote(values.get('mobility.model') ?? '');
  if (length < LONG * width || model !== 'highway') return null;
  const lanes = 2 * Number(values.get('mobility.lanes') ?? '2');
  return { length, lanes, height: LANE * lanes };
}

export function drawRoad(
  ctx: CanvasRenderingContext2D,
  w: number,
  h: number,
  road: Road,
  camera: Camera,
  theme: Theme,
): void {
  const [left, top] = camera.toScreen(0, 0, w, h);
  const [right, bottom] = camera.toScreen(road.length, road.height, w, h);
  ctx.fillStyle = theme.dark ? 'rgba(255,255,255,0.07)' : 'rgba(20,30,45,0.07)';
  ctx.fillRect(left, top, right - left, bottom - top);
  ctx.strokeStyle = theme.css.muted;
  for (let k = 0; k <= road.lanes; k++) {
    const y = Math.round(top + ((bottom - top) * k) / road.lanes) + 0.5;
    const middle = k === road.lanes / 2;
    ctx.globalAlpha = middle ? 0.9 : 0.45;
    ctx.lineWidth = middle ? 2 : 1;
    ctx.setLineDash(k === 0 || middle || k === road.lanes ? [] : [14, 12]);
    ctx.beginPath();
    ctx.moveTo(left, y);
    ctx.lineTo(right, y);
    ctx.stroke();
  }
  ctx.setLineDash([]);
  ctx.globalAlpha = 1;
}
