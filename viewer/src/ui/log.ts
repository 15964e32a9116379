// SPDX-License-Identifier: MIT
// What happened, newest first; a click goes there.
import type { App } from '../app';
import type { RunEvent } from '../model';
import { h } from './dom';
import { Live } from './live';
import { rawValue } from './raw';
import * as text from './text';

type Kind = RunEvent['kind'];
const KINDS: { kinds: Kind[]; name: string; on: boolean }[] = [
  { kinds: ['leader'], name: 'Leaders', on: true },
  { kinds: ['crash', 'restart', 'join'], name: 'Crashes', on: true },
  { kinds: ['action'], name: 'By hand', on: true },
  { kinds: ['drop'], name: 'Losses', on: false },
];
const MOST = 200;
const PAUSE = 300;

export class EventLog {
  private readonly shown = new Set<Kind>([
    'violation',
    ...KINDS.filter((k) => k.on).flatMap((k) => k.kinds),
  ]);
  private readonly list = h('ol', { class: 'log', 'data-testid': 'log' });
  private readonly page = new Live(this.list);
  private readonly search: HTMLInputElement;
  private readonly unfolded = new Set<string>();
  private version = -1;
  private drawn = 0;

  constructor(
    private readonly parent: HTMLElement,
    private readonly app: App,
  ) {
    this.search = h('input', {
      type: 'search',
      class: 'field',
      placeholder: 'Filter: node or word',
      'aria-label': 'Filter events',
      'data-testid': 'log-filter',
      oninput: () => this.refresh(true),
    });
    parent.append(
      h(
        'div',
        { class: 'row wrap' },
        KINDS.map((k) => this.filterButton(k)),
      ),
      this.search,
      this.list,
    );
  }

  private filterButton(k: (typeof KINDS)[number]): HTMLElement {
    const b = h(
      'button',
      {
        type: 'button',
        class: 'button outlined toggle',
        'aria-pressed': String(k.on),
        onclick: () => {
          const on = b.getAttribute('aria-pressed') !== 'true';
          b.setAttribute('aria-pressed', String(on));
          for (const kind of k.kinds) this.shown[on ? 'add' : 'delete'](kind);
          this.refresh(true);
        },
      },
      k.name,
    );
    return b;
  }

  refresh(force = false): void {
    if (this.parent.hidden) return;
    const { run } = this.app;
    const now = performance.now();
    if (!force && (now - this.drawn < PAUSE || run.history.version === this.version)) return;
    this.drawn = now;
    this.version = run.history.version;
    const word = this.search.value.trim().toLowerCase();
    const rows: HTMLElement[] = [];
    const events = this.all();
    for (let i = events.length - 1; i >= 0 && rows.length < MOST; i--) {
      const e = events[i];
      if (!this.shown.has(e.kind)) continue;
      const sentence = this.sentence(e);
      if (
        word &&
        !sentence.toLowerCase().split(/\W+/).includes(word) &&
        !sentence.toLowerCase().includes(word)
      )
        continue;
      rows.push(this.row(e, sentence));
    }
    this.page.fill(
      ...(rows.length ? rows : [h('li', { class: 'quiet' }, 'No such events yet.')]),
    );
  }

  private all(): RunEvent[] {
    const { run } = this.app;
    const acts = run.recipe.actions.map((a): RunEvent => ({
      t: a.at ?? 0,
      kind: 'action',
      why: this.app.actionText(a),
    }));
    if (!acts.length) return run.history.events;
    return [...run.history.events, ...acts].sort((a, b) => a.t - b.t);
  }

  private row(e: RunEvent, sentence: string): HTMLElement {
    const later = e.t > this.app.run.clock;
    return h(
      'li',
      { class: `${e.kind}${later ? ' later' : ''}` },
      h(
        'button',
        {
          type: 'button',
          'aria-label': `${text.time(e.t)}: ${sentence}; go there`,
          onclick: () => {
            this.app.playback.seek(e.t);
            if (e.node !== undefined) this.app.select([e.node]);
          },
        },
        h('span', { class: 'time' }, text.time(e.t)),
        h('span', { class: 'what' }, sentence),
      ),
      e.raw ? rawValue(e.raw, this.unfolded, `${e.t} ${e.node}`) : null,
    );
  }

  private sentence(e: RunEvent): string {
    const id = (k: number | undefined) =>
      k === undefined || k < 0 ? 'no leader' : String(this.app.run.stage.ids[k] ?? '?');
    switch (e.kind) {
      case 'leader':
        return leaderText(id(e.node), e.now === e.node ? null : id(e.now), e.why);
      case 'crash':
        return `${id(e.node)} crashed`;
      case 'restart':
        return `${id(e.node)} restarted`;
      case 'join':
        return `${id(e.node)} joined`;
      case 'drop':
        return `a message from ${id(e.from)} to ${id(e.to)} was lost${e.why ? `: ${e.why}` : ''}`;
      case 'action':
        return `by hand: ${e.why ?? ''}`;
      case 'violation':
        return e.why ?? 'a property was violated';
    }
  }
}

/** "7 follows 24: it received a map of 24 nodes from 24"; without `now` it leads itself. */
export function leaderText(node: string, now: string | null, why = ''): string {
  const what = now === null ? 'leads' : now === 'no leader' ? 'has no leader' : `follows ${now}`;
  return `${node} ${what}${why ? `: ${why}` : ''}`;
}
