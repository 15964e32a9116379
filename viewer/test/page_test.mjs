// SPDX-License-Identifier: MIT
// The page in a real browser, against the mock server. CHROMIUM names the browser.
// npm run e2e
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { serve } from './mock.mjs';

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let server;
let browser;
let page;
const problems = [];

before(async () => {
  server = await serve(0);
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: flags,
  });
  page = await newPage();
});

after(async () => {
  await browser.close();
  server.http.closeAllConnections();
  server.http.close();
});

const address = (hash = '') => `http://127.0.0.1:${server.port}/?token=toy${hash}`;

async function newPage(hash) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(600000); // only a broken page takes as long as this
  const fresh = await context.newPage();
  fresh.on('pageerror', (e) => problems.push(e.message));
  fresh.on('console', (m) => m.type() === 'error' && problems.push(m.text()));
  await fresh.goto(address(hash));
  await fresh.waitForFunction(() => window.bellwether?.run.ready);
  return fresh;
}

const by = (id) => page.locator(`[data-testid="${id}"]`);
const ask = (f, arg) => page.evaluate(f, arg);
const until = (f, arg) => page.waitForFunction(f, arg);
const clock = () => ask(() => window.bellwether.run.clock);

async function open(name) {
  await by('open').click();
  await by(`scenario-${name}`).click();
  await until((n) => window.bellwether.run.stage.name === n, name);
}

async function pause() {
  await ask(() => window.bellwether.app.playback.pause());
  await until(() => window.bellwether.run.clock === window.bellwether.run.moment.t);
}

/** Where a node is on the page. */
const spot = (node) =>
  ask((k) => {
    const { pane } = window.bellwether.app;
    const box = pane.root.getBoundingClientRect();
    const [x, y] = pane.screenOf(k);
    return { x: x + box.left, y: y + box.top };
  }, node);

test('it plays by itself, pauses, steps and seeks', async () => {
  await until(() => window.bellwether.run.clock > 3e8);
  await by('play').click();
  await until(() => !window.bellwether.app.playback.playing);
  const before = await clock();
  await by('step').click();
  await until(
    (t) => window.bellwether.run.moment.t >= t && window.bellwether.run.moment.events > 0,
    before,
  );
  await by('begin').click();
  await until(() => window.bellwether.run.clock === 0);
  assert.equal(await by('clock').textContent(), '0 s');
});

test('a node that is dragged moves, and undo brings it back', async () => {
  await pause();
  const before = await ask(() => window.bellwether.run.places[10]);
  const from = await spot(5);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 40, from.y + 25, { steps: 4 });
  await page.mouse.up();
  await until(() =>
    window.bellwether.run.recipe.actions.some((a) => a.kind === 'move' && a.node === 5),
  );
  // The worker's next moment brings the places: a little later than the recipe.
  await until((x) => Math.abs(window.bellwether.run.places[10] - x) > 5, before);
  await page.keyboard.press('Control+z');
  await until(() => window.bellwether.run.recipe.actions.length === 0);
  await until((x) => Math.abs(window.bellwether.run.places[10] - x) < 1e-3, before);
});

test('the crash tool crashes, the inspector tells, and restart brings back', async () => {
  await page.keyboard.press('x');
  const at = await spot(8);
  await page.mouse.click(at.x, at.y);
  await until(() => !(window.bellwether.run.moment.state[8] & 1));
  await page.keyboard.press('v');
  await page.mouse.click(at.x, at.y);
  await until(() =>
    document.querySelector('[data-testid=inspector] .badge')?.textContent.includes('crashed'),
  );
  await by('restart').click();
  await until(() => (window.bellwether.run.moment.state[8] & 1) === 1);
});

test('a line through a graph cuts the links that it crosses, and healing joins them', async () => {
  await open('grid');
  await pause();
  const links = () => ask(() => window.bellwether.run.moment.links.length / 2);
  const before = await links();
  await page.keyboard.press('p');
  const a = await spot(3);
  const b = await spot(4);
  const end = await spot(60);
  const x = (a.x + b.x) / 2;
  await page.mouse.move(x, a.y - 20);
  await page.mouse.down();
  await page.mouse.move(x, end.y + 20, { steps: 12 });
  await page.mouse.up();
  await until((n) => window.bellwether.run.moment.links.length / 2 === n - 8, before);
  assert.equal(await ask(() => window.bellwether.run.moment.components), 2);
  await page.keyboard.press('h');
  await until((n) => window.bellwether.run.moment.links.length / 2 === n, before);
  await page.keyboard.press('v');
});

