// SPDX-License-Identifier: MIT
// A picture, ready to be drawn on paper: fitted into a frame, with names and colours.

import { ABSENT, ALIVE, LEADS, NO_NODE, type Flight, type Picture } from '../model';
import { LeaderColours } from '../palette';

export interface Spot {
  node: number;
  x: number;
  y: number; // grows downwards
  name: string; // empty where nodes are anonymous
  alive: boolean;
  leads: boolean;
  leader: number; // as it believes, or NO_NODE
  colour: string;
  component: number;
  rank: number;
  selected: boolean;
}

export interface Line {
  from: Spot;
  to: Spot; // below `from` if directed
  directed: boolean;
  wireless: boolean;
}

/** A message on its way, or where it was lost. */
export interface Mark {
  x: number;
  y: number;
  kind: number;
  name: string;
  lost: boolean;
  from: Spot;
  to: Spot;
}

export interface Hull {
  points: [number, number][]; // convex; one or two points are a dot and a line
  colour: string;
}

export interface Scene {
  width: number;
  height: number;
  radius: number; // of a node
  spots: Spot[];
  lines: Line[];
  hulls: Hull[];
  marks: Mark[];
  kinds: { kind: number; name: string }[]; // of the marks
  named: boolean; // names are large enough to be read
  frame: boolean; // the edge of the area is part of the picture
}

const MOST_NAMES = 400;
const HULL_GREY = '#6b7280';

/** A picture `width` wide. The margin leaves room for crowns. */
export function scene(p: Picture, width: number, margin: number): Scene {
  const shown = [...p.moment.leader.keys()].filter((v) => !(p.moment.state[v] & ABSENT));
  const { place, height } = fit(p, shown, width, margin);
  const spots = spotsOf(p, shown, place);
  const byNode = new Map(spots.map((s) => [s.node, s]));
  const marks = marksOf(p, byNode);
  const kinds = [...new Set(marks.map((m) => m.kind))].sort((a, b) => a - b);
  return {
    width,
    height,
    radius: radius(spots, width),
    spots,
    lines: linesOf(p, byNode),
    hulls: hullsOf(p, spots),
    marks,
    kinds: kinds.map((kind) => ({ kind, name: kindName(p, kind) })),
    named: spots.length <= MOST_NAMES,
    frame: p.stage.area !== null,
  };
}

function kindName(p: Picture, kind: number): string {
  return p.stage.messages[kind] ?? `message ${kind}`;
}

/** Ids; a network in which all are 0 is anonymous. */
export function nameOf(p: Picture, node: number): string {
  const { ids } = p.stage;
  if (ids.length > 1 && ids.every((id) => id === 0)) return '';
  return String(ids[node] ?? node);
}

function fit(p: Picture, shown: number[], width: number, margin: number) {
  const xs = shown.map((v) => p.moment.places[2 * v]);
  const ys = shown.map((v) => p.moment.places[2 * v + 1]);
  const area = p.stage.area;
  const [left, right] = area ? [0, area[0]] : extent(xs);
  const [top, bottom] = area ? [0, area[1]] : extent(ys);
  const inside = width - 2 * margin;
  // Something tall is not taller than it is allowed to be wide, and a line has room for its names.
  const scale = Math.min(
    inside / Math.max(right - left, 1e-9),
    inside / Math.max(bottom - top, 1e-9),
  );
  const k = Number.isFinite(scale) && scale < 1e6 ? scale : 1;
  const height = Math.max((bottom - top) * k + 2 * margin, 0.12 * width);
  const [dx, dy] = [(width - (right - left) * k) / 2, (height - (bottom - top) * k) / 2];
  const place = (v: number): [number, number] => [
    dx + (p.moment.places[2 * v] - left) * k,
    dy + (p.moment.places[2 * v + 1] - top) * k,
  ];
  return { place, height };
}

function extent(all: number[]): [number, number] {
  if (all.length === 0) return [0, 1];
  return all.reduce(([a, b], x) => [Math.min(a, x), Math.max(b, x)], [Infinity, -Infinity]);
}

