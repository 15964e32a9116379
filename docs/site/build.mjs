// SPDX-License-Identifier: MIT
// Makes the site from README.md, docs/ and what they link to: node build.mjs SITE [MADE]
// MADE is a folder with pages that a program has written. The site needs no network and no server:
// links are relative, the search has its index in a script, and linked sources become pages, too.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { escape, highlight, render } from './markdown.mjs';
import navigation from './nav.mjs';
import { page } from './page.mjs';
import { relative, urlOf } from './urls.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../..');
const [site, made] = process.argv.slice(2).map((path) => resolve(path));
if (!site) throw new Error('usage: node build.mjs SITE [MADE]');

/** Pages that a program writes; what stands in for one that is not there says how to get it. */
const generated = {
  'docs/reference/cli.md': {
    file: 'bellwether.md',
    instead:
      '# Command line\n\nThe program writes this page itself. `make build` builds it, and `make docs` ' +
      'then has the page; until then, `bellwether COMMAND --help` says the same.\n',
  },
};

function read(path) {
  const from = generated[path];
  if (!from) return readFileSync(join(root, path), 'utf8');
  const file = made && join(made, from.file);
  return file && existsSync(file) ? readFileSync(file, 'utf8') : from.instead;
}

const isThere = (path) => path in generated || existsSync(join(root, path));

function write(url, text) {
  mkdirSync(dirname(join(site, url)), { recursive: true });
  writeFileSync(join(site, url), text);
}

function copy(from, url) {
  mkdirSync(dirname(join(site, url)), { recursive: true });
  copyFileSync(from, join(site, url));
}

// The pages, in the order of the navigation; those that are not there are left out.

const pages = new Map(); // path -> page
const absent = [];

function entry(item, named) {
  if (item.pages) return [{ title: item.title, pages: item.pages.flatMap((i) => entry(i, named)) }];
  const [label, target] = Array.isArray(item) ? item : [null, item];
  if (target.endsWith('/*.md')) {
    const folder = target.slice(0, -'/*.md'.length);
    if (!isThere(folder)) return [];
    const rest = readdirSync(join(root, folder))
      .filter((f) => f.endsWith('.md'))
      .map((f) => `${folder}/${f}`);
    return rest
      .filter((path) => !named.has(path))
      .sort()
      .flatMap((path) => entry(path, named));
  }
  if (target.startsWith('api/')) return existsSync(join(site, target)) ? [{ label, url: target }] : [];
  const [source, hash] = target.split('#');
  if (!isThere(source)) {
    absent.push(source);
    return [];
  }
  if (hash) return [{ label, url: `${urlOf(source)}#${hash}` }];
  pages.set(source, { label, source, url: urlOf(source) });
  return [pages.get(source)];
}

const flat = (items) =>
  items.flatMap((item) => (item.pages ? flat(item.pages) : Array.isArray(item) ? item[1] : item));
const named = new Set(flat(navigation));
const nav = navigation
  .map((section) => ({ ...section, pages: section.pages.flatMap((item) => entry(item, named)) }))
  .filter((section) => section.pages.length);

// Where links lead.

const sources = new Map(); // path of a file or folder of the repository -> its url
const broken = [];
const skipped = /(^|\/)(\.[^/]*|node_modules|dist|dist-test|build(-[^/]*)?)(\/|$)/;

function sourceUrl(path) {
  if (!sources.has(path)) {
    const folder = statSync(join(root, path)).isDirectory();
    sources.set(path, folder ? `source/${path}/index.html` : `source/${path}.html`);
  }
  return sources.get(path);
}

