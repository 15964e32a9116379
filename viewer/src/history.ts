// SPDX-License-Identifier: MIT
// What happened so far, for the timeline and the log. Going back in time and forward again brings
// the same events again, so each is taken once.
import type { Action, Moment, RunEvent } from './model';

const MOST_EVENTS = 20000;
const MOST_SAMPLES = 4000;

export interface Sample {
  t: number;
  instability: number;
  leaders: number;
}

export class History {
  events: RunEvent[] = [];
  samples: Sample[] = [];
  /** Everything up to here is known. */
  known = -1;
  /** Counts changes, so that drawers know when to look again. */
  version = 0;
  violation: { t: number; text: string } | null = null;

  private keys = new Set<string>();

  reset(): void {
    this.events = [];
    this.samples = [];
    this.keys.clear();
    this.known = -1;
    this.violation = null;
    this.version++;
  }

  /** The run will go another way from `t` on. */
  truncate(t: number): void {
    this.events = this.events.filter((e) => e.t <= t);
    this.samples = this.samples.filter((s) => s.t <= t);
    this.keys = new Set(this.events.map(keyOf));
    if (this.violation && this.violation.t > t) this.violation = null;
    this.known = Math.min(this.known, t);
    this.version++;
  }

  /** Takes what came with a frame. Returns those events that are news. */
  take(events: RunEvent[], m: Moment): RunEvent[] {
    const news = events.filter((e) => !this.keys.has(keyOf(e)));
    if (m.violation && !this.violation && !news.some((e) => e.kind === 'violation')) {
      news.push({ t: m.t, kind: 'violation', why: m.violation });
    }
    for (const e of news) this.keys.add(keyOf(e));
    this.append(news);
    const broken = news.find((e) => e.kind === 'violation');
    if (broken && !this.violation)
      this.violation = { t: broken.t, text: broken.why ?? 'a property was broken' };
    if (m.t > this.known) {
      this.known = m.t;
      this.sample(m);
    }
    this.version++;
    return news;
  }

  private append(news: RunEvent[]): void {
    if (!news.length) return;
    const last = this.events[this.events.length - 1];
    for (const e of news) this.events.push(e);
    if (last && news[0].t < last.t) this.events.sort((a, b) => a.t - b.t);
    const excess = this.events.length - MOST_EVENTS;
    if (excess > 0) for (const e of this.events.splice(0, excess)) this.keys.delete(keyOf(e));
  }

  private sample(m: Moment): void {
    this.samples.push({ t: m.t, instability: m.instability, leaders: m.leaders });
    if (this.samples.length > MOST_SAMPLES) {
      this.samples = this.samples.filter((_, i) => i % 2 === 0);
    }
  }

  /** The last shown time before `t`, to step back to. */
  before(t: number): number {
    for (let i = this.samples.length - 1; i >= 0; i--) {
      if (this.samples[i].t < t) return this.samples[i].t;
    }
    return 0;
  }
}

function keyOf(e: RunEvent): string {
  return `${e.t} ${e.kind} ${e.node} ${e.now} ${e.from} ${e.to}`;
}

export type MarkKind = 'election' | 'crash' | 'restart' | 'action' | 'violation';
export interface Mark {
  t: number;
  kind: MarkKind;
  count: number;
  text: string;
}

const markOf: Partial<Record<RunEvent['kind'], MarkKind>> = {
  leader: 'election',
  crash: 'crash',
  restart: 'restart',
  violation: 'violation',
};

/** The marks of the timeline; those of one kind that are nearer than `gap` become one. */
export function marks(history: History, actions: readonly Action[], gap: number): Mark[] {
  const list: Mark[] = [];
  const last = new Map<MarkKind, Mark & { until: number }>();
  const put = (t: number, kind: MarkKind) => {
    const before = last.get(kind);
    if (before && t - before.until <= gap) {
      before.count++;
      before.until = t;
      return;
    }
    const mark = { t, kind, count: 1, text: '', until: t };
    last.set(kind, mark);
    list.push(mark);
  };
  for (const e of history.events) {
    const kind = markOf[e.kind];
    if (kind) put(e.t, kind);
  }
  for (const a of actions) put(a.at ?? 0, 'action');
  for (const mark of list) mark.text = markText(mark);
  return list.sort((a, b) => a.t - b.t);
}

function markText(m: Mark): string {
  const many = (one: string, more: string) => (m.count === 1 ? one : `${m.count} ${more}`);
  switch (m.kind) {
    case 'election':
      return many('a node changed its leader', 'changes of leader');
    case 'crash':
      return many('a crash', 'crashes');
    case 'restart':
      return many('a restart', 'restarts');
    case 'action':
      return many('an action by hand', 'actions by hand');
    case 'violation':
      return 'a property was broken';
  }
}
