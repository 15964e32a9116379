// SPDX-License-Identifier: MIT
// The panel of the lessons: a menu, and one page for each step.

import './lessons.css';
import { LESSONS } from './all';
import type { Director, Lesson, Question } from './lesson';
import { clear, load, save } from './progress';
import { Runner } from './runner';
import { readable } from './time';
import { write } from './words';

const REFRESH = 250; // ms between two looks at the numbers

export class LessonPanel {
  private readonly root: HTMLElement;
  private runner: Runner | null = null;
  private timer: ReturnType<typeof setInterval> | null = null;
  private bar: HTMLElement | null = null;
  private trouble: HTMLElement | null = null;
  private facts: HTMLElement | null = null;
  private readonly buttons = new Map<number, HTMLElement>(); // of the nodes in a question

  constructor(
    parent: HTMLElement,
    private readonly director: Director,
    private readonly onClose: () => void,
  ) {
    this.root = element('section', 'lessons');
    this.root.setAttribute('aria-label', 'Lessons');
    parent.append(this.root);
  }

  /** All lessons, by family. */
  menu(): void {
    this.leave();
    const done = load();
    const list = element('div', 'lessons-menu');
    for (const family of new Set(LESSONS.map((lesson) => lesson.family))) {
      list.append(element('h3', '', family));
      const items = LESSONS.filter((lesson) => lesson.family === family);
      list.append(...items.map((lesson) => this.entry(lesson, done.has(lesson.id))));
    }
    if (done.size > 0) {
      list.append(button('Forget what I have done', 'lessons-quiet', () => (clear(), this.menu())));
    }
    this.root.replaceChildren(this.head('Lessons', null), list);
  }

  start(id: string): void {
    const lesson = LESSONS.find((one) => one.id === id);
    if (!lesson) return this.menu();
    this.leave();
    this.runner = new Runner(this.director, lesson, {
      shown: () => this.page(),
      busy: (playing) => this.bar?.classList.toggle('lessons-busy', playing),
      trouble: (why) => this.complain(why),
    });
    this.timer = setInterval(() => this.count(), REFRESH);
    void this.runner.start();
  }

  private entry(lesson: Lesson, done: boolean): HTMLElement {
    const number = LESSONS.indexOf(lesson) + 1;
    const made = button('', 'lessons-entry', () => this.start(lesson.id));
    const title = element('strong', '', `${number}. ${lesson.title}`);
    if (done) title.append(element('span', 'lessons-done', ' ✓ done'));
    made.append(title, element('span', '', lesson.teaser));
    return made;
  }

  private leave(): void {
    this.runner?.stop();
    this.runner = null;
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    this.director.onPick?.(null);
  }

  private close(): void {
    this.leave();
    this.root.replaceChildren();
    this.onClose();
  }

  private head(title: string, over: string | null): HTMLElement {
    const head = element('header', 'lessons-head');
    const words = element('div', '');
    if (over) words.append(element('div', 'lessons-over', over));
    words.append(element('h2', '', title));
    head.append(words);
    if (over) head.append(icon('☰', 'All lessons', () => this.menu()));
    head.append(icon('✕', 'Close the lessons', () => this.close()));
    return head;
  }

  private page(): void {
    const runner = this.runner;
    if (!runner) return;
    const { lesson, step, index } = runner;
    this.director.onPick?.(null);
    this.buttons.clear();
    const body = element('div', 'lessons-body');
    const title = element('h3', '', step.title);
    title.tabIndex = -1;
    const text = element('p', 'lessons-text');
    write(text, step.text);
    body.append(title, text, hint(body));
    if (step.look) body.append(this.look(step.look));
    if (step.ask) body.append(this.question(step.ask));
    this.trouble = element('p', 'lessons-trouble');
    this.trouble.setAttribute('role', 'alert');
    body.append(this.trouble);
    this.facts = element('p', 'lessons-facts');
    this.bar = this.controls(runner);
    const over = `Lesson ${LESSONS.indexOf(lesson) + 1} · ${lesson.family}`;
    this.root.replaceChildren(
      this.head(lesson.title, over),
      progress(runner),
      body,
      this.facts,
      this.bar,
    );
    this.count();
    title.focus({ preventScroll: true });
    if (index === lesson.steps.length - 1) save(lesson.id);
  }

  private look(text: string): HTMLElement {
    const box = element('p', 'lessons-look');
    const words = element('span', '');
    write(words, text);
    box.append(element('strong', '', 'Notice: '), words);
    return box;
  }

