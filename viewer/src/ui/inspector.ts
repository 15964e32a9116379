// SPDX-License-Identifier: MIT
// What is known of the selected node or message; without a selection, of the whole run.
import type { App } from '../app';
import { ALIVE, LEADS, NO_NODE, type RunEvent } from '../model';
import type { NodeReport } from '../protocol';
import { button, h } from './dom';
import { icons } from './icons';
import { Live } from './live';
import { folded, rawValue } from './raw';
import { componentsTable } from './summary';
import * as text from './text';
import { mapsIn, tree } from './tree';
import { counted } from '../words';

const BADGES = { crashed: '✕ crashed', leads: '♛ leads', follows: 'follows' };
const PAUSE = 250; // ms between two questions while playing

export class Inspector {
  private message: number | null = null;
  private report: NodeReport | null = null;
  private letter: { text: string | null; json: unknown } | null = null;
  private asked = 0;
  private asking = false;
  private readonly unfolded = new Set<string>(['']);
  private readonly live = h('div', { class: 'inspector', 'data-testid': 'inspector' });
  private readonly page = new Live(this.live);

  constructor(
    parent: HTMLElement,
    private readonly app: App,
  ) {
    parent.append(this.live);
  }

  /** Another selection. */
  select(): void {
    this.message = null;
    this.report = null;
    this.asked = 0;
    this.refresh(true);
  }

  showMessage(serial: number): void {
    this.message = serial;
    this.letter = null;
    this.app.run
      .message(serial)
      .then((m) => {
        if (this.message !== serial) return;
        this.letter = m;
        this.render();
      })
      .catch(() => undefined);
    this.render();
  }

  private get node(): number {
    const { selected } = this.app.view;
    return selected.size === 1 ? [...selected][0] : -1;
  }

  /** The run went on. */
  refresh(force = false): void {
    const now = performance.now();
    if (!force && now - this.asked < PAUSE) return;
    this.asked = now;
    if (this.message !== null) return this.render();
    const node = this.node;
    if (node < 0 || node >= this.app.run.shown.n) {
      this.report = null;
      return this.render();
    }
    if (this.asking) return;
    this.asking = true;
    this.app.run
      .node(node)
      .then((r) => {
        if (this.node === node) this.report = r;
      })
      .catch(() => undefined)
      .finally(() => {
        this.asking = false;
        if (this.node !== node) this.refresh(true);
        else this.render();
      });
  }

  private render(): void {
    if (!this.app.run.ready || this.live.closest('[hidden]')) return;
    if (this.message !== null) return this.renderMessage();
    const { selected } = this.app.view;
    if (this.node >= 0) return this.renderNode(this.node);
    if (selected.size > 1) return this.renderMany();
    return this.page.fill(...componentsTable(this.app));
  }

  private id(node: number): string {
    return node === NO_NODE || node < 0 ? 'none' : String(this.app.run.stage.ids[node] ?? '?');
  }

  private nodeButton(node: number, more = ''): HTMLElement {
    if (node === NO_NODE || node < 0) return h('span', { class: 'quiet' }, 'none');
    return h(
      'button',
      {
        type: 'button',
        class: `chip ${more}`,
        'aria-label': `Select node ${this.id(node)}`,
        onclick: () => this.app.select([node]),
      },
      h('i', { class: 'dot', style: `background:${this.app.pane.scene.colours.of(node)}` }),
      this.id(node),
    );
  }

  private renderNode(node: number): void {
    const { shown, stage } = this.app.run;
    const state = shown.state[node];
    const alive = (state & ALIVE) !== 0;
    const leads = (state & LEADS) !== 0;
    const kind = stage.kinds?.[node];
    const role = !alive ? 'crashed' : leads ? 'leads' : 'follows';
    this.page.fill(
      h(
        'header',
        { class: 'card-head' },
        h('h2', {}, `Node ${this.id(node)}`),
        h('span', { class: `badge ${role}` }, BADGES[role]),
        kind && kind !== 'mobile' ? h('span', { class: 'badge' }, kind) : null,
        button({ label: 'Close', icon: icons.close, class: 'small push' }, () =>
          this.app.select([]),
        ),
      ),
      this.leaderLine(node),
      shown.rank && shown.head
        ? h(
            'p',
            { class: 'line' },
            'Rank ',
            h('b', {}, shown.rank[node]),
            ', its leader of level 1 is ',
            this.nodeButton(shown.head[node]),
          )
        : null,
      this.commands(node, alive),
      this.neighbours(),
      this.timers(),
      this.lastSteps(),
      this.state(),
    );
  }

