// SPDX-License-Identifier: MIT
// A small encoder of animated GIFs: one palette for all frames, and only what has changed is stored.

export interface Frame {
  pixels: Uint8ClampedArray; // r, g, b, a, row by row
  delay: number; // ms
}

const CLEAR = 255; // index that stands for "as before"

export function gif(width: number, height: number, frames: Frame[]): Uint8Array<ArrayBuffer> {
  const palette = choosePalette(frames);
  const nearest = lookup(palette);
  const out: number[] = [...text('GIF89a'), ...word(width), ...word(height), 0xf7, 0, 0];
  for (let k = 0; k < 256; k++) out.push(...(palette[k] ?? [0, 0, 0]));
  out.push(0x21, 0xff, 11, ...text('NETSCAPE2.0'), 3, 1, ...word(0), 0); // repeats endlessly
  const parts: Uint8Array[] = [Uint8Array.from(out)];
  let before: Uint8Array | null = null;
  for (const frame of frames) {
    const now = indices(frame.pixels, nearest);
    parts.push(encode(width, height, frame.delay, changed(now, before)));
    before = now;
  }
  parts.push(Uint8Array.of(0x3b));
  return joined(parts);
}

function encode(width: number, height: number, delay: number, pixels: Uint8Array): Uint8Array {
  const hundredths = Math.max(2, Math.round(delay / 10));
  const control = [0x21, 0xf9, 4, 0x05, ...word(hundredths), CLEAR, 0];
  const place = [0x2c, ...word(0), ...word(0), ...word(width), ...word(height), 0, 8];
  const packed = lzw(pixels);
  const out: Uint8Array[] = [Uint8Array.from([...control, ...place])];
  for (let k = 0; k < packed.length; k += 255) {
    const piece = packed.subarray(k, k + 255);
    out.push(Uint8Array.of(piece.length), piece);
  }
  out.push(Uint8Array.of(0));
  return joined(out);
}

/** Codes of 9 to 12 bits; strings are numbers in a table: prefix and next byte. */
export function lzw(pixels: Uint8Array): Uint8Array {
  const bits = new BitWriter();
  const clear = 256;
  let table = new Map<number, number>();
  let [next, size] = [258, 9];
  bits.write(clear, size);
  let prefix = pixels[0] ?? 0;
  for (let k = 1; k < pixels.length; k++) {
    const key = prefix * 256 + pixels[k];
    const known = table.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    bits.write(prefix, size);
    prefix = pixels[k];
    if (next === 4096) {
      bits.write(clear, size);
      table = new Map();
      [next, size] = [258, 9];
      continue;
    }
    if (next === 1 << size) size++;
    table.set(key, next++);
  }
  if (pixels.length > 0) bits.write(prefix, size);
  // The reader has entered one string more by now.
  bits.write(257, next === 1 << size && size < 12 ? size + 1 : size);
  return bits.done();
}

class BitWriter {
  private bytes: number[] = [];
  private held = 0;
  private count = 0;

  write(code: number, size: number): void {
    this.held |= code << this.count;
    this.count += size;
    for (; this.count >= 8; this.count -= 8) {
      this.bytes.push(this.held & 255);
      this.held >>>= 8;
    }
  }

  done(): Uint8Array {
    if (this.count > 0) this.bytes.push(this.held & 255);
    return Uint8Array.from(this.bytes);
  }
}

/** The most frequent colours, and an even spread for the rest. */
function choosePalette(frames: Frame[]): [number, number, number][] {
  const counts = new Uint32Array(32768);
  for (const { pixels } of frames) {
    for (let k = 0; k < pixels.length; k += 4) counts[coarse(pixels, k)]++;
  }
  const used = [...counts.keys()].filter((c) => counts[c] > 0);
  used.sort((a, b) => counts[b] - counts[a] || a - b);
  const palette = used.slice(0, 207).map(fine);
  for (const r of [0, 85, 170, 255]) {
    for (const g of [0, 85, 170, 255]) for (const b of [0, 128, 255]) palette.push([r, g, b]);
  }
  return palette;
}

function coarse(pixels: Uint8ClampedArray, k: number): number {
  return ((pixels[k] >> 3) << 10) | ((pixels[k + 1] >> 3) << 5) | (pixels[k + 2] >> 3);
}

function fine(c: number): [number, number, number] {
  const wide = (x: number) => (x << 3) | (x >> 2);
  return [wide(c >> 10), wide((c >> 5) & 31), wide(c & 31)];
}

/** The index of the nearest colour; each is looked for once. */
function lookup(palette: [number, number, number][]): (c: number) => number {
  const known = new Int16Array(32768).fill(-1);
  return (c) => {
    if (known[c] >= 0) return known[c];
    const [r, g, b] = fine(c);
    let [best, least] = [0, Infinity];
    palette.forEach(([pr, pg, pb], k) => {
      const d = 3 * (pr - r) ** 2 + 4 * (pg - g) ** 2 + 2 * (pb - b) ** 2;
      if (d < least) [best, least] = [k, d];
    });
    return (known[c] = best);
  };
}

function indices(pixels: Uint8ClampedArray, nearest: (c: number) => number): Uint8Array {
  const found = new Uint8Array(pixels.length / 4);
  for (let k = 0; k < found.length; k++) found[k] = nearest(coarse(pixels, 4 * k));
  return found;
}

function changed(now: Uint8Array, before: Uint8Array | null): Uint8Array {
  return before ? now.map((c, k) => (c === before[k] ? CLEAR : c)) : now;
}

function text(letters: string): number[] {
  return [...letters].map((c) => c.charCodeAt(0));
}

function word(x: number): number[] {
  return [x & 255, (x >> 8) & 255];
}

function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
