// SPDX-License-Identifier: MIT
// Mouse, pen and fingers on a drawing.
import type { App } from './app';
import { crossings, onOneSide, simplify, type Point } from './geometry';
import { contextMenu } from './ui/context';
import type { Pane } from './view/pane';

export type Tool = 'select' | 'add' | 'crash' | 'restart' | 'link' | 'partition';

const LONG_PRESS = 550;
const FINGER = 16; // pixels of room around a node
const MOUSE = 5;

type Stroke =
  | { kind: 'pan'; x: number; y: number }
  | { kind: 'drag'; node: number; from: Point; moved: boolean }
  | { kind: 'box'; from: Point }
  | { kind: 'line'; points: Point[] }
  | { kind: 'band'; node: number }
  | { kind: 'tap' };

export class Gestures {
  private stroke: Stroke | null = null;
  private began: Point = [0, 0];
  private readonly fingers = new Map<number, Point>();
  private pressTimer = 0;
  private moving = false;
  private goesOn = false; // this drag has moved its node before
  private wanted: { node: number; x: number; y: number }[] | null = null;

  constructor(
    private readonly app: App,
    private readonly pane: Pane,
  ) {
    const on = pane.root;
    on.addEventListener('pointerdown', (e) => this.down(e));
    on.addEventListener('pointermove', (e) => this.move(e));
    on.addEventListener('pointerup', (e) => this.up(e));
    on.addEventListener('pointercancel', (e) => this.cancel(e));
    on.addEventListener('pointerleave', () => app.hover(-1, null));
    on.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
    on.addEventListener('contextmenu', (e) => this.menu(e));
    on.addEventListener(
      'dblclick',
      () => this.app.tool === 'select' && this.app.showPanel('inspect'),
    );
  }

  private at(e: MouseEvent): Point {
    const box = this.pane.root.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  }

  private room(e: Event): number {
    return (e as PointerEvent).pointerType === 'touch' ? FINGER : MOUSE;
  }

  private down(e: PointerEvent): void {
    if (!this.app.run.ready || (e.target as HTMLElement).closest('.pane-head')) return;
    const p = this.at(e);
    this.fingers.set(e.pointerId, p);
    this.pane.root.setPointerCapture(e.pointerId);
    this.pane.root.focus({ preventScroll: true });
    clearTimeout(this.pressTimer);
    if (this.fingers.size > 1) {
      this.endStroke();
      return;
    }
    if (e.button === 2) return;
    this.began = p;
    if (e.pointerType === 'touch')
      this.pressTimer = window.setTimeout(() => this.longPress(e), LONG_PRESS);
    this.stroke = e.button === 1 ? { kind: 'pan', x: p[0], y: p[1] } : this.begin(e, p);
  }

  private begin(e: PointerEvent, p: Point): Stroke {
    const { app, pane } = this;
    const node = pane.nodeAt(...p, this.room(e));
    if (app.tool === 'partition') return { kind: 'line', points: [p] };
    if (app.tool === 'link' && node >= 0) return { kind: 'band', node };
    if (app.tool === 'add' || app.tool === 'crash' || app.tool === 'restart' || app.tool === 'link')
      return { kind: 'tap' };
    if (node >= 0) {
      app.onPick?.(node);
      if (e.shiftKey) app.toggleSelected(node);
      else if (!app.view.selected.has(node)) app.select([node]);
      this.goesOn = false;
      return { kind: 'drag', node, from: p, moved: false };
    }
    return e.shiftKey ? { kind: 'box', from: p } : { kind: 'pan', x: p[0], y: p[1] };
  }

  private move(e: PointerEvent): void {
    const p = this.at(e);
    if (this.fingers.size > 1) return this.pinch(e, p);
    if (!this.stroke) return this.hover(p, e);
    if (Math.hypot(p[0] - this.began[0], p[1] - this.began[1]) > 4) clearTimeout(this.pressTimer);
    const s = this.stroke;
    const { gesture } = this.pane;
    if (s.kind === 'pan') {
      this.app.view.camera.pan(p[0] - s.x, p[1] - s.y);
      [s.x, s.y] = p;
    } else if (s.kind === 'drag') this.drag(s, p);
    else if (s.kind === 'box') gesture.box = [...s.from, ...p];
    else if (s.kind === 'line') {
      s.points.push(p);
      gesture.line = s.points;
    } else if (s.kind === 'band') {
      const to = this.pane.nodeAt(...p, this.room(e));
      const cuts = to >= 0 && to !== s.node && this.app.commands.linked(s.node, to);
      gesture.band = {
        from: this.pane.screenOf(s.node),
        to: to >= 0 ? this.pane.screenOf(to) : p,
        cuts,
      };
    }
    this.app.redraw();
  }

