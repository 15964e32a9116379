// SPDX-License-Identifier: MIT
// `bellwether view` and a browser, for tests: started here, ended here.
import { spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { createRequire } from 'node:module';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const require = createRequire(new URL('../../viewer/package.json', import.meta.url));
const { chromium } = require('playwright-core');

const program = process.env.BELLWETHER ?? 'build/bellwether';
export const artefacts = process.env.ARTEFACTS ?? 'build/browser';
mkdirSync(artefacts, { recursive: true });

/** The longest wait for anything, in ms: only a broken program takes as long as this. */
export const patience = Number(process.env.PATIENCE ?? 600000);

const bound = (port) =>
  new Promise((done) => {
    const socket = createSocket('udp4');
    socket.on('error', () => done(null));
    socket.bind(port, '127.0.0.1', () => done(socket));
  });

/** This number of free UDP ports; the kernel hands none of these out by itself. */
export async function freePorts(count) {
  const sockets = [];
  for (let port = 19000 + (process.pid % 900); sockets.length < count && port < 20500; ++port) {
    const socket = await bound(port);
    if (socket) sockets.push(socket);
  }
  const ports = sockets.map((socket) => socket.address().port);
  await Promise.all(sockets.map((socket) => new Promise((done) => socket.close(done))));
  return ports;
}

/** Waits until the node at a socket names this leader. */
export async function named(socket, leader) {
  const end = Date.now() + patience;
  while (Date.now() < end) {
    const said = spawnSync(program, ['leader', '--json', '--socket', socket], { encoding: 'utf8' });
    if (said.stdout.includes(`"leader":${leader},`)) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`${socket} never names ${leader}`);
}

/** Starts the server; `url` is what it prints. */
export async function serve(...words) {
  const child = spawn(program, ['view', '--no-browser', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (d) => (errors += d));
  const url = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (d) => {
      text += d;
      const line = text.split('\n')[0];
      if (text.includes('\n')) resolve(line);
    });
    child.on('exit', (status) => reject(new Error(`status ${status}: ${errors}`)));
  });
  return {
    url,
    child,
    stop: () =>
      new Promise((done) => {
        child.removeAllListeners('exit');
        child.on('exit', (status) => done(status));
        child.kill('SIGINT');
      }),
  };
}

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const launch = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: flags });

/** Sizes at which the page must work: a projector, and phones from 360 pixels. */
export const sizes = {
  wide: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
  narrow: { width: 360, height: 740 },
};

/** Runs in the page: which visible buttons cannot be pressed, and how wide the page is. */
function reach() {
  const missed = [];
  const modal = document.querySelector('dialog[open]');
  for (const b of (modal ?? document).querySelectorAll('button, select, [role=tab]')) {
    if (!b.checkVisibility({ visibilityProperty: true })) continue;
    if (b.closest('.panel, .lessons-body, .lessons-menu, .dialog-body, .tools, .legend'))
      b.scrollIntoView({ block: 'center', inline: 'nearest' });
    const { left, top, right, bottom } = b.getBoundingClientRect();
    const inside = left > -1 && top > -1 && right < innerWidth + 1 && bottom < innerHeight + 1;
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (!inside || !hit || !(b.contains(hit) || hit.contains(b)))
      missed.push(b.getAttribute('aria-label') ?? b.textContent);
  }
  return { missed, wide: document.documentElement.scrollWidth - innerWidth };
}

/** All that can be seen fits, and can be pressed. */
export async function fits(page, where) {
  const { missed, wide } = await page.evaluate(reach);
  if (wide > 0) throw new Error(`${where}: the page is ${wide} px too wide`);
  if (missed.length) throw new Error(`${where}: out of reach: ${missed.join('; ')}`);
}

/** A tab that is ready, with the helpers that tests speak in. Page errors go to `problems`. */
export async function tab(browser, url, problems, size = { width: 1440, height: 900 }) {
  const context = await browser.newContext({
    viewport: size,
    ...(size.width <= 600 ? { hasTouch: true, isMobile: true } : {}),
    acceptDownloads: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  page.on('pageerror', (e) => problems.push(e.stack ?? e.message));
  page.on('console', (m) => m.type() === 'error' && problems.push(m.text()));
  await page.goto(url);
  await page.waitForFunction(() => window.bellwether?.run.ready);
  const ask = (f, arg) => page.evaluate(f, arg);
  const until = (f, arg) => page.waitForFunction(f, arg);
  const by = (id) => page.locator(`[data-testid="${id}"]`);
  return {
    page,
    ask,
    until,
    by,
    close: () => context.close(),
    clock: () => ask(() => window.bellwether.run.clock),
    shot: (name) => page.screenshot({ path: join(artefacts, `${name}.png`) }),
    async pause() {
      await ask(() => window.bellwether.app.playback.pause());
      await until(() => window.bellwether.run.clock === window.bellwether.run.moment.t);
    },
    async open(what) {
      await ask((w) => window.bellwether.app.openScenario(w), what);
      await this.pause();
    },
    /** Goes on, or back, to this time. */
    async to(t) {
      await ask((x) => window.bellwether.app.playback.seek(x), t);
      await until((x) => Math.abs(window.bellwether.run.moment.t - x) < 1, t);
    },
    spot: (node) =>
      ask((k) => {
        const { pane } = window.bellwether.app;
        const box = pane.root.getBoundingClientRect();
        const [x, y] = pane.screenOf(k);
        return { x: x + box.left, y: y + box.top };
      }, node),
    async drag(node, x, y) {
      const from = await this.spot(node);
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(x, y, { steps: 6 });
      await page.mouse.up();
    },
  };
}
