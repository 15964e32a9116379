// SPDX-License-Identifier: MIT
// One drawing of one run: ground, network and names are three canvases on top of each other.
import { boxOf, type Box, type Camera } from '../camera';
import { ABSENT } from '../model';
import { messageColour, type LeaderColours } from '../palette';
import type { Run } from '../run';
import { flightAt, type FlightLook } from './flight_rows';
import { drawGesture, drawLabels, drawMarks, type FlightMark, type Gesture } from './over';
import { Renderer, type Look } from './renderer';
import { Scene } from './scene';
import type { Theme } from './theme';
import { Trails } from './trails';
import { roadOf } from './road';
import { drawScale, drawUnder } from './under';

const MOST_MARKS = 48; // ids on tokens; more cannot be read

export interface ViewOptions {
  messages: boolean;
  labels: boolean;
  ranges: boolean;
  trails: boolean;
  clusters: boolean;
}

/** What all panes share. */
export interface View {
  camera: Camera;
  colours: LeaderColours;
  theme: Theme;
  options: ViewOptions;
  hiddenKinds: Set<string>;
  selected: Set<number>;
  hover: number;
  focus: Set<number> | null;
  /** ns of the run in one ms of the watcher; 0 while nothing plays. */
  pace: number;
  /** Counts changes of selection, hover and theme. */
  version: number;
}

export class Pane {
  readonly root = document.createElement('div');
  readonly scene: Scene;
  gesture: Gesture = {};
  width = 1;
  height = 1;
  radius = 6; // of an ordinary node, in CSS pixels
  /** ms that parts of the last picture took, for measurements. */
  readonly cost = { style: 0, gl: 0, ink: 0 };
  private readonly layers: HTMLCanvasElement[];
  private renderer: Renderer;
  private readonly trails = new Trails();
  private styled: unknown = null;
  private marked = -1;

  constructor(
    parent: HTMLElement,
    readonly run: Run,
    private readonly view: View,
  ) {
    this.scene = new Scene(view.colours);
    this.root.className = 'pane';
    this.layers = ['under', 'network', 'over'].map((name) => {
      const canvas = document.createElement('canvas');
      canvas.className = `layer ${name}`;
      this.root.append(canvas);
      return canvas;
    });
    parent.append(this.root);
    this.renderer = new Renderer(this.layers[1]);
    this.outliveTheCard();
    this.resize();
  }

  /** Graphics cards are reset now and then; what was sent to them is gone. */
  private outliveTheCard(): void {
    const canvas = this.layers[1];
    canvas.addEventListener('webglcontextlost', (e) => e.preventDefault());
    canvas.addEventListener('webglcontextrestored', () => {
      this.renderer = new Renderer(canvas);
      this.styled = null;
    });
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.root;
    this.width = Math.max(1, clientWidth);
    this.height = Math.max(1, clientHeight);
    for (const canvas of this.layers) {
      canvas.width = Math.round(this.width * this.ratio);
      canvas.height = Math.round(this.height * this.ratio);
    }
  }

  get ratio(): number {
    return Math.min(2, window.devicePixelRatio || 1);
  }

  /** Where everything is, for the camera. */
  box(): Box {
    const { area, moves } = this.run.stage;
    const nodes = boxOf(this.run.places);
    if (!moves || !area) return nodes ?? { left: 0, top: 0, right: 1000, bottom: 1000 };
    const height = roadOf(this.run)?.height ?? area[1];
    return {
      left: Math.min(0, nodes?.left ?? 0),
      top: Math.min(0, nodes?.top ?? 0),
      right: Math.max(area[0], nodes?.right ?? 0),
      bottom: Math.max(height, nodes?.bottom ?? 0),
    };
  }

  fit(glide = false): void {
    const paired = this.root.parentElement?.classList.contains('pair');
    const margin = Math.min(paired ? 60 : 48, this.width / 7, this.height / 5);
    this.view.camera.fit(this.box(), this.width, this.height, glide, margin);
  }

  flightLook(): FlightLook {
    const { pace, options, hiddenKinds, theme } = this.view;
    return {
      messages: options.messages,
      hiddenKinds: new Set(
        [...hiddenKinds].map((name) => this.run.stage.messages.indexOf(name)),
      ),
      dark: theme.dark,
      shortest: 170 * pace,
      fade: 450 * pace,
    };
  }

  draw(): void {
    if (!this.run.ready) return;
    const begin = performance.now();
    this.restyle();
    const styled = performance.now();
    this.renderer.render(this.run, this.view.camera, this.look());
    const rendered = performance.now();
    this.drawInk();
    this.cost.style = styled - begin;
    this.cost.gl = rendered - styled;
    this.cost.ink = performance.now() - rendered;
  }

  private restyle(): void {
    const { run, view, scene } = this;
    const { selected, hover, focus } = view;
    const marked = { selected, hover, focus };
    if (this.styled !== run.shown) {
      scene.restyle(run.stage, run.shown, marked);
      this.renderer.sendColours(scene);
      this.styled = run.shown;
    } else if (this.marked !== view.version) {
      scene.remark(run.shown, marked);
    }
    this.marked = view.version;
    scene.place(run.places, run.shown.n);
    this.renderer.sendPlaces(scene);
    this.radius = this.nodeRadius();
    if (view.options.trails && run.stage.moves) {
      this.trails.push(run.clock, run.places, Math.max(view.pace * 150, 1e8));
    }
  }