test('a newcomer of a graph is linked and drawn where it was put', async () => {
  const n = await ask(() => window.bellwether.run.moment.n);
  await page.keyboard.press('a');
  const a = await spot(0);
  const b = await spot(9);
  const at = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  await page.mouse.click(at.x, at.y);
  await until((k) => window.bellwether.run.moment.n === k + 1, n);
  const drawn = await spot(n);
  assert.ok(Math.hypot(drawn.x - at.x, drawn.y - at.y) < 3);
  await page.keyboard.press('v');
});

test('the keyboard walks from node to node and crashes', async () => {
  await by('canvas').focus();
  await page.keyboard.press('Escape');
  await by('canvas').evaluate((e) => {
    e.blur();
    e.focus();
  });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  assert.deepEqual(await ask(() => [...window.bellwether.app.view.selected]), [1]);
  await page.keyboard.press('Delete');
  await until(() => !(window.bellwether.run.moment.state[1] & 1));
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  assert.ok(!(await ask(() => document.activeElement?.classList.contains('pane'))));
});

test('a mistake in the text is shown at its line, and the run stays', async () => {
  await by('tab-settings').click();
  const before = await by('editor').inputValue();
  await by('editor').fill(before.replace('nodes =', 'nods ='));
  await by('apply').click();
  await until(() => document.querySelector('.line-numbers .bad') !== null);
  const line = before.split('\n').findIndex((l) => l.startsWith('nodes')) + 1;
  assert.equal((await page.locator('.line-numbers .bad').textContent()).trim(), String(line));
  assert.match(await page.locator('.editor-error').textContent(), /did you mean/);
  assert.equal(await ask(() => window.bellwether.run.stage.name), 'grid');
});

test('a slider runs the same moment again with another value', async () => {
  await open('market-square');
  await until(() => window.bellwether.run.clock > 5e8);
  await pause();
  const t = await clock();
  await by('knob-radio.range').evaluate((e) => {
    e.value = '900';
    e.dispatchEvent(new Event('input'));
  });
  await until(() => window.bellwether.run.stage.range > 300);
  assert.ok(Math.abs((await clock()) - t) < 1);
  await by('tab-inspect').click();
});

test('another algorithm goes on at the same moment', async () => {
  await by('tab-settings').click();
  const t = await clock();
  await by('algorithm').selectOption('toy-slow');
  await until(() => window.bellwether.run.stage.algorithm === 'toy-slow');
  assert.ok(Math.abs((await clock()) - t) < 1);
  await by('tab-inspect').click();
});

test('a copied link opens the same moment with the same actions', async () => {
  await ask(() => window.bellwether.app.commands.crash([2]));
  await until(() => window.bellwether.run.recipe.actions.length === 1);
  await by('copy-link').click();
  await until(() => location.hash.startsWith('#v1.'));
  const mine = await ask(() => ({
    t: window.bellwether.run.clock,
    zoom: window.bellwether.camera.zoom,
  }));
  const hash = await ask(() => location.hash);
  const other = await newPage(hash);
  await other.waitForFunction(() => window.bellwether.camera.touched); // the link is opened
  const theirs = await other.evaluate(() => {
    const { run, camera } = window.bellwether;
    return {
      t: run.clock,
      dead: !(run.shown.state[2] & 1),
      range: run.stage.range,
      zoom: camera.zoom,
    };
  });
  assert.ok(theirs.dead && theirs.range > 300);
  assert.ok(Math.abs(theirs.t - mine.t) < 1 && Math.abs(theirs.zoom - mine.zoom) < 1e-9);
  await other.context().close();
});

test('two algorithms side by side are at the same moment', async () => {
  await by('compare').click();
  await until(() => window.bellwether.app.runs.length === 2);
  const begin = await clock();
  await by('play').click();
  await until((t) => window.bellwether.app.runs.every((r) => r.clock > t), begin);
  await pause();
  await until(() => window.bellwether.app.runs.every((r) => r.clock === r.moment.t));
  const times = await ask(() => window.bellwether.app.runs.map((r) => r.clock));
  assert.equal(times[0], times[1]);
  await ask(() => window.bellwether.app.commands.crash([4]));
  await until(() => window.bellwether.app.runs.every((r) => !(r.moment.state[4] & 1)));
  await by('compare-close').click();
  await until(() => window.bellwether.app.runs.length === 1);
});

