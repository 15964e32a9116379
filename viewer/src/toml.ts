// SPDX-License-Identifier: MIT
// Just enough of TOML to show the values of a scenario beside sliders. The server reads the rest.

/** All `table.key = value` of a text, values as they are written. Lists of tables are left out. */
export function tomlValues(text: string): Map<string, string> {
  const values = new Map<string, string>();
  let table: string | null = '';
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    const head = /^(\[\[?)\s*([^\]]+?)\s*\]\]?/.exec(line);
    if (head) {
      table = head[1] === '[[' ? null : `${head[2]}.`;
      continue;
    }
    const pair = /^([\w.-]+)\s*=\s*(.+)$/.exec(line);
    if (pair && table !== null) values.set(table + pair[1], withoutComment(pair[2]));
  }
  return values;
}

function withoutComment(value: string): string {
  const quoted = /^("(?:[^"\\]|\\.)*"|'[^']*')/.exec(value);
  if (quoted) return quoted[1];
  return value.replace(/\s+#.*$/, '').trim();
}

export function unquote(value: string): string {
  return /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value;
}

/** What holds: the text, then what was set on top. */
export function effective(text: string, set: readonly string[]): Map<string, string> {
  const values = tomlValues(text);
  for (const pair of set) {
    const cut = pair.indexOf('=');
    values.set(pair.slice(0, cut), pair.slice(cut + 1));
  }
  return values;
}

const UNITS: Record<string, number> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9, min: 60e9, h: 3600e9 };

/** A duration such as "250 ms" in nanoseconds, or NaN. */
export function duration(value: string): number {
  const m = /^([\d.]+)\s*(ns|us|ms|s|min|h)$/.exec(unquote(value).trim());
  return m ? Number(m[1]) * UNITS[m[2]] : unquote(value).trim() === '0' ? 0 : NaN;
}

export function durationText(ns: number): string {
  if (ns >= 1e9) return `${Number((ns / 1e9).toFixed(3))} s`;
  if (ns >= 1e6) return `${Number((ns / 1e6).toFixed(3))} ms`;
  return `${Math.round(ns / 1e3)} us`;
}

/** The text without one table: options of an algorithm mean nothing to another one. */
export function withoutTable(text: string, table: string): string {
  let inside = false;
  const kept = text.split('\n').filter((line) => {
    const head = /^\s*\[\[?\s*([^\]]+?)\s*\]/.exec(line);
    if (head) inside = head[1] === table || head[1].startsWith(`${table}.`);
    return !inside;
  });
  return kept.join('\n');
}

/** Whether a setting describes the world, not the election in it. */
export function isOfWorld(pair: string): boolean {
  return !/^(algorithm=|options\.)/.test(pair);
}
