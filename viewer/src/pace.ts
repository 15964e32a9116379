// SPDX-License-Identifier: MIT
// Whether a run keeps the speed that was chosen.

const WINDOW = 1500; // ms of the watcher
const KEPT = 0.7; // of the speed: less than this is worth a word

interface Look {
  now: number; // ms of the watcher
  clock: number; // ns of the run
  events: number;
}

export class PaceMeter {
  private looks: Look[] = [];

  reset(): void {
    this.looks = [];
  }

  /** Events per second where the run is slower than `speed` (0: as fast as possible); else 0. */
  note(now: number, clock: number, events: number, speed: number): number {
    const last = this.looks[this.looks.length - 1];
    if (last && (clock < last.clock || events < last.events)) this.reset();
    this.looks.push({ now, clock, events });
    while (this.looks.length > 2 && now - this.looks[1].now >= WINDOW) this.looks.shift();
    const first = this.looks[0];
    const passed = now - first.now;
    if (passed < WINDOW || speed <= 0) return 0;
    const kept = (clock - first.clock) / 1e6 / (passed * speed);
    return kept < KEPT ? Math.max(1, (1000 * (events - first.events)) / passed) : 0;
  }
}
