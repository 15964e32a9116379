// SPDX-License-Identifier: MIT
// The page: one run or two, what is selected, and what people can do. Parts of the page ask here.
import { Compare } from './compare';
import { Commands } from './commands';
import { makeDirector } from './director';
import type { exporters } from './export';
import { Film } from './film';
import { Gestures, type Tool } from './gestures';
import { installKeys } from './keys';
import { LessonPanel } from './lessons';
import { NO_NODE, type Action, type Kind, type Moment } from './model';
import type { Placement } from './placement';
import { Plots } from './plots';
import { socketAddress, type Hello } from './protocol';
import { Run, type Recipe } from './run';
import { copyLink, openLink } from './share';
import { isOfWorld, withoutTable } from './toml';
import { Playback } from './playback';
import { exportDialog, helpDialog, openDialog } from './ui/dialogs';
import { Inspector } from './ui/inspector';
import { EventLog } from './ui/log';
import { Settings } from './ui/settings';
import { Shell, type PanelName } from './ui/shell';
import { speedOfSlider, sliderOfSpeed } from './ui/text';
import { TimelineBar } from './ui/timeline';
import { firstView } from './view/first';
import { Pane, type View, type ViewOptions } from './view/pane';
import { DARK, LIGHT } from './view/theme';
import { actionText, hintOf, mistakeText, nodeText } from './words';

const PATIENCE = 500; // ms; what takes longer says that it works

export class App {
  readonly view: View;
  readonly runs: Run[] = [];
  readonly panes: Pane[] = [];
  readonly playback: Playback;
  readonly commands = new Commands(this);
  readonly film = new Film();
  readonly compare: Compare;
  readonly timeline: TimelineBar;
  tool: Tool = 'select';
  hello: Hello | null = null;
  /** Called with each node that is clicked: lessons ask for them. */
  onPick: ((node: number) => void) | null = null;
  /** Tab goes from node to node; Esc ends that. */
  walking = true;
  private readonly shell: Shell;
  private readonly inspector: Inspector;
  private readonly settings: Settings;
  private readonly log: EventLog;
  private readonly plots: Plots;
  private readonly lessonPanel: LessonPanel;
  /** How long the page itself took for the last picture, in ms: for the benchmark. */
  lastFrame = 0;
  private dirty = true;
  private plotted = -1;

  constructor(host: HTMLElement) {
    this.view = firstView();
    const address = socketAddress(location);
    this.runs.push(
      new Run(address, {
        hello: (h) => void this.begin(h),
        lost: () => this.shell.setBanner('Connection lost; reconnecting …'),
        back: () => void this.reopen(),
        progress: (t, to) => this.timeline.working(t, to),
        opened: (fresh) => this.onOpened(fresh),
        moment: (m) => this.onMoment(m),
        truncated: (t) => this.onTruncated(t),
      }),
    );
    this.playback = new Playback(this.runs, {
      changed: () => this.changed(),
      trouble: (e) => this.trouble(e),
    });
    this.shell = new Shell(host, this);
    this.compare = new Compare(this, address, this.shell.stage);
    this.timeline = new TimelineBar(this.shell.host, this);
    this.addPane(this.run);
    this.inspector = new Inspector(this.shell.panels.inspect, this);
    this.settings = new Settings(this.shell.panels.settings, this);
    this.log = new EventLog(this.shell.panels.log, this);
    this.plots = new Plots(this.shell.panels.plots, (t) => this.playback.seek(t));
    this.lessonPanel = new LessonPanel(this.shell.lesson, makeDirector(this), () =>
      this.closeLesson(),
    );
    this.showPanel('inspect');
    this.shell.makeRoom();
    this.shell.setTheme(this.view.theme.dark);
    this.plots.theme(this.view.theme.dark);
    this.listen();
    requestAnimationFrame((now) => this.frame(now));
  }

  get run(): Run {
    return this.runs[0];
  }

  get pane(): Pane {
    return this.panes[0];
  }

