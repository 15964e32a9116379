// SPDX-License-Identifier: MIT
// A drawing for papers and slides: groups with names, styles at the top, nothing that needs a font or
// a file of its own.

import type { Picture } from '../model';
import { messageColour, messageShape, NO_LEADER_COLOUR, type MessageShape } from '../palette';
import { scene, type Hull, type Line, type Mark, type Scene, type Spot } from './scene';
import { fixed, readable, xml } from './text';

const WIDTH = 800;
const MARGIN = 48;
const FOOT = 44;

export function svg(p: Picture): string {
  const s = scene(p, WIDTH, MARGIN);
  const mixed = s.lines.some((l) => l.wireless) && s.lines.some((l) => !l.wireless);
  const height = s.height + FOOT;
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${fixed(height, 0)}"` +
      ` viewBox="0 0 ${WIDTH} ${fixed(height, 0)}">`,
    `<title>${xml(title(p))}</title>`,
    styles(s),
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    group('area', s.frame ? [frame(s)] : []),
    group('hulls', s.hulls.map((h) => hull(h, s.radius))),
    group('links', s.lines.map((l) => link(l, s.radius, mixed))),
    group('nodes', s.spots.map((spot) => node(spot, s.radius, s.named))),
    group('crowns', s.spots.filter((spot) => spot.leads).map((spot) => crown(spot, s.radius))),
    group('messages', s.marks.map((m) => message(m, s.radius))),
    group('caption', [caption(p, s)]),
    `</svg>`,
    ``,
  ].join('\n');
}

function title(p: Picture): string {
  return `${p.stage.name || p.stage.algorithm} at ${readable(p.moment.t)}`;
}

function group(id: string, parts: string[]): string {
  return `<g id="${id}">\n${parts.join('\n')}\n</g>`;
}

function styles(s: Scene): string {
  const size = fixed(0.92 * s.radius, 1);
  return `<style>
text { font-family: Helvetica, Arial, "Liberation Sans", sans-serif; fill: #1f2328; }
#nodes circle { stroke: #1f2328; stroke-width: 1; }
#nodes .leader { stroke-width: 2.5; }
#nodes .dead { fill: #ffffff; stroke: #8a94a3; stroke-dasharray: 3 2; }
#nodes .cross { stroke: #8a94a3; stroke-width: 1.5; }
#nodes .selected { fill: none; stroke: #1f2328; stroke-width: 1.5; }
#nodes text { font-size: ${size}px; text-anchor: middle; }
#nodes .light { fill: #ffffff; }
#links line { stroke: #8a94a3; stroke-width: 1.2; }
#links polygon { fill: #5b6472; }
#links .wireless { stroke-dasharray: 5 3; }
#hulls * { stroke-linejoin: round; stroke-linecap: round; }
#crowns path { fill: #f2b705; stroke: #6b4e00; stroke-width: 0.8; stroke-linejoin: round; }
#messages * { stroke: #ffffff; stroke-width: 0.8; }
#messages .lost { fill: none; stroke: #b3261e; stroke-width: 2; }
#area rect { fill: none; stroke: #d5dae1; }
#caption text { font-size: 13px; }
#caption .legend { font-size: 12px; fill: #4b5563; }
</style>`;
}

function frame(s: Scene): string {
  const [w, h] = [s.width - 2 * MARGIN, s.height - 2 * MARGIN];
  return `<rect x="${MARGIN}" y="${MARGIN}" width="${fixed(w, 1)}" height="${fixed(h, 1)}"/>`;
}

/** A thick outline of the same colour makes the corners round. */
function hull(h: Hull, r: number): string {
  const wide = fixed(3.4 * r, 1);
  const look = ` fill="${h.colour}" stroke="${h.colour}" stroke-width="${wide}" opacity="0.13"`;
  return polygon(h.points, look);
}

function link(l: Line, r: number, mixed: boolean): string {
  const kind = mixed && l.wireless ? ' class="wireless"' : '';
  const line =
    `<line${kind} x1="${fixed(l.from.x, 1)}" y1="${fixed(l.from.y, 1)}"` +
    ` x2="${fixed(l.to.x, 1)}" y2="${fixed(l.to.y, 1)}"/>`;
  return l.directed ? line + arrow(l, r) : line;
}

/** Its point touches the node below. */
function arrow(l: Line, r: number): string {
  const [dx, dy] = [l.to.x - l.from.x, l.to.y - l.from.y];
  const d = Math.hypot(dx, dy);
  if (d < 2.2 * r) return '';
  const [ux, uy] = [dx / d, dy / d];
  const size = Math.min(9, Math.max(4, 0.7 * r));
  const tip: [number, number] = [l.to.x - ux * (r + 1), l.to.y - uy * (r + 1)];
  const back: [number, number] = [tip[0] - ux * size, tip[1] - uy * size];
  const w = 0.42 * size;
  return polygon([tip, [back[0] - uy * w, back[1] + ux * w], [back[0] + uy * w, back[1] - ux * w]]);
}

function polygon(points: [number, number][], rest = ''): string {
  const corners = points.map(([x, y]) => `${fixed(x, 1)},${fixed(y, 1)}`).join(' ');
  return `<polygon points="${corners}"${rest}/>`;
}