  private hover(p: Point, e: PointerEvent): void {
    if (e.pointerType === 'touch') return;
    if (this.app.tool === 'add') {
      this.pane.gesture.ghost = p;
      this.app.redraw();
    } else this.pane.gesture.ghost = undefined;
    const node = this.pane.nodeAt(...p, MOUSE);
    this.app.hover(node, [e.clientX, e.clientY]);
    const flight = node < 0 && this.pane.flightAt(...p) >= 0;
    this.pane.root.style.cursor = this.cursor(node, flight);
  }

  private cursor(node: number, flight: boolean): string {
    const { tool } = this.app;
    if (tool === 'select') return node >= 0 ? 'grab' : flight ? 'pointer' : 'default';
    return tool === 'add' || tool === 'partition'
      ? 'crosshair'
      : node >= 0
        ? 'pointer'
        : 'crosshair';
  }

  private drag(s: Stroke & { kind: 'drag' }, p: Point): void {
    if (!s.moved && Math.hypot(p[0] - s.from[0], p[1] - s.from[1]) < 4) return;
    s.moved = true;
    const { app, pane } = this;
    const { places, stage } = app.run;
    const [x, y] = pane.planeOf(...p);
    const dx = x - places[2 * s.node];
    const dy = y - places[2 * s.node + 1];
    const nodes = app.view.selected.has(s.node) ? [...app.view.selected] : [s.node];
    const moves = nodes.map((node) => ({
      node,
      x: places[2 * node] + dx,
      y: places[2 * node + 1] + dy,
    }));
    if (stage.moves) this.send(moves);
    else for (const m of moves) app.placements((pl) => pl.drag(m.node, m.x, m.y));
  }

  /** One question at a time; what comes meanwhile waits, and only the last of it counts. */
  private send(moves: { node: number; x: number; y: number }[]): void {
    const [w, h] = this.app.run.stage.area ?? [Infinity, Infinity];
    const inside = moves.map((m) => ({
      node: m.node,
      x: Math.min(w, Math.max(0, m.x)),
      y: Math.min(h, Math.max(0, m.y)),
    }));
    for (const m of inside) this.app.pretend(m.node, m.x, m.y);
    this.wanted = inside;
    if (!this.moving) void this.sendNext();
  }

  private async sendNext(): Promise<void> {
    this.moving = true;
    while (this.wanted) {
      const moves = this.wanted;
      this.wanted = null;
      if (!(await this.app.commands.move(moves, this.goesOn))) break;
      this.goesOn = true;
    }
    this.moving = false;
    if (this.stroke?.kind !== 'drag') this.app.unpin();
  }

  private up(e: PointerEvent): void {
    clearTimeout(this.pressTimer);
    this.fingers.delete(e.pointerId);
    const s = this.stroke;
    this.stroke = null;
    if (s) this.finish(s, this.at(e), e);
    this.endStroke();
  }

  private cancel(e: PointerEvent): void {
    this.fingers.delete(e.pointerId);
    this.endStroke();
  }

  private endStroke(): void {
    clearTimeout(this.pressTimer);
    this.stroke = null;
    this.pane.gesture = {};
    this.app.redraw();
  }

  private finish(s: Stroke, p: Point, e: PointerEvent): void {
    const far = Math.hypot(p[0] - this.began[0], p[1] - this.began[1]);
    const still = far < (e.pointerType === 'touch' ? 14 : 5);
    if (s.kind === 'drag') {
      if (!this.moving) this.app.unpin();
      for (const node of new Set([s.node, ...this.app.view.selected])) {
        this.app.placements((pl) => pl.drop(node));
      }
    } else if (s.kind === 'pan' && still && e.button === 0) this.tapEmpty(p);
    else if (s.kind === 'box') this.selectBox(s.from, p);
    else if (s.kind === 'line') this.divide(s.points);
    else if (s.kind === 'band') {
      const to = this.pane.nodeAt(...p, this.room(e) + 4);
      if (to >= 0 && to !== s.node) void this.app.commands.toggleLink(s.node, to);
    } else if (s.kind === 'tap' && still) this.tap(p, e);
  }

