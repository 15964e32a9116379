// SPDX-License-Identifier: MIT
// What the plots remember: buckets of time, each with the least and the most of every number. When
// there are too many, neighbours are united: hours take no more room than seconds, and no peak is
// lost.

import type { Moment } from '../model';

export const QUANTITIES = ['instability', 'rate', 'components', 'leaders'] as const;
export type Quantity = (typeof QUANTITIES)[number];

interface Bucket {
  from: number; // ns
  to: number;
  messages: number; // so far, at its end
  least: Record<Quantity, number>;
  most: Record<Quantity, number>;
}

/** Columns as uPlot takes them: seconds, the least and the most. */
export type Columns = [number[], number[], number[]];

export class History {
  private buckets: Bucket[] = [];
  private width = 0; // ns that a bucket covers; 0: one for each moment

  constructor(private readonly limit = 600) {}

  get end(): number {
    return this.buckets.at(-1)?.to ?? 0;
  }

  /** A moment from before the end is known already: the same run is the same again. */
  push(m: Moment): void {
    if (m.t < this.end) return;
    const last = this.buckets.at(-1);
    const fresh = bucket(m, last);
    if (last && (m.t === last.to || m.t - last.from < this.width)) {
      this.buckets[this.buckets.length - 1] = unite(last, fresh, this.buckets.at(-2));
    } else {
      this.buckets.push(fresh);
    }
    if (this.buckets.length > this.limit) this.halve();
  }

  /** Forgets what was after t. */
  truncate(t: number): void {
    while (this.buckets.length > 0 && this.buckets.at(-1)!.to > t) this.buckets.pop();
  }

  reset(): void {
    this.buckets = [];
    this.width = 0;
  }

  columns(q: Quantity): Columns {
    const times = this.buckets.map((b) => b.to / 1e9);
    return [times, this.buckets.map((b) => b.least[q]), this.buckets.map((b) => b.most[q])];
  }

  /** The number at a time, or at the end. */
  at(q: Quantity, t: number): number | null {
    const found = this.buckets.find((b) => b.to >= t) ?? this.buckets.at(-1);
    return found?.most[q] ?? null;
  }

  private halve(): void {
    const fewer: Bucket[] = [];
    for (let k = 0; k < this.buckets.length; k += 2) {
      const [a, b] = [this.buckets[k]!, this.buckets[k + 1]];
      fewer.push(b ? unite(a, b, fewer.at(-1)) : a);
    }
    this.buckets = fewer;
    const span = this.end - this.buckets[0]!.from;
    this.width = Math.max(2 * this.width, span / (this.limit / 2));
  }
}

function bucket(m: Moment, last: Bucket | undefined): Bucket {
  const numbers = {
    instability: 100 * m.instability,
    rate: rate(m.messages, m.t, last),
    components: m.components,
    leaders: m.leaders,
  };
  const { t, messages } = m;
  return { from: t, to: t, messages, least: numbers, most: { ...numbers } };
}

function rate(messages: number, t: number, before: Bucket | undefined): number {
  if (!before || t <= before.to) return 0;
  return (1e9 * Math.max(0, messages - before.messages)) / (t - before.to);
}

/** The rate is that of the whole time; it would grow without bound in short moments. */
function unite(a: Bucket, b: Bucket, before: Bucket | undefined): Bucket {
  const least = { ...a.least };
  const most = { ...a.most };
  for (const q of QUANTITIES) {
    least[q] = Math.min(a.least[q], b.least[q]);
    most[q] = Math.max(a.most[q], b.most[q]);
  }
  least.rate = most.rate = rate(b.messages, b.to, before ?? { ...a, to: a.from });
  return { from: a.from, to: b.to, messages: b.messages, least, most };
}
