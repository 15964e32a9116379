// SPDX-License-Identifier: MIT
// Open, export, help: what comes in front of the page.
import type { App } from '../app';
import { exporters } from '../export';
import { HELP } from '../keys';
import { LEADER_COLOURS } from '../palette';
import { tomlValues } from '../toml';
import { button, h } from './dom';
import { icons } from './icons';

export function dialog(
  title: string,
  test: string,
  ...content: (Node | null)[]
): HTMLDialogElement {
  document.querySelector('dialog[open]')?.remove();
  const d = h(
    'dialog',
    { 'aria-label': title, 'data-testid': test },
    h(
      'header',
      { class: 'dialog-head' },
      h('h2', {}, title),
      button({ label: 'Close', icon: icons.close, class: 'push' }, () => d.close()),
    ),
    h('div', { class: 'dialog-body' }, ...content.filter((c) => c !== null)),
  );
  d.addEventListener('close', () => d.remove());
  d.addEventListener('click', (e) => {
    if (e.target === d) d.close();
  });
  document.body.append(d);
  d.showModal();
  return d;
}

export function openDialog(app: App): void {
  const load: Load = (what) => {
    d.close();
    app.openScenario(what).catch((e: Error) => app.trouble(e));
  };
  const file = h('input', {
    type: 'file',
    accept: '.toml,.jsonl,.trace,text/plain',
    class: 'hidden-file',
    'aria-label': 'Scenario file',
    'data-testid': 'upload',
    onchange: async () => {
      const chosen = file.files?.[0];
      if (!chosen) return;
      const text = await chosen.text();
      load(text.trimStart().startsWith('{') ? { trace: text } : { toml: text });
    },
  });
  const link = h('input', {
    type: 'text',
    class: 'field',
    placeholder: 'Paste a link made by Copy link',
    'aria-label': 'Link',
    onchange: async () => {
      d.close();
      if (!(await app.openLink(link.value)))
        app.say('This is no link to a run; paste one that Copy link made.');
    },
  });
  const search = h('input', {
    type: 'search',
    class: 'field',
    placeholder: 'Search scenarios',
    'aria-label': 'Search scenarios',
    oninput: () => {
      const word = search.value.toLowerCase();
      for (const row of list.children as HTMLCollectionOf<HTMLElement>) {
        row.hidden = !(row.textContent ?? '').toLowerCase().includes(word);
      }
    },
  });
  const list = h('div', { class: 'cards' }, scenarioCards(app, load));
  const d = dialog(
    'Open a scenario',
    'open-dialog',
    h(
      'div',
      { class: 'row' },
      search,
      button(
        {
          label: 'Open a scenario (TOML) or a recording (JSON lines) from a file',
          icon: icons.open,
          text: 'From a file',
          class: 'outlined',
        },
        () => file.click(),
      ),
      file,
    ),
    list,
    link,
  );
  search.focus();
}

type Load = (what: { name?: string; toml?: string; trace?: string; set?: string[] }) => void;

function scenarioCards(app: App, load: Load): (HTMLElement | null)[] {
  const card = (test: string, title: string, lines: string[], onclick: () => void) =>
    h(
      'button',
      { type: 'button', class: 'card', 'data-testid': `scenario-${test}`, onclick },
      h('b', {}, title),
      lines.map((line) => h('span', {}, line)),
    );
  const live = app.hello?.command.of === 'live';
  const first = [
    live
      ? 'The live group of the command line.'
      : 'The scenario of the command line, or the default one.',
  ];
  return [
    card('first', 'Initial scenario', first, () => load({})),
    ...(app.hello?.scenarios ?? []).map((s) => {
      const set = fewer(s.toml);
      const lines = set.length ? [s.about, `Opens with fewer nodes: ${set.join(', ')}.`] : [s.about];
      return card(s.name, s.name, lines, () => load({ name: s.name, set }));
    }),
  ];
}

const MOST_DRAWN = 40000;

