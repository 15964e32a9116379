// SPDX-License-Identifier: MIT
// One run: its scenario, its actions, the moments that came, and what is shown of them. It asks the
// server; when to ask is the playback's business.
import { Flights } from './flights';
import { momentOf, type FrameNote } from './frame';
import { History } from './history';
import type { Action, Moment, Picture, RunEvent, Stage } from './model';
import { Placement } from './placement';
import { Session, type Answer, type Hello, type NodeReport } from './protocol';

/** All that a run depends on. */
export interface Recipe {
  toml?: string;
  name?: string;
  trace?: string; // instead of a scenario: what was recorded
  set: string[];
  actions: Action[];
}

export interface RunHooks {
  hello?(h: Hello): void;
  lost?(): void;
  back?(): void;
  progress?(t: number, to: number): void;
  /** Another scenario, or the same one with another value. */
  opened?(fresh: boolean): void;
  moment?(m: Moment, news: RunEvent[]): void;
  /** From `t` on the run goes another way. */
  truncated?(t: number): void;
}

export class Run {
  readonly session: Session;
  readonly history = new History();
  readonly flights = new Flights();
  recipe: Recipe = { set: [], actions: [] };
  stage!: Stage;
  /** The latest from the server. */
  moment!: Moment;
  /** What is on screen: the state of `shown`, with places between it and the next. */
  shown!: Moment;
  /** The time that is drawn; at most `moment.t`. */
  clock = 0;
  places: Float32Array = new Float32Array(0);
  placement!: Placement;
  omitted = 0;
  /** False where an algorithm runs in lockstep and nothing may be disturbed. */
  takesChanges = true;
  /** ns that flights stay beyond their arrival: losses fade, short ones are stretched. */
  linger = 0;
  canUndo = false;
  canRedo = false;
  readonly pinned = new Map<number, [number, number]>();
  private queue: Moment[] = [];
  private blend = new Float32Array(0);

  constructor(
    address: string,
    readonly hooks: RunHooks,
  ) {
    this.session = new Session(address, {
      hello: (h) => hooks.hello?.(h),
      lost: () => hooks.lost?.(),
      back: () => hooks.back?.(),
      progress: (t, to) => hooks.progress?.(t, to),
    });
  }

  get ready(): boolean {
    return this.moment !== undefined;
  }

  /** With `keep`: the same network, so that selection and view stay. */
  async open(recipe: Partial<Recipe> & { to?: number }, keep = false): Promise<void> {
    const set = recipe.set ?? [];
    const actions = recipe.actions ?? [];
    const { toml, name, trace, to } = recipe;
    // The answer has the text of a scenario, but not that of a trace.
    const answer = await this.session.ask('open', { toml, name, trace, set, actions, to });
    this.recipe = { toml, trace, set: [...set], actions: [...actions] };
    this.canUndo = actions.length > 0;
    this.canRedo = false;
    this.takeOpened(answer, !keep);
  }

  /** After a lost connection: the same run at the same moment. */
  async reopen(): Promise<void> {
    const { toml, trace, set, actions } = this.recipe;
    // What the command line has named and is no scenario only the server has.
    const whole = { toml, set, actions, to: this.clock };
    const { of } = this.stage;
    const what = trace !== undefined ? { trace, to: this.clock } : of === 'scenario' ? whole : {};
    this.takeOpened(await this.session.ask('open', what), false);
  }

  async set(pairs: string[]): Promise<void> {
    const answer = await this.session.ask('set', { set: pairs });
    this.recipe.set = mergeSet(this.recipe.set, pairs);
    this.takeOpened(answer, false);
  }

  async advance(to: number, budget: number): Promise<void> {
    this.takeFrame(await this.session.ask('advance', { to, budget }));
  }

  async step(): Promise<void> {
    this.takeFrame(await this.session.ask('step'));
  }

  async seek(to: number): Promise<void> {
    const answer = await this.session.ask('seek', { to });
    if (answer.frame && answer.frame.t < this.moment.t)
      this.flights.prune(answer.frame.t, answer.frame.t);
    this.takeFrame(answer, true);
    this.snap();
  }