  private tapEmpty(p: Point): void {
    const serial = this.pane.flightAt(...p, 12);
    if (serial >= 0) this.app.inspectMessage(serial);
    else this.app.select([]);
  }

  private tap(p: Point, e: PointerEvent): void {
    const { app, pane } = this;
    const node = pane.nodeAt(...p, this.room(e) + 3);
    if (app.tool === 'add') void app.commands.add(...pane.planeOf(...p));
    else if (app.tool === 'link') {
      const link = pane.linkAt(...p, this.room(e) + 3);
      if (link) void app.commands.cut([link]);
    } else if (node >= 0)
      void (app.tool === 'crash' ? app.commands.crash([node]) : app.commands.restart([node], e.shiftKey));
  }

  private selectBox(a: Point, b: Point): void {
    const [x0, y0] = this.pane.planeOf(Math.min(a[0], b[0]), Math.min(a[1], b[1]));
    const [x1, y1] = this.pane.planeOf(Math.max(a[0], b[0]), Math.max(a[1], b[1]));
    const { places, shown } = this.app.run;
    const inside: number[] = [];
    for (let i = 0; i < shown.n; i++) {
      const x = places[2 * i];
      const y = places[2 * i + 1];
      if (x >= x0 && x <= x1 && y >= y0 && y <= y1) inside.push(i);
    }
    this.app.select([...this.app.view.selected, ...inside]);
  }

  /** A line through the network: links that cross it are cut, or its sides are separated. */
  private divide(points: Point[]): void {
    const line = simplify(
      points.map((p) => this.pane.planeOf(...p)),
      8 / this.app.view.camera.zoom,
    );
    if (line.length < 2) return;
    const { places, stage, shown } = this.app.run;
    const at = (i: number): Point => [places[2 * i], places[2 * i + 1]];
    if (!stage.moves) {
      const cut = this.app.commands
        .linkList()
        .filter(([a, b]) => crossings(line, at(a), at(b)) % 2 === 1);
      if (cut.length) void this.app.commands.cut(cut);
      else this.app.say('This line crosses no link.');
      return;
    }
    const box = this.pane.box();
    const reach = 2 * Math.max(box.right - box.left, box.bottom - box.top);
    const group = onOneSide(
      line,
      Array.from({ length: shown.n }, (_, i) => at(i)),
      reach,
    );
    if (group.length && group.length < shown.n) void this.app.commands.partition(group);
    else this.app.say('All nodes are on one side of this line.');
  }

  private pinch(e: PointerEvent, p: Point): void {
    const before = this.fingers.get(e.pointerId);
    const other = [...this.fingers].find(([id]) => id !== e.pointerId)?.[1];
    this.fingers.set(e.pointerId, p);
    if (!before || !other) return;
    const apart = (q: Point) => Math.hypot(q[0] - other[0], q[1] - other[1]) || 1;
    const { camera } = this.app.view;
    const middle: Point = [(p[0] + other[0]) / 2, (p[1] + other[1]) / 2];
    camera.pan((p[0] - before[0]) / 2, (p[1] - before[1]) / 2);
    camera.zoomAt(apart(p) / apart(before), ...middle, this.pane.width, this.pane.height);
    this.app.redraw();
  }

  private wheel(e: WheelEvent): void {
    e.preventDefault();
    const lines = e.deltaMode === 1 ? 16 : 1;
    const factor = Math.exp(-e.deltaY * lines * (e.ctrlKey ? 0.01 : 0.0015));
    this.app.view.camera.zoomAt(factor, ...this.at(e), this.pane.width, this.pane.height);
    this.app.redraw();
  }

  private longPress(e: PointerEvent): void {
    this.stroke = null;
    this.openMenu(this.began, e.clientX, e.clientY, FINGER);
  }

  private menu(e: MouseEvent): void {
    e.preventDefault();
    this.openMenu(this.at(e), e.clientX, e.clientY, MOUSE + 2);
  }

  private openMenu(p: Point, clientX: number, clientY: number, room: number): void {
    const node = this.pane.nodeAt(...p, room);
    const link = node < 0 ? this.pane.linkAt(...p, room) : null;
    contextMenu(this.app, { node, link, place: this.pane.planeOf(...p) }, clientX, clientY);
  }
}
