// SPDX-License-Identifier: MIT
// What the page knows of a run. The server fills it (protocol.ts); everything that draws, exports or
// tells a story reads it.

export const NO_NODE = 0xffffffff;

export const ALIVE = 1;
export const LEADS = 2;
export const ABSENT = 4;

export interface Flight {
  from: number;
  to: number;
  kind: number; // index of `messages`
  fate: 0 | 1 | 2; // sent, lost, duplicated
  sent: number; // ns
  arrives: number; // ns
  serial: number;
  carries: number; // the id of a token, or -1
}

export interface RunEvent {
  t: number; // ns
  kind: 'leader' | 'crash' | 'restart' | 'join' | 'drop' | 'action' | 'violation';
  node?: number;
  was?: number; // index, or -1
  now?: number;
  from?: number;
  to?: number;
  why?: string;
  raw?: string; // the message that caused it, as JSON
}

export type Action = { at?: number } & (
  | { kind: 'crash'; node: number }
  | { kind: 'restart'; node: number; memory: boolean }
  | { kind: 'cut' | 'join'; a: number; b: number }
  | { kind: 'partition'; groups: number[][] }
  | { kind: 'heal' }
  | { kind: 'move'; node: number; x: number; y: number }
  | { kind: 'add'; x?: number; y?: number; links?: number[] }
);

/** What does not change while a run goes on, but with `open`, `set` and `add`. */
/** A trace has happened, a live group happens elsewhere: nothing can be done to either. */
export type Kind = 'scenario' | 'trace' | 'live';

export interface Stage {
  of: Kind;
  name: string;
  about: string;
  algorithm: string;
  seed: number;
  toml: string;
  n: number;
  ids: number[];
  moves: boolean;
  area: [number, number] | null;
  range: number | null;
  places: [number, number][] | null;
  kinds: ('mobile' | 'fixed' | 'wired')[] | null;
  end: number;
  delay: number;
  ranked: boolean;
  heights: boolean;
  properties: string[];
  messages: string[];
}

/** The run at one moment. Arrays have one entry per node or link. */
export interface Moment {
  t: number;
  n: number;
  events: number;
  messages: number;
  components: number;
  leaders: number;
  instability: number;
  leader: Uint32Array;
  component: Uint32Array;
  state: Uint8Array; // ALIVE | LEADS | ABSENT
  places: Float32Array; // x0, y0, x1, y1, ...: metres, or what the layout gave
  rank: Uint8Array | null;
  head: Uint32Array | null; // leader of level 1
  links: Uint32Array; // a0, b0, a1, b1, ...
  wireless: Uint8Array;
  direction: Uint8Array | null; // 0 none, 1 first to second, 2 second to first
  rest: boolean;
  ended: null | 'deadline' | 'violation' | 'event-limit';
  violation: string | null;
}

/** Colours and marks that distinguish components and kinds of messages; see palette.ts. */
export interface Picture {
  stage: Stage;
  moment: Moment;
  flights: Flight[]; // under way at moment.t
  selected: ReadonlySet<number>;
}
