// SPDX-License-Identifier: MIT
// The frame around every page of the site.
import { posix } from 'node:path';
import { escape } from './markdown.mjs';
import { relative } from './urls.mjs';

function entries(list, url) {
  const item = (entry) => {
    if (entry.pages) {
      const open = entry.pages.some((e) => e.url === url) ? ' open' : '';
      return `<li><details${open}><summary>${entry.title}</summary>${entries(entry.pages, url)}</details></li>`;
    }
    const here = entry.url === url ? ' aria-current="page"' : '';
    const code = entry.source?.startsWith('docs/algorithms/') ? ' class="name"' : '';
    return `<li><a href="${relative(url, entry.url)}"${here}${code}>${escape(entry.label)}</a></li>`;
  };
  return `<ul>${list.map(item).join('')}</ul>`;
}

const sidebar = (nav, url) =>
  `<nav class="sidebar" id="sidebar" aria-label="All pages">${nav
    .map((s) => (s.title ? `<h2>${s.title}</h2>` : '') + entries(s.pages, url))
    .join('')}</nav>`;

function contents(headings) {
  const shown = headings.filter((h) => h.level === 2 || h.level === 3);
  if (shown.length < 3) return '';
  const items = shown.map((h) => `<li class="h${h.level}"><a href="#${h.id}">${h.html}</a></li>`);
  return `<aside class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></aside>`;
}

function steps(url, previous, next) {
  if (!previous && !next) return '';
  const step = (page, rel, word) =>
    page
      ? `<a class="${rel}" rel="${rel}" href="${relative(url, page.url)}"><small>${word}</small>${escape(page.label)}</a>`
      : '<span></span>';
  return `<footer><nav class="steps" aria-label="Previous and next page">${step(previous, 'prev', 'Previous')}${step(next, 'next', 'Next')}</nav></footer>\n`;
}

/** Set before anything is drawn, so that nothing flashes. */
const theme =
  "(()=>{let t=null;try{t=localStorage.getItem('theme')}catch{}" +
  "document.documentElement.dataset.theme=t||(matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light')})()";

const icons = {
  menu: '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 7h16M4 12h16M4 17h16"/></svg>',
  theme:
    '<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="8"/><path class="full" d="M12 4a8 8 0 0 1 0 16z"/></svg>',
};

export function page({ url, title, about, body, kind, nav, headings = [], previous, next }) {
  const to = (path) => relative(url, path);
  return `<!doctype html>
<html lang="en" data-root="${posix.relative(posix.dirname(url), '.') || '.'}/">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}${title === 'Bellwether' ? '' : ' · Bellwether'}</title>
<meta name="description" content="${escape(about)}">
<link rel="icon" type="image/svg+xml" href="${to('assets/bell.svg')}">
<link rel="stylesheet" href="${to('assets/site.css')}">
<script>${theme}</script>
<script defer src="${to('assets/find.js')}"></script>
<script defer src="${to('assets/site.js')}"></script>
</head>
<body class="${kind}">
<a class="skip" href="#content">To the text</a>
<header class="bar">
<button class="menu" type="button" aria-label="All pages" aria-controls="sidebar" aria-expanded="false">${icons.menu}</button>
<a class="brand" href="${to('index.html')}"><img src="${to('assets/bell.svg')}" alt="" width="26" height="26">Bellwether</a>
<form class="search" role="search"><input type="search" name="q" placeholder="Search" aria-label="Search all pages" autocomplete="off" spellcheck="false"><kbd>/</kbd><div class="results" hidden></div></form>
<button class="theme" type="button" aria-label="Light or dark">${icons.theme}</button>
</header>
<div class="frame">
${kind === 'source' ? '' : sidebar(nav, url)}
<main id="content">
<article>
${body}</article>
${steps(url, previous, next)}</main>
${contents(headings)}
</div>
</body>
</html>
`;
}
