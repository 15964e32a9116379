// SPDX-License-Identifier: MIT
// `bellwether view` as people use it: the real program, the real page, a real browser. Pictures of
// it are left in the artefacts, to be looked at.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { artefacts, freePorts, launch, named, serve, tab } from './server.mjs';

const program = process.env.BELLWETHER ?? 'build/bellwether';
const problems = [];
let server;
let browser;
let t;

const ring = `name = "ring"
algorithm = "height"
[network]
topology = "ring"
nodes = 12
[channel]
delay = "uniform"
min = "1 ms"
max = "9 ms"
`;

before(async () => {
  server = await serve();
  browser = await launch();
  t = await tab(browser, server.url, problems);
});

after(async () => {
  await browser.close();
  assert.equal(await server.stop(), 0);
});

test('a first network plays by itself, and its groups find their leaders', async () => {
  await t.until(() => window.bellwether.run.clock > 3e9);
  await t.pause();
  const seen = await t.ask(() => {
    const { moment, stage } = window.bellwether.run;
    const { n, leaders, components } = moment;
    return { n, leaders, components, name: stage.name };
  });
  assert.equal(seen.name, 'split-and-merge');
  assert.equal(seen.n, 26);
  assert.ok(seen.leaders >= 1 && seen.components >= 1);
  await t.shot('first');
});

test('a node that is dragged far away leads itself, and undo brings it back', async () => {
  const box = await t.by('canvas').boundingBox();
  await t.ask(() => {
    const { app } = window.bellwether;
    app.view.camera.zoom /= 3;
    app.view.changed?.();
  });
  const places = () => t.ask(() => [...window.bellwether.run.places.slice(8, 10)]);
  const here = await places();
  await t.drag(4, box.x + 30, box.y + 30);
  await t.until(() => window.bellwether.run.recipe.actions.some((a) => a.kind === 'move'));
  assert.notDeepEqual(await places(), here);
  const now = await t.clock();
  await t.to(now + 3e9);
  assert.equal(await t.ask(() => window.bellwether.run.moment.leader[4]), 4);
  assert.equal(await t.ask(() => window.bellwether.run.moment.component[4]), 4);
  await t.shot('dragged');
  while (await t.ask(() => window.bellwether.run.recipe.actions.length)) {
    const left = await t.ask(() => window.bellwether.run.recipe.actions.length);
    await t.by('canvas').focus();
    await t.page.keyboard.press('Control+z');
    await t.until((n) => window.bellwether.run.recipe.actions.length < n, left);
  }
});

test('the leader crashes, another takes over, and time goes back', async () => {
  await t.open({ toml: ring });
  await t.to(1e9);
  const first = await t.ask(() => window.bellwether.run.moment.leader[0]);
  const picture = () => t.ask(() => [...window.bellwether.run.moment.leader]);
  const calm = await picture();
  assert.ok(calm.every((l) => l === first));
  await t.ask((l) => window.bellwether.app.commands.crash([l]), first);
  await t.until((l) => !(window.bellwether.run.moment.state[l] & 1), first);
  await t.to(3e9);
  const next = (await picture()).filter((_, i) => i !== first);
  assert.ok(next.every((l) => l === next[0]) && next[0] !== first, `${next}`);
  const table = await t.page.locator('table.components').innerText();
  assert.match(table, /all/, 'the table is of this moment, too');
  await t.shot('crashed');
  await t.to(1e9);
  assert.deepEqual(await picture(), calm);
  assert.ok(await t.ask((l) => window.bellwether.run.moment.state[l] & 1, first));
  await t.to(3e9);
  const alive = await t.ask((l) => window.bellwether.run.moment.state[l] & 1, first);
  assert.ok(!alive, 'it crashes again');
});

test('links are cut and joined, nodes are added', async () => {
  await t.open({ toml: ring });
  await t.to(5e8);
  const cut = (a, b) => ({ kind: 'cut', a, b });
  await t.ask((all) => window.bellwether.run.act(all), [cut(2, 3), cut(8, 9)]);
  await t.to(2e9);
  assert.equal(await t.ask(() => window.bellwether.run.moment.components), 2);
  await t.ask(() => window.bellwether.run.act([{ kind: 'join', a: 2, b: 3 }]));
  await t.ask(() => window.bellwether.run.act([{ kind: 'add', links: [0, 5] }]));
  await t.to(4e9);
  await t.by('tab-log').click();
  assert.match(await t.by('log').innerText(), /13 joined/);
  await t.by('tab-inspect').click();
  const end = await t.ask(() => {
    const { moment } = window.bellwether.run;
    return { n: moment.n, components: moment.components, instability: moment.instability };
  });
  assert.deepEqual(end, { n: 13, components: 1, instability: 0 });
});

