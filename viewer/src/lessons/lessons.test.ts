// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Action, Moment, Stage } from '../model';
import { LESSONS } from './all';
import { GLOSSARY } from './glossary';
import { S, type Director, type Lesson, type Step } from './lesson';
import { Runner } from './runner';
import { readable } from './time';
import { parts } from './words';

/** A page that plays nothing and writes down what it is asked. */
class Fake implements Director {
  log: string[] = [];
  t = 0;
  hold = false; // plays do not end by themselves
  private release: (() => void) | null = null;

  async open(o: { toml?: string; set?: string[]; to?: number }): Promise<void> {
    this.t = o.to ?? 0;
    this.log.push(`open ${o.set?.join(' ') ?? ''}`.trim());
  }

  play(speed: number, until: number): Promise<void> {
    this.log.push(`play ${speed} ${until / S}`);
    this.release?.();
    this.release = null;
    if (!this.hold) {
      this.t = until;
      return Promise.resolve();
    }
    return new Promise((resolve) => (this.release = resolve));
  }

  async act(actions: Action[]): Promise<void> {
    this.log.push(`act ${actions.map((a) => a.kind).join(' ')}`);
  }

  select(nodes: number[]): void {
    this.log.push(`select ${nodes.join(' ')}`.trim());
  }

  focus(): void {}

  moment(): Moment {
    return { t: this.t, ended: null, leaders: this.t >= 3 * S ? 1 : 0 } as Moment;
  }

  stage(): Stage {
    return { ids: [] } as unknown as Stage;
  }
}

const steps: Step[] = [
  { title: 'a', text: '', open: {} },
  { title: 'b', text: '', play: { speed: 2, until: 1 * S } },
  { title: 'c', text: '', act: [{ kind: 'heal' }], play: { speed: 1, until: 2 * S }, select: [1] },
  { title: 'd', text: '', play: { speed: 1, until: { when: (m) => m.leaders === 1, limit: 9 * S } } },
  { title: 'e', text: '', open: { set: ['x=1'], to: 5 * S } },
];
const lesson: Lesson = { id: 'x', title: '', teaser: '', family: '', toml: '', steps };

function runner(fake: Fake): Runner {
  return new Runner(fake, lesson, { shown() {}, busy() {}, trouble: (why) => fake.log.push(why) });
}

test('a lesson goes forwards', async () => {
  const fake = new Fake();
  const r = runner(fake);
  await r.start();
  await r.next();
  await r.next();
  const second = ['select', 'play 2 1'];
  assert.deepEqual(fake.log, ['open', 'select', ...second, 'act heal', 'select 1', 'play 1 2']);
});

test('a condition is waited for, and no longer', async () => {
  const fake = new Fake();
  const r = runner(fake);
  await r.start();
  for (let k = 1; k < 4; k++) await r.next();
  assert.ok(fake.t >= 3 * S && fake.t <= 3.2 * S, String(fake.t));
});

test('going back opens again and runs through at once', async () => {
  const fake = new Fake();
  const r = runner(fake);
  await r.start();
  for (let k = 1; k < 4; k++) await r.next();
  fake.log = [];
  await r.back();
  assert.equal(r.index, 2);
  assert.deepEqual(fake.log, ['open', 'play Infinity 1', 'act heal', 'select 1', 'play 1 2']);
});

test('going on before the end skips the rest of a step', async () => {
  const fake = new Fake();
  const r = runner(fake);
  await r.start();
  fake.hold = true;
  const playing = r.next();
  await new Promise((resolve) => setTimeout(resolve));
  fake.hold = false;
  fake.log = [];
  await Promise.all([playing, r.next()]);
  assert.deepEqual(fake.log, ['play Infinity 1', 'act heal', 'select 1', 'play 1 2']);
});

test('a step may open another run', async () => {
  const fake = new Fake();
  const r = runner(fake);
  await r.start();
  for (let k = 1; k < steps.length; k++) await r.next();
  assert.equal(r.last, true);
  assert.equal(fake.t, 5 * S);
  await r.next();
  assert.equal(r.index, 4);
});

test('a scenario that cannot be opened is reported', async () => {
  const fake = new Fake();
  fake.open = () => Promise.reject(new Error('no such key'));
  await runner(fake).start();
  assert.deepEqual(fake.log, ['no such key']);
});

test('lessons are complete', () => {
  assert.equal(new Set(LESSONS.map((one) => one.id)).size, LESSONS.length);
  for (const one of LESSONS) {
    assert.ok(one.title && one.teaser && one.family && one.steps.length > 4, one.id);
    assert.ok(one.steps[0].open, `${one.id} does not begin with open`);
    for (const step of one.steps) checkStep(one, step);
  }
});

