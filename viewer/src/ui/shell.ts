// SPDX-License-Identifier: MIT
// The frame of the page: bar at the top, tools at the left, panels at the right.
import type { App } from '../app';
import type { Tool } from '../gestures';
import type { ViewOptions } from '../view/pane';
import { button, fill, h, press } from './dom';
import { icons } from './icons';
import { Lamp } from './lamp';
import { Legend } from './legend';
import { Notice } from './notice';
import { algorithmText } from '../words';

const PHONE = 600; // pixels; as in shell.css
const HINT_LASTS = 12000; // ms

export type PanelName = 'inspect' | 'settings' | 'plots' | 'log';

/** Where nodes move, their positions decide which are linked. */
const LINKING: ReadonlySet<Tool> = new Set(['link', 'partition']);
const TOOLS: { tool: Tool; label: string; icon: string; key: string }[] = [
  { tool: 'select', label: 'Select and move', icon: icons.select, key: 'V' },
  { tool: 'add', label: 'Add a node: click', icon: icons.add, key: 'A' },
  { tool: 'crash', label: 'Crash a node: click it', icon: icons.crash, key: 'X' },
  { tool: 'restart', label: 'Restart a node: click it', icon: icons.restart, key: 'R' },
  { tool: 'link', label: 'Cut or join a link: drag from node to node', icon: icons.link, key: 'L' },
  { tool: 'partition', label: 'Split the network: draw a line', icon: icons.partition, key: 'P' },
];

const VIEWS: { option: keyof ViewOptions; label: string; icon: string; key: string }[] = [
  { option: 'messages', label: 'Messages', icon: icons.messages, key: 'M' },
  { option: 'labels', label: 'Names', icon: icons.labels, key: 'N' },
  { option: 'ranges', label: 'Ranges of radios', icon: icons.ranges, key: 'G' },
  { option: 'trails', label: 'Trails of moving nodes', icon: icons.trails, key: 'T' },
  { option: 'clusters', label: 'Clusters of a hierarchy', icon: icons.clusters, key: 'C' },
];

const PANELS: { name: PanelName; label: string }[] = [
  { name: 'inspect', label: 'Inspect' },
  { name: 'settings', label: 'Settings' },
  { name: 'plots', label: 'Plots' },
  { name: 'log', label: 'Events' },
];

export class Shell {
  readonly stage = h('main', { class: 'stage', 'aria-label': 'Network' });
  readonly panels = {} as Record<PanelName, HTMLElement>;
  readonly lesson = h('aside', { class: 'lesson', 'aria-label': 'Lesson', hidden: true });
  readonly lamp: Lamp;
  readonly legend: Legend;
  private readonly root: HTMLElement;
  private readonly tools = new Map<Tool, HTMLElement>();
  private readonly views = new Map<keyof ViewOptions, HTMLElement>();
  private readonly tabs = new Map<PanelName, HTMLElement>();
  private readonly side: HTMLElement;
  private readonly banner = h('div', {
    class: 'banner',
    role: 'alert',
    hidden: true,
    'data-testid': 'banner',
  });
  private readonly hint = new Notice('hint');
  private readonly work = new Notice('working');
  private readonly violation = new Notice('violation');
  private readonly toast = h('div', {
    class: 'toast',
    role: 'status',
    'data-testid': 'toast',
    hidden: true,
  });
  private readonly tip = h('div', { class: 'tip', hidden: true, 'aria-hidden': 'true' });
  private readonly title = h('button', { type: 'button', class: 'title', 'data-testid': 'title' });
  private readonly heal: HTMLButtonElement;
  private readonly undo: HTMLButtonElement;
  private readonly redo: HTMLButtonElement;
  private readonly theme: HTMLButtonElement;
  private readonly compare: HTMLButtonElement;
  private toastTimer = 0;

  constructor(
    host: HTMLElement,
    private readonly app: App,
  ) {
    this.lamp = new Lamp(app);
    this.legend = new Legend(app);
    this.heal = button(
      { label: 'Heal partitions and cuts', icon: icons.heal, key: 'H', test: 'heal' },
      () => void app.commands.heal(),
    ) as HTMLButtonElement;
    this.undo = button(
      { label: 'Undo', icon: icons.undo, key: 'Ctrl Z', test: 'undo' },
      () => void app.playback.undo(),
    );
    this.redo = button(
      { label: 'Redo', icon: icons.redo, key: 'Ctrl Shift Z', test: 'redo' },
      () => void app.playback.redo(),
    );
    this.theme = button({ label: 'Dark or light', icon: icons.moon, test: 'theme' }, () =>
      app.toggleTheme(),
    );
    this.compare = button(
      {
        label: 'Compare with another algorithm, side by side',
        icon: icons.compare,
        text: 'Compare',
        test: 'compare',
        pressed: false,
      },
      () => app.toggleCompare(),
    );
    this.title.addEventListener('click', () => app.openMenu());
    this.side = this.makeSide();
    this.stage.append(this.legend.root, this.makeZoom());
    this.root = h(
      'div',
      { class: 'shell' },
      this.makeTop(),
      h('div', { class: 'notices' }, this.banner, this.work.root, this.violation.root, this.hint.root),
      this.makeTools(),
      this.lesson,
      this.stage,
      this.side,
    );
    host.replaceChildren(this.root, this.toast, this.tip);
    this.installTips();
  }

