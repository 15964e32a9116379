// SPDX-License-Identifier: MIT
// The format of GraphStream, version 4: one event a line.

import { NO_NODE, type Picture } from '../model';
import { scene, nameOf, type Line, type Spot } from './scene';
import { fixed, quoted, seconds } from './text';

export function dgs(p: Picture): string {
  const s = scene(p, 1000, 0);
  return [
    `DGS004`,
    `${quoted(p.stage.name || p.stage.algorithm)} 0 0`,
    `cg algorithm:${quoted(p.stage.algorithm)} seed:${p.stage.seed}`,
    `st ${seconds(p.moment.t)}`,
    ...s.spots.map((spot) => node(p, spot)),
    ...s.lines.map(link),
    ``,
  ].join('\n');
}

function node(p: Picture, s: Spot): string {
  const [x, y] = [p.moment.places[2 * s.node], -p.moment.places[2 * s.node + 1]];
  const looks = [s.leads ? 'leader' : '', s.alive ? '' : 'dead'].filter((c) => c !== '');
  const facts = [
    `x:${fixed(x, 3)}`,
    `y:${fixed(y, 3)}`,
    `label:${quoted(s.name)}`,
    `alive:${s.alive}`,
    `leads:${s.leads}`,
  ];
  if (s.leader !== NO_NODE) facts.push(`leader:${quoted(nameOf(p, s.leader) || String(s.leader))}`);
  if (s.component !== NO_NODE) facts.push(`component:${s.component}`);
  if (p.moment.rank) facts.push(`rank:${s.rank}`);
  if (looks.length > 0) facts.push(`ui.class:${quoted(looks.join(','))}`);
  return `an "n${s.node}" ${facts.join(' ')}`;
}

function link(l: Line): string {
  const way = l.directed ? ' > ' : ' ';
  const id = `n${l.from.node}-n${l.to.node}`;
  return `ae "${id}" "n${l.from.node}"${way}"n${l.to.node}" wireless:${l.wireless}`;
}