function spotsOf(p: Picture, shown: number[], place: (v: number) => [number, number]): Spot[] {
  const { moment } = p;
  const alive = (v: number) => (moment.state[v] & ALIVE) !== 0;
  const colours = new LeaderColours();
  colours.update(moment.leader, alive);
  return shown.map((v) => {
    const [x, y] = place(v);
    return {
      node: v,
      x,
      y,
      name: nameOf(p, v),
      alive: alive(v),
      leads: alive(v) && (moment.state[v] & LEADS) !== 0,
      leader: moment.leader[v],
      colour: colours.of(moment.leader[v]),
      component: moment.component[v],
      rank: moment.rank?.[v] ?? 0,
      selected: p.selected.has(v),
    };
  });
}

function linesOf(p: Picture, byNode: Map<number, Spot>): Line[] {
  const { links, wireless, direction } = p.moment;
  const lines: Line[] = [];
  for (let k = 0; 2 * k + 1 < links.length; k++) {
    const [a, b] = [byNode.get(links[2 * k]), byNode.get(links[2 * k + 1])];
    if (!a || !b) continue;
    const way = direction?.[k] ?? 0;
    const [from, to] = way === 2 ? [b, a] : [a, b];
    lines.push({ from, to, directed: way !== 0, wireless: wireless[k] === 1 });
  }
  return lines;
}

function marksOf(p: Picture, byNode: Map<number, Spot>): Mark[] {
  return p.flights.flatMap((f) => {
    const [from, to] = [byNode.get(f.from), byNode.get(f.to)];
    if (!from || !to) return [];
    const way = progress(f, p.moment.t);
    const x = from.x + way * (to.x - from.x);
    const y = from.y + way * (to.y - from.y);
    return [{ x, y, kind: f.kind, name: kindName(p, f.kind), lost: f.fate === 1, from, to }];
  });
}

/** A lost message comes no farther than the middle. */
function progress(f: Flight, t: number): number {
  const whole = f.arrives > f.sent ? (t - f.sent) / (f.arrives - f.sent) : 1;
  return Math.min(f.fate === 1 ? 0.5 : 1, Math.max(0, whole));
}

/** Around the clusters of a hierarchy; without one, around components if there are several. */
function hullsOf(p: Picture, spots: Spot[]): Hull[] {
  const { head } = p.moment;
  const groups = new Map<number, Spot[]>();
  for (const s of spots) {
    const group = head ? head[s.node] : s.component;
    if (!s.alive || group === NO_NODE) continue;
    groups.set(group, [...(groups.get(group) ?? []), s]);
  }
  if (!head && groups.size < 2) return [];
  return [...groups.entries()]
    .filter(([, members]) => members.length > 1)
    .map(([group, members]) => ({
      points: convex(members.map((s): [number, number] => [s.x, s.y])),
      colour: head ? (spots.find((s) => s.node === group)?.colour ?? HULL_GREY) : HULL_GREY,
    }));
}

/** The corners around some points, by Andrew's way. */
export function convex(points: [number, number][]): [number, number][] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (sorted.length < 3) return sorted;
  const half = (all: [number, number][]) => {
    const corners: [number, number][] = [];
    for (const p of all) {
      while (
        corners.length > 1 &&
        !left(corners[corners.length - 2], corners[corners.length - 1], p)
      ) {
        corners.pop();
      }
      corners.push(p);
    }
    return corners.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

function left(a: [number, number], b: [number, number], c: [number, number]): boolean {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 1e-9;
}

/** So that neighbours do not touch in most places. */
function radius(spots: Spot[], width: number): number {
  const near = spots.slice(0, 400).map((s) => {
    let best = Infinity;
    for (const o of spots) {
      if (o !== s) best = Math.min(best, (o.x - s.x) ** 2 + (o.y - s.y) ** 2);
    }
    return Math.sqrt(best);
  });
  near.sort((a, b) => a - b);
  const typical = near[Math.floor(near.length / 4)] ?? width;
  return Math.min(0.02 * width, Math.max(0.003 * width, 0.34 * typical));
}
