// SPDX-License-Identifier: MIT
// Every lesson, step by step, on a projector and on phones: each step can be played, and all that
// can be seen can be pressed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fits, launch, serve, sizes, tab } from './server.mjs';

const problems = [];
let server;
let browser;
let t;

before(async () => {
  server = await serve();
  browser = await launch();
  t = await tab(browser, server.url, problems, sizes.phone);
});

after(async () => {
  await browser.close();
  assert.equal(await server.stop(), 0);
});

const step = () =>
  t.ask(() => {
    const { runner } = window.bellwether.app.lessonPanel;
    const { index, last, step } = runner;
    return { index, last, asks: Boolean(step.ask) };
  });

/** The step is being played, or the panel says why not. */
async function played(index) {
  await t.until((k) => {
    const { runner } = window.bellwether.app.lessonPanel;
    return runner.begun === k || document.querySelector('.lessons-trouble').textContent;
  }, index);
  assert.equal(await t.page.locator('.lessons-trouble').textContent(), '');
}

async function fitsEverywhere(where) {
  for (const [name, size] of Object.entries(sizes)) {
    await t.page.setViewportSize(size);
    await t.ask(() => new Promise(requestAnimationFrame));
    await fits(t.page, `${where}, ${name}`);
    const room = await t.by('canvas').boundingBox();
    assert.ok(room.height >= 220, `${where}, ${name}: ${room.height} px for the drawing`);
  }
  await t.page.setViewportSize(sizes.phone);
}

async function walk(lesson) {
  for (;;) {
    const { index, last, asks } = await step();
    const where = `lesson ${lesson + 1}, step ${index + 1}`;
    await played(index);
    if (index === 0 || asks || last) await fitsEverywhere(where);
    if (last) return;
    await t.ask(() => document.querySelector('.lessons-next').click());
  }
}

test('the list of lessons fits', async () => {
  await t.by('lessons').click();
  await fitsEverywhere('the list of lessons');
});

for (let lesson = 0; lesson < 10; ++lesson) {
  test(`lesson ${lesson + 1} can be walked through`, async () => {
    await t.page.locator('.lessons-entry').nth(lesson).click();
    await walk(lesson);
    await t.shot(`lesson-${lesson + 1}`);
    await t.page.locator('.lessons-next').click();
  });
}

test('these are all lessons', async () => {
  assert.equal(await t.page.locator('.lessons-entry').count(), 10);
  await t.page.locator('[aria-label="Close the lessons"]').click();
  await t.by('canvas').waitFor();
});

test('nothing went wrong in the page', () => {
  assert.deepEqual(problems, []);
});