  async act(actions: Action[]): Promise<void> {
    const at = this.moment.t;
    const answer = await this.session.ask('act', { actions });
    // With many newcomers the server makes more room, and opens the run again.
    if (answer.json.is === 'opened') this.takeOpened(answer, false);
    else this.takeActed(answer, at);
    this.canUndo = true;
    this.canRedo = false;
  }

  async undo(): Promise<void> {
    const before = this.recipe.actions;
    const answer = await this.session.ask('undo');
    this.takeActed(answer, doneAt(answer, before[before.length - 1]?.at ?? this.moment.t));
    this.canUndo = this.recipe.actions.length > 0;
    this.canRedo = true;
  }

  async redo(): Promise<void> {
    const answer = await this.session.ask('redo');
    this.takeActed(answer, doneAt(answer, this.moment.t));
    this.canUndo = true;
  }

  async node(node: number): Promise<NodeReport> {
    const given = (await this.session.ask('node', { node })).json as Partial<NodeReport>;
    return { node, state: null, timers: [], believes: [], linked: [], last: [], ...given };
  }

  async message(serial: number): Promise<{ text: string | null; json: unknown }> {
    const { text, json } = (await this.session.ask('message', { serial })).json;
    return {
      text: typeof text === 'string' ? text : null,
      json: typeof json === 'string' ? parsed(json) : json,
    };
  }

  async exportToml(): Promise<string> {
    return String((await this.session.ask('export', { what: 'toml' })).json.text ?? '');
  }

  /** Shows exactly the latest moment. */
  snap(): void {
    this.queue = [];
    this.shown = this.moment;
    this.clock = this.moment.t;
    this.places = this.stage.moves ? this.moment.places : this.placement.places;
    this.pin();
  }

  /** Nodes in a hand are drawn under it, wherever the server has them. */
  pin(): void {
    for (const [node, [x, y]] of this.pinned) {
      this.places[2 * node] = x;
      this.places[2 * node + 1] = y;
    }
  }

  /** Draws time `t`: the state of the last moment before it, places in between. */
  show(t: number): void {
    this.place(t);
    this.pin();
  }

  private place(t: number): void {
    this.clock = Math.min(t, this.moment.t);
    while (this.queue.length && this.queue[0].t <= this.clock)
      this.shown = this.queue.shift() as Moment;
    if (!this.stage.moves) {
      this.places = this.placement.places;
      return;
    }
    const next = this.queue[0];
    const a = this.shown.places;
    if (!next || next.places.length !== a.length || next.t <= this.shown.t) {
      this.places = a;
      return;
    }
    if (this.blend.length !== a.length) this.blend = new Float32Array(a.length);
    mix(a, next.places, (this.clock - this.shown.t) / (next.t - this.shown.t), this.blend);
    this.places = this.blend;
  }

  /** Only timers are under way, so time may pass faster. */
  still(): boolean {
    return (
      !this.stage.moves &&
      this.moment.rest &&
      this.shown.rest &&
      this.flights.lastArrival(this.clock) === 0
    );
  }

  picture(selected: ReadonlySet<number>): Picture {
    const moment = { ...this.shown, t: this.clock, places: this.places };
    return { stage: this.stage, moment, flights: this.flights.under(this.clock), selected };
  }

  close(): void {
    this.session.close();
  }

  private takeOpened(answer: Answer, fresh: boolean): void {
    const old = this.ready ? this.stage : null;
    this.stage = { ...(answer.json as unknown as Stage), n: answer.frame!.n };
    this.takesChanges = answer.json.takes_changes !== false;
    const actions = answer.json.actions as Action[] | undefined;
    if (actions) this.recipe.actions = actions;
    this.recipe.toml = this.stage.toml;
    this.flights.clear();
    this.history.reset();
    const keepPlaces = !fresh && old && !old.moves && !this.stage.moves && old.n === this.stage.n;
    this.moment = momentOf(answer.frame!, answer.json as FrameNote, null);
    if (!keepPlaces) this.placement = new Placement(this.stage, this.moment);
    else this.placement.follow(this.stage, this.moment);
    this.snap();
    this.flights.add(answer.frame!.flights);
    const news = this.history.take(eventsOf(answer), this.moment);
    this.hooks.opened?.(fresh);
    this.hooks.moment?.(this.moment, news);
  }

