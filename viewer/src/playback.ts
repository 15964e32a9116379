// SPDX-License-Identifier: MIT
// Time: play, pause, step, seek, for one run or for two in lockstep. It draws at the pace of the
// screen and asks the server at the pace of its answers; never more than one question is open.
import type { Action } from './model';
import { Lost } from './protocol';
import { PaceMeter } from './pace';
import type { Run } from './run';
import { niceSpeed } from './ui/text';

export const AS_FAST_AS_POSSIBLE = Infinity;
const BUDGET = 25; // ms of the server for one answer
const SECOND = 1e9;
const LEAD = 60; // ms of the watcher's time that the server is ahead
const CHUNK = 24; // ms of the watcher's time in one question, at least
const QUIET = 12; // times faster where nothing but timers is under way

export interface PlaybackHooks {
  changed(): void;
  trouble(e: Error): void;
}

interface Glide {
  from: number;
  to: number;
  begin: number;
  lasts: number;
}

export class Playback {
  playing = false;
  speed = 1; // seconds of the run in one second of the watcher
  until = Infinity;
  /** Nothing is under way and time passes faster; only in networks that stand still. */
  quiet = false;
  /** Events per second of the machine, where it cannot keep the speed; else 0. */
  behind = 0;
  private readonly meter = new PaceMeter();
  private last = 0;
  private busy = false;
  private roundTrip = 20;
  private chunk = SECOND / 100; // at full speed with two runs
  private glide: Glide | null = null;
  private chain: Promise<unknown> = Promise.resolve();
  private wantedSeek: number | null = null;
  private seeking = false;
  private commands: number[] = []; // how many questions each command took
  private undone: number[] = [];
  private whenStopped: (() => void)[] = [];

  constructor(
    readonly runs: Run[],
    private readonly hooks: PlaybackHooks,
  ) {}

  get main(): Run {
    return this.runs[0];
  }

  /** What the server can show at once: all runs are at least here. */
  private get reached(): number {
    return Math.min(...this.runs.map((r) => r.moment.t));
  }

  /** A speed that lets people see: real time if nodes move, else 0.6 s for a typical delay. */
  defaultSpeed(): number {
    const { moves, delay, of } = this.main.stage;
    if (of === 'live') return AS_FAST_AS_POSSIBLE; // time passes as on the wall
    if (moves || !(delay > 0)) return 1;
    return niceSpeed(Math.min(100, Math.max(1e-4, delay / SECOND / 0.6)));
  }

  play(): void {
    if (this.playing) return;
    if (this.main.moment.ended) this.seek(0); // once more
    this.endGlide();
    this.playing = true;
    this.behind = 0;
    this.meter.reset();
    this.last = 0;
    this.hooks.changed();
  }

  /** Resolves when what is on screen is what the server has. */
  async pause(): Promise<void> {
    if (!this.playing) return;
    this.playing = false;
    this.hooks.changed();
    const done = this.whenStopped.splice(0);
    await this.exclusive(() => this.align());
    for (const tell of done) tell();
  }

  toggle(): void {
    if (this.playing) void this.pause();
    else this.play();
  }

  setSpeed(speed: number): void {
    // What the server has run ahead would take long at a lower speed, and a command would act there.
    if (this.playing && speed < this.speed / 1.4) this.seek(this.main.clock);
    this.speed = speed;
    this.hooks.changed();
  }

  /** Plays until a time; resolves when it is there, when it is paused, or when called again. */
  playUntil(speed: number, until: number): Promise<void> {
    for (const tell of this.whenStopped.splice(0)) tell();
    this.speed = speed;
    if (this.reached >= until || this.main.moment.ended) {
      this.until = Infinity;
      return this.playing ? this.pause() : Promise.resolve();
    }
    this.until = until;
    return new Promise((resolve) => {
      this.whenStopped.push(resolve);
      this.play();
      this.hooks.changed();
    });
  }

  /** Once per drawn picture. True where the picture differs from the one before. */
  tick(now: number): boolean {
    const passed = this.last ? Math.min(100, now - this.last) : 16;
    this.last = now;
    if (!this.main.ready || this.runs.some((r) => !r.ready)) return false;
    if (this.glide) return this.tickGlide(now);
    if (!this.playing || this.seeking) return false;
    this.drive(passed);
    return true;
  }

  private drive(passed: number): void {
    const reached = this.reached;
    this.quiet = this.slow && this.runs.every((r) => r.still());
    const clock =
      this.speed === AS_FAST_AS_POSSIBLE
        ? reached
        : Math.min(reached, this.main.clock + (passed / 1000) * this.pace * SECOND);
    const wanted = this.speed === AS_FAST_AS_POSSIBLE ? 0 : this.pace;
    this.behind = this.meter.note(this.last, clock, this.main.moment.events, wanted);
    for (const run of this.runs) run.show(clock);
    const over = this.runs.some((r) => r.moment.ended !== null) || reached >= this.until;
    if (over && clock >= reached && !this.busy) {
      this.until = Infinity;
      void this.pause();
    } else if (!this.busy && !over) this.ask(clock, reached);
  }

  /** Slower than life, and no lesson plays: then quiet times may be short. */
  private get slow(): boolean {
    return this.speed < 0.5 && this.until === Infinity;
  }

  private get pace(): number {
    return this.quiet ? this.speed * QUIET : this.speed;
  }

  private ask(clock: number, reached: number): void {
    const to = Math.min(this.target(clock, reached), this.until);
    if (to <= reached) return;
    const begin = performance.now();
    this.busy = true;
    const late = this.runs.filter((r) => r.moment.t < to);
    Promise.all(late.map((r) => r.advance(to, BUDGET)))
      .then(() => this.learn(performance.now() - begin, to))
      .catch((e: Error) => this.fail(e))
      .finally(() => (this.busy = false));
  }

