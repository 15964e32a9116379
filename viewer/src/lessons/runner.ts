// SPDX-License-Identifier: MIT
// Plays a lesson. Going back is opening again and running, at once, through the steps before.

import type { Director, Lesson, Step, Until } from './lesson';

const SLICES = 5; // a second: how often a condition is looked at
const FAST_SLICE = 0.25e9; // ns of the run, when it is played at once

export interface RunnerHooks {
  shown(index: number): void; // a step has begun
  busy(playing: boolean): void;
  trouble(why: string): void;
}

export class Runner {
  index = 0;
  private turn = 0; // whatever belongs to an earlier turn is over
  private begun = -1; // the step that the run has come to

  constructor(
    private readonly director: Director,
    readonly lesson: Lesson,
    private readonly hooks: RunnerHooks,
  ) {}

  get step(): Step {
    return this.lesson.steps[this.index];
  }

  get last(): boolean {
    return this.index === this.lesson.steps.length - 1;
  }

  start(): Promise<void> {
    return this.go(0);
  }

  next(): Promise<void> {
    return this.last ? Promise.resolve() : this.go(this.index + 1);
  }

  back(): Promise<void> {
    return this.index === 0 ? Promise.resolve() : this.go(this.index - 1);
  }

  /** Shows the same step once more. */
  again(): Promise<void> {
    return this.go(this.index);
  }

  stop(): void {
    this.turn++;
    this.begun = -1;
  }

  private async go(index: number): Promise<void> {
    const turn = ++this.turn;
    this.index = index;
    this.hooks.shown(index);
    this.hooks.busy(true);
    try {
      await this.prepare(index, turn);
      if (turn === this.turn) await this.perform(this.step, false, turn);
    } catch (error) {
      if (turn !== this.turn) return;
      this.begun = -1;
      this.hooks.trouble(error instanceof Error ? error.message : String(error));
    } finally {
      if (turn === this.turn) this.hooks.busy(false);
    }
  }

  /** Brings the run to where the step begins. */
  private async prepare(index: number, turn: number): Promise<void> {
    const steps = this.lesson.steps;
    if (steps[index].open) return;
    if (this.begun === index - 1) {
      await this.playTo(steps[index - 1].play?.until, Infinity, turn);
      return;
    }
    this.begun = -1;
    for (let k = this.opening(index); k < index && turn === this.turn; k++) {
      await this.perform(steps[k], true, turn);
    }
  }

  private opening(index: number): number {
    for (let k = index; k > 0; k--) if (this.lesson.steps[k].open) return k;
    return 0;
  }

  private async perform(step: Step, atOnce: boolean, turn: number): Promise<void> {
    const over = () => turn !== this.turn;
    if (step.open) {
      const { toml, set, to } = step.open;
      await this.director.open({
        toml: toml ?? this.lesson.toml,
        ...(set ? { set } : {}),
        ...(to !== undefined ? { to } : {}),
      });
      if (over()) return;
      this.director.focus(null);
    }
    if (step.act) await this.director.act(step.act);
    if (over()) return;
    if (!atOnce) {
      this.director.select(step.select ?? []);
      if (step.focus !== undefined) this.director.focus(step.focus);
    }
    this.begun = this.lesson.steps.indexOf(step);
    await this.playTo(step.play?.until, atOnce ? Infinity : (step.play?.speed ?? 1), turn);
  }

  private async playTo(until: Until | undefined, speed: number, turn: number): Promise<void> {
    if (until === undefined) return;
    if (typeof until === 'number') {
      const { t, ended } = this.director.moment();
      if (t < until && !ended) await this.director.play(speed, until);
      return;
    }
    const slice = speed === Infinity ? FAST_SLICE : (speed * 1e9) / SLICES;
    for (;;) {
      const m = this.director.moment();
      if (turn !== this.turn || until.when(m) || m.t >= until.limit || m.ended) return;
      await this.director.play(speed, Math.min(until.limit, m.t + slice));
      if (this.director.moment().t <= m.t) return; // it was paused
    }
  }
}
