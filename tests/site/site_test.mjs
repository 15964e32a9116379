// SPDX-License-Identifier: MIT
// The documents as a site: built as `make docs` builds it, then followed link by link.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { urlOf } from '../../docs/site/urls.mjs';
import { brokenLinks, filesBelow, readPage } from './links.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bellwether-site-'));
const site = join(folder, 'site');
let built;
let files;
let pages;
let sidebar; // where it leads, from the front page

before(() => {
  built = spawnSync(join(root, 'scripts/docs'), [site], { encoding: 'utf8' });
  files = new Set(filesBelow(site, ''));
  pages = [...files].filter((path) => path.endsWith('.html')).map((path) => readPage(site, path));
  const front = pages.find((page) => page.path === 'index.html').html;
  const [, nav] = /<nav class="sidebar".*?>(.*?)<\/nav>/s.exec(front);
  sidebar = new Set([...nav.matchAll(/href="([^"]*)"/g)].map((match) => match[1]));
});

after(() => rmSync(folder, { recursive: true }));

test('it is built without a complaint about links', () => {
  assert.equal(built.status, 0, built.stderr);
});

test('every link leads to a file, and to a place in it', () => {
  // Doxygen links to the nested classes of a class even where all of them are private.
  const broken = brokenLinks(pages, files).filter((line) => !/^api\/.*#nested-classes/.test(line));
  assert.equal(broken.length, 0, `${broken.length} broken links\n${broken.slice(0, 40).join('\n')}`);
});

test('every document is in a section', () => {
  const documents = filesBelow(join(root, 'docs'), '.md').filter((path) => !path.includes('node_modules/'));
  assert.ok(documents.length > 50);
  const missing = documents.filter((path) => !sidebar.has(urlOf(`docs/${path}`)));
  assert.deepEqual(missing, [], 'add them to docs/site/nav.mjs');
});

test('every page is reached from the sidebar, and every page has it', () => {
  const own = pages.filter((page) => !/^(api|source)\//.test(page.path));
  for (const page of own) {
    assert.ok(sidebar.has(page.path), `${page.path} is not in the sidebar`);
    assert.match(page.html, /<nav class="sidebar"/, page.path);
    const here = page.html.match(/aria-current="page"/g) ?? [];
    assert.equal(here.length, 1, `${page.path} is marked ${here.length} times`);
  }
});

test('nothing is loaded from elsewhere', () => {
  for (const page of pages)
    for (const source of page.loads) assert.doesNotMatch(source, /^(https?:)?\/\//, page.path);
  for (const path of files)
    if (path.endsWith('.css'))
      assert.doesNotMatch(
        readFileSync(join(site, path), 'utf8'),
        /(url\(\s*["']?|@import\s+["'])(https?:)?\/\//,
        path,
      );
});

test('the first page of the headers names every module', () => {
  const modules = readdirSync(join(root, 'src/bellwether'), { withFileTypes: true }).filter((e) =>
    e.isDirectory(),
  );
  const page = readFileSync(join(root, 'docs/site/api.dox'), 'utf8');
  for (const { name } of modules) {
    assert.ok(page.includes(`| @ref bellwether::${name} "${name}" |`), `${name} is not in its table`);
    assert.ok(page.includes(`@namespace bellwether::${name} `), `${name} has no sentence`);
  }
});

test('no page tells where it was built', () => {
  for (const page of pages) assert.ok(!page.html.includes(root), page.path);
});

test('the search finds sections, the best first', () => {
  const context = vm.createContext({});
  vm.runInContext('globalThis.window = globalThis;', context);
  for (const script of ['find.js', 'index.js'])
    vm.runInContext(readFileSync(join(site, 'assets', script), 'utf8'), context);
  const urls = (query) => [...context.findSections(context.searchIndex, query)].map(([url]) => url);
  assert.equal(urls('Chang')[0], 'algorithms/chang-roberts.html');
  assert.equal(urls('chang-roberts')[0], 'algorithms/chang-roberts.html');
  assert.ok(urls('epoch').some((url) => url.startsWith('node.html#the-epoch')));
  assert.ok(urls('random waypoint pause').length > 0);
  assert.deepEqual(urls('zyzzyva (no such word'), []);
  assert.deepEqual(urls('  '), []);
  for (const [url] of context.searchIndex) assert.ok(files.has(url.split('#')[0]), url);
});

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
test('the search works in a browser, from the disk', { skip: !existsSync(chromium) && 'no chromium' }, () => {
  const flags =
    '--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking ' +
    '--disable-component-update --disable-sync --virtual-time-budget=5000 --dump-dom';
  const { stdout } = spawnSync(
    chromium,
    [
      ...flags.split(' '),
      `--user-data-dir=${join(folder, 'profile')}`,
      `file://${site}/metrics.html?q=Chang`,
    ],
    { encoding: 'utf8', maxBuffer: 1 << 26 },
  );
  const [results] = /<div class="results">.{0,100}/s.exec(stdout) ?? [stdout.slice(0, 1000)];
  assert.match(results, /<a href="\.\/algorithms\/chang-roberts\.html"/);
  assert.match(stdout, /<html[^>]* data-theme="(light|dark)"/);
});
