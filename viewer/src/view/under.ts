// SPDX-License-Identifier: MIT
// Behind the nodes: the ground, the border of the area, a scale, and the clusters of a hierarchy.
import type { Camera } from '../camera';
import { ALIVE, NO_NODE } from '../model';
import type { Run } from '../run';
import { roundHull, type Point } from './hull';
import { drawRoad, roadOf } from './road';
import type { Scene } from './scene';
import type { Theme } from './theme';

type Ink = CanvasRenderingContext2D;

const MOST_CLUSTERED = 5000;

export function drawUnder(
  ctx: Ink,
  w: number,
  h: number,
  run: Run,
  camera: Camera,
  scene: Scene,
  theme: Theme,
  clusters: boolean,
  radius: number,
): void {
  ctx.fillStyle = theme.css.canvas;
  ctx.fillRect(0, 0, w, h);
  drawGround(ctx, w, h, camera, theme);
  const road = roadOf(run);
  if (road) drawRoad(ctx, w, h, road, camera, theme);
  else if (run.stage.area) drawArea(ctx, w, h, run.stage.area, camera, theme);
  if (clusters && run.shown.head && run.shown.n <= MOST_CLUSTERED) {
    drawClusters(ctx, w, h, run, camera, scene, theme, radius);
  }
}

function niceStep(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(atLeast));
  for (const f of [1, 2, 5, 10]) if (power * f >= atLeast) return power * f;
  return power * 10;
}

function drawGround(ctx: Ink, w: number, h: number, camera: Camera, theme: Theme): void {
  const { zoom, stretch } = camera;
  const step = niceStep(64 / zoom) * zoom;
  const down = niceStep(64 / (zoom * stretch)) * zoom * stretch;
  const [ox, oy] = camera.toScreen(0, 0, w, h);
  ctx.fillStyle = theme.css.grid;
  for (let x = ((ox % step) + step) % step; x < w; x += step) ctx.fillRect(Math.round(x), 0, 1, h);
  for (let y = ((oy % down) + down) % down; y < h; y += down) ctx.fillRect(0, Math.round(y), w, 1);
}

function drawArea(
  ctx: Ink,
  w: number,
  h: number,
  area: [number, number],
  camera: Camera,
  theme: Theme,
): void {
  const [x0, y0] = camera.toScreen(0, 0, w, h);
  const [x1, y1] = camera.toScreen(area[0], area[1], w, h);
  ctx.strokeStyle = theme.css.frame;
  ctx.lineWidth = 1;
  ctx.setLineDash([6, 5]);
  ctx.strokeRect(
    Math.round(x0) + 0.5,
    Math.round(y0) + 0.5,
    Math.round(x1 - x0),
    Math.round(y1 - y0),
  );
  ctx.setLineDash([]);
}

/** A bar that says how many metres it is long. */
export function drawScale(ctx: Ink, h: number, camera: Camera, theme: Theme): void {
  const metres = niceStep(70 / camera.zoom);
  const length = metres * camera.zoom;
  const y = h - 18;
  ctx.strokeStyle = theme.css.muted;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.moveTo(18, y - 5);
  ctx.lineTo(18, y);
  ctx.lineTo(18 + length, y);
  ctx.lineTo(18 + length, y - 5);
  ctx.stroke();
  ctx.fillStyle = theme.css.muted;
  ctx.font = '11px system-ui, sans-serif';
  ctx.textAlign = 'left';
  ctx.textBaseline = 'alphabetic';
  const long = metres >= 1000 ? `${metres / 1000} km` : `${metres} m`;
  ctx.fillText(long + stretchText(camera.stretch), 24, y - 6);
}

function stretchText(stretch: number): string {
  if (stretch === 1) return '';
  return stretch > 1
    ? ` (height ×${Math.round(stretch)})`
    : ` (height 1/${Math.round(1 / stretch)})`;
}

function drawClusters(
  ctx: Ink,
  w: number,
  h: number,
  run: Run,
  camera: Camera,
  scene: Scene,
  theme: Theme,
  radius: number,
): void {
  const { head, state, n } = run.shown;
  const members = new Map<number, Point[]>();
  for (let i = 0; i < n; i++) {
    const who = (head as Uint32Array)[i];
    if (who === NO_NODE || !(state[i] & ALIVE)) continue;
    const at = camera.toScreen(run.places[2 * i], run.places[2 * i + 1], w, h);
    const list = members.get(who);
    if (list) list.push(at);
    else members.set(who, [at]);
  }
  for (const [who, points] of members) {
    const outline = roundHull(points, radius + 9);
    ctx.beginPath();
    for (const [x, y] of outline) ctx.lineTo(x, y);
    ctx.closePath();
    const colour = scene.colours.of(who);
    ctx.globalAlpha = theme.dark ? 0.16 : 0.1;
    ctx.fillStyle = colour;
    ctx.fill();
    ctx.globalAlpha = 0.55;
    ctx.strokeStyle = colour;
    ctx.lineWidth = 1.25;
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
}
