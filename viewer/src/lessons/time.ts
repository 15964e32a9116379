// SPDX-License-Identifier: MIT

/** Nanoseconds as people read them: 250 ms, 12.4 s, 2:05. */
export function readable(ns: number): string {
  if (ns > 0 && ns < 1e9) return `${Math.round(ns / 1e6)} ms`;
  if (ns < 120e9) return `${(ns / 1e9).toFixed(1)} s`;
  const whole = Math.floor(ns / 1e9);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