test('a violation turns the lamp red, and its button jumps there', async () => {
  await open('broken');
  await ask(() => window.bellwether.app.playback.setSpeed(Infinity));
  await until(() => window.bellwether.run.moment.ended === 'violation');
  await until(() => document.querySelector('[data-testid=lamp]').classList.contains('bad'));
  await by('begin').click();
  await until(() => window.bellwether.run.clock === 0);
  await by('jump-violation').click();
  await until(() => window.bellwether.run.clock >= 12e9);
});

test('a lost connection is shown, and the run comes back', async () => {
  await open('ring');
  await until(() => window.bellwether.run.clock > 1e6);
  await pause();
  const t = await clock();
  for (const socket of server.sockets.clients) socket.terminate();
  await until(() => !document.querySelector('[data-testid=banner]').hidden);
  await until(() => document.querySelector('[data-testid=banner]').hidden);
  await until((x) => Math.abs(window.bellwether.run.clock - x) < 1, t);
  await by('play').click();
  await until((x) => window.bellwether.run.clock > x, t);
});

test('a picture can be taken home', async () => {
  const formats = [
    ['svg', /<svg/],
    ['graphml', /<graphml/],
    ['toml', /name = "ring"/],
    ['png', /PNG/],
  ];
  for (const [id, content] of formats) {
    await by('export').click();
    const [file] = await Promise.all([page.waitForEvent('download'), by(`export-${id}`).click()]);
    const stream = await file.createReadStream();
    let text = '';
    for await (const piece of stream) text += piece.toString('latin1');
    assert.match(text, content);
  }
});

test('a lesson opens its own scenario and can be left', async () => {
  await by('lessons').click();
  await page.locator('.lesson button', { hasText: 'LeLann' }).first().click();
  await until(() => window.bellwether.run.stage.name.startsWith('lesson'));
  await page.locator('.lesson').getByRole('button', { name: /close/i }).first().click();
  await until(() => document.querySelector('.lesson').hidden);
});

test('a long press with a finger opens the menu of a node', async () => {
  const context = await browser.newContext({
    viewport: { width: 820, height: 1180 },
    hasTouch: true,
  });
  context.setDefaultTimeout(600000);
  const tablet = await context.newPage();
  await tablet.goto(address());
  await tablet.waitForFunction(() => window.bellwether?.run.ready);
  const at = await tablet.evaluate(() => {
    const { pane, playback } = window.bellwether.app;
    playback.pause();
    const box = pane.root.getBoundingClientRect();
    const [x, y] = pane.screenOf(7);
    return { x: x + box.left, y: y + box.top };
  });
  const client = await context.newCDPSession(tablet);
  await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] });
  await tablet.locator('[data-testid=context-menu]').waitFor();
  await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await tablet.locator('[data-testid=context-menu] button').first().click();
  await tablet.waitForFunction(() => window.bellwether.run.recipe.actions.length === 1);
  const zoom = await tablet.evaluate(() => window.bellwether.camera.zoom);
  const fingers = (gap) => [
    { x: 400 - gap, y: 300, id: 1 },
    { x: 400 + gap, y: 300, id: 2 },
  ];
  await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(40) });
  for (const gap of [60, 80, 120]) {
    await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(gap) });
  }
  await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  const closer = await tablet.evaluate(() => window.bellwether.camera.zoom);
  assert.ok(closer > 2 * zoom, `pinching zooms: ${zoom} to ${closer}`);
  await context.close();
});

test('all buttons have names', async () => {
  const nameless = await ask(() =>
    [...document.querySelectorAll('button, input, select, textarea')]
      .filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label')))
      .map((e) => e.outerHTML.slice(0, 120)),
  );
  assert.deepEqual(nameless, []);
});

test('nothing went wrong in the page', () => {
  assert.deepEqual(
    problems.filter((p) => !/WebSocket|ERR_CONNECTION/.test(p)),
    [],
  );
});
