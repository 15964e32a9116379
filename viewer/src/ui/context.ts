// SPDX-License-Identifier: MIT
// The menu of a node, a link or an empty place.
import type { App } from '../app';
import { ALIVE } from '../model';
import { h } from './dom';

interface Target {
  node: number;
  link: [number, number] | null;
  place: [number, number];
}

type Item = { label: string; run(): unknown } | null;

function items(app: App, { node, link, place }: Target): { title: string; list: Item[] } {
  const { commands, run } = app;
  const id = (k: number) => run.stage.ids[k];
  if (node >= 0) {
    const alive = (run.moment.state[node] & ALIVE) !== 0;
    const restart = (label: string, memory: boolean) => ({
      label,
      run: () => commands.restart([node], memory),
    });
    return {
      title: `Node ${id(node)}`,
      list: [
        alive ? { label: 'Crash', run: () => commands.crash([node]) } : null,
        alive ? null : restart('Restart without memory', false),
        alive ? null : restart('Restart with its memory', true),
        { label: 'Cut all its links', run: () => commands.isolate([node]) },
        { label: 'Select its component', run: () => app.selectComponent(node) },
        {
          label: 'Inspect',
          run: () => {
            app.select([node]);
            app.showPanel('inspect');
          },
        },
      ],
    };
  }
  if (link) {
    return {
      title: `Link ${id(link[0])} – ${id(link[1])}`,
      list: [
        { label: 'Cut', run: () => commands.cut([link]) },
        { label: 'Select both ends', run: () => app.select(link) },
      ],
    };
  }
  return {
    title: 'Here',
    list: [
      { label: 'Add a node', run: () => commands.add(...place) },
      { label: 'Heal partitions and cuts', run: () => commands.heal() },
      { label: 'Fit to view', run: () => app.fit() },
    ],
  };
}

export function contextMenu(app: App, target: Target, x: number, y: number): void {
  document.querySelector('.context')?.remove();
  const { title, list } = items(app, target);
  const before = document.activeElement as HTMLElement | null;
  const close = () => {
    menu.remove();
    removeEventListener('pointerdown', outside, true);
    before?.focus?.({ preventScroll: true });
  };
  const outside = (e: Event) => {
    if (!menu.contains(e.target as Node)) close();
  };
  const menu = h(
    'div',
    { class: 'context', role: 'menu', 'aria-label': title, 'data-testid': 'context-menu' },
    h('p', { class: 'context-title' }, title),
    list
      .filter((i) => i !== null)
      .map((item) =>
        h(
          'button',
          {
            type: 'button',
            role: 'menuitem',
            onclick: () => {
              close();
              void item.run();
            },
          },
          item.label,
        ),
      ),
  );
  menu.addEventListener('keydown', (e) => walk(e, menu, close));
  document.body.append(menu);
  menu.style.left = `${Math.min(x, innerWidth - menu.offsetWidth - 8)}px`;
  menu.style.top = `${Math.min(y, innerHeight - menu.offsetHeight - 8)}px`;
  menu.querySelector('button')?.focus();
  addEventListener('pointerdown', outside, true);
}

function walk(e: KeyboardEvent, menu: HTMLElement, close: () => void): void {
  e.stopPropagation();
  const all = [...menu.querySelectorAll('button')];
  const at = all.indexOf(document.activeElement as HTMLButtonElement);
  if (e.key === 'Escape') close();
  else if (e.key === 'ArrowDown') all[(at + 1) % all.length].focus();
  else if (e.key === 'ArrowUp') all[(at + all.length - 1) % all.length].focus();
  else return;
  e.preventDefault();
}
