// SPDX-License-Identifier: MIT
// What is folded away behind a sentence: a value as the program has it.
import { h } from './dom';

/** `unfolded` remembers what is open, so that what is drawn anew looks as before. */
export function folded(
  title: string,
  content: HTMLElement,
  unfolded: Set<string>,
  key: string,
): HTMLElement {
  const fold = h(
    'details',
    { class: 'raw', open: unfolded.has(key) },
    h('summary', {}, title),
    content,
  );
  fold.addEventListener('toggle', () => unfolded[fold.open ? 'add' : 'delete'](key));
  return fold;
}

export function rawValue(value: string, unfolded: Set<string>, key: string): HTMLElement {
  return folded('message', h('code', {}, value), unfolded, key);
}
