// SPDX-License-Identifier: MIT
// One small plot: a title that explains itself, the value of now, and a line over time.

import uPlot from 'uplot';
import type { Columns, Quantity } from './history';
import { clock, compact } from './text';

export interface Look {
  quantity: Quantity;
  title: string;
  hint: string; // one sentence, for a student
  colour: { light: string; dark: string };
  steps: boolean; // whole numbers that jump
  unit: string;
  top: number | null; // the axis goes at least so far
}

const LEAST = 46;
const MOST = 170;
const HEAD = 30; // what stands above a chart, and between two
const AXIS = 18; // of the last strip, below

export class Strip {
  readonly root: HTMLElement;
  private chart: uPlot | null = null;
  private readonly number: HTMLElement;
  private readonly box: HTMLElement;
  private readonly line: HTMLElement;
  private data: Columns = [[], [], []];
  private marked: number | null = null; // seconds
  private dark = false;
  private tall = LEAST;

  constructor(
    private readonly look: Look,
    private readonly last: boolean,
    private readonly jump: (seconds: number) => void,
  ) {
    this.root = element('div', 'plot');
    const head = element('div', 'plot-head');
    const title = element('span', 'plot-title');
    title.textContent = look.title;
    title.title = look.hint;
    this.number = element('span', 'plot-value');
    head.append(title, this.number);
    this.box = element('div', 'plot-chart');
    this.box.tabIndex = 0;
    this.box.setAttribute('role', 'slider');
    this.box.setAttribute('aria-label', `${look.title}. ${look.hint} Arrow keys go through time.`);
    this.line = element('div', 'plot-mark');
    this.box.append(this.line);
    this.root.append(head, this.box);
    this.listen();
  }

  show(data: Columns): void {
    this.data = data;
    if (!this.chart) this.build();
    else this.chart.setData(data);
  }

  value(x: number | null): void {
    const text = x === null ? '' : compact(x) + this.look.unit;
    this.number.textContent = text;
    this.box.setAttribute('aria-valuetext', text);
  }

  mark(seconds: number): void {
    this.marked = seconds;
    this.box.setAttribute('aria-valuenow', seconds.toFixed(3));
    this.placeMark();
  }

  /** `room`: pixels for title and chart. */
  resize(room: number): void {
    this.tall = Math.round(Math.min(MOST, Math.max(LEAST, room - HEAD - AXIS / 2)));
    const width = this.box.clientWidth;
    if (this.chart && width > 0) this.chart.setSize({ width, height: this.height() });
  }

  theme(dark: boolean): void {
    this.dark = dark;
    this.chart?.destroy();
    this.chart = null;
    if (this.data[0].length > 0) this.build();
  }

  private height(): number {
    return this.tall + (this.last ? AXIS : 0);
  }

  private listen(): void {
    this.box.addEventListener('click', (event) => {
      if (!this.chart) return;
      const left = event.clientX - this.chart.over.getBoundingClientRect().left;
      this.jump(Math.max(0, this.chart.posToVal(left, 'x')));
    });
    this.box.addEventListener('keydown', (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by === undefined || this.data[0].length === 0) return;
      event.preventDefault();
      event.stopPropagation();
      this.jump(this.beside(by));
    });
  }

  /** The moment before or after the mark. */
  private beside(by: number): number {
    const times = this.data[0];
    const at = this.marked ?? times.at(-1)!;
    const after = times.findIndex((t) => t > at + 1e-9);
    if (by > 0) return times[after < 0 ? times.length - 1 : after]!;
    const here = after < 0 ? times.length : after;
    const before = times.slice(0, here).filter((t) => t < at - 1e-9);
    return before.at(-1) ?? times[0]!;
  }

  private build(): void {
    const width = this.box.clientWidth;
    if (width === 0) return;
    this.chart = new uPlot(this.options(width), this.data, this.box);
  }

  private options(width: number): uPlot.Options {
    const colour = this.dark ? this.look.colour.dark : this.look.colour.light;
    const paths = this.look.steps ? uPlot.paths.stepped!({ align: 1 }) : uPlot.paths.linear!();
    const points = { show: false };
    return {
      width,
      height: this.height(),
      padding: [4, 6, this.last ? 0 : 2, 0],
      legend: { show: false },
      cursor: { sync: { key: 'plots' }, drag: { x: false, y: false }, points: { show: false } },
      scales: { x: { time: false }, y: { range: (_, __, most) => [0, this.top(most)] } },
      axes: this.axes(),
      series: [
        {},
        { paths, points, stroke: colour, width: 0.75 },
        { paths, points, stroke: colour, width: 1.5 },
      ],
      bands: [{ series: [2, 1], fill: colour + '55' }],
      hooks: { draw: [() => this.placeMark()] },
    };
  }

  private top(most: number | null): number {
    return Math.max(1.15 * (most ?? 0), this.look.top ?? 0, 1e-9);
  }

  private axes(): uPlot.Axis[] {
    const stroke = this.dark ? '#9aa4b2' : '#5b6472';
    const grid = { stroke: this.dark ? '#ffffff14' : '#00000012', width: 1 };
    const font = '10px system-ui, sans-serif';
    return [
      {
        show: this.last,
        stroke,
        grid,
        font,
        size: AXIS,
        gap: 2,
        space: 70,
        ticks: { show: false },
        values: (_, all) => all.map((s) => clock(s, all.at(-1) ?? s)),
      },
      {
        stroke,
        grid,
        font,
        size: 34,
        gap: 2,
        space: 18,
        ticks: { show: false },
        splits: (_, __, ___, most) => ticks(most, this.look.steps),
        values: (_, all) => all.map((x) => compact(x)),
      },
    ];
  }

  private placeMark(): void {
    const chart = this.chart;
    const t = this.marked;
    const { min, max } = chart?.scales['x'] ?? {};
    const out = t === null || min == null || max == null || t < min || t > max;
    this.line.style.display = out || !chart ? 'none' : 'block';
    if (out || !chart) return;
    const box = chart.over;
    this.line.style.left = `${box.offsetLeft + chart.valToPos(t, 'x') - 1}px`;
    this.line.style.top = `${box.offsetTop}px`;
    this.line.style.height = `${box.clientHeight}px`;
  }
}

/** Nothing and one round number: more does not fit. */
export function ticks(most: number, whole: boolean): number[] {
  const size = Math.pow(10, Math.floor(Math.log10(most)));
  const round = [5, 2, 1].map((k) => k * size).find((x) => x <= most) ?? size;
  return whole ? [0, Math.max(1, Math.floor(round))] : [0, round];
}

function element(tag: string, name: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = name;
  return made;
}
