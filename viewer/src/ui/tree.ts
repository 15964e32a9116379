// SPDX-License-Identifier: MIT
// A JSON value as a tree that unfolds.
import { h } from './dom';

const MOST = 60;

/** `unfolded` remembers paths, so that a tree that is drawn anew looks as before. */
export function tree(value: unknown, unfolded: Set<string>, again: () => void): HTMLElement {
  return h('div', { class: 'tree', role: 'tree' }, branch(value, '', unfolded, again));
}

function branch(
  value: unknown,
  path: string,
  unfolded: Set<string>,
  again: () => void,
): HTMLElement {
  if (value === null || typeof value !== 'object')
    return h('span', { class: `leaf ${typeof value}` }, leaf(value));
  const entries = Object.entries(value as object);
  if (!entries.length)
    return h('span', { class: 'leaf quiet' }, Array.isArray(value) ? '[ ]' : '{ }');
  if (Array.isArray(value) && entries.length <= 12 && value.every((v) => typeof v !== 'object')) {
    return h('span', { class: 'leaf' }, value.map(leaf).join(', '));
  }
  return h(
    'ul',
    {},
    entries.slice(0, MOST).map(([name, v]) => row(name, v, `${path}/${name}`, unfolded, again)),
    entries.length > MOST ? h('li', { class: 'quiet' }, `and ${entries.length - MOST} more`) : null,
  );
}

function row(
  name: string,
  v: unknown,
  path: string,
  unfolded: Set<string>,
  again: () => void,
): HTMLElement {
  const label = h('span', { class: 'key' }, name.replaceAll('_', ' '));
  if (isSimple(v)) return h('li', { role: 'treeitem' }, label, branch(v, path, unfolded, again));
  const folded = unfolded.has(`-${path}`) || (!unfolded.has(path) && path.split('/').length > 3);
  const toggle = () => {
    unfolded.delete(folded ? `-${path}` : path);
    unfolded.add(folded ? path : `-${path}`);
    again();
  };
  const size = Object.keys(v as object).length;
  return h(
    'li',
    { role: 'treeitem', 'aria-expanded': String(!folded) },
    h(
      'button',
      {
        type: 'button',
        class: 'fold',
        'aria-label': `${folded ? 'Unfold' : 'Fold'} ${name}`,
        onclick: toggle,
      },
      folded ? '▸' : '▾',
      ' ',
      label,
      h('span', { class: 'quiet' }, ` ${size}`),
    ),
    folded ? null : branch(v, path, unfolded, again),
  );
}

function isSimple(v: unknown): boolean {
  if (v === null || typeof v !== 'object') return true;
  if (Array.isArray(v))
    return v.length <= 12 && v.every((x) => x === null || typeof x !== 'object');
  return Object.keys(v).length === 0;
}

function leaf(v: unknown): string {
  if (v === null) return 'none';
  if (v === true) return 'yes';
  if (v === false) return 'no';
  return String(v);
}

/** Lists of nodes that a state holds, wherever they are: how many, and under which name. */
export function mapsIn(value: unknown, name = ''): { name: string; size: number }[] {
  if (value === null || typeof value !== 'object') return [];
  if (isMap(value)) return [{ name: name.replaceAll('_', ' '), size: value.length }];
  if (Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, v]) => mapsIn(v, key));
}

function isMap(v: unknown): v is object[] {
  return Array.isArray(v) && v.length > 0 && isNode(v[0]);
}

function isNode(v: unknown): boolean {
  return v !== null && typeof v === 'object' && 'id' in v;
}
