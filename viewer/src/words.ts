// SPDX-License-Identifier: MIT
// Sentences about nodes, actions and mistakes.
import { ALIVE, LEADS, NO_NODE, type Action, type Kind } from './model';
import type { AlgorithmInfo } from './protocol';
import type { Run } from './run';

/** Its name first: by that people find it in books and on the command line. */
export function algorithmText(all: readonly AlgorithmInfo[] | undefined, name: string): string {
  const title = all?.find((a) => a.name === name)?.title;
  return title && title !== name ? `${name}: ${title}` : name;
}

/** "1 leader", "2 leaders". */
export function counted(n: number, noun: string): string {
  return `${Math.round(n).toLocaleString('en-US')} ${noun}${n === 1 ? '' : 's'}`;
}

export const INSTABILITY =
  'Share of live nodes that name a wrong leader: none, one out of reach, or not the one that the ' +
  'algorithm is to elect in their component.';

export function nodeText(run: Run, node: number, differs: boolean): string {
  const { shown, stage } = run;
  const id = (k: number) => (k === NO_NODE ? 'none' : stage.ids[k]);
  const state = shown.state[node];
  if (!(state & ALIVE)) return `Node ${id(node)}: crashed`;
  if (state & LEADS) return `Node ${id(node)}: leads`;
  const unlike = differs ? ', most of its component name another' : '';
  return `Node ${id(node)}: its leader is ${id(shown.leader[node])}${unlike}`;
}

export function actionText(run: Run, a: Action): string {
  const id = (k: number) => String(run.stage.ids[k] ?? '?');
  switch (a.kind) {
    case 'crash':
      return `crash ${id(a.node)}`;
    case 'restart':
      return `restart ${id(a.node)}${a.memory ? ' with its memory' : ' without memory'}`;
    case 'cut':
    case 'join':
      return `${a.kind} ${id(a.a)} – ${id(a.b)}`;
    case 'partition':
      return `split off ${a.groups.map((g) => g.length).join(', ')} nodes`;
    case 'heal':
      return 'heal partitions';
    case 'move':
      return `move ${id(a.node)}`;
    case 'add':
      return 'add a node';
  }
}

export function mistakeText(e: Error): string {
  const { line, key } = e as { line?: number | null; key?: string | null };
  const where = [line ? `line ${line}` : '', key ?? ''].filter(Boolean).join(', ');
  return where ? `${where}: ${e.message}` : e.message;
}

/** What can be done with a run, for a first look. */
export function hintOf(of: Kind, finger: boolean): string {
  if (of === 'trace') return 'Recordings are read-only. Play, step and inspect.';
  if (of === 'live') return 'Live groups are read-only. Click a node to inspect it.';
  return finger
    ? 'Drag a node. Press long on one for its menu. Pinch to zoom.'
    : 'Drag a node. Press X and click one to crash it. Space pauses, ? shows all keys.';
}