function node(s: Spot, r: number, named: boolean): string {
  const at = `cx="${fixed(s.x, 1)}" cy="${fixed(s.y, 1)}"`;
  const kind = !s.alive ? ' class="dead"' : s.leads ? ' class="leader"' : '';
  const fill = s.alive ? ` fill="${s.colour}"` : '';
  const ring = s.selected ? `<circle class="selected" ${at} r="${fixed(r + 3.5, 1)}"/>` : '';
  const name = s.name && named ? label(s, r) : '';
  return (
    `<g><title>${xml(says(s))}</title><circle${kind} ${at} r="${fixed(r, 1)}"${fill}/>` +
    `${s.alive ? '' : cross(s, r)}${ring}${name}</g>`
  );
}

function says(s: Spot): string {
  const name = s.name ? `node ${s.name}` : `node at ${s.node}`;
  return `${name}${s.alive ? '' : ', crashed'}${s.leads ? ', leads' : ''}`;
}

function label(s: Spot, r: number): string {
  const below = !s.alive;
  const y = below ? s.y + 1.9 * r : s.y + 0.33 * r;
  const light = s.alive && dark(s.colour) ? ' class="light"' : '';
  const fit = ` textLength="${fixed(1.6 * r, 1)}" lengthAdjust="spacingAndGlyphs"`;
  const squeeze = s.name.length > 2 ? fit : '';
  return `<text${light} x="${fixed(s.x, 1)}" y="${fixed(y, 1)}"${squeeze}>${xml(s.name)}</text>`;
}

function cross(s: Spot, r: number): string {
  const a = 0.45 * r;
  const line = (k: number) =>
    `<line class="cross" x1="${fixed(s.x - a, 1)}" y1="${fixed(s.y - k * a, 1)}"` +
    ` x2="${fixed(s.x + a, 1)}" y2="${fixed(s.y + k * a, 1)}"/>`;
  return line(1) + line(-1);
}

/** Whether white letters are easier to read on it. */
export function dark(colour: string): boolean {
  const v = parseInt(colour.slice(1), 16);
  const light = 0.299 * (v >> 16) + 0.587 * ((v >> 8) & 255) + 0.114 * (v & 255);
  return colour !== NO_LEADER_COLOUR && light < 140;
}

function crown(s: Spot, r: number): string {
  const k = fixed(Math.max(0.35, r / 13), 3);
  const at = `translate(${fixed(s.x, 1)} ${fixed(s.y - r - 1.5, 1)}) scale(${k})`;
  return `<path transform="${at}" d="M-9 0 V-11 L-4 -6 L0 -14 L4 -6 L9 -11 V0 Z"/>`;
}

function message(m: Mark, r: number): string {
  const size = Math.max(3, 0.42 * r);
  if (m.lost) {
    const stroke = (k: number) =>
      `M${fixed(m.x - size, 1)} ${fixed(m.y - k * size, 1)}` +
      `L${fixed(m.x + size, 1)} ${fixed(m.y + k * size, 1)}`;
    return `<path class="lost" d="${stroke(1)}${stroke(-1)}"/>`;
  }
  return mark(messageShape(m.kind), m.x, m.y, size, messageColour(m.kind, false));
}

/** The corners of each shape, around 0. */
const CORNERS: Partial<Record<MessageShape, [number, number][]>> = {
  triangle: [[0, -1.2], [1.1, 0.8], [-1.1, 0.8]],
  square: [[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]],
  diamond: [[0, -1.3], [1.3, 0], [0, 1.3], [-1.3, 0]],
  plus: [[-0.4, -1.2], [0.4, -1.2], [0.4, -0.4], [1.2, -0.4], [1.2, 0.4], [0.4, 0.4], [0.4, 1.2],
    [-0.4, 1.2], [-0.4, 0.4], [-1.2, 0.4], [-1.2, -0.4], [-0.4, -0.4]],
  hexagon: [[1.1, 0], [0.55, 0.95], [-0.55, 0.95], [-1.1, 0], [-0.55, -0.95], [0.55, -0.95]],
  bar: [[-1.3, -0.5], [1.3, -0.5], [1.3, 0.5], [-1.3, 0.5]],
};

function mark(shape: MessageShape, x: number, y: number, size: number, colour: string): string {
  const corners = CORNERS[shape];
  if (corners) {
    const points = corners.map(([a, b]): [number, number] => [x + size * a, y + size * b]);
    return polygon(points, ` fill="${colour}"`);
  }
  const at = `cx="${fixed(x, 1)}" cy="${fixed(y, 1)}" r="${fixed(size, 1)}"`;
  if (shape === 'ring') {
    return `<circle ${at} fill="#ffffff" style="stroke:${colour};stroke-width:2"/>`;
  }
  return `<circle ${at} fill="${colour}"/>`;
}

/** Algorithm, time and counts; and a legend of the messages. */
function caption(p: Picture, s: Scene): string {
  const { moment, stage } = p;
  const one = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;
  const facts = [
    stage.algorithm,
    `t = ${readable(moment.t)}`,
    one(moment.messages, 'message'),
    one(moment.components, 'component'),
    one(moment.leaders, 'leader'),
  ];
  const y = s.height + 4;
  const text = `<text x="${MARGIN}" y="${fixed(y, 0)}">${xml(facts.join(' · '))}</text>`;
  let x = MARGIN + 5;
  const legend = s.kinds.map(({ kind, name }) => {
    const at = x;
    x += 24 + 7 * name.length;
    return (
      mark(messageShape(kind), at, y + 18, 5, messageColour(kind, false)) +
      `<text class="legend" x="${fixed(at + 10, 0)}" y="${fixed(y + 22, 0)}">${xml(name)}</text>`
    );
  });
  return [text, ...legend].join('\n');
}