/** Networks too large to see are opened smaller. */
export function fewer(toml: string): string[] {
  const values = tomlValues(toml);
  const number = (key: string) => Number((values.get(key) ?? '0').replaceAll('_', ''));
  if (number('network.nodes') > MOST_DRAWN) return ['network.nodes=2000'];
  const many = number('network.rows') * number('network.columns') > MOST_DRAWN;
  return many ? ['network.rows=50', 'network.columns=50'] : [];
}

export function exportDialog(app: App): void {
  const row = (label: string, hint: string, test: string, run: () => Promise<void>) =>
    h(
      'button',
      {
        type: 'button',
        class: 'card',
        'data-testid': test,
        onclick: () => {
          d.close();
          run()
            .then(() => app.say(`${label}: done.`))
            .catch((e: Error) => app.trouble(e));
        },
      },
      h('b', {}, label),
      h('span', {}, hint),
    );
  const cards = exporters().map((x) =>
    row(x.label, x.hint, `export-${x.id}`, async () => {
      if (/film/i.test(x.label)) app.say('Recording … You can go on using the page.');
      download(await app.exportWith(x), `${app.fileName()}.${x.extension}`);
    }),
  );
  cards.push(
    row(
      'Scenario (TOML)',
      'The scenario with all actions done by hand; bellwether run repeats the run.',
      'export-toml',
      async () =>
        download(
          new Blob([await app.run.exportToml()], { type: 'text/plain' }),
          `${app.fileName()}.toml`,
        ),
    ),
  );
  const d = dialog('Export', 'export-dialog', h('div', { class: 'cards two' }, cards));
}

function download(blob: Blob, name: string): void {
  const a = h('a', { href: URL.createObjectURL(blob), download: name });
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10000);
}

export function helpDialog(app: App): void {
  dialog(
    'Help',
    'help-dialog',
    h(
      'p',
      { class: 'lead' },
      'Watch an election, and disturb it: drag nodes, crash them, cut links, draw a line through ',
      'the network. ',
      'Time goes both ways: the same scenario with the same actions always gives the same run.',
    ),
    signs(),
    h(
      'div',
      { class: 'help-keys' },
      HELP.map((part) =>
        h(
          'section',
          {},
          h('h3', {}, part.title),
          h(
            'dl',
            {},
            part.rows.flatMap(([key, what]) => [
              h(
                'dt',
                {},
                key
                  .split(' ')
                  .map((k) => (k === '+' && key.includes('drag') ? ' + ' : h('kbd', {}, k))),
              ),
              h('dd', {}, what),
            ]),
          ),
        ),
      ),
    ),
    h('p', { class: 'quiet' }, `Bellwether ${app.hello?.version ?? ''}`),
  );
}

function signs(): HTMLElement {
  const c = LEADER_COLOURS;
  const svg = (body: string) => `<svg viewBox="-14 -14 28 28" width="30" height="30">${body}</svg>`;
  const crown = '<path d="M-5 4.5v-7l2.8 2.3L0-5l2.2 4.8L5-2.5v7z" fill="#fff"/>';
  const list: [string, string][] = [
    [
      svg(`<circle r="8" fill="${c[0]}"/>`),
      'a node; its colour and the number after ▸ show its leader',
    ],
    [
      svg(`<circle r="10" fill="${c[0]}" stroke="currentColor" stroke-width="2"/>${crown}`),
      'a leader',
    ],
    [
      svg(
        `<circle r="7" fill="${c[3]}"/>` +
          '<circle r="10.5" fill="none" stroke="currentColor" stroke-dasharray="5 3"/>',
      ),
      'it names another leader than most of its component',
    ],
    [svg('<circle r="7" fill="none" stroke="#8a94a3" stroke-width="3"/>'), 'it names no leader'],
    [
      svg(`<rect x="-8" y="-8" width="16" height="16" rx="1.5" fill="${c[2]}"/>`),
      'fixed or wired: a tower, a server',
    ],
    [svg('<path d="M-6-6L6 6M6-6L-6 6" stroke="#7b8494" stroke-width="4"/>'), 'crashed'],
  ];
  return h(
    'ul',
    { class: 'signs' },
    list.map(([picture, words]) => h('li', {}, h('span', { html: picture }), words)),
  );
}
