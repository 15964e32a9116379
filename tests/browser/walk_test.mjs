// SPDX-License-Identifier: MIT
// A first visit, on a projector and on a phone: open, drag, crash, split, undo, go back in time,
// export, compare, take a lesson. After each step all that can be seen can be pressed.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { artefacts, fits, launch, serve, sizes, tab } from './server.mjs';

const problems = [];
let server;
let browser;

before(async () => {
  server = await serve();
  browser = await launch();
});

after(async () => {
  await browser.close();
  assert.equal(await server.stop(), 0);
  assert.deepEqual(problems, []);
});

const acted = () => window.bellwether.run.recipe.actions.length;
const playing = () => window.bellwether.app.playback.playing;

for (const name of ['wide', 'phone']) {
  describe(`a first visit, ${name}`, () => {
    let t;
    const here = async (where) => {
      await fits(t.page, `${where}, ${name}`);
      if (name !== 'phone') return;
      await t.page.setViewportSize(sizes.narrow);
      await t.ask(() => new Promise(requestAnimationFrame));
      await fits(t.page, `${where}, narrow`);
      await t.page.setViewportSize(sizes.phone);
    };
    /** Between the left and the right half of a grid of six columns. */
    const middle = async () => {
      const line = [];
      for (let row = 0; row < 6; ++row) {
        const [a, b] = [await t.spot(6 * row + 2), await t.spot(6 * row + 3)];
        line.push({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
      }
      const beyond = (p, q) => ({ x: 1.2 * p.x - 0.2 * q.x, y: 1.2 * p.y - 0.2 * q.y });
      return [beyond(line[0], line[1]), ...line, beyond(line[5], line[4])];
    };
    const inspect = async () => {
      await t.ask(() => window.bellwether.app.select([]));
      await t.ask(() => window.bellwether.app.showPanel('inspect'));
    };

    before(async () => {
      t = await tab(browser, server.url, problems, sizes[name]);
    });
    after(() => t.close());

    test('the page says what can be done, and covers nothing', async () => {
      await t.by('hint').waitFor();
      const hint = await t.by('hint').boundingBox();
      const drawing = await t.by('canvas').boundingBox();
      assert.ok(hint.y + hint.height <= drawing.y, 'the hint is above the drawing');
      assert.match(await t.by('title').innerText(), /\ncel-2: /, 'names come first');
      await here('the first page');
      await t.by('hint').locator('button').click();
    });

    test('a moving node is dragged, and undone by the keyboard', async () => {
      await t.pause();
      const { x, y } = await t.spot(8);
      await t.drag(8, x + 40, y + 30);
      await t.until(acted);
      await t.by('canvas').focus();
      await t.page.keyboard.press('Control+z');
      await t.until(() => !window.bellwether.run.recipe.actions.length);
    });

    test('a scenario is opened', async () => {
      await t.by('open').click();
      await here('the dialog Open');
      await t.page.getByLabel('Search scenarios').fill('partition');
      await t.by('scenario-partition-heals').click();
      await t.until(() => window.bellwether.run.stage.name === 'partition-heals');
      await t.pause();
      await t.to(1e9);
      assert.equal(await t.ask(() => window.bellwether.run.moment.instability), 0);
    });

    test('the leader crashes by a click, and undo restores it', async () => {
      const leader = await t.ask(() => window.bellwether.run.moment.leader[35]);
      await t.by('tool-crash').click();
      const { x, y } = await t.spot(leader);
      await t.page.mouse.click(x, y);
      await t.until((k) => !(window.bellwether.run.moment.state[k] & 1), leader);
      await t.to(1.5e9);
      const next = await t.ask(() => window.bellwether.run.moment.leader[35]);
      assert.notEqual(next, leader);
      await t.by('undo').click();
      await t.until((k) => window.bellwether.run.moment.state[k] & 1, leader);
      await t.to(1e9);
    });

    test('a line splits the network, and a leader out of reach is wrong', async () => {
      await t.by('tool-partition').click();
      const [from, ...line] = await middle();
      await t.page.mouse.move(from.x, from.y);
      await t.page.mouse.down();
      for (const { x, y } of line) await t.page.mouse.move(x, y, { steps: 2 });
      await t.page.mouse.up();
      await t.until(() => window.bellwether.run.moment.components === 2);
      assert.equal(await t.ask(() => window.bellwether.run.moment.instability), 0.5);
      await inspect();
      const table = t.page.locator('table.components');
      await table.getByText('out of reach').waitFor();
      await here('the inspector');
      await t.to(1.9e9);
      await t.until(() => window.bellwether.run.moment.leaders === 2);
      await t.shot(`split-${name}`);
    });

    test('time goes back, and forward again', async () => {
      const end = await t.ask(() => [...window.bellwether.run.moment.leader]);
      const strip = await t.by('timeline').boundingBox();
      await t.page.mouse.click(strip.x + strip.width / 8, strip.y + strip.height / 2);
      await t.until(() => window.bellwether.run.moment.t < 1e9);
      assert.equal(await t.ask(() => window.bellwether.run.moment.components), 1);
      await t.to(1.9e9);
      assert.deepEqual(await t.ask(() => [...window.bellwether.run.moment.leader]), end);
    });

    test('a node and the events speak in sentences', async () => {
      await t.ask(() => window.bellwether.app.select([1]));
      await t.page.getByText('It follows').waitFor();
      await t.page.getByText(/^Since .*: .* \d+/).waitFor();
      await t.by('tab-log').click();
      const lines = await t.by('log').locator('.what').allInnerTexts();
      assert.ok(lines.some((line) => /^\d+ follows \d+: it received an? \w+ from /.test(line)));
      assert.ok(lines.every((line) => !/[{}[\]=]/.test(line)));
      assert.equal(await t.by('log').locator('code').first().isVisible(), false);
      await here('the events');
    });

    test('each panel fits', async () => {
      for (const panel of ['settings', 'plots', 'inspect']) {
        await t.by(`tab-${panel}`).click();
        await here(`the panel ${panel}`);
      }
      await t.by('panel-toggle').click();
      await here('without panels');
    });

    test('it becomes dark, and light again', async () => {
      for (const theme of ['dark', 'light']) {
        await t.by('theme').click();
        assert.equal(await t.ask(() => document.documentElement.dataset.theme), theme);
      }
    });

    test('Space plays and pauses, and never presses a button', async () => {
      await t.by('export').click();
      await here('the dialog Export');
      await t.page.keyboard.press('Escape');
      assert.equal(await t.ask(playing), false);
      await t.page.keyboard.press('Space');
      assert.equal(await t.ask(playing), true);
      await t.page.keyboard.press('Space');
      await t.until(() => !window.bellwether.app.playback.playing);
      assert.equal(await t.page.locator('dialog[open]').count(), 0);
      await t.by('help').click();
      await here('the dialog Help');
      await t.page.keyboard.press('Escape');
      await t.pause();
    });

    test('all exports give files', async () => {
      const films = name === 'wide' ? ['gif', 'webm'] : []; // they take as long as they last
      for (const kind of ['png', 'svg', 'tikz', 'dgs', 'graphml', 'toml', ...films]) {
        await t.by('export').click();
        const arrives = t.page.waitForEvent('download');
        await t.by(`export-${kind}`).click();
        const file = join(artefacts, `${name}-${(await arrives).suggestedFilename()}`);
        await (await arrives).saveAs(file);
        assert.ok(statSync(file).size > 100, file);
      }
      await t.pause();
    });

    test('two algorithms are compared, and Space does not end that', async () => {
      await t.by('compare').click();
      await t.until(() => window.bellwether.app.runs.length === 2);
      await t.page.keyboard.press('Space');
      assert.equal(await t.ask(playing), true);
      assert.equal(await t.ask(() => window.bellwether.app.runs.length), 2);
      await t.pause();
      const options = await t.by('compare-algorithm').locator('option').allInnerTexts();
      assert.ok(options.some((o) => o.startsWith('ghs: ')), `${options}`);
      await here('side by side');
      const sides = await t.page.locator('.legend-side').allTextContents();
      assert.equal(sides.length, 2);
      await t.shot(`compare-${name}`);
      await t.by('compare-close').click();
    });

    test('lesson 1 is taken, step by step', async () => {
      await t.by('lessons').click();
      await t.page.locator('.lessons-entry').first().click();
      const seen = [];
      for (let k = 0; k < 8; ++k) {
        await t.until((i) => window.bellwether.app.lessonPanel.runner?.begun === i, k);
        if (k === 1) await t.page.getByText('6 messages', { exact: false }).waitFor();
        if (k === 3) await t.page.locator('.lessons-node').nth(2).click();
        if (k === 3) await t.page.getByText('Yes: 6 is the largest id.').waitFor();
        seen.push(await t.page.locator('.lessons-body h3').innerText());
        await t.page.locator('.lessons-next').click();
      }
      assert.equal(new Set(seen).size, 8);
      await t.page.getByText('✓ done').waitFor();
      await here('the list of lessons');
      await t.page.getByLabel('Close the lessons').click();
    });
  });
}
