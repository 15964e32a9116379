// SPDX-License-Identifier: MIT
// GraphML, as networkx, igraph, Gephi and yEd read it. Links are undirected for all of them; which
// end is the lower one is an attribute, since readers refuse graphs in which only some links have a
// direction.

import { NO_NODE, type Picture } from '../model';
import { nameOf, scene, type Line, type Spot } from './scene';
import { fixed, seconds, xml } from './text';

type Key = [
  name: string,
  of: 'graph' | 'node' | 'edge',
  type: 'string' | 'double' | 'boolean' | 'long',
];

const KEYS: Key[] = [
  ['algorithm', 'graph', 'string'],
  ['seed', 'graph', 'long'],
  ['time', 'graph', 'double'],
  ['label', 'node', 'string'],
  ['x', 'node', 'double'],
  ['y', 'node', 'double'],
  ['alive', 'node', 'boolean'],
  ['leads', 'node', 'boolean'],
  ['leader', 'node', 'string'],
  ['component', 'node', 'string'],
  ['rank', 'node', 'long'],
  ['wireless', 'edge', 'boolean'],
  ['lower', 'edge', 'string'],
];

export function graphml(p: Picture): string {
  const s = scene(p, 1000, 0);
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">`,
    ...KEYS.map(key),
    `  <graph id="${xml(p.stage.name || 'run')}" edgedefault="undirected">`,
    ...data(4, { algorithm: p.stage.algorithm, seed: p.stage.seed, time: seconds(p.moment.t) }),
    ...s.spots.flatMap((spot) => node(p, spot)),
    ...s.lines.flatMap(link),
    `  </graph>`,
    `</graphml>`,
    ``,
  ].join('\n');
}

function key([name, of, type]: Key): string {
  return `  <key id="${name}" for="${of}" attr.name="${name}" attr.type="${type}"/>`;
}

/** What is undefined is left out. */
function data(
  indent: number,
  facts: Record<string, string | number | boolean | undefined>,
): string[] {
  return Object.entries(facts)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${' '.repeat(indent)}<data key="${key}">${xml(String(value))}</data>`);
}

function node(p: Picture, s: Spot): string[] {
  const facts = {
    label: s.name || undefined,
    x: fixed(p.moment.places[2 * s.node], 3),
    y: fixed(p.moment.places[2 * s.node + 1], 3),
    alive: s.alive,
    leads: s.leads,
    leader: s.leader === NO_NODE ? undefined : nameOf(p, s.leader) || `n${s.leader}`,
    component: s.component === NO_NODE ? undefined : `n${s.component}`,
    rank: p.moment.rank ? s.rank : undefined,
  };
  return [`    <node id="n${s.node}">`, ...data(6, facts), `    </node>`];
}

function link(l: Line): string[] {
  const facts = { wireless: l.wireless, lower: l.directed ? `n${l.to.node}` : undefined };
  return [
    `    <edge source="n${l.from.node}" target="n${l.to.node}">`,
    ...data(6, facts),
    `    </edge>`,
  ];
}
