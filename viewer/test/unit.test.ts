// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Camera, boxOf, stretchOf } from '../src/camera';
import { Flights } from '../src/flights';
import { decodeFrame, FLIGHT_WORDS, momentOf } from '../src/frame';
import { crossings, onOneSide, simplify, type Point } from '../src/geometry';
import { History, marks } from '../src/history';
import { decodeShared, encodeShared } from '../src/link';
import { ALIVE, LEADS, NO_NODE, type Moment, type Stage } from '../src/model';
import { LeaderColours, LEADER_COLOURS } from '../src/palette';
import { mergeKinds, mergeSet } from '../src/run';
import { duration, durationText, effective, tomlValues, withoutTable } from '../src/toml';
import { PaceMeter } from '../src/pace';
import { companions, knobs } from '../src/ui/knobs';
import { leaderText } from '../src/ui/log';
import { agreement } from '../src/ui/summary';
import * as text from '../src/ui/text';
import { fewer } from '../src/ui/dialogs';
import { timerName } from '../src/ui/inspector';
import { stateText } from '../src/ui/timeline';
import { mapsIn } from '../src/ui/tree';
import { flightAt } from '../src/view/flight_rows';
import { hull } from '../src/view/hull';
import { majorities, Scene } from '../src/view/scene';
import { CODE } from '../src/view/shaders';
import { algorithmText, counted } from '../src/words';
import { catalogue, config, defaultScenario } from './mock_catalogue.mjs';
import { Toy } from './toy.mjs';
import { frame } from './toy_frame.mjs';

const refuse = (why: string) => new Error(why);

test('a frame is read as it was written', () => {
  const toy = new Toy(
    config(defaultScenario, ['toy.ranked=true', 'toy.heights=true'], refuse),
    [],
  );
  toy.runTo(3e8);
  const sent = toy.flights.length;
  const raw = decodeFrame(frame(toy, true));
  assert.equal(raw.n, 60);
  assert.equal(raw.t, 3e8);
  assert.equal(raw.links?.length, 2 * toy.links.length);
  assert.equal(raw.wireless?.length, toy.links.length);
  assert.equal(raw.direction?.length, toy.links.length);
  assert.equal(raw.rank?.length, 60);
  assert.equal(raw.flights.count, sent);
  const flights = new Flights();
  flights.add(raw.flights);
  assert.deepEqual({ ...flights.at(0) }, { ...toy.flights[0] });
  const [x, y] = toy.place(toy.nodes[7]);
  assert.ok(Math.abs(raw.places![14] - x) < 1e-3 && Math.abs(raw.places![15] - y) < 1e-3);
});

test('what a frame leaves out is as it was', () => {
  const toy = new Toy(config(defaultScenario, [], refuse), []);
  toy.runTo(1e8);
  const first = momentOf(decodeFrame(frame(toy, true)), {}, null);
  toy.runTo(1.05e8);
  const next = momentOf(decodeFrame(frame(toy, false), first.wireless.length), {}, first);
  assert.equal(next.links, first.links);
  assert.equal(next.wireless, first.wireless);
  assert.notEqual(next.places, first.places);
});

test('bad frames are refused', () => {
  assert.throws(() => decodeFrame(new ArrayBuffer(8)), /cut short/);
  assert.throws(() => decodeFrame(new ArrayBuffer(64)), /no frame/);
  const toy = new Toy(config(defaultScenario, [], refuse), []);
  assert.throws(() => decodeFrame(frame(toy, true).slice(0, 200)), /cut short/);
});

test('flights are forgotten when they have arrived', () => {
  const flights = new Flights();
  const words = new Uint32Array(2 * FLIGHT_WORDS);
  words.set([0, 1, 2, 0]);
  words.set([3, 4, 0, 1], FLIGHT_WORDS);
  const doubles = Float64Array.from([0, 0, 10, 20, 7, 42, 0, 0, 30, 50, 8, -1]);
  flights.add({ count: 2, words, doubles });
  assert.equal(flights.lastArrival(15), 20);
  assert.deepEqual(
    flights.under(15).map((f) => f.carries),
    [42],
  );
  flights.add({ count: 2, words, doubles }, true);
  assert.equal(flights.count, 2);
  flights.prune(25);
  assert.equal(flights.count, 1);
  assert.equal(flights.at(0).serial, 8);
  flights.prune(0, 20);
  assert.equal(flights.count, 0);
});

const moment = (t: number, more: Partial<Moment> = {}) =>
  ({ t, instability: 0, leaders: 1, violation: null, ...more }) as Moment;

