// SPDX-License-Identifier: MIT
// The run as a whole: the algorithm, the components, and their leaders.
import type { App } from '../app';
import { ALIVE, NO_NODE, type Moment } from '../model';
import { majorities } from '../view/scene';
import { button, h } from './dom';
import { icons } from './icons';
import * as text from './text';
import { INSTABILITY } from '../words';

interface Part {
  component: number;
  size: number;
  leader: number;
  agree: number;
}

/** By this moment, not by the last picture, which may show another. */
export function parts(m: Moment): Part[] {
  const most = majorities(m);
  const list = new Map<number, Part>();
  for (let i = 0; i < m.n; i++) {
    const c = m.component[i];
    if (c === NO_NODE || !(m.state[i] & ALIVE)) continue;
    let p = list.get(c);
    if (!p) list.set(c, (p = { component: c, size: 0, leader: most[c], agree: 0 }));
    p.size++;
    if (m.leader[i] === p.leader) p.agree++;
  }
  return [...list.values()].sort((a, b) => b.size - a.size || a.component - b.component);
}

const ROWS = 12;

export function componentsTable(app: App): (HTMLElement | null)[] {
  const { run } = app;
  const m = run.shown;
  const algorithm = app.hello?.algorithms.find((a) => a.name === run.stage.algorithm);
  const list = parts(m);
  const alive = list.reduce((s, p) => s + p.size, 0);
  return [
    h('header', { class: 'card-head' }, h('h2', {}, run.stage.name || 'This run')),
    run.stage.about ? h('p', { class: 'about' }, run.stage.about) : null,
    h(
      'section',
      { class: 'algorithm' },
      h('h3', {}, 'Algorithm'),
      h('p', { class: 'line' }, h('b', {}, run.stage.algorithm)),
      algorithm?.title ? h('p', { class: 'line' }, algorithm.title) : null,
      algorithm ? h('p', { class: 'note' }, algorithm.description) : null,
    ),
    h(
      'div',
      { class: 'figures' },
      figure(
        'Nodes',
        m.n === alive ? text.count(m.n) : `${text.count(alive)} of ${text.count(m.n)}`,
        'Nodes that are alive',
      ),
      figure(
        'Components',
        text.count(m.components),
        'Parts of the network; no message gets from one to another',
      ),
      figure(
        'Leaders',
        text.count(m.leaders),
        'Live nodes that name themselves; one per component after an election',
      ),
      figure(
        'Instability',
        text.percent(m.instability),
        INSTABILITY,
      ),
      figure('Messages', text.count(m.messages), 'Sent since the beginning'),
      figure('Events', text.count(m.events), 'Steps of the simulation since the beginning'),
    ),
    h(
      'section',
      {},
      h('h3', {}, 'Components and their leaders'),
      h(
        'table',
        { class: 'components' },
        h(
          'thead',
          {},
          h('tr', {}, h('th', {}, 'Leader'), h('th', {}, 'Nodes'), h('th', {}, 'Agree')),
        ),
        h(
          'tbody',
          {},
          list.slice(0, ROWS).map((p) => componentRow(app, p)),
        ),
      ),
      list.length > ROWS
        ? h('p', { class: 'quiet' }, `and ${list.length - ROWS} smaller ones`)
        : null,
    ),
  ];
}

function figure(name: string, value: string, tip: string): HTMLElement {
  return h(
    'div',
    { class: 'figure', 'data-tip': tip },
    h('span', { class: 'value' }, value),
    h('span', { class: 'name' }, name),
  );
}

/** What stands behind the name of a leader, and why. */
function leaderNote(app: App, p: Part): { note: string; tip: string } | null {
  if (p.leader === NO_NODE) return null;
  if (app.run.shown.component[p.leader] !== p.component)
    return { note: ' out of reach', tip: 'This leader has crashed or is in another component' };
  if (p.agree < p.size)
    return { note: ' majority', tip: 'Most nodes of the component name this leader; not all do' };
  return null;
}

function leaderCell(app: App, p: Part): HTMLElement {
  if (p.leader === NO_NODE) return h('td', { class: 'quiet' }, 'no leader');
  const id = String(app.run.stage.ids[p.leader] ?? '?');
  const more = leaderNote(app, p);
  return h(
    'td',
    {},
    h(
      'button',
      {
        type: 'button',
        class: 'chip',
        'aria-label': `Select leader ${id}`,
        onclick: () => app.select([p.leader]),
      },
      h('i', { class: 'dot', style: `background:${app.pane.scene.colours.of(p.leader)}` }),
      id,
    ),
    more ? h('span', { class: 'quiet', 'data-tip': more.tip }, more.note) : null,
  );
}

/** Nodes that all name no leader do not agree on one. */
export function agreement(p: Part): string {
  if (p.leader === NO_NODE) return '–';
  return p.agree === p.size ? '✓ all' : text.percent(p.agree / p.size);
}

function componentRow(app: App, p: Part): HTMLElement {
  return h(
    'tr',
    {},
    leaderCell(app, p),
    h('td', { class: 'number' }, text.count(p.size)),
    h(
      'td',
      { class: 'number' },
      agreement(p),
      ' ',
      button({ label: 'Select this component', icon: icons.fit, class: 'tiny' }, () =>
        app.selectComponent(p.component),
      ),
    ),
  );
}