  /** In sentences where it holds maps; all of its fields are one click away. */
  private state(): HTMLElement | null {
    if (!this.report) return null;
    const { state } = this.report;
    const maps = mapsIn(state);
    const fields = tree(state, this.unfolded, () => this.render());
    return h(
      'section',
      {},
      h('h3', {}, 'State'),
      maps.map(({ name, size }) => h('p', { class: 'line' }, `${name}: ${counted(size, 'node')}`)),
      maps.length ? folded('all fields', fields, this.unfolded, 'all fields') : fields,
    );
  }

  private leaderLine(node: number): HTMLElement {
    const { shown, history } = this.app.run;
    const differs = this.app.pane.scene.differs(node) && (shown.state[node] & ALIVE) !== 0;
    let since: RunEvent | undefined;
    for (let i = history.events.length - 1; i >= 0; i--) {
      const e = history.events[i];
      if (e.kind === 'leader' && e.node === node && e.t <= this.app.run.clock) {
        since = e;
        break;
      }
    }
    return h(
      'section',
      {},
      this.follows(node, shown.leader[node]),
      differs
        ? h(
            'p',
            { class: 'note warn' },
            'Most of its component name ',
            this.nodeButton(this.app.pane.scene.majority(shown.component[node])),
            '.',
          )
        : null,
      since?.why ? h('p', { class: 'note' }, `Since ${text.time(since.t)}: ${since.why}.`) : null,
      since?.raw ? rawValue(since.raw, this.unfolded, 'leader') : null,
    );
  }

  private follows(node: number, leader: number): HTMLElement {
    if (leader === NO_NODE) return h('p', { class: 'line' }, 'It names no leader.');
    if (leader === node) return h('p', { class: 'line' }, 'It names itself the leader.');
    return h('p', { class: 'line' }, 'It follows ', this.nodeButton(leader), '.');
  }

  private commands(node: number, alive: boolean): HTMLElement {
    const act = this.app.commands;
    const component = button(
      { label: 'Select all nodes of its component', text: 'Component', class: 'outlined' },
      () => this.app.selectComponent(node),
    );
    if (!this.app.run.takesChanges) return h('div', { class: 'row' }, component);
    return h(
      'div',
      { class: 'row' },
      alive
        ? button(
            {
              label: 'Crash this node',
              icon: icons.crash,
              text: 'Crash',
              key: 'Delete',
              class: 'outlined',
              test: 'crash',
            },
            () => act.crash([node]),
          )
        : button(
            {
              label: 'Restart this node without memory',
              icon: icons.restart,
              text: 'Restart',
              class: 'outlined',
              test: 'restart',
            },
            () => act.restart([node], false),
          ),
      alive
        ? null
        : button(
            { label: 'Restart this node with its memory', text: 'with memory', class: 'outlined' },
            () => act.restart([node], true),
          ),
      component,
    );
  }

  private neighbours(): HTMLElement | null {
    const r = this.report;
    if (!r) return null;
    const linked = new Set(r.linked);
    const believed = new Set(r.believes);
    const all = [...new Set([...r.linked, ...r.believes])].sort((a, b) => a - b);
    const shown = all.slice(0, 60);
    return h(
      'section',
      {},
      h(
        'h3',
        { 'data-tip': 'What the node believes, compared with the links that are really up' },
        `Neighbours: ${r.believes.length} believed, ${r.linked.length} linked`,
      ),
      h(
        'div',
        { class: 'chips' },
        shown.map((k) => {
          if (linked.has(k) && believed.has(k)) return this.nodeButton(k);
          const why = linked.has(k) ? 'unknown' : 'stale';
          const chip = this.nodeButton(k, why);
          chip.dataset.tip =
            why === 'unknown'
              ? 'linked, but the node does not know'
              : 'believed, but the link is gone';
          chip.append(h('small', {}, why === 'unknown' ? 'unknown' : 'gone'));
          return chip;
        }),
        all.length > shown.length
          ? h('span', { class: 'quiet' }, `and ${all.length - shown.length} more`)
          : null,
      ),
      all.length ? null : h('p', { class: 'quiet' }, 'none'),
    );
  }

