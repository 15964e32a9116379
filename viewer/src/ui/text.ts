// SPDX-License-Identifier: MIT
// Numbers as people read them.

const SECOND = 1e9;

/** A time of the run. */
export function time(ns: number): string {
  if (!Number.isFinite(ns)) return '–';
  if (ns >= 3600 * SECOND) return clock(ns);
  if (ns >= 100 * SECOND) return `${(ns / SECOND).toFixed(1)} s`;
  if (ns >= SECOND) return `${(ns / SECOND).toFixed(3)} s`;
  if (ns >= 1e6) return `${trim(ns / 1e6)} ms`;
  if (ns === 0) return '0 s';
  return `${trim(ns / 1e3)} µs`;
}

function clock(ns: number): string {
  const s = Math.floor(ns / SECOND);
  const two = (v: number) => String(v).padStart(2, '0');
  return `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)} h`;
}

function trim(v: number): string {
  return v >= 100 ? v.toFixed(1) : v.toFixed(2);
}

/** A duration, short. */
export function span(ns: number): string {
  if (ns >= 10 * SECOND) return `${Math.round(ns / SECOND)} s`;
  if (ns >= SECOND) return `${(ns / SECOND).toFixed(1)} s`;
  if (ns >= 1e6) return `${Math.round(ns / 1e6)} ms`;
  return `${Math.round(ns / 1e3)} µs`;
}

export function count(v: number): string {
  if (v >= 1e9) return `${(v / 1e9).toFixed(2)} G`;
  if (v >= 1e7) return `${(v / 1e6).toFixed(1)} M`;
  return Math.round(v).toLocaleString('en-US');
}

export function percent(share: number): string {
  const p = share * 100;
  return p === 0 ? '0 %' : p < 1 ? `${p.toFixed(1)} %` : `${Math.round(p)} %`;
}

export function speed(v: number): string {
  if (v === Infinity) return 'max';
  if (v >= 1) return `${v >= 10 ? Math.round(v) : Number(v.toFixed(1))}×`;
  return v > 0.6 ? `${Number(v.toFixed(1))}×` : `1/${Math.round(1 / v)}`;
}

/** Speeds on a slider from 0 to 100: logarithmic, and at its end as fast as possible. */
const SLOWEST = 1 / 1000;
const FASTEST = 100;
const LAST = 97;

export function speedOfSlider(position: number): number {
  if (position > LAST) return Infinity;
  const exact = SLOWEST * (FASTEST / SLOWEST) ** (position / LAST);
  return niceSpeed(exact);
}

export function sliderOfSpeed(v: number): number {
  if (v === Infinity) return 100;
  const share = Math.log(v / SLOWEST) / Math.log(FASTEST / SLOWEST);
  return Math.min(LAST, Math.max(0, LAST * share));
}

/** 1, 1.5, 2, 3, 5 or 7 times a power of ten, or one over it: what is easy to say. */
export function niceSpeed(v: number): number {
  const whole = v >= 1 ? v : 1 / v;
  const power = 10 ** Math.floor(Math.log10(whole) + 1e-9);
  const lead = whole / power;
  const steps = [1, 1.5, 2, 3, 5, 7, 10];
  const best = steps.reduce((a, b) => (Math.abs(b - lead) < Math.abs(a - lead) ? b : a));
  return v >= 1 ? best * power : 1 / (best * power);
}
