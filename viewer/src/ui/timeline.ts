// SPDX-License-Identifier: MIT
// The bottom of the page: play, step, speed, and the run so far with its marks.
import type { App } from '../app';
import { marks, type Mark, type MarkKind } from '../history';
import { button, fill, h } from './dom';
import { icons } from './icons';
import * as text from './text';

const HEIGHT = 46;
const NEAR = 4; // the end is shown when the run has come a quarter of the way

const LOOK: Record<MarkKind, { light: string; dark: string; name: string }> = {
  election: { light: '#0072b2', dark: '#6cb8ef', name: 'leader changes' },
  crash: { light: '#5d6878', dark: '#a6b2c2', name: 'crashes' },
  restart: { light: '#00775a', dark: '#4fd3a9', name: 'restarts' },
  action: { light: '#8a4fd0', dark: '#c7a4ff', name: 'by hand' },
  violation: { light: '#c1271a', dark: '#ff8a7a', name: 'violation' },
};

export class TimelineBar {
  readonly root: HTMLElement;
  private readonly canvas = h('canvas', { class: 'timeline-canvas' });
  private readonly strip: HTMLElement;
  private readonly clock = h('output', {
    class: 'clock',
    'data-testid': 'clock',
    'aria-label': 'Time of the run',
  });
  private readonly state = h('span', { class: 'clock-state' });
  private readonly speedText = h('output', { class: 'speed-text', 'data-testid': 'speed-text' });
  private readonly speedSlider: HTMLInputElement;
  private readonly playButton: HTMLButtonElement;
  private readonly tip = h('div', { class: 'timeline-tip', hidden: true });
  private drawn = '';
  private painted = 0;
  private list: Mark[] = [];

  constructor(
    parent: HTMLElement,
    private readonly app: App,
  ) {
    this.playButton = button(
      { label: 'Play', icon: icons.play, key: 'Space', test: 'play', class: 'primary round' },
      () => app.playback.toggle(),
    );
    this.speedSlider = h('input', {
      type: 'range',
      min: 0,
      max: 100,
      step: 1,
      class: 'slider',
      'aria-label': 'Speed',
      'data-testid': 'speed',
      'data-tip':
        'Speed: simulated seconds per second; at the right end as fast as possible',
      oninput: () => app.playback.setSpeed(text.speedOfSlider(Number(this.speedSlider.value))),
    });
    this.strip = this.makeStrip();
    this.root = h(
      'footer',
      { class: 'bottom', 'aria-label': 'Time' },
      this.makeButtons(),
      h('div', { class: 'clock-box' }, this.clock, this.state),
      h(
        'div',
        { class: 'strip-row' },
        button(
          { label: 'Previous mark', icon: icons.markLeft, key: '[', test: 'mark-back' },
          () => this.jump(-1),
        ),
        this.strip,
        button(
          { label: 'Next mark', icon: icons.markRight, key: ']', test: 'mark-next' },
          () => this.jump(1),
        ),
      ),
      h(
        'label',
        { class: 'speed' },
        h('span', { class: 'caption' }, 'Speed'),
        this.speedSlider,
        this.speedText,
      ),
    );
    parent.append(this.root);
    new ResizeObserver(() => this.draw(true)).observe(this.strip);
  }

  private makeButtons(): HTMLElement {
    const t = this.app.playback;
    return h(
      'div',
      { class: 'playback', role: 'group', 'aria-label': 'Play' },
      button({ label: 'To the beginning', icon: icons.begin, key: 'Home', test: 'begin' }, () =>
        t.seek(0),
      ),
      button({ label: 'One step back', icon: icons.back, key: ',', test: 'step-back' }, () =>
        t.stepBack(),
      ),
      this.playButton,
      button({ label: 'One event', icon: icons.step, key: '.', test: 'step' }, () => void t.step()),
      button(
        {
          label: 'One round: until all messages under way have arrived',
          icon: icons.round,
          key: '/',
          test: 'round',
        },
        () => void t.round(),
      ),
    );
  }

  private makeStrip(): HTMLElement {
    const strip = h(
      'div',
      {
        class: 'timeline',
        role: 'slider',
        tabindex: 0,
        'aria-label': 'Timeline',
        'data-testid': 'timeline',
        'aria-valuemin': 0,
        'aria-valuenow': 0,
      },
      this.canvas,
      this.tip,
    );
    const seek = (e: PointerEvent) => this.app.playback.seek(this.snapped(e));
    strip.addEventListener('pointerdown', (e) => {
      strip.setPointerCapture(e.pointerId);
      seek(e);
    });
    strip.addEventListener('pointermove', (e) => {
      if (e.buttons & 1) seek(e);
      this.showTip(e);
    });
    strip.addEventListener('pointerleave', () => (this.tip.hidden = true));
    strip.addEventListener('keydown', (e) => this.onKey(e));
    return strip;
  }