  get host(): HTMLElement {
    return this.root;
  }

  private makeTop(): HTMLElement {
    const { app } = this;
    return h(
      'header',
      { class: 'top' },
      h(
        'span',
        { class: 'brand' },
        h('span', { class: 'icon', html: icons.crown }),
        h('b', {}, 'Bellwether'),
      ),
      this.title,
      h(
        'nav',
        { class: 'menu', 'aria-label': 'Main menu' },
        button({ label: 'Open a scenario', icon: icons.open, text: 'Open', test: 'open' }, () =>
          app.openMenu(),
        ),
        button(
          {
            label: 'Lessons: guided runs with questions',
            icon: icons.lessons,
            text: 'Lessons',
            test: 'lessons',
          },
          () => app.lessons(),
        ),
        this.compare,
        button(
          {
            label: 'Export a picture, a film or the scenario',
            icon: icons.export,
            text: 'Export',
            test: 'export',
          },
          () => app.exportMenu(),
        ),
        button(
          {
            label: 'Copy a link to this run at this moment',
            icon: icons.share,
            text: 'Copy link',
            test: 'copy-link',
          },
          () => void app.copyLink(),
        ),
      ),
      this.lamp.root,
      this.theme,
      button({ label: 'Help: all keys', icon: icons.help, key: '?', test: 'help' }, () =>
        app.help(),
      ),
      button({ label: 'Show or hide the panels', icon: icons.panel, test: 'panel-toggle' }, () =>
        this.toggleSide(),
      ),
    );
  }

  private makeTools(): HTMLElement {
    const { app } = this;
    const tool = (t: (typeof TOOLS)[number]) => {
      const b = button(
        {
          label: t.label,
          icon: t.icon,
          key: t.key,
          test: `tool-${t.tool}`,
          pressed: t.tool === 'select',
        },
        () => app.setTool(t.tool),
      );
      this.tools.set(t.tool, b);
      return b;
    };
    const view = (v: (typeof VIEWS)[number]) => {
      const b = button(
        {
          label: v.label,
          icon: v.icon,
          key: v.key,
          test: `view-${v.option}`,
          pressed: app.view.options[v.option],
        },
        () => app.toggle(v.option),
      );
      this.views.set(v.option, b);
      return b;
    };
    return h(
      'div',
      { class: 'tools', role: 'toolbar', 'aria-label': 'Tools', 'aria-orientation': 'vertical' },
      TOOLS.map(tool),
      this.heal,
      h('hr'),
      this.undo,
      this.redo,
      h('hr'),
      VIEWS.map(view),
    );
  }

  private makeZoom(): HTMLElement {
    const { app } = this;
    return h(
      'div',
      { class: 'zoom', role: 'group', 'aria-label': 'Zoom' },
      button({ label: 'Zoom in', icon: icons.plus, key: '+', test: 'zoom-in' }, () =>
        app.zoom(1.25),
      ),
      button({ label: 'Zoom out', icon: icons.minus, key: '-', test: 'zoom-out' }, () =>
        app.zoom(0.8),
      ),
      button({ label: 'Fit to view', icon: icons.fit, key: '0', test: 'fit' }, () => app.fit()),
    );
  }

  private makeSide(): HTMLElement {
    const tabs = h(
      'div',
      { class: 'tabs', role: 'tablist' },
      PANELS.map((p) => {
        const b = h(
          'button',
          {
            type: 'button',
            role: 'tab',
            id: `tab-${p.name}`,
            'aria-controls': `panel-${p.name}`,
            'aria-selected': 'false',
            'data-testid': `tab-${p.name}`,
            onclick: () => this.app.showPanel(p.name),
            onkeydown: (e: KeyboardEvent) => this.walkTabs(e, p.name),
          },
          p.label,
        );
        this.tabs.set(p.name, b);
        return b;
      }),
    );
    const bodies = PANELS.map(
      (p) =>
        (this.panels[p.name] = h('section', {
          class: `panel ${p.name}`,
          id: `panel-${p.name}`,
          role: 'tabpanel',
          'aria-labelledby': `tab-${p.name}`,
          hidden: true,
        })),
    );
    return h('aside', { class: 'side', 'aria-label': 'Panels' }, tabs, bodies);
  }

