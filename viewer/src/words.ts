// SPDX-License-Identifier: MIT
// Sentences about nodes, actions and mistakes.
import { ALIVE, LEADS, NOBODY, type Action } from './model';
import type { Run } from './run';

export function nodeText(run: Run, node: number, differs: boolean): string {
  const { shown, stage } = run;
  const id = (k: number) => (k === NOBODY ? 'nobody' : stage.ids[k]);
  const state = shown.state[node];
  if (!(state & ALIVE)) return `Node ${id(node)}: crashed`;
  if (state & LEADS) return `Node ${id(node)}: leads`;
  const unlike = differs ? ', unlike most of its component' : '';
  return `Node ${id(node)}: its leader is ${id(shown.leader[node])}${unlike}`;
}

export function actionText(run: Run, a: Action): string {
  const id = (k: number) => String(run.stage.ids[k] ?? '?');
  switch (a.kind) {
    case 'crash':
      return `crash ${id(a.node)}`;
    case 'restart':
      return `restart ${id(a.node)}${a.memory ? ' with its memory' : ''}`;
    case 'cut':
    case 'join':
      return `${a.kind} ${id(a.a)} – ${id(a.b)}`;
    case 'partition':
      return `part ${a.groups.map((g) => g.length).join(', ')} nodes from the others`;
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
