// SPDX-License-Identifier: MIT
// What a lesson is: data. The runner plays it, the panel shows it.

import type { Action, Moment, Stage } from '../model';

/** What the page does for a lesson. */
export interface Director {
  open(o: { name?: string; toml?: string; set?: string[]; to?: number }): Promise<void>;
  /** Seconds of the run in one second of the watcher (Infinity: at once), until this time in ns. A
   * later call takes the place of an earlier one, whose promise then ends, too. */
  play(speed: number, until: number): Promise<void>;
  act(actions: Action[]): Promise<void>;
  select(nodes: number[]): void;
  focus(nodes: number[] | null): void;
  moment(): Moment;
  stage(): Stage;
  /** Where the page can: reports clicked nodes, so that clicks answer questions. */
  onPick?(listener: ((node: number) => void) | null): void;
}

/** A time in ns, or a condition with the time at which to stop waiting for it. */
export type Until = number | { when: (m: Moment) => boolean; limit: number };

export interface NodeQuestion {
  kind: 'node';
  prompt: string;
  nodes: number[]; // among which to choose
  answer: number[];
  right: string;
  wrong: string;
}

export interface ChoiceQuestion {
  kind: 'choice';
  prompt: string;
  options: string[];
  answer: number;
  right: string;
  wrong: string;
}

export type Question = NodeQuestion | ChoiceQuestion;

/**
 * One page of a lesson. In texts, **words** are emphasized, and {words} or {words|entry} are
 * explained by the glossary.
 */
export interface Step {
  title: string;
  text: string;
  look?: string; // what to look at
  open?: { toml?: string; set?: string[]; to?: number };
  act?: Action[];
  play?: { speed: number; until: Until };
  select?: number[];
  focus?: number[] | null;
  ask?: Question;
}

export interface Lesson {
  id: string;
  title: string;
  teaser: string;
  family: string;
  toml: string;
  steps: Step[];
}

export const S = 1e9; // a second, in ns
export const MS = 1e6;
