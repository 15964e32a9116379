// SPDX-License-Identifier: MIT
// Draws links, ranges, trails, messages and nodes: one call for each of these per picture, however
// many nodes there are.
import type { Camera } from '../camera';
import type { Run } from '../run';
import { flightRows, FLIGHT_FLOATS, type FlightLook } from './flight_rows';
import { openGl, Program, Sheet, type Uniforms } from './gl';
import { SHEET_WIDTH, type Scene } from './scene';
import * as glsl from './shaders';
import type { Theme } from './theme';
import type { Trails } from './trails';

export interface Look extends FlightLook {
  theme: Theme;
  ratio: number; // device pixels per pixel
  radius: number; // of an ordinary node, in device pixels
  ranges: number[] | 'all' | null;
  trails: Trails | null;
}

const MOST_DOT = 6; // pixels: some machines draw no larger points
const MOST_WIDE = 6000; // links that are drawn with a width

/** Rows that change with each picture, with the array that they are written to. */
class Rows {
  readonly sheet: Sheet;
  data = new Float32Array(0);

  constructor(gl: WebGL2RenderingContext) {
    this.sheet = new Sheet(gl, 'float');
  }

  take(texels: number): Float32Array {
    const need = this.sheet.room(texels);
    if (this.data.length < need) this.data = new Float32Array(2 * need);
    return this.data;
  }

  send(texels: number): void {
    this.sheet.send(this.data.subarray(0, this.sheet.room(texels)), texels);
  }
}

type Layer =
  'discs' | 'dots' | 'nodes' | 'links' | 'hairs' | 'arrows' | 'flights' | 'rings' | 'trails';

export class Renderer {
  private readonly gl: WebGL2RenderingContext;
  private readonly places: Sheet;
  private readonly colours: Sheet;
  private readonly links: Rows;
  private readonly flights: Rows;
  private readonly rings: Rows;
  private readonly trails: Rows;
  private readonly draw: Record<Layer, Program>;
  private linksSent: Uint32Array | null = null;
  private directionSent: Uint8Array | null = null;

  constructor(private readonly canvas: HTMLCanvasElement) {
    const gl = (this.gl = openGl(canvas));
    this.places = new Sheet(gl, 'float', SHEET_WIDTH);
    this.colours = new Sheet(gl, 'byte', SHEET_WIDTH);
    this.links = new Rows(gl);
    this.flights = new Rows(gl);
    this.rings = new Rows(gl);
    this.trails = new Rows(gl);
    this.draw = {
      discs: new Program(gl, glsl.NODE_VERT, glsl.DISC_FRAG),
      dots: new Program(gl, glsl.DOT_VERT, glsl.DOT_FRAG, 'points'),
      nodes: new Program(gl, glsl.NODE_VERT, glsl.NODE_FRAG),
      links: new Program(gl, glsl.LINK_VERT, glsl.LINK_FRAG),
      hairs: new Program(gl, glsl.HAIR_VERT, glsl.HAIR_FRAG, 'lines'),
      arrows: new Program(gl, glsl.ARROW_VERT, glsl.ARROW_FRAG),
      flights: new Program(gl, glsl.FLIGHT_VERT, glsl.FLIGHT_FRAG),
      rings: new Program(gl, glsl.RING_VERT, glsl.RING_FRAG),
      trails: new Program(gl, glsl.TRAIL_VERT, glsl.TRAIL_FRAG),
    };
  }

  /** Colours have changed; places are sent with each picture. */
  sendColours(scene: Scene): void {
    this.colours.send(scene.hues, scene.hues.length / 4);
  }

  sendPlaces(scene: Scene): void {
    this.places.send(scene.data, scene.data.length / 4);
  }

