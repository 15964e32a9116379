// SPDX-License-Identifier: MIT
// Markdown to HTML, with what the site needs beside it: headings, and sections for the search.
import hljs from 'highlight.js/lib/common';
import cmake from 'highlight.js/lib/languages/cmake';
import MarkdownIt from 'markdown-it';

hljs.registerLanguage('cmake', cmake);

export const escape = (text) =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);

export const highlight = (code, language) =>
  hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : escape(code);

const md = new MarkdownIt({ html: true, highlight });

/** The name that GitHub gives to a heading, so that links work there and here. */
function slug(text, taken) {
  const name = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replace(/ /g, '-');
  const n = taken.get(name) ?? 0;
  taken.set(name, n + 1);
  return n ? `${name}-${n}` : name;
}

const plain = (inline) =>
  inline.children
    .map((t) => (['text', 'code_inline'].includes(t.type) ? t.content : t.type === 'softbreak' ? ' ' : ''))
    .join('');

// Wide tables scroll in a box of their own, which the keyboard reaches, too.
md.renderer.rules.table_open = (tokens, i) => {
  const head = tokens.slice(
    i,
    tokens.findIndex((t, at) => at > i && t.type === 'tr_close'),
  );
  const wide = head.filter((t) => t.type === 'th_open').length > 3 ? ' wide' : '';
  return `<div class="table${wide}" tabindex="0"><table>\n`;
};
md.renderer.rules.table_close = () => '</table></div>\n';

// Pictures are drawn for paper and often wide; a click shows one in full.
md.renderer.rules.image = (tokens, i) => {
  const src = escape(tokens[i].attrGet('src'));
  return `<a class="picture" href="${src}"><img src="${src}" alt="${escape(tokens[i].content)}" loading="lazy"></a>`;
};

const codeBlock = (code, language) =>
  `<div class="code"><pre><code${language ? ` class="language-${language}"` : ''}>` +
  `${highlight(code, language)}</code></pre></div>\n`;
md.renderer.rules.fence = (tokens, i) => codeBlock(tokens[i].content, tokens[i].info.trim().split(/\s/)[0]);
md.renderer.rules.code_block = (tokens, i) => codeBlock(tokens[i].content, '');

/**
 * `link(href, isImage)` says where a link of the page leads in the site. The parts of the answer:
 * title, html before the first h2 (`lead`) and from it on (`rest`), headings, sections.
 */
export function render(text, link) {
  const tokens = md.parse(text, {});
  const taken = new Map();
  const headings = [];
  const sections = [{ id: '', heading: '', text: [] }];
  let title = '';
  tokens.forEach((token, i) => {
    for (const child of token.children ?? []) {
      if (child.type === 'link_open') child.attrSet('href', link(child.attrGet('href'), false));
      if (child.type === 'image') child.attrSet('src', link(child.attrGet('src'), true));
    }
    // In tables with many columns, what is short keeps to one line.
    if (token.type === 'td_open' && plain(tokens[i + 1]).length < 24) token.attrSet('class', 'short');
    if (token.type === 'heading_open') {
      const words = plain(tokens[i + 1]);
      const id = slug(words, taken);
      token.attrSet('id', id);
      if (token.tag === 'h1' && !title) title = words;
      else {
        headings.push({
          level: Number(token.tag[1]),
          id,
          html: md.renderer.render(
            tokens[i + 1].children.filter((t) => !t.type.startsWith('link')),
            md.options,
            {},
          ),
        });
        sections.push({ id, heading: words, text: [] });
        const anchor = new token.constructor('html_inline', '', 0);
        anchor.content = `<a class="anchor" href="#${id}" aria-label="A link to this heading">#</a>`;
        tokens[i + 1].children.push(anchor);
      }
    } else if (token.type === 'inline' && tokens[i - 1].type !== 'heading_open') {
      sections.at(-1).text.push(plain(token));
    } else if (['fence', 'code_block'].includes(token.type)) {
      sections.at(-1).text.push(token.content);
    }
  });
  const cut = tokens.findIndex((t) => t.type === 'heading_open' && t.tag === 'h2');
  const html = (part) => md.renderer.render(part, md.options, {});
  return {
    title,
    headings,
    lead: html(cut < 0 ? tokens : tokens.slice(0, cut)),
    rest: cut < 0 ? '' : html(tokens.slice(cut)),
    sections: sections.map((s) => ({ ...s, text: s.text.join(' ').replace(/\s+/g, ' ').trim() })),
  };
}
