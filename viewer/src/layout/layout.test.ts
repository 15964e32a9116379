// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ForceLayout } from './index';

function links(...pairs: [number, number][]): Uint32Array {
  return Uint32Array.from(pairs.flat());
}

function ring(n: number): Uint32Array {
  return links(...Array.from({ length: n }, (_, k): [number, number] => [k, (k + 1) % n]));
}

function grid(side: number): Uint32Array {
  const all: [number, number][] = [];
  for (let v = 0; v < side * side; v++) {
    if ((v + 1) % side) all.push([v, v + 1]);
    if (v + side < side * side) all.push([v, v + side]);
  }
  return links(...all);
}

function settled(n: number, l: Uint32Array): ForceLayout {
  const layout = new ForceLayout(n, l);
  while (layout.step(50));
  return layout;
}

function distance(p: Float32Array, a: number, b: number): number {
  return Math.hypot(p[2 * a]! - p[2 * b]!, p[2 * a + 1]! - p[2 * b + 1]!);
}

function inSquare(p: Float32Array): boolean {
  return p.every((x) => x >= 0 && x <= 1000);
}

test('a ring is a circle', () => {
  const { places } = settled(30, ring(30));
  for (let v = 0; v < 30; v++) {
    const r = Math.hypot(places[2 * v]! - 500, places[2 * v + 1]! - 500);
    assert.ok(Math.abs(r - 460) < 6, `node ${v} at radius ${r}`);
  }
});

test('a grid has links of one length', () => {
  const l = grid(6);
  const { places } = settled(36, l);
  const lengths: number[] = [];
  for (let k = 0; k < l.length; k += 2) lengths.push(distance(places, l[k]!, l[k + 1]!));
  assert.ok(Math.max(...lengths) < 1.3 * Math.min(...lengths));
});

test('components are in the square, and apart', () => {
  const { places } = settled(7, links([0, 1], [1, 2], [3, 4], [4, 5], [5, 3]));
  assert.ok(inSquare(places));
  for (let a = 0; a < 3; a++) for (let b = 3; b < 7; b++) assert.ok(distance(places, a, b) > 50);
});

test('the same network, the same picture, whatever the budget', () => {
  const slow = new ForceLayout(36, grid(6));
  while (slow.step(0));
  assert.deepEqual(slow.places, settled(36, grid(6)).places);
});

test('given places are kept', () => {
  const layout = new ForceLayout(2, links([0, 1]), [[0.25, 0.5], [1, 0]]);
  assert.equal(layout.step(5), false);
  layout.setLinks(links());
  assert.equal(layout.step(5), false);
  assert.deepEqual([...layout.places], [250, 500, 1000, 0]);
});

test('a cut link moves no node, a new one only its ends', () => {
  const layout = settled(12, ring(12));
  const before = layout.places.slice();
  layout.setLinks(ring(12).subarray(0, 22));
  while (layout.step(50));
  assert.deepEqual(layout.places, before);
  layout.setLinks(Uint32Array.from([...ring(12).subarray(0, 22), 0, 6]));
  while (layout.step(50));
  assert.ok(distance(layout.places, 0, 6) < distance(before, 0, 6));
  assert.equal(layout.places[6], before[6]);
});

test('a partition and its healing move no node', () => {
  const all = links(...Array.from({ length: 12 }, (_, a) =>
    Array.from({ length: a }, (_, b): [number, number] => [a, b])).flat());
  const layout = settled(12, all);
  const before = layout.places.slice();
  for (const l of [links([0, 1], [2, 3]), links(), all]) {
    layout.setLinks(l);
    while (layout.step(50));
    assert.deepEqual(layout.places, before);
  }
});

test('links where there were none begin anew', () => {
  const layout = settled(8, links());
  layout.setLinks(ring(8));
  while (layout.step(50));
  assert.deepEqual(layout.places, settled(8, ring(8)).places);
});

test('a newcomer finds a place beside its neighbour', () => {
  const layout = settled(12, ring(12));
  layout.setCount(13);
  layout.release(12);
  layout.setLinks(Uint32Array.from([...ring(12), 3, 12]));
  while (layout.step(50));
  assert.equal(layout.places.length, 26);
  assert.ok(inSquare(layout.places));
  assert.ok(distance(layout.places, 3, 12) < 400);
  layout.setCount(12);
  assert.equal(layout.places.length, 24);
});

test('a held node is where it is held, and stays there', () => {
  const layout = settled(12, ring(12));
  layout.hold(5, 100, 120);
  layout.step(5);
  layout.release(5);
  layout.step(5);
  assert.deepEqual([layout.places[10], layout.places[11]], [100, 120]);
});

test('nothing, one node, loops and links to no node', () => {
  assert.equal(settled(0, links()).places.length, 0);
  const { places } = settled(1, links([0, 0], [0, 9]));
  assert.ok(Math.abs(places[0]! - 500) < 1 && Math.abs(places[1]! - 500) < 1);
});

test('twenty thousand nodes are no trouble', { timeout: 60000 }, () => {
  const l = grid(142);
  const { places } = settled(142 * 142, l);
  assert.ok(inSquare(places));
  assert.ok(distance(places, 0, 142 * 142 - 1) > 1000);
});
