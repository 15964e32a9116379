// SPDX-License-Identifier: MIT
// A document for LaTeX that compiles as it is. All styles are at the top, to be edited there.

import type { Picture } from '../model';
import { LEADER_COLOURS, messageColour, NO_LEADER_COLOUR } from '../palette';
import { scene, type Hull, type Line, type Mark, type Scene, type Spot } from './scene';
import { dark } from './svg';
import { fixed, tex } from './text';

const WIDTH = 12; // cm
const MARGIN = 0.6;

export function tikz(p: Picture): string {
  const s = scene(p, WIDTH, MARGIN);
  return [
    `% ${tex(p.stage.name)} (${tex(p.stage.algorithm)}) at ${fixed(p.moment.t / 1e6, 3)} ms`,
    `% Drawn by Bellwether. Compile with pdflatex.`,
    ...preamble(s),
    `\\begin{document}`,
    `\\begin{tikzpicture}`,
    ...behind(s.hulls.map((h) => hull(h, s))),
    ...s.spots.map((spot) => node(spot, s)),
    ...behind(s.lines.map(link)),
    ...s.spots.filter((spot) => spot.leads).map((spot) => `\\pic at (n${spot.node}.north) {crown};`),
    ...s.marks.map((m) => message(m, s)),
    `\\end{tikzpicture}`,
    `\\end{document}`,
    ``,
  ].join('\n');
}

function behind(parts: string[]): string[] {
  if (parts.length === 0) return [];
  return [`\\begin{scope}[on background layer]`, ...parts, `\\end{scope}`];
}

function preamble(s: Scene): string[] {
  const size = fixed(2 * s.radius, 3);
  const dot = fixed(Math.max(0.1, 0.8 * s.radius), 3);
  const letters = fixed(points(s), 1);
  const leaders = [...LEADER_COLOURS, NO_LEADER_COLOUR];
  const shown = new Set([...s.spots, ...s.hulls].map((thing) => thing.colour));
  const used = leaders.filter((c) => shown.has(c));
  return [
    `\\documentclass[tikz,border=4pt]{standalone}`,
    `\\usepackage[utf8]{inputenc}`,
    `\\usepackage{fix-cm} % letters of any size`,
    `\\usetikzlibrary{backgrounds}`,
    ...used.map((c) => `\\definecolor{${colourName(c)}}{HTML}{${hex(c)}}`),
    ...s.kinds.map(({ kind, name }) => messageDefinition(kind, name)),
    `\\definecolor{component}{HTML}{6B7280}`,
    `\\tikzset{`,
    `  member/.style={circle, draw=black!85, line width=0.5pt, inner sep=0pt,`,
    `    minimum size=${size}cm, font=\\sffamily\\fontsize{${letters}}{${letters}}\\selectfont},`,
    `  leader/.style={line width=1.1pt},`,
    `  dead/.style={fill=white, draw=black!45, text=black!55, densely dashed},`,
    `  chosen/.style={double=white, double distance=1pt},`,
    `  link/.style={draw=black!45, line width=0.5pt},`,
    `  wireless/.style={link},`,
    `  downhill/.style={link, -latex},`,
    `  hull/.style={line join=round, line cap=round, line width=${fixed(3.4 * s.radius, 3)}cm},`,
    `  faint/.style={opacity=0.15},`,
    `  message/.style={circle, inner sep=0pt, minimum size=${dot}cm, draw=white},`,
    `  lost/.style={draw=red!75!black, line width=0.9pt},`,
    `  gold/.style={fill=yellow!75!orange, draw=brown!60!black, line width=0.3pt, line join=round},`,
    `  pics/crown/.style={code={\\filldraw[gold, scale=${fixed(s.radius / 0.24, 2)}] (-0.16,0.03)`,
    `    -- (-0.16,0.23) -- (-0.07,0.14) -- (0,0.28) -- (0.07,0.14) -- (0.16,0.23) -- (0.16,0.03)`,
    `    -- cycle;}},`,
    `}`,
  ];
}

function messageDefinition(kind: number, name: string): string {
  const colour = hex(messageColour(kind, false));
  return `\\definecolor{message${kind}}{HTML}{${colour}} % ${tex(name)}`;
}

/** Letters that fit into a circle, in points. */
function points(s: Scene): number {
  const longest = s.spots.reduce((most, spot) => Math.max(most, spot.name.length), 1);
  const fits = (80 * s.radius) / longest;
  return Math.max(1, Math.min(9, 26 * s.radius, fits));
}

function hex(colour: string): string {
  return colour.slice(1).toUpperCase();
}

function colourName(colour: string): string {
  const k = LEADER_COLOURS.indexOf(colour);
  if (k >= 0) return `leader${k}`;
  return colour === NO_LEADER_COLOUR ? 'noleader' : 'component';
}

/** y grows upwards here. */
function at(x: number, y: number, s: Scene): string {
  return `(${fixed(x, 3)},${fixed(s.height - y, 3)})`;
}

function hull(h: Hull, s: Scene): string {
  const corners = h.points.map(([x, y]) => at(x, y, s)).join(' -- ');
  const c = colourName(h.colour);
  const style = `hull, fill=${c}, draw=${c}`;
  // As a group, or the outline would show through the filling.
  const drawn = `\\filldraw[${style}] ${corners} -- cycle;`;
  return `\\begin{scope}[transparency group, faint]${drawn}\\end{scope}`;
}

function node(spot: Spot, s: Scene): string {
  const styles = ['member'];
  const letters = dark(spot.colour) ? 'text=white' : 'text=black';
  if (!spot.alive) styles.push('dead');
  else styles.push(`fill=${colourName(spot.colour)}`, letters);
  if (spot.leads) styles.push('leader');
  if (spot.selected) styles.push('chosen');
  const name = s.named ? tex(spot.name) : '';
  return `\\node[${styles.join(', ')}] (n${spot.node}) at ${at(spot.x, spot.y, s)} {${name}};`;
}

function link(l: Line): string {
  const style = l.directed ? 'downhill' : l.wireless ? 'wireless' : 'link';
  return `\\draw[${style}] (n${l.from.node}) -- (n${l.to.node});`;
}

function message(m: Mark, s: Scene): string {
  if (!m.lost) return `\\node[message, fill=message${m.kind}] at ${at(m.x, m.y, s)} {};`;
  const r = Math.max(0.06, 0.4 * s.radius);
  const stroke = (k: number) => `${at(m.x - r, m.y - k * r, s)} -- ${at(m.x + r, m.y + k * r, s)}`;
  return `\\draw[lost] ${stroke(1)} ${stroke(-1)};`;
}

