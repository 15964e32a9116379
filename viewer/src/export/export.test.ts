// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dgs } from './dgs';
import { graphml } from './graphml';
import { exporters } from './index';
import { empty, sample } from './sample';
import { convex, scene } from './scene';
import { svg } from './svg';
import { fixed, readable, tex, xml } from './text';
import { tikz } from './tikz';

const writers = { svg, tikz, dgs, graphml };

test('numbers have a fixed number of digits', () => {
  const numbers = [fixed(1, 2), fixed(-0.001, 2), fixed(NaN, 1), fixed(1e-9, 3)];
  assert.deepEqual(numbers, ['1.00', '0.00', '0.0', '0.000']);
  const times = [readable(1500), readable(2.5e6), readable(3.21e9)];
  assert.deepEqual(times, ['1.5 µs', '2.5 ms', '3.21 s']);
  for (const [name, write] of Object.entries(writers)) {
    assert.doesNotMatch(write(sample()), /NaN|undefined|Infinity|\de[-+]\d/, name);
  }
});

test('names are escaped', () => {
  assert.equal(xml('a<b>&"\u0001'), 'a&lt;b&gt;&amp;&quot;\ufffd');
  assert.equal(tex('50% of a_b {#$&} ~^\\'),
    '50\\% of a\\_b \\{\\#\\$\\&\\} \\textasciitilde{}\\textasciicircum{}\\textbackslash{}');
  assert.match(svg(sample()), /<title>a &lt;b&gt; &amp; &quot;c&quot; 50% at 1\.5 ms<\/title>/);
  assert.match(svg(sample()), /up&lt;date/);
  assert.match(tikz(sample()), /^% a \\textless\{\}b\\textgreater\{\} \\& "c" 50\\% \(my\\_height\)/);
  assert.match(dgs(sample()), /^"a <b> & \\"c\\" 50%" 0 0$/m);
  assert.match(graphml(sample()), /<graph id="a &lt;b&gt; &amp; &quot;c&quot; 50%"/);
});

test('a dead node looks dead and has no component', () => {
  assert.match(svg(sample()), /node 60, crashed<\/title><circle class="dead"/);
  assert.match(tikz(sample()), /\\node\[member, dead\] \(n5\) at \([\d.,]+\) \{60\};/);
  assert.match(dgs(sample()), /^an "n5" .*alive:false leads:false ui\.class:"dead"$/m);
  const node = /<node id="n5">([\s\S]*?)<\/node>/.exec(graphml(sample()))?.[1] ?? '';
  assert.match(node, /<data key="alive">false<\/data>/);
  assert.doesNotMatch(node, /component|leader"/);
});

test('only a leader has a crown', () => {
  const crowns = (text: string) => text.split('scale(').length - 1;
  assert.equal(crowns(svg(sample())), 1);
  assert.match(tikz(sample()), /\\pic at \(n0\.north\) \{crown\};/);
  const p = sample();
  p.moment.state[0] = 1;
  assert.equal(crowns(svg(p)), 0);
  assert.doesNotMatch(tikz(p), /\\pic at/);
});

test('a node that names no leader says so', () => {
  assert.match(dgs(sample()), /^an "n3" .*leads:false component:3$/m);
  assert.match(dgs(sample()), /^an "n1" .*leader:"10"/m);
  assert.match(tikz(sample()), /fill=noleader/);
});

test('directions go from the higher to the lower end', () => {
  assert.match(tikz(sample()), /\\draw\[downhill\] \(n1\) -- \(n0\);/);
  assert.match(tikz(sample()), /\\draw\[downhill\] \(n2\) -- \(n0\);/);
  assert.match(tikz(sample()), /\\draw\[wireless\] \(n3\) -- \(n4\);/);
  assert.match(dgs(sample()), /^ae "n1-n0" "n1" > "n0" wireless:false$/m);
  assert.match(dgs(sample()), /^ae "n3-n4" "n3" "n4" wireless:true$/m);
  assert.match(graphml(sample()), /<data key="lower">n0<\/data>/);
});

test('a lost message stops in the middle, another one goes on', () => {
  const { marks } = scene(sample(), 1000, 100);
  assert.ok(Math.abs(marks[0].x - (marks[0].from.x + marks[0].to.x) / 2) < 1e-6);
  const late = sample();
  late.moment.t = 1.9e6;
  const [sent, lost] = scene(late, 1000, 100).marks;
  assert.ok(Math.abs(sent.x - sent.from.x - 0.9 * (sent.to.x - sent.from.x)) < 1e-6);
  assert.ok(Math.abs(lost.y - (lost.from.y + lost.to.y) / 2) < 1e-6);
  assert.match(svg(late), /class="lost"/);
});

test('who is absent is not drawn, who is anonymous has no name', () => {
  const p = sample();
  p.moment.state[4] = 4;
  assert.doesNotMatch(tikz(p), /n4/);
  p.stage.ids = [0, 0, 0, 0, 0, 0];
  assert.match(tikz(p), /\(n0\) at \([\d.,]+\) \{\};/);
  assert.match(graphml(p), /<data key="leader">n0<\/data>/);
});

test('several parts have hulls, one has none', () => {
  assert.equal(scene(sample(), 800, 40).hulls.length, 2);
  const p = sample();
  p.moment.component.fill(0);
  assert.equal(scene(p, 800, 40).hulls.length, 0);
  const corners = convex([[0, 0], [2, 0], [1, 1], [2, 2], [0, 2], [1, 0]]);
  assert.deepEqual(corners, [[0, 0], [2, 0], [2, 2], [0, 2]]);
});

test('an empty network is written, too', () => {
  for (const write of Object.values(writers)) {
    assert.doesNotMatch(write(empty()), /NaN|undefined|Infinity/);
  }
});

test('exporters have different names and say what they do', () => {
  const all = exporters();
  assert.deepEqual(all.map((e) => e.id), ['png', 'svg', 'tikz', 'dgs', 'graphml', 'webm', 'gif']);
  for (const e of all) assert.ok(e.hint.endsWith('.') && e.label && e.extension);
});

test('text formats come as files', async () => {
  const exporter = exporters().find((e) => e.id === 'svg');
  const none = null as unknown as HTMLCanvasElement;
  const blob = await exporter?.run(sample(), none, () => Promise.reject());
  assert.equal(await blob?.text(), svg(sample()));
});
