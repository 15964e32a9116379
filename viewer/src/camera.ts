// SPDX-License-Identifier: MIT
// Which part of the plane is on screen. Both canvases of a comparison share one.

export class Camera {
  x = 500;
  y = 500;
  zoom = 0.5; // pixels (CSS) per unit of the plane, along x
  stretch = 1; // times as many along y: a road of 4,000 by 40 m is no line then
  version = 0;
  /** Until it is moved by hand, it follows the size of the window. */
  touched = false;
  private goal: { x: number; y: number; zoom: number } | null = null;

  toScreen(x: number, y: number, w: number, h: number): [number, number] {
    return [(x - this.x) * this.zoom + w / 2, (y - this.y) * this.zoom * this.stretch + h / 2];
  }

  toPlane(sx: number, sy: number, w: number, h: number): [number, number] {
    return [(sx - w / 2) / this.zoom + this.x, (sy - h / 2) / (this.zoom * this.stretch) + this.y];
  }

  pan(dx: number, dy: number): void {
    this.goal = null;
    this.x -= dx / this.zoom;
    this.y -= dy / (this.zoom * this.stretch);
    this.touch();
  }

  /** Zooms so that the point under (sx, sy) stays there. */
  zoomAt(factor: number, sx: number, sy: number, w: number, h: number): void {
    this.goal = null;
    const [px, py] = this.toPlane(sx, sy, w, h);
    this.zoom = Math.min(200, Math.max(1e-4, this.zoom * factor));
    this.x = px - (sx - w / 2) / this.zoom;
    this.y = py - (sy - h / 2) / (this.zoom * this.stretch);
    this.touch();
  }

  /** Shows a rectangle of the plane, at once or gliding. Narrow ones are stretched. */
  fit(box: Box, w: number, h: number, glide = false, margin = 48): void {
    const width = Math.max(1e-6, box.right - box.left);
    const height = Math.max(1e-6, box.bottom - box.top);
    this.stretch = stretchOf(width, height, w - 2 * margin, h - 2 * margin);
    const zoom = Math.max(
      1e-4,
      Math.min((w - 2 * margin) / width, (h - 2 * margin) / (height * this.stretch)),
    );
    const to = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2, zoom };
    if (glide) this.goal = to;
    else this.jump(to);
  }

  jump(to: { x: number; y: number; zoom: number }): void {
    this.goal = null;
    Object.assign(this, to);
    this.version++;
  }

  /** True while it glides. */
  tick(): boolean {
    if (!this.goal) return false;
    const g = this.goal;
    this.x += (g.x - this.x) * 0.18;
    this.y += (g.y - this.y) * 0.18;
    this.zoom *= (g.zoom / this.zoom) ** 0.18;
    const left = Math.abs(g.x - this.x) + Math.abs(g.y - this.y) * this.stretch;
    const near = left * g.zoom < 0.5;
    if (near && Math.abs(g.zoom / this.zoom - 1) < 0.005) this.jump(g);
    this.version++;
    return true;
  }

  private touch(): void {
    this.touched = true;
    this.version++;
  }
}

const NARROW = 20; // times as much of the screen could be filled: then to scale is too thin
const FILLED = 0.5; // of the screen that a stretched road takes
const LINE = 1000; // what is narrower than a thousandth of its length has no width to show

/** How much more y is enlarged than x: 1 where a drawing to scale can be read. */
export function stretchOf(width: number, height: number, w: number, h: number): number {
  if (w <= 0 || h <= 0 || width > LINE * height || height > LINE * width) return 1;
  const along = w / width;
  const across = h / height;
  if (across > NARROW * along) return (FILLED * across) / along;
  if (along > NARROW * across) return across / (FILLED * along);
  return 1;
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export function boxOf(places: Float32Array, nodes?: Iterable<number>): Box | null {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  const take = (i: number) => {
    const x = places[2 * i];
    const y = places[2 * i + 1];
    if (!(Number.isFinite(x) && Number.isFinite(y))) return;
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  };
  if (nodes) for (const i of nodes) take(i);
  else for (let i = 0; i < places.length / 2; i++) take(i);
  return box.left <= box.right ? box : null;
}