  private onKey(e: KeyboardEvent): void {
    const leap = this.span() / 100;
    const { clock } = this.app.run;
    const to: Record<string, number> = {
      ArrowLeft: clock - leap,
      ArrowRight: clock + leap,
      PageUp: clock + 10 * leap,
      PageDown: clock - 10 * leap,
      Home: 0,
      End: this.app.run.history.known,
    };
    if (!(e.key in to)) return;
    e.preventDefault();
    e.stopPropagation();
    this.app.playback.seek(Math.max(0, to[e.key]));
  }

  /** How much time the strip shows. */
  private span(): number {
    const { run } = this.app;
    const known = Math.max(run.history.known, run.clock, 1e6);
    const { end } = run.stage;
    return end > 0 && end <= NEAR * known ? Math.max(end, known) : known * 1.25;
  }

  private timeAt(e: PointerEvent): number {
    const box = this.strip.getBoundingClientRect();
    return Math.min(1, Math.max(0, (e.clientX - box.left) / box.width)) * this.span();
  }

  private markAt(e: PointerEvent): Mark | null {
    const room = (this.span() / this.strip.clientWidth) * 6;
    const t = this.timeAt(e);
    let best: Mark | null = null;
    for (const m of this.list) {
      if (Math.abs(m.t - t) < room && (!best || Math.abs(m.t - t) < Math.abs(best.t - t))) best = m;
    }
    return best;
  }

  /** A click on a mark goes exactly there. */
  private snapped(e: PointerEvent): number {
    return e.type === 'pointerdown' ? (this.markAt(e)?.t ?? this.timeAt(e)) : this.timeAt(e);
  }

  private showTip(e: PointerEvent): void {
    const mark = this.markAt(e);
    const t = mark?.t ?? this.timeAt(e);
    const box = this.strip.getBoundingClientRect();
    this.tip.hidden = false;
    this.tip.textContent = mark ? `${text.time(t)}: ${mark.text}` : text.time(t);
    const half = this.tip.offsetWidth / 2;
    const x = Math.min(box.width - half, Math.max(half, e.clientX - box.left));
    this.tip.style.left = `${x}px`;
  }

  /** To the previous (-1) or the next (1) mark. */
  jump(direction: 1 | -1): void {
    const { clock } = this.app.run;
    const little = this.span() / 1e5;
    const t =
      direction > 0
        ? this.list.find((m) => m.t > clock + little)?.t
        : ([...this.list].reverse().find((m) => m.t < clock - little)?.t ?? 0);
    if (t !== undefined) this.app.playback.seek(t);
  }

  refresh(): void {
    const { playback, run } = this.app;
    const label = playback.playing ? 'Pause' : 'Play';
    if (this.playButton.getAttribute('aria-label') !== label) {
      this.playButton.setAttribute('aria-label', label);
      this.playButton.dataset.tip = `${label} (Space)`;
      fill(
        this.playButton,
        h('span', { class: 'icon', html: playback.playing ? icons.pause : icons.play }),
      );
    }
    setText(this.speedText, text.speed(playback.speed));
    if (document.activeElement !== this.speedSlider) {
      this.speedSlider.value = String(text.sliderOfSpeed(playback.speed));
    }
    this.speedSlider.setAttribute('aria-valuetext', text.speed(playback.speed));
    if (!run.ready) return;
    const said = stateText(run.shown.ended, run.shown.rest && !run.stage.moves, playback);
    setText(this.state, said);
    this.state.dataset.tip = playback.behind
      ? `${said}: this machine computes ${text.count(playback.behind)} events per second`
      : said;
  }

  /** The server computes for a while. */
  working(t: number, to: number): void {
    const share = to > 0 ? ` ${Math.floor((100 * t) / to)} %` : '';
    this.state.textContent = `computing …${share}`;
  }

  draw(force = false): void {
    const { run, view } = this.app;
    if (!run.ready) return;
    setText(this.clock, text.time(run.clock));
    this.strip.setAttribute('aria-valuenow', String(Math.round(run.clock / 1e6)));
    this.strip.setAttribute('aria-valuetext', text.time(run.clock));
    this.strip.setAttribute('aria-valuemax', String(Math.round(this.span() / 1e6)));
    const width = this.strip.clientWidth;
    const x = Math.round((run.clock / this.span()) * width * 4);
    const { dark } = view.theme;
    const key = [x, run.history.version, width, dark, run.recipe.actions.length].join();
    const now = performance.now();
    if (!force && (key === this.drawn || (this.app.playback.playing && now - this.painted < 45)))
      return;
    this.drawn = key;
    this.painted = now;
    this.paint(width);
  }