  /** Nodes are as large as their distance lets them. */
  private nodeRadius(): number {
    const box = this.box();
    const [w, h] = [box.right - box.left, (box.bottom - box.top) * this.view.camera.stretch];
    const n = Math.max(1, this.run.shown.n);
    // On a road they stand in a row.
    const apart = Math.max(Math.sqrt((w * h) / n), (1.5 * Math.max(w, h)) / n);
    const spacing = apart * this.view.camera.zoom;
    return Math.min(11, Math.max(1.7, spacing * 0.2));
  }

  private look(): Look {
    const { view, ratio } = this;
    const chosen = [...view.selected];
    return {
      ...this.flightLook(),
      theme: view.theme,
      ratio,
      radius: this.radius * ratio,
      ranges: view.options.ranges ? (chosen.length ? chosen : 'all') : null,
      trails: view.options.trails ? this.trails : null,
    };
  }

  private drawInk(): void {
    const { view, run, width: w, height: h, ratio, scene, radius } = this;
    const under = this.layers[0].getContext('2d', { alpha: false }) as CanvasRenderingContext2D;
    under.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawUnder(under, w, h, run, view.camera, scene, view.theme, view.options.clusters, radius);
    const over = this.layers[2].getContext('2d') as CanvasRenderingContext2D;
    over.setTransform(ratio, 0, 0, ratio, 0, 0);
    over.clearRect(0, 0, w, h);
    const { camera, theme, selected } = view;
    drawLabels(over, w, h, run, {
      camera,
      scene,
      theme,
      radius,
      selected,
      wanted: view.options.labels,
    });
    drawMarks(over, this.flightMarks(), view.theme);
    if (run.stage.moves) drawScale(over, h, view.camera, view.theme);
    drawGesture(over, this.gesture, view.theme, radius);
  }

  /** Where tokens are and which ids they carry; none where there are too many to read. */
  private flightMarks(): FlightMark[] {
    const { flights, clock } = this.run;
    const look = this.flightLook();
    const list: FlightMark[] = [];
    if (!look.messages || this.radius < 5) return list;
    for (let i = 0; i < flights.count; i++) {
      const d = flightAt(flights, i, clock, look);
      if (d.progress < 0 || d.lost || flights.carries[i] < 0) continue;
      if (list.length === MOST_MARKS) return [];
      const [ax, ay] = this.screenOf(flights.from[i]);
      const [bx, by] = this.screenOf(flights.to[i]);
      list.push({
        x: ax + (bx - ax) * d.progress,
        y: ay + (by - ay) * d.progress,
        text: String(flights.carries[i]),
        colour: messageColour(flights.kind[i], look.dark),
      });
    }
    return list;
  }

  /** The three layers as one picture. */
  compose(onto: HTMLCanvasElement): void {
    const { width, height } = this.layers[0];
    if (onto.width !== width || onto.height !== height) Object.assign(onto, { width, height });
    const ctx = onto.getContext('2d') as CanvasRenderingContext2D;
    for (const layer of this.layers) ctx.drawImage(layer, 0, 0);
  }

  screenOf(node: number): [number, number] {
    const { places } = this.run;
    return this.view.camera.toScreen(
      places[2 * node],
      places[2 * node + 1],
      this.width,
      this.height,
    );
  }

  planeOf(x: number, y: number): [number, number] {
    return this.view.camera.toPlane(x, y, this.width, this.height);
  }

  /** The node under the pointer, or -1. Fingers get more room. */
  nodeAt(x: number, y: number, room = 6): number {
    const { shown } = this.run;
    let best = -1;
    let least = Infinity;
    for (let i = 0; i < shown.n; i++) {
      if (shown.state[i] & ABSENT) continue;
      const [nx, ny] = this.screenOf(i);
      const far = Math.hypot(nx - x, ny - y);
      if (far - this.radius * this.scene.sizeOf(i) < room && far < least) {
        best = i;
        least = far;
      }
    }
    return best;
  }

  /** The link under the pointer, as a pair of nodes. */
  linkAt(x: number, y: number, room = 5): [number, number] | null {
    const { shown } = this.run;
    let best: [number, number] | null = null;
    let least = room;
    for (let k = 0; k < shown.links.length; k += 2) {
      const a = shown.links[k];
      const b = shown.links[k + 1];
      const far = distanceToSegment(x, y, ...this.screenOf(a), ...this.screenOf(b));
      if (far < least) {
        least = far;
        best = [a, b];
      }
    }
    return best;
  }

  /** The message under the pointer, as its serial number, or -1. */
  flightAt(x: number, y: number, room = 9): number {
    const { run } = this;
    const look = this.flightLook();
    if (!look.messages) return -1;
    let best = -1;
    let least = room;
    for (let i = 0; i < run.flights.count; i++) {
      const d = flightAt(run.flights, i, run.clock, look);
      if (d.progress < 0) continue;
      const [ax, ay] = this.screenOf(run.flights.from[i]);
      const [bx, by] = this.screenOf(run.flights.to[i]);
      const far = Math.hypot(ax + (bx - ax) * d.progress - x, ay + (by - ay) * d.progress - y);
      if (far < least) {
        least = far;
        best = run.flights.serial[i];
      }
    }
    return best;
  }

  forget(): void {
    this.trails.clear();
    this.styled = null;
  }

  destroy(): void {
    this.renderer.destroy();
    this.root.remove();
  }
}

function distanceToSegment(
  px: number,
  py: number,
  ax: number,
  ay: number,
  bx: number,
  by: number,
): number {
  const dx = bx - ax;
  const dy = by - ay;
  const share = Math.max(
    0,
    Math.min(1, ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy || 1)),
  );
  return Math.hypot(ax + share * dx - px, ay + share * dy - py);
}