  private sendLinks(run: Run): void {
    const { links, wireless, direction } = run.shown;
    if (links === this.linksSent && direction === this.directionSent) return;
    this.linksSent = links;
    this.directionSent = direction;
    const count = links.length / 2;
    const rows = this.links.take(count);
    for (let k = 0; k < count; k++) {
      rows[4 * k] = links[2 * k];
      rows[4 * k + 1] = links[2 * k + 1];
      rows[4 * k + 2] = wireless[k];
      rows[4 * k + 3] = direction ? direction[k] : 0;
    }
    this.links.send(count);
  }

  render(run: Run, camera: Camera, look: Look): void {
    const { gl, canvas } = this;
    const m = run.shown;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (!m.n) return;
    this.sendLinks(run);
    const { theme, ratio } = look;
    const base: Uniforms = {
      places: this.places,
      colours: this.colours,
      rows: this.links.sheet,
      resolution: [canvas.width, canvas.height],
      centre: [camera.x, camera.y],
      scale: [camera.zoom * ratio, camera.zoom * camera.stretch * ratio],
      ratio,
      radius: look.radius,
      surface: theme.canvas,
      ink: theme.ink,
      accent: theme.accent,
      dead: theme.dead,
    };
    if (look.ranges) this.drawRings(run, look, base);
    this.drawLinks(run, look, base);
    if (look.trails) this.drawTrails(look.trails, base);
    this.drawFlights(run, look, base);
    const discs = look.radius < MOST_DOT ? this.draw.dots : this.draw.discs;
    discs.draw(m.n, { ...base, special: 0 });
    this.draw.nodes.draw(m.n, { ...base, special: 1 });
  }

  private drawLinks(run: Run, look: Look, base: Uniforms): void {
    const m = run.shown;
    const count = m.links.length / 2;
    if (!count) return;
    const crowded = Math.min(1, Math.max(0, (count - 800) / 20000));
    const wide = look.radius > 4 * look.ratio ? 1.5 : 1;
    const links = count > MOST_WIDE ? this.draw.hairs : this.draw.links;
    links.draw(count, {
      ...base,
      wide,
      plain: look.theme.link,
      strength: 0.85 - 0.55 * crowded,
      dotted: count < 1500 ? 1 : 0,
    });
    if (m.direction && m.direction.length === count) this.draw.arrows.draw(count, base);
  }

  private drawRings(run: Run, look: Look, base: Uniforms): void {
    const reach = run.stage.range;
    if (!reach) return;
    const list = look.ranges === 'all' ? null : (look.ranges as number[]);
    const nodes = list ?? Array.from({ length: run.shown.n }, (_, i) => i);
    if (!nodes.length) return;
    const rows = this.rings.take(nodes.length);
    nodes.forEach((node, k) => (rows[4 * k] = node));
    this.rings.send(nodes.length);
    const many = nodes.length > 20;
    const tone = { reach, fill: many ? 0.015 : 0.07, line: many ? 0.22 : 0.75 };
    this.draw.rings.draw(nodes.length, { ...base, rows: this.rings.sheet, ...tone });
  }

  private drawTrails(trails: Trails, base: Uniforms): void {
    const count = trails.write();
    if (!count) return;
    this.trails.take(2 * count).set(trails.rows.subarray(0, 8 * count));
    this.trails.send(2 * count);
    this.draw.trails.draw(count, { ...base, rows: this.trails.sheet });
  }

  private drawFlights(run: Run, look: Look, base: Uniforms): void {
    if (!look.messages || !run.flights.count) return;
    const rows = this.flights.take((run.flights.count * FLIGHT_FLOATS) / 4);
    const count = flightRows(run.flights, run.clock, look, rows);
    if (!count) return;
    this.flights.send((count * FLIGHT_FLOATS) / 4);
    const size = Math.min(5.2 * look.ratio, Math.max(2.2 * look.ratio, look.radius * 0.5));
    this.draw.flights.draw(count, { ...base, rows: this.flights.sheet, size });
  }

  destroy(): void {
    this.gl.getExtension('WEBGL_lose_context')?.loseContext();
  }
}
