// SPDX-License-Identifier: MIT
// The messages under way, in columns: there may be tens of thousands.
import { FLIGHT_DOUBLES, FLIGHT_WORDS, type RawFlights } from './frame';
import type { Flight } from './model';

/** More than this cannot be seen; the oldest go first. */
const MOST = 30000;

export class Flights {
  count = 0;
  from = new Uint32Array(256);
  to = new Uint32Array(256);
  kind = new Uint32Array(256);
  fate = new Uint8Array(256);
  sent = new Float64Array(256);
  arrives = new Float64Array(256);
  serial = new Float64Array(256);
  carries = new Float64Array(256); // the id of a token, or -1

  clear(): void {
    this.count = 0;
  }

  /** With `known`: some of them may be here already. */
  add(raw: RawFlights, known = false): void {
    const here = known ? new Set(this.serial.subarray(0, this.count)) : null;
    const first = Math.max(0, raw.count - MOST);
    const fresh = raw.count - first;
    if (this.count + fresh > MOST) this.dropOldest(this.count + fresh - MOST);
    this.reserve(this.count + fresh);
    for (let i = first; i < raw.count; i++) {
      const word = FLIGHT_WORDS * i;
      const double = FLIGHT_DOUBLES * i;
      if (here?.has(raw.doubles[double + 4])) continue;
      const k = this.count++;
      this.from[k] = raw.words[word];
      this.to[k] = raw.words[word + 1];
      this.kind[k] = raw.words[word + 2];
      this.fate[k] = raw.words[word + 3];
      this.sent[k] = raw.doubles[double + 2];
      this.arrives[k] = raw.doubles[double + 3];
      this.serial[k] = raw.doubles[double + 4];
      this.carries[k] = raw.doubles[double + 5];
    }
  }

  /** Forgets what arrived before `t` and, after a jump back, what is sent after `until`. */
  prune(t: number, until = Infinity): void {
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      if (this.arrives[i] >= t && this.sent[i] <= until) this.copy(i, kept++);
    }
    this.count = kept;
  }

  /** The latest arrival of what is under way at `t`, or 0. */
  lastArrival(t: number): number {
    let last = 0;
    for (let i = 0; i < this.count; i++) {
      if (this.sent[i] <= t && this.arrives[i] > t) last = Math.max(last, this.arrives[i]);
    }
    return last;
  }

  at(i: number): Flight {
    return {
      from: this.from[i],
      to: this.to[i],
      kind: this.kind[i],
      fate: this.fate[i] as Flight['fate'],
      sent: this.sent[i],
      arrives: this.arrives[i],
      serial: this.serial[i],
      carries: this.carries[i],
    };
  }

  /** Those that are on their way at `t`, as objects. */
  under(t: number): Flight[] {
    const list: Flight[] = [];
    for (let i = 0; i < this.count; i++) {
      if (this.sent[i] <= t && this.arrives[i] > t) list.push(this.at(i));
    }
    return list;
  }

  private dropOldest(excess: number): void {
    const from = Math.min(excess, this.count);
    for (let i = from; i < this.count; i++) this.copy(i, i - from);
    this.count -= from;
  }

  private copy(from: number, to: number): void {
    if (from === to) return;
    this.from[to] = this.from[from];
    this.to[to] = this.to[from];
    this.kind[to] = this.kind[from];
    this.fate[to] = this.fate[from];
    this.sent[to] = this.sent[from];
    this.arrives[to] = this.arrives[from];
    this.serial[to] = this.serial[from];
    this.carries[to] = this.carries[from];
  }

  private reserve(size: number): void {
    if (size <= this.from.length) return;
    const room = Math.max(size, 2 * this.from.length);
    const grow = <T extends Uint32Array | Uint8Array | Float64Array>(old: T): T => {
      const bigger = new (old.constructor as new (n: number) => T)(room);
      bigger.set(old);
      return bigger;
    };
    this.from = grow(this.from);
    this.to = grow(this.to);
    this.kind = grow(this.kind);
    this.fate = grow(this.fate);
    this.sent = grow(this.sent);
    this.arrives = grow(this.arrives);
    this.serial = grow(this.serial);
    this.carries = grow(this.carries);
  }
}
