// SPDX-License-Identifier: MIT
// Colours and marks that distinguish leaders and kinds of messages. The hues are those that
// people with any kind of colour blindness can separate; shapes and labels say the same again.
import { NO_NODE } from './model';

export const LEADER_COLOURS: readonly string[] = [
  '#0072b2', // blue
  '#e69f00', // orange
  '#009e73', // green
  '#d55e00', // vermilion
  '#56b4e9', // sky
  '#cc79a7', // rose
  '#a6981f', // olive
  '#7a5cc9', // violet
  '#44aa99', // teal
  '#a3456b', // wine
];

export const NO_LEADER_COLOUR = '#8a94a3';

export const MESSAGE_SHAPES = [
  'circle',
  'triangle',
  'square',
  'diamond',
  'plus',
  'hexagon',
  'bar',
  'ring',
] as const;
export type MessageShape = (typeof MESSAGE_SHAPES)[number];

const MESSAGE_LIGHT = [
  '#c2410c',
  '#1d4ed8',
  '#0f766e',
  '#a21caf',
  '#4d7c0f',
  '#b45309',
  '#be123c',
  '#334155',
];
const MESSAGE_DARK = [
  '#fdba74',
  '#93c5fd',
  '#5eead4',
  '#f0abfc',
  '#bef264',
  '#fcd34d',
  '#fda4af',
  '#cbd5e1',
];

export function messageColour(kind: number, dark: boolean): string {
  const list = dark ? MESSAGE_DARK : MESSAGE_LIGHT;
  return list[kind % list.length];
}

export function messageShape(kind: number): MessageShape {
  return MESSAGE_SHAPES[kind % MESSAGE_SHAPES.length];
}

export function rgb(hex: string): [number, number, number] {
  const v = parseInt(hex.slice(1), 16);
  return [(v >> 16) / 255, ((v >> 8) & 255) / 255, (v & 255) / 255];
}

/**
 * Gives leaders their colours. A leader keeps its colour as long as a node follows it; the ten
 * with the most followers never share one.
 */
export class LeaderColours {
  private readonly holder: number[] = LEADER_COLOURS.map(() => NO_NODE);
  private readonly slot = new Map<number, number>();

  /** Passes in the leader of each node. Costs one pass over the nodes. */
  update(leader: Uint32Array, alive: (node: number) => boolean): void {
    const followers = new Uint32Array(leader.length);
    const named: number[] = [];
    for (let i = 0; i < leader.length; i++) {
      const who = leader[i];
      if (who < leader.length && alive(i) && followers[who]++ === 0) named.push(who);
    }
    const wanting = named
      .sort((a, b) => followers[b] - followers[a] || a - b)
      .slice(0, LEADER_COLOURS.length);
    for (const who of wanting) {
      if (this.slot.has(who)) continue;
      const free = this.freeSlot(who, wanting);
      const before = this.holder[free];
      if (before !== NO_NODE) this.slot.delete(before);
      this.holder[free] = who;
      this.slot.set(who, free);
    }
  }

  private freeSlot(who: number, wanting: number[]): number {
    const k = LEADER_COLOURS.length;
    for (let i = 0; i < k; i++) {
      const s = (who + i) % k;
      if (this.holder[s] === NO_NODE) return s;
    }
    for (let i = 0; i < k; i++) {
      const s = (who + i) % k;
      if (!wanting.includes(this.holder[s])) return s;
    }
    return who % k;
  }

  index(leader: number): number {
    return this.slot.get(leader) ?? leader % LEADER_COLOURS.length;
  }

  of(leader: number): string {
    return leader === NO_NODE ? NO_LEADER_COLOUR : LEADER_COLOURS[this.index(leader)];
  }
}