test('events that come again are taken once', () => {
  const history = new History();
  const crash = { t: 5, kind: 'crash' as const, node: 1 };
  assert.equal(history.take([crash], moment(10)).length, 1);
  assert.equal(history.take([crash], moment(8)).length, 0);
  assert.equal(history.known, 10);
  history.truncate(4);
  assert.equal(history.events.length, 0);
  assert.equal(history.take([crash], moment(10)).length, 1);
});

test('a violation is remembered until the run goes another way', () => {
  const history = new History();
  history.take([], moment(12, { violation: 'two leaders' }));
  assert.deepEqual(history.violation, { t: 12, text: 'two leaders' });
  assert.equal(marks(history, [], 1)[0].kind, 'violation');
  history.truncate(3);
  assert.equal(history.violation, null);
});

test('marks that are near become one', () => {
  const history = new History();
  const leader = (t: number) => ({ t, kind: 'leader' as const, node: 0, was: -1, now: t });
  history.take([leader(1), leader(2), leader(3), leader(50)], moment(60));
  const list = marks(history, [{ kind: 'crash', node: 3, at: 20 }], 5);
  assert.deepEqual(
    list.map((m) => [m.t, m.kind, m.count]),
    [
      [1, 'election', 3],
      [20, 'action', 1],
      [50, 'election', 1],
    ],
  );
});

test('the leaders with most followers never share a colour', () => {
  const colours = new LeaderColours();
  const leader = new Uint32Array(60).fill(NO_NODE);
  leader.set([3, 3, 3, 13, 13, 23]);
  colours.update(leader, () => true);
  const seen = new Set([3, 13, 23].map((k) => colours.of(k)));
  assert.equal(seen.size, 3);
  const before = colours.of(3);
  leader.set([3, 13, 23, 33, 43, 53]);
  colours.update(leader, () => true);
  assert.equal(colours.of(3), before);
  assert.ok(!LEADER_COLOURS.includes(colours.of(NO_NODE)));
});

test('a line has two sides, and a loop an inside', () => {
  const points: Point[] = [
    [0, 0],
    [10, 0],
    [0, 10],
    [10, 10],
  ];
  const across: Point[] = [
    [5, -1],
    [5, 4],
    [5, 11],
  ];
  const group = onOneSide(across, points, 100);
  assert.ok(group.join() === '0,2' || group.join() === '1,3');
  const loop: Point[] = [
    [-2, -2],
    [3, -2],
    [3, 3],
    [-2, 3],
    [-2, -1.8],
  ];
  assert.deepEqual(onOneSide(loop, points, 100), [0]);
  assert.equal(crossings(across, [0, 5], [10, 5]), 1);
  assert.equal(
    simplify(
      [
        [0, 0],
        [0.1, 0],
        [5, 0],
      ],
      1,
    ).length,
    2,
  );
});

test('scenario values are found where they are written', () => {
  const values = tomlValues(
    'name = "a # b" # note\n[radio]\nrange = 60 # metres\n[[change]]\nat = "2 s"\n',
  );
  assert.equal(values.get('name'), '"a # b"');
  assert.equal(values.get('radio.range'), '60');
  assert.equal(values.has('change.at'), false);
  assert.equal(effective('seed = 1', ['seed=7']).get('seed'), '7');
  assert.equal(
    withoutTable('a = 1\n[options]\nb = 2\n[radio]\nc = 3', 'options'),
    'a = 1\n[radio]\nc = 3',
  );
  assert.equal(duration('"2.5 ms"'), 2.5e6);
  assert.equal(duration(durationText(1.5e9)), 1.5e9);
  assert.ok(Number.isNaN(duration('60')));
});

test('later values win over earlier ones', () => {
  assert.deepEqual(mergeSet(['a=1', 'b=2'], ['a=3']), ['b=2', 'a=3']);
  assert.deepEqual(mergeKinds(['Claim'], ['Reject']), ['Claim', 'Reject']);
  assert.deepEqual(mergeKinds(['Claim', 'Reject'], ['Claim']), ['Claim', 'Reject']);
  assert.deepEqual(mergeKinds(['A', 'B'], ['B', 'C']), ['A', 'B', 'C']);
  assert.deepEqual(mergeKinds(['A', 'C', 'B'], ['A', 'B']), ['A', 'B']);
});

test('a link brings back what was on screen', async () => {
  const shared = {
    toml: defaultScenario,
    set: ['seed=3'],
    actions: [{ kind: 'crash' as const, node: 4, at: 7 }],
    t: 9e9,
  };
  const hash = await encodeShared(shared);
  assert.match(hash, /^v1\.[\w-]+$/);
  assert.deepEqual(await decodeShared(`http://127.0.0.1:1/#${hash}`), shared);
  assert.equal(await decodeShared('#v1.nonsense'), null);
  assert.equal(await decodeShared('#other'), null);
});