  private paint(w: number): void {
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(w * ratio);
    this.canvas.height = Math.round(HEIGHT * ratio);
    const ctx = this.canvas.getContext('2d') as CanvasRenderingContext2D;
    ctx.scale(ratio, ratio);
    const { run, view } = this.app;
    const { css, dark } = view.theme;
    const span = this.span();
    const x = (t: number) => (t / span) * w;
    const base = HEIGHT - 14;
    ctx.fillStyle = dark ? 'rgba(255,255,255,0.06)' : 'rgba(20,30,45,0.06)';
    ctx.fillRect(0, base - 3, w, 6);
    ctx.fillStyle = dark ? 'rgba(255,255,255,0.16)' : 'rgba(20,30,45,0.16)';
    ctx.fillRect(0, base - 3, x(run.history.known), 6);
    this.paintUnrest(ctx, x, base);
    ctx.fillStyle = css.accent;
    ctx.fillRect(0, base - 3, x(run.clock), 6);
    this.list = marks(run.history, run.recipe.actions, (span / w) * 7);
    const hand = this.list.filter((m) => m.kind === 'action').map((m) => x(m.t));
    for (const m of this.list) paintMark(ctx, m, x(m.t), base, dark, hand);
    paintScale(ctx, span, w, css.muted);
    ctx.beginPath();
    ctx.arc(Math.min(w - 7, Math.max(7, x(run.clock))), base, 6.5, 0, 2 * Math.PI);
    ctx.fillStyle = css.accent;
    ctx.fill();
    ctx.lineWidth = 2;
    ctx.strokeStyle = css.canvas;
    ctx.stroke();
  }

  /** How much nodes disagree, as a ridge over the strip. */
  private paintUnrest(ctx: CanvasRenderingContext2D, x: (t: number) => number, base: number): void {
    const { samples } = this.app.run.history;
    if (samples.length < 2) return;
    ctx.beginPath();
    ctx.moveTo(x(samples[0].t), base - 3);
    let level = base - 3;
    for (const s of samples) {
      ctx.lineTo(x(s.t), level);
      level = base - 3 - s.instability * 20;
      ctx.lineTo(x(s.t), level);
    }
    ctx.lineTo(x(samples[samples.length - 1].t), base - 3);
    ctx.closePath();
    ctx.fillStyle = this.app.view.theme.dark ? 'rgba(240,140,90,0.4)' : 'rgba(213,94,0,0.28)';
    ctx.fill();
  }
}

function setText(e: Element, value: string): void {
  if (e.textContent !== value) e.textContent = value;
}

export function stateText(
  ended: string | null,
  rest: boolean,
  time: { playing: boolean; quiet: boolean; behind: number; speed: number },
): string {
  if (ended === 'deadline') return 'ended';
  if (ended === 'violation') return 'property broken';
  if (ended === 'event-limit') return 'event limit reached';
  if (ended) return 'quiescent';
  if (time.playing && time.behind)
    return `slower than ${text.speed(time.speed)}`;
  if (time.playing && time.quiet) return 'only timers: faster';
  if (rest) return 'quiescent';
  return time.playing ? 'playing' : 'paused';
}

function paintMark(
  ctx: CanvasRenderingContext2D,
  m: Mark,
  x: number,
  base: number,
  dark: boolean,
  hand: number[],
): void {
  ctx.fillStyle = ctx.strokeStyle = dark ? LOOK[m.kind].dark : LOOK[m.kind].light;
  ctx.lineWidth = 1.8;
  // Elections in the lower lane, the others above; what a command caused is beside its mark.
  const y = m.kind === 'election' ? base - 13 : base - 25;
  const beside = m.kind !== 'election' && m.kind !== 'action';
  if (beside && hand.some((at) => Math.abs(at - x) < 8)) x += 10;
  ctx.beginPath();
  if (m.kind === 'election') {
    ctx.moveTo(x - 4.5, y + 4);
    for (const [dx, dy] of [
      [-4.5, -2.5],
      [-2, 0.5],
      [0, -4],
      [2, 0.5],
      [4.5, -2.5],
      [4.5, 4],
    ])
      ctx.lineTo(x + dx, y + dy);
    ctx.fill();
  } else if (m.kind === 'crash' || m.kind === 'violation') {
    ctx.moveTo(x - 3.5, y - 3.5);
    ctx.lineTo(x + 3.5, y + 3.5);
    ctx.moveTo(x + 3.5, y - 3.5);
    ctx.lineTo(x - 3.5, y + 3.5);
    ctx.stroke();
  } else if (m.kind === 'restart') {
    ctx.arc(x, y, 3.4, -0.6, 4.2);
    ctx.stroke();
  } else {
    ctx.moveTo(x, y - 4.5);
    ctx.lineTo(x + 4.5, y);
    ctx.lineTo(x, y + 4.5);
    ctx.lineTo(x - 4.5, y);
    ctx.fill();
  }
  ctx.globalAlpha = 0.5;
  const foot = m.kind === 'violation' ? base + 6 : base - 3;
  ctx.fillRect(x - 0.5, y + 6, 1, foot - y - 6);
  ctx.globalAlpha = 1;
}

function paintScale(ctx: CanvasRenderingContext2D, span: number, w: number, colour: string): void {
  const atLeast = (span / w) * 110;
  const power = 10 ** Math.floor(Math.log10(atLeast));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= atLeast) ?? atLeast;
  ctx.fillStyle = colour;
  ctx.font = '10px system-ui, sans-serif';
  ctx.textBaseline = 'alphabetic';
  ctx.textAlign = 'center';
  for (let t = step; t < span - step * 0.2; t += step) {
    ctx.fillText(text.span(t).replace('.0 ', ' '), (t / span) * w, HEIGHT - 1);
  }
}
