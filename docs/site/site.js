// SPDX-License-Identifier: MIT
// What the pages do by themselves: search, theme, the drawer of a narrow screen, copying.
(() => {
  const root = document.documentElement;
  const find = (selector) => document.querySelector(selector);
  // Some browsers keep nothing for pages from a disk; then nothing is remembered.
  const memory = (store, key, value) => {
    try {
      if (value === undefined) return window[store].getItem(key);
      window[store].setItem(key, value);
    } catch {}
    return null;
  };

  // Theme: as the system says, until the button says otherwise.
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (e) => {
    if (!memory('localStorage', 'theme')) root.dataset.theme = e.matches ? 'dark' : 'light';
  });
  find('.theme').addEventListener('click', () => {
    root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
    memory('localStorage', 'theme', root.dataset.theme);
  });

  // The sidebar: where it was, with the page in sight; on a narrow screen, a drawer.
  const sidebar = find('.sidebar');
  const menu = find('.menu');
  if (sidebar) {
    sidebar.scrollTop = memory('sessionStorage', 'sidebar') ?? 0;
    const here = sidebar.querySelector('[aria-current]');
    if (here) {
      const y = here.offsetTop - sidebar.scrollTop;
      if (y < 40 || y > sidebar.clientHeight - 60)
        sidebar.scrollTop = here.offsetTop - sidebar.clientHeight / 2;
    }
    addEventListener('pagehide', () => memory('sessionStorage', 'sidebar', sidebar.scrollTop));
    const open = (yes) => {
      root.classList.toggle('drawer', yes);
      menu.setAttribute('aria-expanded', yes);
    };
    menu.addEventListener('click', () => open(!root.classList.contains('drawer')));
    find('main').addEventListener('click', () => open(false));
    addEventListener('keydown', (e) => e.key === 'Escape' && open(false));
  }

  // The heading that is being read.
  const places = [...document.querySelectorAll('.contents a')];
  const headings = places.map((a) => document.getElementById(decodeURIComponent(a.hash.slice(1))));
  const mark = () => {
    const end = innerHeight + scrollY >= root.scrollHeight - 2;
    const passed = headings.filter((h) => h && h.getBoundingClientRect().top < 120).length;
    const now = end && scrollY > 0 ? places.length - 1 : passed - 1;
    places.forEach((a, i) => a.classList.toggle('here', i === now));
  };
  if (places.length) {
    addEventListener('scroll', mark, { passive: true });
    mark();
  }

  // Copying code; of a session only what was typed.
  for (const box of navigator.clipboard ? document.querySelectorAll('.code') : []) {
    const code = box.querySelector('code');
    if (!/language-(sh|console|toml|cpp|c|python)\b/.test(code.className)) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      const lines = code.textContent.trimEnd().split('\n');
      const typed = lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2));
      await navigator.clipboard.writeText((typed.length ? typed : lines).join('\n') + '\n');
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), 1500);
    });
    box.append(button);
  }

  // The search. Its index is a script, so that it loads from a disk, too, and only when it is needed.
  const form = find('.search');
  const input = form.querySelector('input');
  const results = form.querySelector('.results');
  let asked = false;
  const load = () => {
    if (asked) return;
    asked = true;
    const script = document.createElement('script');
    script.src = `${root.dataset.root}assets/index.js`;
    script.onload = show;
    document.head.append(script);
  };
  const marked = (text, words) => {
    const out = document.createDocumentFragment();
    const pattern = RegExp(
      `(${words.map((w) => w.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')).join('|')})`,
      'gi',
    );
    text.split(pattern).forEach((part, i) => {
      if (i % 2) out.append(Object.assign(document.createElement('mark'), { textContent: part }));
      else out.append(part);
    });
    return out;
  };
  const excerpt = (text, words) => {
    const at = Math.min(
      ...words.map((w) => text.toLowerCase().indexOf(w)).filter((i) => i >= 0),
      text.length,
    );
    const from = at === text.length ? 0 : Math.max(0, text.lastIndexOf(' ', Math.max(0, at - 50)) + 1);
    return (from ? '… ' : '') + text.slice(from, from + 160) + (from + 160 < text.length ? ' …' : '');
  };
  function show() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    results.hidden = !words.length;
    if (!words.length || !window.searchIndex) return;
    const hits = window.findSections(window.searchIndex, input.value);
    results.replaceChildren(
      ...hits.map(([url, title, heading, text]) => {
        const a = document.createElement('a');
        a.href = root.dataset.root + url;
        const name = document.createElement('b');
        name.append(marked(heading || title, words));
        const line = document.createElement('span');
        line.append(marked(excerpt(text, words), words));
        a.append(name);
        if (heading) a.append(Object.assign(document.createElement('small'), { textContent: title }));
        a.append(line);
        return a;
      }),
    );
    if (!hits.length) results.textContent = 'Nothing has all these words.';
  }
  input.addEventListener('focus', load);
  input.addEventListener('input', show);
  form.addEventListener('submit', (e) => {
    e.preventDefault();
    results.querySelector('a')?.click();
  });
  form.addEventListener('keydown', (e) => {
    if (e.key === 'Escape') {
      input.value = '';
      results.hidden = true;
      input.blur();
    }
    if (e.key !== 'ArrowDown' && e.key !== 'ArrowUp') return;
    const stops = [input, ...results.querySelectorAll('a')];
    const next = stops[stops.indexOf(document.activeElement) + (e.key === 'ArrowDown' ? 1 : -1)];
    next?.focus();
    e.preventDefault();
  });
  // A hit on the same page changes only the hash.
  results.addEventListener('click', (e) => e.target.closest('a') && (results.hidden = true));
  document.addEventListener('click', (e) => form.contains(e.target) || (results.hidden = true));
  document.addEventListener('keydown', (e) => {
    if (e.key !== '/' || e.ctrlKey || e.metaKey || /INPUT|TEXTAREA/.test(document.activeElement.tagName))
      return;
    e.preventDefault();
    input.focus();
    input.select();
  });
  // index.html?q=WORDS searches at once.
  const query = new URLSearchParams(location.search).get('q');
  if (query) {
    input.value = query;
    load();
    input.focus();
  }
})();
