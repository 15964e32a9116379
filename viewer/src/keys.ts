// SPDX-License-Identifier: MIT
// Everything from the keyboard.
import type { App } from './app';
import { ABSENT } from './model';

export const HELP: { title: string; rows: [string, string][] }[] = [
  {
    title: 'Time',
    rows: [
      ['Space', 'play or pause, wherever the focus is; Enter presses a button'],
      [', .', 'one step back, one event further'],
      ['/', 'one round: until all messages under way have arrived'],
      ['[ ]', 'previous mark, next mark'],
      ['Home', 'to the beginning'],
      ['< >', 'slower, faster'],
    ],
  },
  {
    title: 'Tools',
    rows: [
      ['V', 'select and move'],
      ['A', 'add a node: click'],
      ['X', 'crash a node: click'],
      ['R', 'restart a node: click; with Shift it keeps its memory'],
      ['L', 'cut or join a link: drag from node to node'],
      ['P', 'split the network: draw a line'],
      ['H', 'heal partitions and cuts'],
      ['Ctrl Z', 'undo; with Shift redo'],
    ],
  },
  {
    title: 'Nodes (with the drawing in focus)',
    rows: [
      ['Tab', 'to the next node; Esc lets Tab leave the drawing'],
      ['Arrows', 'move the selected nodes, or the view'],
      ['Delete', 'crash the selected nodes'],
      ['Enter', 'inspect'],
      ['Shift + drag', 'select many'],
      ['Ctrl A', 'select all'],
      ['Right click', 'menu; on a touch screen: press long'],
    ],
  },
  {
    title: 'View',
    rows: [
      ['+ − 0', 'zoom in, out, fit'],
      ['M', 'messages'],
      ['N', 'names'],
      ['G', 'ranges of radios'],
      ['T', 'trails'],
      ['C', 'clusters'],
      ['?', 'this help'],
    ],
  },
];

const TOOLS: Record<string, App['tool']> = {
  v: 'select',
  a: 'add',
  x: 'crash',
  r: 'restart',
  l: 'link',
  p: 'partition',
};

function typing(e: KeyboardEvent): boolean {
  const t = e.target as HTMLElement;
  return (
    t.matches('textarea, select, input:not([type=range]):not([type=checkbox])') ||
    t.isContentEditable
  );
}

export function installKeys(app: App): void {
  // A button is pressed by Enter, so that Space plays and pauses wherever the focus is.
  addEventListener('keyup', (e) => {
    if (e.key === ' ' && onButton(e) && !inDialog()) e.preventDefault();
  });
  addEventListener('keydown', (e) => {
    if (e.defaultPrevented || typing(e) || inDialog() || !app.run.ready)
      return;
    if (e.ctrlKey || e.metaKey ? command(app, e) : plain(app, e) || onDrawing(app, e))
      e.preventDefault();
  });
}

function onButton(e: KeyboardEvent): boolean {
  return (e.target as HTMLElement).closest?.('button, [role=button]') !== null;
}

function inDialog(): boolean {
  return document.querySelector('dialog[open]') !== null;
}

function command(app: App, e: KeyboardEvent): boolean {
  const key = e.key.toLowerCase();
  if (key === 'z') void (e.shiftKey ? app.playback.redo() : app.playback.undo());
  else if (key === 'y') void app.playback.redo();
  else if (key === 'a') app.select(Array.from({ length: app.run.shown.n }, (_, i) => i));
  else return false;
  return true;
}

function plain(app: App, e: KeyboardEvent): boolean {
  const own = (e.target as HTMLElement).closest('summary, input[type=checkbox]') !== null;
  const slider = (e.target as HTMLElement).matches('input[type=range], [role=slider]');
  const { playback } = app;
  const simple: Record<string, () => unknown> = {
    ',': () => playback.stepBack(),
    '.': () => playback.step(),
    '/': () => playback.round(),
    '[': () => app.timeline.jump(-1),
    ']': () => app.timeline.jump(1),
    '<': () => app.faster(-1),
    '>': () => app.faster(1),
    '+': () => app.zoom(1.25),
    '=': () => app.zoom(1.25),
    '-': () => app.zoom(0.8),
    '0': () => app.fit(),
    m: () => app.toggle('messages'),
    n: () => app.toggle('labels'),
    g: () => app.toggle('ranges'),
    t: () => app.toggle('trails'),
    c: () => app.toggle('clusters'),
    h: () => app.commands.heal(),
    '?': () => app.help(),
  };
  const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
  if (e.key === ' ' && !own) playback.toggle();
  else if (e.key === 'Home' && !slider) playback.seek(0);
  else if (TOOLS[key]) app.setTool(TOOLS[key]);
  else if (simple[key]) void simple[key]();
  else return false;
  return true;
}

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function onDrawing(app: App, e: KeyboardEvent): boolean {
  const focused = (e.target as HTMLElement).closest('.pane') !== null;
  const loose = e.target === document.body;
  if (!focused && !loose) return false;
  const chosen = [...app.view.selected];
  if (e.key === 'Escape') {
    app.setTool('select');
    app.select([]);
    app.walking = false;
  } else if (e.key === 'Tab' && focused) return walk(app, e.shiftKey ? -1 : 1);
  else if (e.key === 'Delete' || e.key === 'Backspace') void app.commands.crash(chosen);
  else if (e.key === 'Enter' && chosen.length) app.showPanel('inspect');
  else if (ARROWS[e.key]) nudge(app, chosen, ARROWS[e.key], e.shiftKey ? 5 : 1);
  else return false;
  return true;
}

/** The next node that is there; false past the last one, so that Tab goes on. */
function walk(app: App, by: 1 | -1): boolean {
  if (!app.walking) return false;
  const { shown } = app.run;
  let next = (app.view.selected.size ? [...app.view.selected][0] : by > 0 ? -1 : shown.n) + by;
  while (next >= 0 && next < shown.n && shown.state[next] & ABSENT) next += by;
  if (next < 0 || next >= shown.n) return false;
  app.select([next]);
  return true;
}

function nudge(app: App, nodes: number[], [dx, dy]: [number, number], times: number): void {
  if (!nodes.length) {
    app.view.camera.pan(-40 * dx * times, -40 * dy * times);
    return app.redraw();
  }
  const step = (12 / app.view.camera.zoom) * times;
  const { places, stage } = app.run;
  const moves = nodes.map((node) => ({
    node,
    x: places[2 * node] + dx * step,
    y: places[2 * node + 1] + (dy * step) / app.view.camera.stretch,
  }));
  if (stage.moves) void app.commands.move(moves);
  else
    for (const m of moves)
      app.placements((pl) => {
        pl.drag(m.node, m.x, m.y);
        pl.drop(m.node);
      });
  app.redraw();
}
