// SPDX-License-Identifier: MIT
// A sentence in a row of its own above the drawing, until it is closed or its time is over.
import { button, h } from './dom';
import { icons } from './icons';

export class Notice {
  readonly root: HTMLElement;
  private readonly words = h('span', { class: 'notice-text' });
  private timer = 0;

  constructor(name: string) {
    this.root = h(
      'div',
      { class: `notice ${name}`, role: 'status', hidden: true, 'data-testid': name },
      this.words,
      button({ label: 'Close this line', icon: icons.close, class: 'tiny' }, () => this.show(null)),
    );
  }

  show(text: string | null, lasts = Infinity): void {
    clearTimeout(this.timer);
    this.words.textContent = text ?? '';
    this.root.hidden = text === null;
    if (text !== null && lasts < Infinity)
      this.timer = window.setTimeout(() => this.show(null), lasts);
  }
}