test('what was done is exported as a scenario that does the same everywhere', async () => {
  await t.by('export').click();
  const [download] = await Promise.all([
    t.page.waitForEvent('download'),
    t.page.locator('[data-testid="export-toml"]').click(),
  ]);
  const file = join(artefacts, 'exported.toml');
  await download.saveAs(file);
  const seen = await t.ask(() => window.bellwether.run.moment.messages);
  const report = JSON.parse(
    execFileSync(program, ['run', file, '--set', 'stop.time=4s', '--json'], { encoding: 'utf8' }),
  );
  assert.equal(report.messages, seen);
  assert.ok(report.agreed ?? report.agreement);
  await t.page.keyboard.press('Escape');
  await t.open({ toml: readFileSync(file, 'utf8') });
  await t.to(4e9);
  assert.equal(await t.ask(() => window.bellwether.run.moment.messages), seen);
});

test('a scenario with a mistake is refused with its line and key, and the run stays', async () => {
  const refused = await t.ask(async (text) => {
    try {
      await window.bellwether.run.open({ toml: text });
      return null;
    } catch (e) {
      return { why: e.message, line: e.line, key: e.key };
    }
  }, ring.replace('nodes = 12', 'nodes = "many"'));
  assert.equal(refused.line, 5);
  assert.equal(refused.key, 'network.nodes');
  assert.ok(await t.ask(() => window.bellwether.run.moment.n > 0));
});

test('a broken property lights the lamp, and the moment can be seen', async () => {
  const trace = join(artefacts, 'counterexample.jsonl');
  try {
    const words = ['--all-graphs', '3', '--changes', '3', '--trace', trace, '-q'];
    execFileSync(program, ['check', 'cel', ...words], { stdio: 'ignore' });
  } catch {
    // status 1: it found one
  }
  const own = await serve('--replay', trace);
  const page = await tab(browser, own.url, problems);
  await page.ask(() => window.bellwether.app.playback.setSpeed(Infinity));
  await page.until(() => document.querySelector('[data-testid=lamp]').classList.contains('bad'));
  const broken = await page.ask(() => window.bellwether.run.history.violation);
  assert.equal(await page.by('violation').locator('.notice-text').textContent(), broken.text);
  assert.match(await page.by('hint').textContent(), /Recordings are read-only/);
  await page.ask(() => window.bellwether.app.playback.seek(0));
  await page.ask(() => window.bellwether.app.playback.play());
  await page.by('jump-violation').click();
  await page.until((t) => window.bellwether.run.clock === t, broken.t);
  assert.equal(await page.ask(() => window.bellwether.app.playback.playing), false);
  await page.shot('counterexample');
  await page.close();
  assert.equal(await own.stop(), 0);
});

test('a trace of a run is shown', async () => {
  const scenario = join(artefacts, 'ring.toml');
  const trace = join(artefacts, 'ring.jsonl');
  writeFileSync(scenario, ring);
  execFileSync(program, ['run', scenario, '--trace', trace, '--set', 'stop.time=1s'], {
    stdio: 'ignore',
  });
  const own = await serve('--replay', trace);
  const page = await tab(browser, own.url, problems);
  await page.ask(() => window.bellwether.app.playback.setSpeed(Infinity));
  await page.until(() => window.bellwether.run.moment.leaders === 1);
  await page.close();
  await own.stop();
});

test('a recording of a daemon is shown', async () => {
  const record = join(artefacts, 'recording.jsonl');
  const socket = join(artefacts, 'node.sock');
  const [port, other] = await freePorts(2);
  rmSync(record, { force: true });
  const words = ['--plain', '--id', '7', '--bind', '127.0.0.1', '--port', `${port}`];
  const node = spawn(
    program,
    ['node', ...words, '--peer', `127.0.0.1:${other}`, '--socket', socket, '--record', record],
    { stdio: 'ignore' },
  );
  const ended = new Promise((done) => node.on('exit', done));
  await named(socket, 7);
  node.kill('SIGTERM');
  await ended;
  const own = await serve('--replay', record);
  const page = await tab(browser, own.url, problems);
  await page.ask(() => window.bellwether.app.playback.setSpeed(Infinity));
  await page.until(() => window.bellwether.run.moment.leaders === 1);
  assert.deepEqual(await page.ask(() => window.bellwether.run.stage.ids), [7]);
  await page.close();
  await own.stop();
});