  private listen(): void {
    installKeys(this);
    new ResizeObserver(() => this.resize()).observe(this.shell.stage);
    addEventListener('hashchange', () => void this.openLink(location.hash));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (e) => {
      if (!localStorage.getItem('theme')) this.setTheme(e.matches);
    });
  }

  addPane(run: Run): Pane {
    const pane = new Pane(this.shell.stage, run, this.view);
    pane.root.tabIndex = 0;
    pane.root.setAttribute('role', 'application');
    pane.root.setAttribute(
      'aria-label',
      'Drawing of the network: Tab walks from node to node, Esc lets Tab leave',
    );
    pane.root.dataset.testid = this.panes.length ? 'canvas-2' : 'canvas';
    pane.root.addEventListener('focus', () => (this.walking = true));
    this.panes.push(pane);
    new Gestures(this, pane);
    this.resize();
    return pane;
  }

  /* ---- opening ---- */

  private async begin(hello: Hello): Promise<void> {
    this.hello = hello;
    if (await this.openLink(location.hash)) return;
    await this.openScenario({}).catch((e: Error) => this.trouble(e));
    this.hint(hello.command.of);
  }

  /** What can be done here; once for each kind of run. */
  private hint(of: Kind): void {
    const seen = of === 'scenario' ? 'seen' : `seen-${of}`;
    if (localStorage.getItem(seen)) return;
    localStorage.setItem(seen, 'yes');
    this.shell.setHint(hintOf(of, matchMedia('(pointer: coarse), (max-width: 600px)').matches));
  }

  private async reopen(): Promise<void> {
    this.shell.setBanner(null);
    if (!this.run.ready) return void this.openScenario({}).catch((e: Error) => this.trouble(e));
    await this.playback.exclusive(() => this.run.reopen());
  }

  /** Throws what the server refuses. */
  async openScenario(what: Partial<Recipe> & { to?: number }, play = true): Promise<void> {
    await this.playback.pause();
    const soon = setTimeout(() => this.shell.setWorking('Opening the scenario …'), PATIENCE);
    try {
      await this.guarded(() => this.run.open(what));
      await this.compare.follow();
    } finally {
      clearTimeout(soon);
      this.shell.setWorking(null);
    }
    this.playback.setSpeed(this.playback.defaultSpeed());
    if (play) this.playback.play();
  }

  async set(pairs: string[]): Promise<void> {
    await this.guarded(() =>
      Promise.all(this.runs.map((r, i) => r.set(i ? pairs.filter(isOfWorld) : pairs))),
    );
  }

  /** Another algorithm in the same world, at the same moment. */
  async changeAlgorithm(name: string): Promise<void> {
    const { recipe, stage, moment } = this.run;
    const toml = withoutTable(stage.toml, 'options');
    const set = [...recipe.set.filter(isOfWorld), `algorithm=${name}`];
    const { actions } = recipe;
    await this.guarded(() => this.run.open({ toml, set, actions, to: moment.t }, true));
    await this.guarded(() => this.playback.level());
  }

  /** As the playback's queue, but what goes wrong is for the caller. */
  private async guarded(work: () => Promise<unknown>): Promise<void> {
    let wrong: Error | null = null;
    await this.playback.exclusive(() => work().catch((e: Error) => (wrong = e)));
    if (wrong) throw wrong;
  }

  openLink(text: string): Promise<boolean> {
    return openLink(this, text);
  }

  copyLink(): Promise<void> {
    return copyLink(this);
  }

  private onOpened(fresh: boolean): void {
    const { view } = this;
    for (const pane of this.panes) pane.forget();
    this.plots.reset();
    this.plotted = -1;
    if (fresh) {
      this.playback.forgetCommands();
      view.selected.clear();
      view.hiddenKinds.clear();
      view.focus = null;
      view.options.clusters = this.run.stage.ranked;
      view.camera.touched = false;
    }
    for (const node of [...view.selected]) if (node >= this.run.stage.n) view.selected.delete(node);
    if (!view.camera.touched) this.pane.fit();
    this.settings.changed();
    this.inspector.select();
    this.changed();
    this.touch();
  }

  private onMoment(m: Moment): void {
    if (m.t > this.plotted) {
      this.plots.push(m);
      this.plotted = m.t;
    }
    this.dirty = true;
  }

  private onTruncated(t: number): void {
    this.plots.truncate(t);
    this.plotted = Math.min(this.plotted, t);
  }

  /* ---- each picture ---- */

  private frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next));
    const begin = performance.now();
    if (this.drawFrame(now)) this.lastFrame = performance.now() - begin;
  }

  /** Whether there was anything to draw. */
  private drawFrame(now: number): boolean {
    const { playback, view, run } = this;
    const moved = playback.tick(now);
    if (!run.ready) return false;
    view.pace = playback.playing && playback.speed !== Infinity ? playback.speed * 1e6 : 0;
    for (const r of this.runs) r.linger = view.pace * 700;
    let settled = true;
    for (const r of this.runs) {
      if (r.ready && r.placement.step(6)) {
        r.places = r.placement.places;
        settled = false;
      }
    }
    if (!settled && !view.camera.touched) this.pane.fit();
    const gliding = view.camera.tick();
    if (!(moved || gliding || this.dirty || !settled || this.film.wanted)) return false;
    this.dirty = false;
    for (const pane of this.panes) pane.draw();
    if (this.film.wanted) this.pane.compose(this.film.canvas);
    this.timeline.draw();
    if (moved) {
      this.plots.mark(run.clock);
      this.inspector.refresh();
      this.log.refresh();
      this.shell.lamp.refresh();
      this.shell.legend.refresh();
      this.timeline.refresh();
      this.compare.refresh();
    }
    return true;
  }

  /** Something other than the passing of time. */
  changed(): void {
    this.dirty = true;
    this.shell.refresh();
    this.timeline.refresh();
    if (!this.run.ready) return;
    this.plots.mark(this.run.clock);
    this.inspector.refresh(true);
    this.log.refresh(true);
    this.compare.refresh();
  }

  redraw(): void {
    this.dirty = true;
  }

  /** Selection, theme or options have changed. */
  touch(): void {
    this.view.version++;
    this.dirty = true;
    this.shell.refresh();
  }

  resize(): void {
    for (const pane of this.panes) pane.resize();
    if (this.run.ready && !this.view.camera.touched) this.pane.fit();
    this.plots?.resize();
    this.dirty = true;
  }

  /* ---- what people do ---- */

  select(nodes: readonly number[]): void {
    const { selected } = this.view;
    selected.clear();
    for (const node of nodes) selected.add(node);
    this.touch();
    this.inspector.select();
  }

  toggleSelected(node: number): void {
    const { selected } = this.view;
    this.select(selected.has(node) ? [...selected].filter((k) => k !== node) : [...selected, node]);
  }

  selectComponent(node: number): void {
    const { component, n } = this.run.shown;
    const mine = component[node];
    this.select(
      Array.from({ length: n }, (_, i) => i).filter((i) =>
        mine === NO_NODE ? i === node : component[i] === mine,
      ),
    );
  }

  hover(node: number, at: [number, number] | null): void {
    this.shell.showTip(
      node >= 0 && at ? nodeText(this.run, node, this.pane.scene.differs(node)) : null,
      (at?.[0] ?? 0) + 14,
      (at?.[1] ?? 0) + 16,
    );
    if (node === this.view.hover) return;
    this.view.hover = node;
    this.view.version++;
    this.dirty = true;
  }

  inspectMessage(serial: number): void {
    this.showPanel('inspect');
    this.inspector.showMessage(serial);
  }

  actionText(a: Action): string {
    return actionText(this.run, a);
  }

  setTool(tool: Tool): void {
    this.tool = tool;
    for (const pane of this.panes) {
      pane.gesture = {};
      pane.root.style.cursor = tool === 'select' ? 'default' : 'crosshair';
    }
    this.touch();
  }

  toggle(option: keyof ViewOptions): void {
    this.view.options[option] = !this.view.options[option];
    localStorage.setItem(`view-${option}`, this.view.options[option] ? 'on' : 'off');
    this.touch();
  }

  zoom(factor: number): void {
    const { width, height } = this.pane;
    this.view.camera.zoomAt(factor, width / 2, height / 2, width, height);
    this.dirty = true;
  }

  fit(): void {
    this.pane.fit(true);
    this.view.camera.touched = false;
    this.dirty = true;
  }

  faster(by: number): void {
    this.playback.setSpeed(
      speedOfSlider(Math.min(100, Math.max(0, sliderOfSpeed(this.playback.speed) + 4 * by))),
    );
  }

  placements(work: (p: Placement) => void): void {
    for (const run of this.runs) work(run.placement);
    this.dirty = true;
  }

  /** Shows a node under the hand until the server has moved it. */
  pretend(node: number, x: number, y: number): void {
    for (const run of this.runs) {
      run.pinned.set(node, [x, y]);
      run.pin();
    }
    this.dirty = true;
  }

  /** All nodes are where the server has them. */
  unpin(): void {
    for (const run of this.runs) run.pinned.clear();
    this.dirty = true;
  }

  showPanel(name: PanelName): void {
    this.shell.showPanel(name);
    this.settings.refresh();
    if (this.run.ready) this.changed();
    if (name === 'plots') this.plots.resize();
  }

  toggleTheme(): void {
    const dark = !this.view.theme.dark;
    localStorage.setItem('theme', dark ? 'dark' : 'light');
    this.setTheme(dark);
  }

  private setTheme(dark: boolean): void {
    this.view.theme = dark ? DARK : LIGHT;
    this.shell.setTheme(dark);
    this.plots.theme(dark);
    this.touch();
    if (this.run.ready) this.timeline.draw(true);
  }

  toggleCompare(): void {
    if (this.compare.algorithm) this.compare.close();
    else this.compare.open().catch((e: Error) => this.trouble(e));
    this.shell.makeRoom();
  }

  openMenu(): void {
    openDialog(this);
  }

  exportMenu(): void {
    exportDialog(this);
  }

  help(): void {
    helpDialog(this);
  }

  lessons(): void {
    this.shell.lesson.hidden = false;
    this.shell.makeRoom();
    this.resize();
    this.lessonPanel.menu();
  }

  private closeLesson(): void {
    this.shell.lesson.hidden = true;
    this.view.focus = null;
    this.touch();
    this.resize();
  }

  exportWith(x: ReturnType<typeof exporters>[number]): Promise<Blob> {
    this.pane.compose(this.film.canvas);
    return this.film.during(() =>
      x.run(this.run.picture(this.view.selected), this.film.canvas, (seconds) => {
        this.playback.play();
        return this.film.record(seconds);
      }),
    );
  }

  fileName(): string {
    return (this.run.stage.name || 'bellwether').replaceAll(/[^\w-]+/g, '-');
  }

  /** The sentence of a broken property, where all of it can be read. */
  setViolation(text: string | null): void {
    this.shell.setViolation(text);
  }

  /** Stops there, so that the moment can be looked at. */
  async jumpTo(t: number): Promise<void> {
    await this.playback.pause();
    this.playback.seek(t);
  }

  say(text: string): void {
    this.shell.say(text);
  }

  trouble(e: Error): void {
    if (e.name !== 'Lost') this.shell.say(mistakeText(e), true, 9000);
  }
}
