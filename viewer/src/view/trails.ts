// SPDX-License-Identifier: MIT
// Where moving nodes came from: their last places, fading.

const LENGTH = 30;
const MOST_NODES = 3000;

export class Trails {
  rows = new Float32Array(0);
  private readonly past: { t: number; places: Float32Array }[] = [];

  /** Remembers places about every `gap` ns of the run. */
  push(t: number, places: Float32Array, gap: number): void {
    const last = this.past[this.past.length - 1];
    if (last && (t < last.t || last.places.length !== places.length)) this.past.length = 0;
    if (last && this.past.length && t - last.t < gap) return;
    this.past.push({ t, places: places.slice(0, 2 * MOST_NODES) });
    if (this.past.length > LENGTH) this.past.shift();
  }

  clear(): void {
    this.past.length = 0;
  }

  /** Fills `rows` with x, y, x, y; node, age, 0, 0. Returns how many. */
  write(): number {
    const steps = this.past.length - 1;
    if (steps < 1) return 0;
    const n = this.past[0].places.length / 2;
    if (this.rows.length < 8 * n * steps) this.rows = new Float32Array(8 * n * LENGTH);
    let k = 0;
    for (let s = 0; s < steps; s++) {
      const a = this.past[s].places;
      const b = this.past[s + 1].places;
      const age = 1 - (s + 1) / (steps + 1);
      for (let i = 0; i < n; i++) {
        if (a[2 * i] === b[2 * i] && a[2 * i + 1] === b[2 * i + 1]) continue;
        this.rows.set([a[2 * i], a[2 * i + 1], b[2 * i], b[2 * i + 1], i, age], k);
        k += 8;
      }
    }
    return k / 8;
  }
}
