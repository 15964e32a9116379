// SPDX-License-Identifier: MIT
// Which sign is which kind of message; a click hides a kind.
import type { App } from '../app';
import { messageColour, messageShape, type MessageShape } from '../palette';
import { fill, h } from './dom';

const SHAPES: Record<MessageShape, string> = {
  circle: '<circle r="5"/>',
  triangle: '<path d="M0 4L-5.5-4.5h11z"/>',
  square: '<path d="M-4.5-4.5h9v9h-9z"/>',
  diamond: '<path d="M0-6L6 0 0 6-6 0z"/>',
  plus: '<path d="M-2-6h4v4h4v4H2v4h-4V2h-4v-4h4z"/>',
  hexagon: '<path d="M-5.5 0L-2.8-4.8h5.6L5.5 0 2.8 4.8h-5.6z"/>',
  bar: '<path d="M-6-2.5H6v5H-6z"/>',
  ring: '<path d="M0-6a6 6 0 1 0 .01 0zM0-2.5a2.5 2.5 0 1 1-.01 0z" fill-rule="evenodd"/>',
};

export class Legend {
  readonly root = h('div', {
    class: 'legend',
    role: 'group',
    'aria-label': 'Kinds of messages',
    'data-testid': 'legend',
  });
  private drawn = '';

  constructor(private readonly app: App) {}

  refresh(): void {
    const { runs, view } = this.app;
    const sides = runs.filter((run) => run.ready && run.stage.messages.length);
    const key = [
      ...sides.map((run) => `${run.stage.algorithm}: ${run.stage.messages.join()}`),
      ...view.hiddenKinds,
      view.theme.dark,
      view.options.messages,
    ].join(';');
    if (key === this.drawn) return;
    this.drawn = key;
    this.root.hidden = !view.options.messages || !sides.length;
    fill(
      this.root,
      ...sides.flatMap(({ stage }) => [
        runs.length > 1 ? h('b', { class: 'legend-side' }, stage.algorithm) : null,
        ...stage.messages.map((name, kind) => this.entry(name, kind)),
      ]),
    );
  }

  private entry(name: string, kind: number): HTMLElement {
    const { view } = this.app;
    const on = !view.hiddenKinds.has(name);
    return h(
      'button',
      {
        type: 'button',
        class: 'legend-entry',
        'aria-pressed': String(on),
        'data-tip': `${on ? 'Hide' : 'Show'} messages ${name}`,
        onclick: () => {
          view.hiddenKinds[on ? 'add' : 'delete'](name);
          this.app.touch();
        },
      },
      h('span', { class: 'icon', html: picture(kind, view.theme.dark) }),
      name,
    );
  }
}

function picture(kind: number, dark: boolean): string {
  const shape = SHAPES[messageShape(kind)];
  const colour = messageColour(kind, dark);
  return `<svg viewBox="-8 -8 16 16" width="13" height="13" fill="${colour}">${shape}</svg>`;
}
