// SPDX-License-Identifier: MIT
// Numbers as people read them.

/** 0.25, 17, 1.2k, 3.4M */
export function compact(x: number): string {
  const size = Math.abs(x);
  if (size >= 999950) return trim((x / 1e6).toFixed(1)) + 'M';
  if (size >= 9999.5) return trim((x / 1e3).toFixed(size < 99950 ? 1 : 0)) + 'k';
  if (size >= 100) return x.toFixed(0);
  if (size >= 10) return trim(x.toFixed(1));
  if (size >= 0.995 || size === 0) return trim(x.toFixed(2));
  return trim(x.toPrecision(2));
}

/** Seconds in a unit that suits the end of the axis: 20 ms, 4 s, 3:20, 1:05:00. */
export function clock(seconds: number, end: number): string {
  if (seconds === 0) return '0';
  if (end < 0.001) return `${trim((seconds * 1e6).toFixed(1))} µs`;
  if (end < 1) return `${trim((seconds * 1e3).toFixed(end < 0.02 ? 1 : 0))} ms`;
  if (end < 120) return `${trim(seconds.toFixed(end < 5 ? 1 : 0))} s`;
  const whole = Math.round(seconds);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (x: number) => String(x).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

function trim(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