  private controls(runner: Runner): HTMLElement {
    const bar = element('footer', 'lessons-bar');
    const back = button('‹ Back', '', () => void runner.back());
    back.disabled = runner.index === 0;
    const again = button('↻ Again', '', () => void runner.again());
    again.title = 'Play this step once more';
    const next = button(runner.last ? 'Done' : 'Next ›', 'lessons-next', () =>
      this.forward(runner),
    );
    bar.append(back, again, next);
    return bar;
  }

  private forward(runner: Runner): void {
    if (runner.last) this.menu();
    else void runner.next();
  }

  private question(ask: Question): HTMLElement {
    const box = element('div', 'lessons-ask');
    const answer = element('p', 'lessons-answer');
    answer.setAttribute('role', 'status');
    const choices = element('div', 'lessons-choices');
    const judge = (right: boolean, chosen: HTMLElement | undefined) => {
      answer.textContent = right ? `✓ ${ask.right}` : `✗ ${ask.wrong}`;
      answer.className = `lessons-answer ${right ? 'lessons-right' : 'lessons-wrong'}`;
      for (const one of choices.children) one.removeAttribute('aria-pressed');
      chosen?.setAttribute('aria-pressed', 'true');
    };
    if (ask.kind === 'choice') {
      ask.options.forEach((option, k) => {
        const made = button(option, '', () => judge(k === ask.answer, made));
        choices.append(made);
      });
    } else {
      this.nodes(ask.nodes, choices, (node, chosen) => judge(ask.answer.includes(node), chosen));
    }
    box.append(element('p', 'lessons-prompt', ask.prompt), choices, answer);
    return box;
  }

  /** A button for each node; where the page can, a click in the picture is as good. */
  private nodes(
    all: number[],
    into: HTMLElement,
    pick: (node: number, by?: HTMLElement) => void,
  ): void {
    const buttons = this.buttons;
    const choose = (node: number) => {
      if (!buttons.has(node)) return;
      this.director.select([node]);
      pick(node, buttons.get(node));
    };
    for (const node of all) {
      const made = button('', 'lessons-node', () => choose(node));
      buttons.set(node, made);
      into.append(made);
    }
    this.director.onPick?.(choose);
  }

  private count(): void {
    if (!this.facts || !this.runner) return;
    // Names are known only when the run has been opened.
    const { ids } = this.director.stage();
    for (const [node, made] of this.buttons) made.textContent = String(ids[node] ?? node);
    const m = this.director.moment();
    const one = (n: number, what: string) =>
      `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;
    const facts = [
      one(m.messages, 'message'),
      one(m.leaders, 'leader'),
      one(m.components, 'component'),
    ];
    this.facts.textContent = [readable(m.t), ...facts].join(' · ');
  }

  private complain(why: string): void {
    if (this.trouble) this.trouble.textContent = `This step could not be played: ${why}`;
  }
}

/** Explains the word that was touched: there are no tooltips without a mouse. */
function hint(body: HTMLElement): HTMLElement {
  const line = element('p', 'lessons-hint');
  line.setAttribute('role', 'status');
  const tell = (event: Event) => {
    const word = event.target instanceof HTMLElement ? event.target.closest('abbr') : null;
    if (word) line.textContent = `${word.textContent ?? ''}: ${word.title}`;
  };
  body.addEventListener('click', tell);
  body.addEventListener('focusin', tell);
  return line;
}

function progress(runner: Runner): HTMLElement {
  const { lesson, index } = runner;
  const all = element('div', 'lessons-progress');
  all.setAttribute('role', 'img');
  all.setAttribute('aria-label', `Step ${index + 1} of ${lesson.steps.length}`);
  all.append(
    ...lesson.steps.map((_, k) => element('span', k < index ? 'past' : k === index ? 'now' : '')),
    element('small', '', `${index + 1} of ${lesson.steps.length}`),
  );
  return all;
}

function element(tag: string, name: string, text = ''): HTMLElement {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.textContent = text;
  return made;
}

function button(text: string, name: string, press: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = name;
  made.textContent = text;
  made.addEventListener('click', press);
  return made;
}

function icon(sign: string, says: string, press: () => void): HTMLButtonElement {
  const made = button(sign, 'lessons-icon', press);
  made.title = says;
  made.setAttribute('aria-label', says);
  return made;
}