function checkStep(one: Lesson, step: Step): void {
  const where = `${one.id}: ${step.title}`;
  const sentences = step.text.split(/[.?!:]["*]*(?:\s|$)/).filter((s) => s.trim()).length;
  assert.ok(sentences >= 2 && sentences <= 8, `${where}: ${sentences} sentences`);
  for (const text of [step.text, step.look ?? '']) {
    assert.doesNotMatch(parts(text).map((part) => part.text).join(''), /[{}`*]/, where);
    for (const m of text.matchAll(/\{([^|}]+)(?:\|([^}]+))?\}/g)) {
      assert.ok(GLOSSARY[m[2] ?? m[1]], `${where}: no entry explains "${m[0]}"`);
    }
  }
  if (step.ask?.kind === 'node') {
    for (const a of step.ask.answer) assert.ok(step.ask.nodes.includes(a), where);
  }
  if (step.ask?.kind === 'choice') assert.ok(step.ask.options[step.ask.answer], where);
}

test('times rise between two openings', () => {
  for (const one of LESSONS) {
    let t = 0;
    for (const step of one.steps) {
      if (step.open) t = step.open.to ?? 0;
      const until = step.play?.until;
      if (typeof until !== 'number') continue;
      assert.ok(until > t, `${one.id}: ${step.title}`);
      t = until;
    }
  }
});

test('texts have emphasis, code and explanations', () => {
  assert.deepEqual(parts('a **b** {hops|hop} `c` *d*'), [
    { text: 'a ' }, { text: 'b', as: 'strong' }, { text: ' ' },
    { text: 'hops', hint: GLOSSARY['hop'] }, { text: ' ' }, { text: 'c', as: 'code' }, { text: ' ' }, { text: 'd', as: 'em' },
  ]);
  const times = [0, 25e7, 12.44e9, 125e9].map(readable);
  assert.deepEqual(times, ['0.0 s', '250 ms', '12.4 s', '2:05']);
});

// The program itself says whether scenarios are right and numbers are true.
const program = ['../build/bellwether', 'build/bellwether'].find((path) => existsSync(path));
const needed = { skip: program ? false : 'the program is not built' };

function run(toml: string, set: string[], ...more: string[]): string {
  const file = join(mkdtempSync(join(tmpdir(), 'lesson-')), 'lesson.toml');
  writeFileSync(file, toml);
  const sets = set.flatMap((one) => ['--set', one]);
  return execFileSync(program ?? '', ['run', file, ...sets, ...more], { encoding: 'utf8' });
}

test('every scenario is accepted', needed, () => {
  for (const one of LESSONS) {
    for (const { open } of one.steps) if (open) run(open.toml ?? one.toml, open.set ?? [], '--print');
  }
});

test('the numbers of the lessons are true', needed, () => {
  const large = ['network.nodes=64', 'network.names=[]'];
  const claims: [string, number, string[], number][] = [
    ['lelann', 0, [], 42],
    ['lelann', 0, ['start.nodes=[4, 3]'], 18],
    ['chang-roberts', 0, [], 28],
    ['chang-roberts', 0, ['options.announce=false'], 20],
    ['chang-roberts', 5, ['options.announce=false'], 36],
    ['chang-roberts', 7, ['options.announce=false'], 15],
    ['chang-roberts', 8, [], 343],
    ['hirschberg-sinclair', 0, [], 120],
    ['hirschberg-sinclair', 0, [...large, 'network.ids=descending', 'algorithm=chang-roberts'], 2144],
    ['hirschberg-sinclair', 0, [...large, 'network.ids=descending'], 696],
    ['hirschberg-sinclair', 0, [...large, 'network.ids=random'], 1260],
    ['hirschberg-sinclair', 0, [...large, 'network.ids=random', 'algorithm=peterson'], 426],
    ['crowd', 0, [], 2691],
    ['crowd', 6, [], 3105],
  ];
  for (const [id, at, set, messages] of claims) {
    const one = LESSONS.find((l) => l.id === id);
    const open = one?.steps[at].open;
    const told = run(open?.toml ?? one?.toml ?? '', [...(open?.set ?? []), ...set]);
    const found = /^messages +([\d,]+)/m.exec(told)?.[1].replaceAll(',', '');
    assert.equal(Number(found), messages, `${id} ${set.join(' ')}`);
  }
});