test('speeds are said simply', () => {
  assert.equal(text.speed(1), '1×');
  assert.equal(text.speed(0.02), '1/50');
  assert.equal(text.speed(Infinity), 'max');
  assert.equal(text.speedOfSlider(100), Infinity);
  assert.equal(text.speedOfSlider(text.sliderOfSpeed(1)), 1);
  assert.equal(text.time(1234567890), '1.235 s');
  assert.equal(text.time(2.5e6), '2.50 ms');
});

test('the camera keeps the point under the pointer', () => {
  const camera = new Camera();
  const before = camera.toPlane(100, 50, 800, 600);
  camera.zoomAt(2, 100, 50, 800, 600);
  const after = camera.toPlane(100, 50, 800, 600);
  assert.ok(Math.abs(before[0] - after[0]) < 1e-9 && Math.abs(before[1] - after[1]) < 1e-9);
  camera.fit({ left: 0, top: 0, right: 10, bottom: 10 }, 800, 600);
  assert.deepEqual(camera.toScreen(5, 5, 800, 600), [400, 300]);
  assert.equal(boxOf(new Float32Array(0)), null);
});

test('a hull has only outer points', () => {
  const square: Point[] = [
    [0, 0],
    [4, 0],
    [4, 4],
    [0, 4],
    [2, 2],
  ];
  assert.equal(hull(square).length, 4);
});

const two = (leader: number[], component: number[], state: number[]) =>
  ({
    n: leader.length,
    leader: Uint32Array.from(leader),
    component: Uint32Array.from(component),
    state: Uint8Array.from(state),
    rank: null,
  }) as Moment;

test('who disagrees with most of its component is marked', () => {
  const m = two([1, 1, 1, 0, 4, 9], [0, 0, 0, 0, 4, NO_NODE], [1, 3, 1, 1, 3, 0]);
  const best = majorities(m);
  assert.equal(best[0], 1);
  assert.equal(best[4], 4);
  const later = two([0, 2, 2, 2], [0, 0, 0, 0], [1, 1, 3, 1]);
  assert.equal(majorities(later)[0], 2, 'not merely the first one');
  const scene = new Scene(new LeaderColours());
  const none = { selected: new Set([2]), hover: -1, focus: null };
  scene.restyle({ kinds: null } as Stage, m, none);
  assert.deepEqual(
    [0, 1, 2, 3, 4].filter((i) => scene.differs(i)),
    [3],
  );
  assert.equal(scene.data[4 * 2 + 3] & CODE.selected, CODE.selected);
  assert.equal(scene.data[4 * 1 + 3] & CODE.leads, CODE.leads);
  assert.ok(m.state[1] & LEADS && m.state[0] & ALIVE);
});

test('a lost message ends half way', () => {
  const flights = new Flights();
  const words = Uint32Array.from([0, 1, 0, 1, 0, 0, 0, 0, 0, 0]);
  flights.add({ count: 1, words, doubles: Float64Array.from([0, 0, 100, 200, 1]) });
  const look = {
    messages: true,
    hiddenKinds: new Set<number>(),
    dark: false,
    shortest: 0,
    fade: 80,
  };
  assert.equal(flightAt(flights, 0, 90, look).progress, -1);
  assert.equal(flightAt(flights, 0, 130, look).progress, 0.3);
  assert.deepEqual(
    { ...flightAt(flights, 0, 190, look) },
    { progress: 0.5, lost: true, alpha: 0.5 },
  );
  assert.equal(flightAt(flights, 0, 400, look).progress, -1);
  assert.equal(flightAt(flights, 0, 130, { ...look, hiddenKinds: new Set([0]) }).progress, -1);
});

test('sliders know their values and what changes with them', () => {
  const stage = { moves: true, area: [900, 900], n: 60 } as Stage;
  const values = effective(defaultScenario, []);
  const list = knobs(catalogue, stage, values);
  const range = list.find((k) => k.key === 'radio.range');
  assert.equal(range?.value, 150);
  assert.deepEqual(range?.set(200), ['radio.range=200']);
  const loss = list.find((k) => k.key === 'radio.loss');
  assert.deepEqual(loss?.set(0.2), ['radio.loss=0.2', 'radio.model=lossy']);
  const speed = list.find((k) => k.key === 'mobility.speed_max');
  assert.deepEqual(speed?.set(1), ['mobility.speed_max=1', 'mobility.speed_min=1']);
  assert.ok(Math.abs((range?.toShare(range.fromShare(0.4)) ?? 0) - 0.4) < 0.02);
  const still = { moves: false, area: null, n: 25 } as Stage;
  const ring = effective('[network]\ntopology = "ring"\nnodes = 25', []);
  assert.deepEqual(companions('network.topology', 'grid', ring, still).slice(1), [
    'network.rows=5',
    'network.columns=5',
    'network.nodes=0',
  ]);
  assert.ok(companions('network.topology', 'radio', ring, still).includes('radio.range=150'));
});

