// SPDX-License-Identifier: MIT
// Side by side: another algorithm in the same world, in lockstep.
import type { App } from './app';
import { Run } from './run';
import { isOfWorld, withoutTable } from './toml';
import { button, fill, h } from './ui/dom';
import { icons } from './ui/icons';
import * as text from './ui/text';
import type { Pane } from './view/pane';
import { algorithmText, counted } from './words';

export class Compare {
  algorithm: string | null = null;
  private run: Run | null = null;
  private pane: Pane | null = null;
  private readonly heads: HTMLElement[] = [];

  constructor(
    private readonly app: App,
    private readonly address: string,
    private readonly stage: HTMLElement,
  ) {}

  /** Without a name: the first one of the catalogue that the server accepts here. */
  async open(name?: string): Promise<void> {
    if (this.app.run.stage.of !== 'scenario') {
      throw new Error('A recording cannot be compared with another algorithm.');
    }
    const run = new Run(this.address, { back: () => void this.follow() });
    await hello(run);
    let wrong = new Error('There is no other algorithm for this network.');
    await this.app.playback.exclusive(async () => {
      for (const algorithm of name ? [name] : this.others()) {
        try {
          await this.load(run, algorithm);
          this.algorithm = algorithm;
          return;
        } catch (e) {
          wrong = e as Error;
        }
      }
    });
    if (!run.ready) {
      run.close();
      throw wrong;
    }
    this.show(run);
  }

  private show(run: Run): void {
    this.run = run;
    this.app.runs.push(run);
    this.stage.classList.add('pair');
    this.pane = this.app.addPane(run);
    this.addHeads();
    this.app.resize();
    this.app.pane.fit();
    this.app.changed();
  }

  private others(): string[] {
    const { stage } = this.app.run;
    return (this.app.hello?.algorithms ?? [])
      .filter((a) => a.name !== stage.algorithm && (a.moving || !stage.moves))
      .map((a) => a.name);
  }

  private async load(run: Run, algorithm: string): Promise<void> {
    const { recipe, stage, moment } = this.app.run;
    const set = [...recipe.set.filter(isOfWorld), `algorithm=${algorithm}`];
    const toml = withoutTable(stage.toml, 'options');
    await run.open({ toml, set, actions: recipe.actions, to: moment.t });
    if (run.moment.t < moment.t) await run.seek(moment.t);
    run.placement.adopt(this.app.run.placement);
    run.snap();
  }

  /** The first run is another one now. */
  async follow(): Promise<void> {
    const { run, algorithm } = this;
    if (!run || !algorithm) return;
    await this.app.playback.exclusive(async () => {
      try {
        await this.load(run, algorithm);
      } catch (e) {
        this.close();
        throw e;
      }
    });
    this.pane?.forget();
    this.app.redraw();
  }

  private async change(algorithm: string, select: HTMLSelectElement): Promise<void> {
    const { run } = this;
    if (!run) return;
    await this.app.playback.exclusive(async () => {
      try {
        await this.load(run, algorithm);
        this.algorithm = algorithm;
      } catch (e) {
        select.value = this.algorithm ?? '';
        throw e;
      }
    });
    this.pane?.forget();
    this.refresh();
    this.app.redraw();
  }

  close(): void {
    this.algorithm = null;
    this.run?.close();
    this.app.runs.length = 1;
    this.app.panes.length = 1;
    this.pane?.destroy();
    this.run = null;
    this.pane = null;
    for (const head of this.heads.splice(0)) head.remove();
    this.stage.classList.remove('pair');
    this.app.resize();
    this.app.changed();
  }

  private addHeads(): void {
    const select = h(
      'select',
      {
        class: 'field',
        'aria-label': 'Algorithm of the second drawing',
        'data-testid': 'compare-algorithm',
        onchange: () => {
          select.blur(); // Space plays and pauses again
          void this.change(select.value, select);
        },
      },
      (this.app.hello?.algorithms ?? []).map((a) =>
        h(
          'option',
          { value: a.name, selected: a.name === this.algorithm },
          algorithmText(this.app.hello?.algorithms, a.name),
        ),
      ),
    );
    const own = h('div', { class: 'pane-head' }, h('b'), h('span', { class: 'figures-line' }));
    const other = h(
      'div',
      { class: 'pane-head' },
      select,
      h('span', { class: 'figures-line' }),
      button(
        { label: 'End the comparison', icon: icons.close, class: 'small', test: 'compare-close' },
        () => this.close(),
      ),
    );
    this.app.pane.root.append(own);
    this.pane?.root.append(other);
    this.heads.push(own, other);
    this.refresh();
  }

  refresh(): void {
    if (!this.heads.length) return;
    fill(this.heads[0].querySelector('b') as Element, this.app.run.stage.algorithm);
    this.app.runs.forEach((run, i) => {
      if (!run.ready) return;
      const m = run.shown;
      const line = this.heads[i]?.querySelector('.figures-line');
      if (line)
        line.textContent = [
          counted(m.messages, 'message'),
          `${text.percent(m.instability)} instability`,
          counted(m.leaders, 'leader'),
        ].join(' · ');
    });
  }
}

function hello(run: Run): Promise<void> {
  return new Promise((resolve) => (run.hooks.hello = () => resolve()));
}