  private takeActed(answer: Answer, from: number): void {
    const actions = answer.json.actions as Action[] | undefined;
    if (actions) this.recipe.actions = actions;
    this.history.truncate(from);
    this.hooks.truncated?.(from);
    const undone = answer.frame!.t > from;
    if (undone) this.flights.prune(answer.frame!.t, from);
    this.takeFrame(answer, undone);
    this.snap();
  }

  /** After a jump the server sends the messages in transit again. */
  private takeFrame(answer: Answer, jumped = false): void {
    const frame = answer.frame;
    if (!frame) return;
    const all = answer.json.messages as string[] | undefined;
    const fresh = answer.json.new_messages as string[] | undefined;
    if (all) this.stage.messages = all;
    else if (fresh?.length) this.stage.messages = mergeKinds(this.stage.messages, fresh);
    this.takesChanges = answer.json.takes_changes !== false;
    if (frame.n !== this.stage.n) this.grow(frame.n, answer.json);
    const before = this.moment;
    this.moment = momentOf(frame, answer.json as FrameNote, before);
    this.omitted = Number(answer.json.omitted ?? 0);
    this.flights.prune(this.clock - this.linger);
    this.flights.add(frame.flights, jumped);
    if (this.moment.links !== before.links || this.moment.n !== before.n) {
      this.placement.follow(this.stage, this.moment);
    }
    const news = this.history.take(eventsOf(answer), this.moment);
    if (this.moment.t < before.t || this.moment.n !== before.n) this.snap();
    else this.queue.push(this.moment);
    this.hooks.moment?.(this.moment, news);
  }

  /** Newcomers: the answer may name their ids; else they are numbered on. */
  private grow(n: number, json: Record<string, unknown>): void {
    const ids = (json.ids as number[] | undefined) ?? [...this.stage.ids];
    while (ids.length < n) ids.push(Math.max(0, ...ids.slice(-64)) + 1);
    const kinds = this.stage.kinds ? [...this.stage.kinds] : null;
    while (kinds && kinds.length < n) kinds.push('mobile');
    this.stage = { ...this.stage, n, ids, kinds };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A run that was played anew may tell kinds that are known already. */
export function mergeKinds(known: readonly string[], fresh: readonly string[]): string[] {
  const at = known.indexOf(fresh[0]);
  if (at < 0) return [...known, ...fresh];
  const merged = [...known.slice(0, at), ...fresh];
  const shorter = merged.every((name, i) => name === known[i]);
  return shorter ? [...known] : merged;
}

function eventsOf(answer: Answer): RunEvent[] {
  return (answer.json.events as RunEvent[] | undefined) ?? [];
}

function doneAt(answer: Answer, otherwise: number): number {
  const done = answer.json.done as Action | Action[] | undefined;
  const list = Array.isArray(done) ? done : done ? [done] : [];
  const times = list.map((a) => a.at ?? otherwise);
  return times.length ? Math.min(...times) : otherwise;
}

/** Later values win over earlier ones of the same key. */
export function mergeSet(old: readonly string[], fresh: readonly string[]): string[] {
  const keyOf = (s: string) => s.slice(0, s.indexOf('='));
  const keys = new Set(fresh.map(keyOf));
  return [...old.filter((s) => !keys.has(keyOf(s))), ...fresh];
}

function mix(a: Float32Array, b: Float32Array, share: number, out: Float32Array): void {
  for (let i = 0; i < a.length; i++) out[i] = a[i] + (b[i] - a[i]) * share;
}