  private target(clock: number, reached: number): number {
    if (this.speed === AS_FAST_AS_POSSIBLE) {
      return this.runs.length === 1 ? this.main.stage.end : reached + this.chunk;
    }
    const perMs = (this.pace * SECOND) / 1000;
    const lead = Math.max(LEAD, 2 * this.roundTrip) * perMs;
    return clock + lead - reached < CHUNK * perMs ? reached : clock + lead;
  }

  private learn(took: number, to: number): void {
    this.roundTrip += 0.2 * (Math.min(took, 200) - this.roundTrip);
    const arrived = this.reached >= to;
    this.chunk *= arrived && took < BUDGET ? 1.5 : took > 2 * BUDGET ? 0.6 : 1;
  }

  private fail(e: Error): void {
    if (e instanceof Lost) return; // the banner says so, and the run is opened again
    this.playing = false;
    this.hooks.trouble(e);
    this.hooks.changed();
  }

  /** One after the other; `advance` is not asked meanwhile. */
  exclusive<T>(work: () => Promise<T>): Promise<T | undefined> {
    const mine = this.chain.then(async () => {
      while (this.busy) await new Promise((r) => setTimeout(r, 4));
      this.busy = true;
      try {
        return await work();
      } catch (e) {
        this.fail(e as Error);
        return undefined;
      } finally {
        this.busy = false;
        this.hooks.changed();
      }
    });
    this.chain = mine;
    return mine;
  }

  /** All runs at the same moment, and that moment on screen. */
  level(): Promise<void> {
    return this.align();
  }

  private async align(): Promise<void> {
    const latest = Math.max(...this.runs.map((r) => r.moment.t));
    await Promise.all(this.runs.map((r) => (r.moment.t < latest ? r.seek(latest) : undefined)));
    for (const run of this.runs) run.snap();
  }

  step(): Promise<void> {
    return this.move(async () => {
      await this.main.step();
    }, 220);
  }

  stepBack(): void {
    this.seek(this.main.history.before(this.main.clock));
  }

  /** Until everything that is under way has arrived; at least one event. */
  round(): Promise<void> {
    return this.move(async () => {
      const last = Math.max(...this.runs.map((r) => r.flights.lastArrival(r.moment.t)));
      if (last > this.reached) await reach(this.main, last);
      else await this.main.step();
    }, 700);
  }

  private async move(work: () => Promise<void>, lasts: number): Promise<void> {
    await this.pause();
    this.endGlide();
    const from = this.main.ready ? this.main.clock : 0;
    await this.exclusive(async () => {
      await work();
      const to = this.main.moment.t;
      await Promise.all(this.runs.slice(1).map((r) => reach(r, to)));
      this.glide = { from, to, begin: performance.now(), lasts: to > from ? lasts : 0 };
    });
  }

  private tickGlide(now: number): boolean {
    const g = this.glide as Glide;
    const share = g.lasts ? Math.min(1, (now - g.begin) / g.lasts) : 1;
    const eased = share * share * (3 - 2 * share);
    for (const run of this.runs) run.show(g.from + (g.to - g.from) * eased);
    if (share >= 1) this.endGlide();
    return true;
  }

  private endGlide(): void {
    if (!this.glide) return;
    this.glide = null;
    for (const run of this.runs) run.snap();
    this.hooks.changed();
  }

  /** Only the last wish counts while one is being fulfilled. */
  seek(to: number): void {
    this.wantedSeek = Math.max(0, to);
    if (this.seeking) return;
    this.seeking = true;
    this.endGlide();
    void this.exclusive(async () => {
      while (this.wantedSeek !== null) {
        const t = this.wantedSeek;
        this.wantedSeek = null;
        await Promise.all(this.runs.map((r) => r.seek(t)));
        this.hooks.changed();
      }
    }).finally(() => {
      this.seeking = false;
      this.wantedSeek = null;
    });
  }

  /** With `goesOn`: one command with the one before, such as a node that is dragged on. */
  act(actions: Action[], goesOn = false): Promise<boolean> {
    this.endGlide();
    return this.exclusive(async () => {
      await this.align();
      await Promise.all(this.runs.map((r) => r.act(actions)));
      if (goesOn && this.commands.length) this.commands[this.commands.length - 1]++;
      else this.commands.push(1);
      this.undone = [];
      return true;
    }).then((done) => done === true);
  }

  undo(): Promise<unknown> {
    return this.exclusive(async () => {
      const parts = this.commands.pop() ?? 1;
      for (let k = 0; k < parts && this.main.canUndo; k++) {
        await Promise.all(this.runs.map((r) => r.undo()));
      }
      this.undone.push(parts);
    });
  }

  redo(): Promise<unknown> {
    return this.exclusive(async () => {
      const parts = this.undone.pop() ?? 1;
      for (let k = 0; k < parts && this.main.canRedo; k++) {
        await Promise.all(this.runs.map((r) => r.redo()));
      }
      this.commands.push(parts);
      for (const run of this.runs) run.canRedo = this.undone.length > 0;
    });
  }

  /** Another run: what was done before is no longer known in its parts. */
  forgetCommands(): void {
    this.commands = [];
    this.undone = [];
  }

  set(pairs: string[]): Promise<unknown> {
    this.endGlide();
    return this.exclusive(() => Promise.all(this.runs.map((r) => r.set(pairs))));
  }
}

/** Advances until it is there; an answer may come less far. */
async function reach(run: Run, to: number): Promise<void> {
  while (run.moment.t < to && !run.moment.ended) {
    const before = run.moment.t;
    await run.advance(to, 500);
    if (run.moment.t === before) return;
  }
}