test('a live group of daemons is watched, and is read-only', async (self) => {
  const ports = await freePorts(3);
  const sockets = [1, 2, 3].map((k) => join(artefacts, `live-${k}.sock`));
  const start = (k) => {
    const others = [1, 2, 3].filter((other) => other !== k);
    const peers = others.flatMap((other) => ['--peer', `127.0.0.1:${ports[other - 1]}`]);
    const own = ['--id', `${k}`, '--port', `${ports[k - 1]}`, '--socket', sockets[k - 1]];
    const words = ['node', '--plain', '--bind', '127.0.0.1', ...own, ...peers];
    return spawn(program, words, { stdio: 'ignore' });
  };
  const end = async (node) => {
    node.kill('SIGKILL');
    await new Promise((done) => node.on('exit', done));
  };
  const nodes = [start(1), start(2)];
  self.after(() => nodes.forEach((node) => node.kill('SIGKILL')));
  for (const socket of sockets.slice(0, 2)) await named(socket, 2);
  const own = await serve('--live', sockets[0], '--live', sockets[1], '--live', sockets[2]);
  self.after(() => own.child.kill('SIGKILL'));
  const page = await tab(browser, own.url, problems);
  await page.until(() => window.bellwether.run.moment.leaders === 1);
  assert.deepEqual(await page.ask(() => window.bellwether.run.stage.ids), [1, 2]);
  assert.equal(await page.ask(() => window.bellwether.run.stage.of), 'live');
  nodes.push(start(3));
  await page.until(() => window.bellwether.run.stage.n === 3);
  await page.until(() => window.bellwether.run.moment.components === 1);
  await page.until(() => window.bellwether.run.moment.leaders === 1);
  const leader = await page.ask(() => window.bellwether.run.moment.leader[0]);
  await page.shot('live-group');
  await page.page.mouse.click(...Object.values(await page.spot(0)));
  await page.until(() => document.body.innerText.includes('drumbeat'));
  const refused = await page.ask(() =>
    window.bellwether.run.act([{ kind: 'crash', node: 0 }]).catch((e) => e.message),
  );
  assert.match(refused, /a live group is read-only/);
  const back = await page.ask(() => window.bellwether.run.seek(0).catch((e) => e.message));
  assert.match(back, /cannot go back in time/);
  await end(nodes[leader]);
  await page.until((k) => (window.bellwether.run.moment.state[k] & 1) === 0, leader);
  await page.until((k) => window.bellwether.run.moment.leader[(k + 1) % 3] !== k, leader);
  await page.until(() => window.bellwether.run.moment.leaders === 1);
  await page.shot('live-group-without-its-leader');
  await page.close();
  assert.equal(await own.stop(), 0);
  for (const [k, node] of nodes.entries()) if (k !== leader) await end(node);
});

test('two tabs do not disturb each other', async () => {
  const other = await tab(browser, server.url, problems);
  await t.open({ toml: ring });
  await other.open({ toml: ring });
  await t.ask(() => window.bellwether.app.commands.crash([3]));
  await t.until(() => !(window.bellwether.run.moment.state[3] & 1));
  await other.to(1e9);
  assert.ok(await other.ask(() => window.bellwether.run.moment.state[3] & 1));
  await other.close();
});

test('a copied link opens the same moment in another browser', async () => {
  await t.open({ toml: ring });
  await t.to(5e8);
  await t.by('copy-link').click();
  await t.until(() => location.hash.startsWith('#v1.'));
  const link = await t.ask(() => navigator.clipboard.readText());
  assert.ok(link.startsWith(`${server.url}#v1.`), link);
  const other = await tab(browser, link, problems); // a context without the cookie
  assert.equal(await other.clock(), await t.clock());
  await other.close();
});

test('requests without the token, and from other pages, are refused', async () => {
  const open = server.url.replace(/\?.*/, '');
  assert.equal((await fetch(open)).status, 403);
  assert.equal((await fetch(open + '?token=wrong')).status, 403);
  assert.equal((await fetch(server.url)).status, 200);
  const headers = { origin: 'http://evil.example' };
  assert.equal((await fetch(server.url, { headers })).status, 403);
});

test('it is usable on a tablet, in the dark, and side by side', async () => {
  const tablet = await tab(browser, server.url, problems, { width: 820, height: 1180 });
  await tablet.page.emulateMedia({ colorScheme: 'dark' });
  await tablet.until(() => window.bellwether.run.clock > 2e9);
  await tablet.shot('tablet-dark');
  const wide = await tablet.ask(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 820, `the page is ${wide} wide`);
  await tablet.by('compare').click();
  await tablet.until(() => window.bellwether.app.runs.length === 2);
  await tablet.until(() => window.bellwether.app.runs.every((run) => run.clock > 2.5e9));
  await tablet.shot('tablet-compare');
  await tablet.close();
});

test('nothing went wrong in the page', () => {
  assert.deepEqual(
    problems.filter((p) => !/WebSocket|ERR_CONNECTION|Failed to load resource/.test(p)),
    [],
  );
});
