// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Moment } from '../model';
import { History } from './history';
import { clock, compact } from './text';

function moment(t: number, messages: number, part: Partial<Moment> = {}): Moment {
  return {
    t, n: 0, events: 0, messages, components: 1, leaders: 1, instability: 0,
    leader: new Uint32Array(), component: new Uint32Array(), state: new Uint8Array(),
    places: new Float32Array(), rank: null, head: null, links: new Uint32Array(),
    wireless: new Uint8Array(), direction: null, rest: false, ended: null, violation: null, ...part,
  };
}

test('the rate is messages over time', () => {
  const h = new History();
  h.push(moment(0, 0));
  h.push(moment(1e9, 30));
  h.push(moment(3e9, 40));
  assert.deepEqual(h.columns('rate')[2], [0, 30, 5]);
});

test('hours take no more room than seconds, and keep their peaks', () => {
  const h = new History(100);
  for (let k = 0; k <= 100000; k++) {
    h.push(moment(k * 1e7, 2 * k, { instability: k === 54321 ? 0.5 : 0 }));
  }
  const [times, , most] = h.columns('instability');
  assert.ok(times.length <= 100 && times.length > 30);
  assert.equal(Math.max(...most), 50);
  assert.equal(times.at(-1), 1000);
  assert.ok(h.columns('rate')[2].slice(1).every((r) => Math.abs(r - 200) < 1));
});

test('times rise', () => {
  const h = new History(50);
  for (let k = 0; k < 5000; k++) h.push(moment(k * k, k));
  const [times] = h.columns('leaders');
  times.forEach((t, k) => assert.ok(k === 0 || t > times[k - 1]!));
});

test('only a word makes it forget', () => {
  const h = new History();
  for (let k = 0; k < 10; k++) h.push(moment(k * 1e9, k));
  h.push(moment(2e9, 2, { leaders: 3 }));
  assert.equal(h.columns('leaders')[0].length, 10);
  h.truncate(4e9);
  assert.deepEqual(h.columns('leaders')[0], [0, 1, 2, 3, 4]);
  h.push(moment(5e9, 2, { leaders: 3 }));
  assert.deepEqual([h.at('leaders', 4e9), h.at('leaders', 5e9), h.at('leaders', 9e9)], [1, 3, 3]);
  h.reset();
  assert.equal(h.at('leaders', 0), null);
});

test('numbers', () => {
  assert.deepEqual([0, 0.0123, 1, 2.5, 17, 1234, 56789, 2.5e6].map(compact),
    ['0', '0.012', '1', '2.5', '17', '1234', '56.8k', '2.5M']);
  assert.deepEqual([clock(0.02, 0.5), clock(4, 60), clock(200, 300), clock(3900, 7200)],
    ['20 ms', '4 s', '3:20', '1:05:00']);
});
