// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gif, lzw, type Frame } from './gif';

/** A plain reader of what lzw writes. */
function unpack(bytes: Uint8Array): number[] {
  const out: number[] = [];
  let [at, size] = [0, 9];
  let table: number[][] = [];
  let before: number[] | null = null;
  const fresh = () => {
    table = Array.from({ length: 258 }, (_, k) => [k]);
    [size, before] = [9, null];
  };
  fresh();
  for (;;) {
    let code = 0;
    for (let b = 0; b < size; b++, at++) code |= ((bytes[at >> 3] >> (at & 7)) & 1) << b;
    if (code === 257) return out;
    if (code === 256) {
      fresh();
      continue;
    }
    const entry: number[] = table[code] ?? [...(before ?? []), (before ?? [0])[0]];
    for (const c of entry) out.push(c);
    if (before && table.length < 4096) table.push([...before, entry[0]]);
    if (table.length === 1 << size && size < 12) size++;
    before = entry;
  }
}

function noise(length: number, colours: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 16) % colours;
  });
}

test('what is packed can be unpacked', () => {
  for (const length of [1, 2, 3, 255, 256, 257, 510, 511, 512, 3838, 3839, 3840, 20000]) {
    for (const colours of [1, 2, 7, 256]) {
      const pixels = noise(length, colours);
      assert.deepEqual(unpack(lzw(pixels)), [...pixels], `${length} pixels, ${colours} colours`);
    }
  }
});

function frame(width: number, height: number, grey: number): Frame {
  return { pixels: new Uint8ClampedArray(4 * width * height).fill(grey), delay: 100 };
}

test('a film has its size, its palette, its frames and its end', () => {
  const film = gif(3, 2, [frame(3, 2, 0), frame(3, 2, 255)]);
  assert.equal(new TextDecoder().decode(film.subarray(0, 6)), 'GIF89a');
  assert.deepEqual([...film.subarray(6, 10)], [3, 0, 2, 0]);
  assert.deepEqual([...film.subarray(13, 19)], [0, 0, 0, 255, 255, 255]);
  assert.equal(film[film.length - 1], 0x3b);
});

test('a frame like the one before costs little', () => {
  const once = gif(100, 100, [frame(100, 100, 9)]);
  const twice = gif(100, 100, [frame(100, 100, 9), frame(100, 100, 9)]);
  assert.ok(twice.length - once.length < 250);
});