  private walkTabs(e: KeyboardEvent, at: PanelName): void {
    const by = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
    if (!by) return;
    const next =
      PANELS[(PANELS.findIndex((p) => p.name === at) + by + PANELS.length) % PANELS.length].name;
    this.app.showPanel(next);
    this.tabs.get(next)?.focus();
  }

  /** On a phone the drawing needs the room of the panels. */
  makeRoom(): void {
    if (innerWidth <= PHONE) this.root.classList.add('narrow');
  }

  private toggleSide(): void {
    this.root.classList.toggle('narrow');
    this.app.resize();
  }

  showPanel(name: PanelName): void {
    this.root.classList.remove('narrow');
    for (const p of PANELS) {
      this.panels[p.name].hidden = p.name !== name;
      this.tabs.get(p.name)?.setAttribute('aria-selected', String(p.name === name));
      this.tabs.get(p.name)?.setAttribute('tabindex', p.name === name ? '0' : '-1');
    }
  }

  refresh(): void {
    const { app } = this;
    const free = !app.run.ready || app.run.takesChanges;
    for (const [tool, b] of this.tools) {
      press(b, tool === app.tool);
      const apart = app.run.ready && app.run.stage.moves && LINKING.has(tool);
      (b as HTMLButtonElement).disabled = tool !== 'select' && (!free || apart);
    }
    for (const [option, b] of this.views) press(b, app.view.options[option]);
    press(this.compare, app.runs.length > 1);
    if (!app.run.ready) return;
    const { stage } = app.run;
    this.heal.disabled = !free || stage.moves;
    this.undo.disabled = !app.run.canUndo;
    this.redo.disabled = !app.run.canRedo;
    (this.views.get('ranges') as HTMLButtonElement).disabled = !stage.range;
    (this.views.get('trails') as HTMLButtonElement).disabled = !stage.moves;
    (this.views.get('clusters') as HTMLButtonElement).disabled = !stage.ranked;
    const algorithm = algorithmText(app.hello?.algorithms, stage.algorithm);
    fill(this.title, h('b', {}, stage.name || 'untitled'), h('span', {}, algorithm));
    this.title.setAttribute(
      'aria-label',
      `Scenario ${stage.name}, algorithm ${algorithm}; open another`,
    );
    this.title.dataset.tip = [stage.about, algorithm].filter(Boolean).join(' · ');
    document.title = `${stage.name || 'run'} – Bellwether`;
    this.lamp.refresh();
    this.legend.refresh();
  }

  setTheme(dark: boolean): void {
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    fill(this.theme, h('span', { class: 'icon', html: dark ? icons.sun : icons.moon }));
  }

  setBanner(text: string | null): void {
    this.banner.hidden = text === null;
    this.banner.textContent = text ?? '';
  }

  /** Beside the drawing, so that it covers nothing of what it speaks of. */
  setHint(text: string): void {
    this.hint.show(text, HINT_LASTS);
  }

  /** Until the server has done what was asked. */
  setWorking(text: string | null): void {
    this.work.show(text);
  }

  setViolation(text: string | null): void {
    this.violation.show(text);
  }

  say(text: string, bad = false, lasts = 5000): void {
    this.toast.textContent = text;
    this.toast.classList.toggle('bad', bad);
    this.toast.hidden = false;
    clearTimeout(this.toastTimer);
    this.toastTimer = window.setTimeout(() => (this.toast.hidden = true), lasts);
  }

  showTip(text: string | null, x: number, y: number): void {
    this.tip.hidden = text === null;
    if (text === null) return;
    this.tip.textContent = text;
    const { offsetWidth: w, offsetHeight: hgt } = this.tip;
    this.tip.style.left = `${Math.max(6, Math.min(innerWidth - w - 6, x))}px`;
    this.tip.style.top = `${y + hgt + 6 > innerHeight ? y - hgt - 22 : y}px`;
  }

  /** Tips of all controls, for the mouse and for the keyboard. */
  private installTips(): void {
    let timer = 0;
    const hide = () => {
      clearTimeout(timer);
      this.tip.hidden = true;
    };
    const show = (e: Event, pause: number) => {
      const at = (e.target as HTMLElement).closest?.<HTMLElement>('[data-tip]');
      hide();
      if (!at) return;
      timer = window.setTimeout(() => {
        const box = at.getBoundingClientRect();
        const beside = at.closest('.tools') !== null && innerWidth > 900;
        this.showTip(
          at.dataset.tip ?? '',
          beside ? box.right + 8 : box.left,
          beside ? box.top + 4 : box.bottom + 8,
        );
      }, pause);
    };
    document.addEventListener('mouseover', (e) => show(e, 400));
    document.addEventListener(
      'focusin',
      (e) => (e.target as HTMLElement).matches(':focus-visible') && show(e, 300),
    );
    for (const end of ['mousedown', 'focusout', 'keydown']) document.addEventListener(end, hide);
    this.stage.addEventListener('pointerdown', () => (this.toast.hidden = true));
  }
}
