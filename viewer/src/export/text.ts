// SPDX-License-Identifier: MIT
// Numbers and names as the formats want them.

/** With this number of digits behind the point, and never -0. */
export function fixed(x: number, digits: number): string {
  const text = (Number.isFinite(x) ? x : 0).toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text;
}

export function xml(text: string): string {
  const names: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  // XML has no way to write most control characters.
  const clean = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '\ufffd');
  return clean.replace(/[&<>"']/g, (c) => names[c] ?? c);
}

export function tex(text: string): string {
  const names: Record<string, string> = {
    '\\': '\\textbackslash{}',
    '~': '\\textasciitilde{}',
    '^': '\\textasciicircum{}',
    '<': '\\textless{}',
    '>': '\\textgreater{}',
    '\n': ' ',
  };
  return text.replace(/[\\~^<>\n]|[#$%&_{}]/g, (c) => names[c] ?? '\\' + c);
}

/** Between double quotes, with backslashes before what would end them. */
export function quoted(text: string): string {
  return '"' + text.replace(/[\\"]/g, (c) => '\\' + c).replace(/\s+/g, ' ') + '"';
}

/** Times are nanoseconds of the run. */
export function seconds(t: number): string {
  return fixed(t / 1e9, 6);
}

/** 12.5 ms, 3.2 s */
export function readable(t: number): string {
  const trim = (x: number, digits: number) => String(Number(x.toFixed(digits)));
  if (t < 1e6) return `${trim(t / 1e3, 1)} µs`;
  if (t < 1e9) return `${trim(t / 1e6, 1)} ms`;
  return `${trim(t / 1e9, 2)} s`;
}
