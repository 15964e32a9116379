// SPDX-License-Identifier: MIT
// Measures the time of a frame of `bellwether view`, in the browser and in the server,
// for moving networks of 60, 1,000 and 20,000 nodes.
//   node bench/view.mjs        (or: make bench-view)
// Without a graphics card the browser draws in software: an upper limit. `script` is the time
// of the page itself; a frame at 60 Hz has 16.7 ms.
import { launch, serve, tab } from '../tests/browser/server.mjs';

const watched = Number(process.env.SECONDS ?? 8);
const scenario = (nodes) => {
  const side = Math.round(60 * Math.sqrt(nodes));
  return `name = "walkers"
algorithm = "cel-2"
[network]
topology = "radio"
nodes = ${nodes}
[mobility]
model = "random-waypoint"
width = ${side}
height = ${side}
speed_min = 1
speed_max = 3
pause = "2 s"
[radio]
range = ${nodes > 5000 ? 60 : 90}
[options]
horizon = 2
[stop]
time = "600 s"
`;
};

const middle = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
const high = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length * 0.95)] ?? 0;
const ms = (x) => x.toFixed(1).padStart(8);

const server = await serve();
const browser = await launch();
const problems = [];
const columns = ['nodes    ', 'pictures/s', 'between two, ms: median, 95 %', 'script, ms'];
console.log([...columns, 'ask, ms'].join('   '));
for (const nodes of [60, 1000, 20000]) {
  const t = await tab(browser, server.url, problems);
  await t.page.evaluate((toml) => window.bellwether.app.openScenario({ toml }), scenario(nodes));
  await t.page.waitForTimeout(2000);
  const seen = await t.page.evaluate(async (seconds) => {
    const { app, run } = window.bellwether;
    const gaps = [];
    const scripts = [];
    const asks = [];
    const advance = run.advance.bind(run);
    run.advance = async (...words) => {
      const begin = performance.now();
      const result = await advance(...words);
      asks.push(performance.now() - begin);
      return result;
    };
    let last = performance.now();
    const end = last + seconds * 1000;
    await new Promise((done) => {
      const look = () => {
        const now = performance.now();
        gaps.push(now - last);
        last = now;
        queueMicrotask(() => scripts.push(app.lastFrame ?? 0));
        now < end ? requestAnimationFrame(look) : done();
      };
      requestAnimationFrame(look);
    });
    return { gaps, scripts, asks };
  }, watched);
  console.log(
    String(nodes).padEnd(9),
    ms(seen.gaps.length / watched),
    ' '.repeat(6),
    ms(middle(seen.gaps)),
    ms(high(seen.gaps)),
    ' '.repeat(8),
    ms(middle(seen.scripts)),
    ' '.repeat(11),
    ms(middle(seen.asks)),
  );
  await t.close();
}
await browser.close();
await server.stop();
if (problems.length) console.log(problems);
