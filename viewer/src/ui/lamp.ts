// SPDX-License-Identifier: MIT
// Whether the properties of the algorithm hold.
import type { App } from '../app';
import { button, fill, h } from './dom';

export class Lamp {
  readonly root = h('div', { class: 'lamp', role: 'status', 'data-testid': 'lamp' });
  private drawn = '';

  constructor(private readonly app: App) {}

  refresh(): void {
    const { run } = this.app;
    const names = run.stage.properties;
    const broken = run.history.violation;
    if (run.stage.of === 'live') {
      this.root.className = 'lamp good';
      this.root.dataset.tip = 'A live group of daemons, as it is now.';
      this.drawn = '';
      return fill(this.root, h('i'), h('span', { class: 'lamp-text' }, 'live'));
    }
    const key = `${names.join()} ${broken?.text} ${broken?.t}`;
    if (key === this.drawn) return;
    this.drawn = key;
    this.app.setViolation(broken?.text ?? null);
    this.root.className = `lamp ${broken ? 'bad' : names.length ? 'good' : 'none'}`;
    if (broken) {
      this.root.dataset.tip = broken.text;
      fill(
        this.root,
        h('i'),
        h('span', { class: 'lamp-text' }, 'property broken'),
        button(
          {
            label: 'Jump to the moment when it broke',
            text: 'Jump there',
            class: 'outlined small',
            test: 'jump-violation',
          },
          () => void this.app.jumpTo(broken.t),
        ),
      );
    } else if (names.length) {
      const list = names.join() === 'all' ? 'all properties' : names.join(', ');
      this.root.dataset.tip = `Checked after each step: ${list}`;
      fill(this.root, h('i'), h('span', { class: 'lamp-text' }, 'properties hold'));
    } else {
      this.root.dataset.tip =
        'No properties are checked. The algorithm\'s properties can be checked after each step.';
      fill(
        this.root,
        h('i'),
        button(
          {
            label: 'Check all properties of the algorithm',
            text: 'Check properties',
            class: 'small',
            test: 'watch',
          },
          () => void this.app.set(['properties=all']).catch((e: Error) => this.app.trouble(e)),
        ),
      );
    }
  }
}