/** `isImage`: the file itself is wanted, beside the page. */
function linkFrom(from, url, href, isImage) {
  if (/^([a-z]+:|#|\/\/)/.test(href)) return href;
  const [target, hash] = href.split('#');
  const path = posix.join(posix.dirname(from), decodeURI(target)).replace(/\/$/, '');
  const tail = hash ? `#${hash}` : '';
  const known = pages.get(path) ?? pages.get(`${path}/README.md`);
  if (known) return relative(url, known.url) + tail;
  if (path.startsWith('..') || skipped.test(path) || !isThere(path)) {
    broken.push(`${from}: ${href}`);
    return href;
  }
  if (isImage || /\.(svg|png|jpg|gif|webm|mp4)$/.test(path)) {
    copy(join(root, path), path.replace(/^docs\//, ''));
    return relative(url, path.replace(/^docs\//, ''));
  }
  return relative(url, sourceUrl(path)) + tail;
}

// Sources: a file with its lines, a folder as a list.

const languages = {
  hpp: 'cpp',
  h: 'cpp',
  inl: 'cpp',
  cpp: 'cpp',
  c: 'c',
  py: 'python',
  mjs: 'javascript',
  ts: 'typescript',
  toml: 'ini',
  service: 'ini',
  sh: 'bash',
  slurm: 'bash',
  json: 'json',
  md: 'markdown',
  cmake: 'cmake',
  css: 'css',
  html: 'xml',
  svg: 'xml',
};

function languageOf(path, text) {
  if (/CMakeLists.txt$/.test(path)) return 'cmake';
  if (/Makefile$/.test(path)) return 'makefile';
  return (
    languages[posix.extname(path.replace(/\.in$/, '')).slice(1)] ?? (text.startsWith('#!') ? 'bash' : '')
  );
}

function crumbs(path, url) {
  const parts = path.split('/');
  const step = (name, i) => {
    const folder = parts.slice(0, i + 1).join('/');
    const target = pages.get(`${folder}/README.md`)?.url ?? sources.get(folder);
    return target && folder !== path ? `<a href="${relative(url, target)}">${name}</a>` : name;
  };
  return `<h1 class="path">${parts.map(step).join('<i>/</i>')}</h1>\n`;
}

function fileBody(path, text) {
  if (text.includes('\0')) return '<p>Not a text.</p>\n';
  const lines = text.replace(/\n$/, '').split('\n').length;
  const numbers = Array.from({ length: lines }, (_, i) => i + 1).join('\n');
  // Colours for what people read, not for tables of a thousand rows.
  const code = text.length < 300000 ? highlight(text, languageOf(path, text)) : escape(text);
  return `<div class="listing"><pre class="numbers" aria-hidden="true">${numbers}</pre><pre><code>${code}</code></pre></div>\n`;
}

function folderBody(path, url) {
  const names = readdirSync(join(root, path))
    .filter((name) => !skipped.test(name))
    .sort();
  const items = names.map((name) => {
    const inside = `${path}/${name}`;
    const folder = statSync(join(root, inside)).isDirectory();
    const target = pages.get(inside)?.url ?? sourceUrl(inside);
    return `<li><a href="${relative(url, target)}">${name}${folder ? '/' : ''}</a></li>`;
  });
  return `<ul class="files">${items.join('')}</ul>\n`;
}

function writeSource(path, url) {
  const folder = statSync(join(root, path)).isDirectory();
  const body = folder ? folderBody(path, url) : fileBody(path, readFileSync(join(root, path), 'utf8'));
  write(url, page({ url, title: path, about: path, body: crumbs(path, url) + body, kind: 'source', nav }));
}

// The front page: what it is, a picture, and the doors to the sections.

function doors(url) {
  const first = (items) => (items[0].pages ? first(items[0].pages) : items[0]);
  const door = (s) =>
    `<a href="${relative(url, first(s.pages).url)}"><b>${s.title}</b><span>${s.about}</span></a>`;
  return `<nav class="doors" aria-label="Sections">${nav
    .filter((s) => s.title)
    .map(door)
    .join('')}</nav>\n`;
}

/** The first sentence of README.md stands beside the picture, the rest below. */
function homeBody({ lead, rest }) {
  const picture = readFileSync(join(here, 'hero.svg'), 'utf8').replace(/<!--.*?-->\n/gs, '');
  const parts = /^(<h1.*?<\/h1>)\s*<p>((?:(?!<\/p>).)*?\.)\s+(.*)$/s.exec(lead);
  const [top, below] = parts ? [`${parts[1]}<p>${parts[2]}</p>`, `<p>${parts[3]}`] : [lead, ''];
  return `<div class="hero"><div>${top}</div>${picture}</div>\n${below}${doors('index.html')}${rest}`;
}

// Everything.

mkdirSync(site, { recursive: true });
for (const [path, p] of pages) {
  p.content = render(read(path), (href, isImage) => linkFrom(path, p.url, href, isImage));
  p.label ??= p.content.title;
}
const order = [...pages.values()];
order.forEach((p, i) => {
  const { title, headings, lead, rest, sections } = p.content;
  const home = p.url === 'index.html';
  write(
    p.url,
    page({
      url: p.url,
      title,
      about: (sections[0].text || title).slice(0, 200),
      body: home ? homeBody(p.content) : lead + rest,
      kind: home ? 'home' : 'text',
      nav,
      headings,
      previous: order[i - 1],
      next: order[i + 1],
    }),
  );
});
// The map grows while folders are listed.
for (const [path, url] of sources) writeSource(path, url);

const index = order.flatMap((p) =>
  p.content.sections
    .filter((s) => s.text || s.id)
    .map((s) => [p.url + (s.id ? `#${s.id}` : ''), p.content.title, s.heading, s.text]),
);
write('assets/index.js', `window.searchIndex = ${JSON.stringify(index)};\n`);
for (const file of ['site.css', 'site.js', 'find.js', 'bell.svg']) copy(join(here, file), `assets/${file}`);

console.log(`${order.length} pages, ${sources.size} sources, ${index.length} sections to search`);
for (const path of absent) console.error(`site: docs/site/nav.mjs names ${path}, which is not there`);
for (const link of broken) console.error(`site: ${link} leads nowhere`);
if (broken.length) process.exitCode = 1;