  private timers(): HTMLElement | null {
    const r = this.report;
    if (!r || !r.timers.length) return null;
    return h(
      'section',
      {},
      h('h3', {}, 'Timers'),
      h(
        'ul',
        { class: 'plain' },
        r.timers.map((t) =>
          h(
            'li',
            {},
            h('b', {}, timerName(t.name)),
            h('span', { class: 'push quiet' }, this.left(t.due)),
          ),
        ),
      ),
    );
  }

  private left(due: number | null): string {
    if (due === null) return 'not set';
    const left = due - this.app.run.clock;
    return left >= 0 ? `in ${text.span(left)}` : 'due';
  }

  private lastSteps(): HTMLElement | null {
    const r = this.report;
    if (!r || !r.last.length) return null;
    return h(
      'section',
      {},
      h('h3', {}, 'Last steps'),
      h(
        'ol',
        { class: 'plain steps' },
        [...r.last]
          .reverse()
          .map((s) =>
            h(
              'li',
              {},
              h(
                'button',
                { type: 'button', class: 'time', onclick: () => this.app.playback.seek(s.t) },
                text.time(s.t),
              ),
              h(
                'div',
                {},
                s.text,
                s.raw ? rawValue(s.raw, this.unfolded, `step ${s.t} ${s.text}`) : null,
              ),
            ),
          ),
      ),
    );
  }

  private renderMany(): void {
    const nodes = [...this.app.view.selected];
    const act = this.app.commands;
    this.page.fill(
      h(
        'header',
        { class: 'card-head' },
        h('h2', {}, `${nodes.length} nodes`),
        button({ label: 'Close', icon: icons.close, class: 'small push' }, () =>
          this.app.select([]),
        ),
      ),
      h(
        'div',
        { class: 'row' },
        button({ label: 'Crash them', icon: icons.crash, text: 'Crash', class: 'outlined' }, () =>
          act.crash(nodes),
        ),
        button(
          { label: 'Restart them', icon: icons.restart, text: 'Restart', class: 'outlined' },
          () => act.restart(nodes, false),
        ),
        button(
          {
            label: 'Cut all links between these nodes and the others',
            icon: icons.partition,
            text: 'Isolate',
            class: 'outlined',
          },
          () => act.isolate(nodes),
        ),
      ),
      h(
        'div',
        { class: 'chips' },
        nodes.slice(0, 120).map((k) => this.nodeButton(k)),
      ),
    );
  }

  private renderMessage(): void {
    const serial = this.message as number;
    const { flights, stage, clock } = this.app.run;
    let i = 0;
    while (i < flights.count && flights.serial[i] !== serial) i++;
    const f = i < flights.count ? flights.at(i) : null;
    this.page.fill(
      h(
        'header',
        { class: 'card-head' },
        h('h2', {}, f ? (stage.messages[f.kind] ?? 'Message') : 'Message'),
        f && f.fate === 1 ? h('span', { class: 'badge crashed' }, 'will be lost') : null,
        button({ label: 'Close', icon: icons.close, class: 'small push' }, () => this.select()),
      ),
      f
        ? h('p', { class: 'line' }, 'From ', this.nodeButton(f.from), ' to ', this.nodeButton(f.to))
        : null,
      f
        ? h(
            'p',
            { class: 'note' },
            `Sent at ${text.time(f.sent)}; `,
            f.arrives > clock
              ? `arrives in ${text.span(f.arrives - clock)}`
              : `arrived at ${text.time(f.arrives)}`,
          )
        : null,
      this.letter === null
        ? h('p', { class: 'quiet' }, 'loading …')
        : this.letter.text === null
          ? h('p', { class: 'quiet' }, 'Its fields are no longer known.')
          : h(
              'section',
              {},
              h('h3', {}, 'Fields'),
              tree(this.letter.json, this.unfolded, () => this.render()),
            ),
    );
  }
}

/** A layer's timer is called as the timer that it keeps for the layer above. */
export function timerName(name: unknown): string {
  return typeof name === 'string'
    ? name
    : JSON.stringify(name).replaceAll(/[{}"]/g, '').replaceAll(':', ' ').replace('inner timer ', '');
}
