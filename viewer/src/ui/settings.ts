// SPDX-License-Identifier: MIT
// The scenario: algorithm and network, a few sliders, and the whole text.
import type { App } from '../app';
import { Refused } from '../protocol';
import { effective, unquote } from '../toml';
import { button, fill, h } from './dom';
import { icons } from './icons';
import { companions, knobs, type Knob } from './knobs';
import { algorithmText } from '../words';

export class Settings {
  private readonly choices = h('div', { class: 'settings-choices' });
  private readonly sliders = h('div', { class: 'knobs' });
  private readonly editor: HTMLTextAreaElement;
  private readonly numbers = h('pre', { class: 'line-numbers', 'aria-hidden': 'true' });
  private readonly error = h('p', { class: 'editor-error', role: 'alert', hidden: true });
  private readonly apply: HTMLButtonElement;
  private stale = true;
  private setting = false;
  private next: string[] | null = null;

  constructor(
    private readonly parent: HTMLElement,
    private readonly app: App,
  ) {
    this.editor = h('textarea', {
      class: 'editor',
      spellcheck: 'false',
      wrap: 'off',
      rows: 16,
      'aria-label': 'Scenario as TOML',
      'data-testid': 'editor',
      oninput: () => this.number(),
      onscroll: () => (this.numbers.scrollTop = this.editor.scrollTop),
      onkeydown: (e: KeyboardEvent) => {
        if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) void this.applyText();
      },
    });
    this.apply = button(
      { label: 'Run this scenario', text: 'Apply', class: 'primary', test: 'apply', key: 'Ctrl Enter' },
      () => void this.applyText(),
    );
    parent.append(
      this.choices,
      this.sliders,
      h('h3', {}, 'Scenario as text'),
      h('div', { class: 'editor-box' }, this.numbers, this.editor),
      this.error,
      h(
        'div',
        { class: 'row' },
        this.apply,
        button({ label: 'Discard the changes of this text', text: 'Discard', class: 'outlined' }, () =>
          this.fillText(),
        ),
      ),
    );
  }

  /** The run is another one. */
  changed(): void {
    this.stale = true;
    this.refresh();
  }

  refresh(): void {
    if (!this.stale || this.parent.hidden || !this.app.run.ready || !this.app.hello) return;
    this.stale = false;
    const active = document.activeElement;
    const busy = active instanceof HTMLInputElement && this.sliders.contains(active);
    if (!busy) this.fillKnobs();
    this.fillChoices();
    this.fillText();
  }

  private values(): Map<string, string> {
    const { stage, recipe } = this.app.run;
    return effective(stage.toml, recipe.set);
  }

  private fillText(): void {
    this.editor.value = this.app.run.stage.toml;
    this.showError(null);
    this.number();
  }

  private number(bad = 0): void {
    const lines = this.editor.value.split('\n').length;
    fill(
      this.numbers,
      ...Array.from({ length: lines }, (_, i) =>
        h('span', { class: i + 1 === bad ? 'bad' : '' }, `${i + 1}\n`),
      ),
    );
  }

  private fillChoices(): void {
    const hello = this.app.hello!;
    const values = this.values();
    const value = (key: string, fallback: string) => unquote(values.get(key) ?? fallback);
    const algorithms = hello.algorithms.filter(
      (a) => !this.app.run.stage.moves || a.moving || a.name === this.app.run.stage.algorithm,
    );
    fill(
      this.choices,
      this.choice(
        'Algorithm',
        'algorithm',
        this.app.run.stage.algorithm,
        algorithms.map((a) => ({
          name: a.name,
          label: algorithmText(hello.algorithms, a.name),
          description: a.description,
        })),
        'algorithm',
      ),
      this.choice(
        'Topology',
        'network.topology',
        value('network.topology', 'ring'),
        hello.topologies,
        'topology',
      ),
      this.choice(
        'Movement',
        'mobility.model',
        value('mobility.model', 'none'),
        hello.mobilities,
        'mobility',
      ),
    );
  }

  private choice(
    name: string,
    key: string,
    current: string,
    list: { name: string; label?: string; description: string }[],
    test: string,
  ): HTMLElement {
    const select = h(
      'select',
      {
        class: 'field',
        'aria-label': name,
        'data-testid': test,
        onchange: () => this.choose(key, select.value),
      },
      list.map((o) =>
        h('option', { value: o.name, selected: o.name === current }, o.label ?? o.name),
      ),
    );
    const known = list.find((o) => o.name === current);
    if (!known) select.prepend(h('option', { value: current, selected: true }, current));
    return h(
      'label',
      { class: 'choice' },
      h('span', { class: 'caption' }, name),
      select,
      known?.description ? h('span', { class: 'note' }, known.description) : null,
    );
  }

  private choose(key: string, value: string): void {
    if (key === 'algorithm') {
      this.app.changeAlgorithm(value).catch((e: Error) => this.refused(e));
    } else this.set(companions(key, value, this.values(), this.app.run.stage));
  }

  /** What is shown goes back to what runs. */
  private refused(e: Error): void {
    this.app.trouble(e);
    this.fillChoices();
    this.fillKnobs();
  }

  private fillKnobs(): void {
    const { hello, run } = this.app;
    const list = knobs(hello!, run.stage, this.values());
    fill(this.sliders, ...list.map((k) => this.knob(k)), this.seed());
  }

  private knob(k: Knob): HTMLElement {
    const out = h('output', {}, k.text(k.value));
    const input = h('input', {
      type: 'range',
      class: 'slider',
      min: 0,
      max: 1000,
      step: 1,
      value: Math.round(1000 * k.toShare(k.value)),
      'aria-label': k.name,
      'aria-valuetext': k.text(k.value),
      'data-testid': `knob-${k.key}`,
      oninput: () => {
        const v = k.fromShare(Number(input.value) / 1000);
        out.textContent = k.text(v);
        input.setAttribute('aria-valuetext', k.text(v));
        this.set(k.set(v));
      },
      onchange: () => input.blur(),
    });
    return h(
      'label',
      { class: 'knob', 'data-tip': `${k.description} [${k.key}]` },
      h('span', { class: 'caption' }, k.name),
      out,
      input,
    );
  }

  private seed(): HTMLElement {
    const input = h('input', {
      type: 'number',
      class: 'field',
      min: 0,
      step: 1,
      value: this.app.run.stage.seed,
      'aria-label': 'Seed',
      'data-testid': 'seed',
      onchange: () => this.set([`seed=${Math.max(0, Math.floor(Number(input.value) || 0))}`]),
    });
    return h(
      'div',
      {
        class: 'knob seed',
        'data-tip': 'Seed of all random draws; the same seed gives the same run',
      },
      h('span', { class: 'caption' }, 'Seed'),
      input,
      button({ label: 'Another seed', icon: icons.dice, class: 'outlined', test: 'dice' }, () => {
        input.value = String(1 + Math.floor(Math.random() * 99999));
        this.set([`seed=${input.value}`]);
      }),
    );
  }

  /** One question at a time; a slider that goes on meanwhile counts with its last value. */
  private set(pairs: string[]): void {
    this.next = pairs;
    if (!this.setting) void this.setNext();
  }

  private async setNext(): Promise<void> {
    this.setting = true;
    while (this.next) {
      const pairs = this.next;
      this.next = null;
      try {
        await this.app.set(pairs);
      } catch (e) {
        this.refused(e as Error);
      }
    }
    this.setting = false;
  }

  private async applyText(): Promise<void> {
    try {
      await this.app.openScenario({ toml: this.editor.value });
      this.app.say('The new scenario runs.');
    } catch (e) {
      this.showError(e as Error);
    }
  }

  private showError(e: Error | null): void {
    this.error.hidden = e === null;
    if (!e) return;
    const where =
      e instanceof Refused
        ? [e.line ? `line ${e.line}` : '', e.key ?? ''].filter(Boolean).join(', ')
        : '';
    this.error.textContent = where ? `${where}: ${e.message}` : e.message;
    if (!(e instanceof Refused) || !e.line) return;
    this.number(e.line);
    this.editor.scrollTop = Math.max(0, (e.line - 4) * 18);
    const lines = this.editor.value.split('\n');
    const begin = lines.slice(0, e.line - 1).join('\n').length + (e.line > 1 ? 1 : 0);
    this.editor.setSelectionRange(begin, begin + (lines[e.line - 1]?.length ?? 0));
  }
}