test('an algorithm is called by its name first', () => {
  const all = catalogue.algorithms;
  const [first] = all;
  assert.ok(algorithmText(all, first.name).startsWith(first.name));
  assert.ok(algorithmText(all, first.name).includes(first.title));
  assert.equal(algorithmText(undefined, 'ghs'), 'ghs');
});

test('one is not many', () => {
  assert.equal(counted(1, 'leader'), '1 leader');
  assert.equal(counted(0, 'leader'), '0 leaders');
  assert.equal(counted(1234, 'message'), '1,234 messages');
});

test('speeds below one are fractions that are not one', () => {
  assert.equal(text.speed(1), '1×');
  assert.equal(text.speed(0.97), '1×');
  assert.equal(text.speed(0.7), '0.7×');
  assert.equal(text.speed(0.5), '1/2');
  assert.equal(text.speed(1 / 60), '1/60');
});

test('nodes that name no leader do not agree on one', () => {
  const part = { component: 0, size: 3, leader: NO_NODE, agree: 3 };
  assert.equal(agreement(part), '–');
  assert.equal(agreement({ ...part, leader: 1 }), '✓ all');
  assert.equal(agreement({ ...part, leader: 1, agree: 2 }), '67 %');
});

test('a change of leader is a sentence', () => {
  const why = 'it received a map of 24 nodes from 24';
  assert.equal(leaderText('7', '24', why), '7 follows 24: it received a map of 24 nodes from 24');
  assert.equal(leaderText('7', null), '7 leads');
  assert.equal(leaderText('7', 'no leader'), '7 has no leader');
});

test('lists of nodes in a state are counted', () => {
  const state = { id: 2, inner: { known: [{ id: 1 }, { id: 2 }], ports: [1, 2] }, empty: [] };
  assert.deepEqual(mapsIn(state), [{ name: 'known', size: 2 }]);
});

test('a road is stretched, a square is not', () => {
  assert.equal(stretchOf(300, 200, 900, 700), 1);
  assert.equal(stretchOf(1000, 0.5, 900, 700), 1, 'a line has no width to show');
  const stretch = stretchOf(4000, 40, 900, 700);
  const camera = new Camera();
  camera.fit({ left: 0, top: 0, right: 4000, bottom: 40 }, 996, 796, false, 48);
  assert.equal(camera.stretch, stretch);
  const [, top] = camera.toScreen(0, 0, 996, 796);
  const [, bottom] = camera.toScreen(0, 40, 996, 796);
  assert.ok(bottom - top > 300, `${bottom - top} px`);
  const [x, y] = camera.toPlane(...camera.toScreen(123, 4, 996, 796), 996, 796);
  assert.ok(Math.abs(x - 123) < 1e-9 && Math.abs(y - 4) < 1e-9);
});

test('a speed that is not kept is noticed, and one that is kept is not', () => {
  const slow = new PaceMeter();
  const kept = new PaceMeter();
  let said = 0;
  for (let ms = 0; ms <= 3000; ms += 20) {
    said = slow.note(ms, ms * 1e3, ms * 2, 1);
    assert.equal(kept.note(ms, ms * 1e6, ms, 1), 0);
  }
  assert.equal(Math.round(said), 2000);
  const time = { playing: true, quiet: false, behind: said, speed: 1 };
  assert.equal(stateText(null, false, time), 'slower than 1×');
});

test('networks too large to draw are opened smaller', () => {
  assert.deepEqual(fewer('[network]\nnodes = 1_000_000\n'), ['network.nodes=2000']);
  assert.deepEqual(fewer('[network]\nrows = 500\ncolumns = 500\n'), [
    'network.rows=50',
    'network.columns=50',
  ]);
  assert.deepEqual(fewer('[network]\nnodes = 400\n'), []);
});

test('a timer of a layer has the name of the timer above', () => {
  assert.equal(timerName('beat'), 'beat');
  assert.equal(timerName({ silence: { of: 20 } }), 'silence of 20');
  assert.equal(timerName({ inner: { timer: 'digest' } }), 'digest');
});
