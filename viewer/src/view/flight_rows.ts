// SPDX-License-Identifier: MIT
// Messages on their way, as rows for the graphics card.
import type { Flights } from '../flights';
import { MESSAGE_SHAPES, messageColour, rgb } from '../palette';

/** from, to, progress, shape; alpha, red, green, blue */
export const FLIGHT_FLOATS = 8;
const LOST_SHAPE = 9;

export interface FlightLook {
  messages: boolean;
  hiddenKinds: ReadonlySet<number>;
  dark: boolean;
  /** In ns of the run: shorter flights are drawn this long, so that people see them. */
  shortest: number;
  /** In ns of the run: how long the cross of a lost message stays. */
  fade: number;
}

export interface Drawn {
  progress: number; // of the way, or -1: not on screen
  lost: boolean; // as a cross
  alpha: number;
}

const drawn: Drawn = { progress: -1, lost: false, alpha: 1 };

/** Where flight `i` is at `t`. The result is reused. */
export function flightAt(f: Flights, i: number, t: number, look: FlightLook): Drawn {
  drawn.progress = -1;
  const since = t - f.sent[i];
  if (since < 0 || look.hiddenKinds.has(f.kind[i])) return drawn;
  const lasts = Math.max(f.arrives[i] - f.sent[i], look.shortest, 1);
  const share = since / lasts;
  drawn.lost = false;
  drawn.alpha = 1;
  if (f.fate[i] === 1 && share >= 0.5) {
    const left = 1 - (since - lasts / 2) / Math.max(look.fade, lasts / 2);
    if (left <= 0) return drawn;
    drawn.progress = 0.5;
    drawn.lost = true;
    drawn.alpha = left;
  } else if (share < 1) {
    drawn.progress = share;
  }
  return drawn;
}

export function flightRows(f: Flights, t: number, look: FlightLook, rows: Float32Array): number {
  const hues: [number, number, number][] = [];
  let count = 0;
  for (let i = 0; i < f.count; i++) {
    const d = flightAt(f, i, t, look);
    if (d.progress < 0) continue;
    const kind = f.kind[i];
    const hue = (hues[kind] ??= rgb(messageColour(kind, look.dark)));
    const at = FLIGHT_FLOATS * count++;
    rows[at] = f.from[i];
    rows[at + 1] = f.to[i];
    rows[at + 2] = d.progress;
    rows[at + 3] = d.lost ? LOST_SHAPE : kind % MESSAGE_SHAPES.length;
    rows[at + 4] = d.alpha;
    rows[at + 5] = hue[0];
    rows[at + 6] = hue[1];
    rows[at + 7] = hue[2];
  }
  return count;
}
