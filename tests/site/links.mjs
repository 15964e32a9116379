// SPDX-License-Identifier: MIT
// Reads the pages of a site as a browser would follow them, without one.
import { readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';

/** All files below a folder, with `/` between the parts of their paths. */
export function filesBelow(folder, ending, below = '') {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(below, entry.name);
    if (entry.isDirectory()) return filesBelow(folder, ending, path);
    return path.endsWith(ending) ? [path] : [];
  });
}

const plain = (text) =>
  text
    .replace(/&amp;/g, '&')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'");

/** What is linked (`href`), what is loaded (`src`), and what can be linked to (`ids`). */
export function readPage(site, path) {
  const html = readFileSync(join(site, path), 'utf8').replace(/<!--.*?-->/gs, '');
  const page = { path, html, links: [], loads: [], ids: new Set() };
  for (const [, tag, words] of html.matchAll(/<([a-z]+[0-9]?)\s([^>]*)>/gi))
    for (const [, name, , value] of words.matchAll(/([a-z-]+)\s*=\s*(["'])(.*?)\2/gis)) {
      const key = name.toLowerCase();
      if (key === 'id' || (key === 'name' && tag === 'a')) page.ids.add(plain(value));
      else if (key === 'href') (tag === 'a' ? page.links : page.loads).push(plain(value));
      else if (key === 'src') page.loads.push(plain(value));
    }
  return page;
}

const elsewhere = /^([a-z][a-z0-9+.-]*:|\/\/)/i;

/** A sentence for each link that leads to no file, or to no place in it. */
export function brokenLinks(pages, files) {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const broken = [];
  for (const page of pages)
    for (const href of [...page.links, ...page.loads]) {
      if (elsewhere.test(href)) continue;
      const [path, hash] = href.split('#');
      const name = decodeURIComponent(path.split('?')[0]);
      const target = name ? posix.join(posix.dirname(page.path), name) : page.path;
      if (!files.has(target)) broken.push(`${page.path}: ${href}: there is no such file`);
      else if (hash && byPath.has(target) && !byPath.get(target).ids.has(decodeURIComponent(hash)))
        broken.push(`${page.path}: ${href}: there is no such place in the page`);
    }
  return broken;
}
