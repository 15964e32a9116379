// SPDX-License-Identifier: MIT
// Live plots of a run. A click goes to its moment.

import 'uplot/dist/uPlot.min.css';
import './plots.css';
import type { Moment } from '../model';
import { INSTABILITY } from '../words';
import { History } from './history';
import { Strip, type Look } from './strip';

const LOOKS: Look[] = [
  {
    quantity: 'instability',
    title: 'Instability',
    hint: INSTABILITY,
    colour: { light: '#b3261e', dark: '#ff8a80' },
    steps: false,
    unit: ' %',
    top: 5,
  },
  {
    quantity: 'rate',
    title: 'Messages per second',
    hint: 'Messages sent per simulated second: the price of the election.',
    colour: { light: '#0b57d0', dark: '#8ab4f8' },
    steps: false,
    unit: '/s',
    top: null,
  },
  {
    quantity: 'components',
    title: 'Components',
    hint: 'Parts of the network; no message gets from one to another.',
    colour: { light: '#7a4f00', dark: '#f2c14e' },
    steps: true,
    unit: '',
    top: 2,
  },
  {
    quantity: 'leaders',
    title: 'Leaders',
    hint: 'Live nodes that name themselves; once elections are over, one in each component should.',
    colour: { light: '#00695c', dark: '#5fd3bc' },
    steps: true,
    unit: '',
    top: 2,
  },
];

const PAUSE = 100; // ms between two drawings

export class Plots {
  private readonly root: HTMLElement;
  private readonly strips: Strip[];
  private readonly history = new History();
  private marked = 0; // ns
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(parent: HTMLElement, onJump: (t: number) => void) {
    this.root = document.createElement('div');
    this.root.className = 'plots';
    const jump = (seconds: number) => onJump(Math.round(1e9 * seconds));
    this.strips = LOOKS.map((look, k) => new Strip(look, k === LOOKS.length - 1, jump));
    this.root.append(...this.strips.map((strip) => strip.root));
    parent.append(this.root);
  }

  push(m: Moment): void {
    this.history.push(m);
    this.draw();
  }

  /** Forgets what was after t: the run goes another way from there. */
  truncate(t: number): void {
    this.history.truncate(t);
    this.draw();
  }

  reset(): void {
    this.history.reset();
    this.mark(0);
    this.draw();
  }

  /** The strips share the height of the panel. */
  resize(): void {
    const room = this.root.parentElement?.clientHeight ?? 0;
    this.strips.forEach((strip) => strip.resize(room / LOOKS.length));
    this.draw();
  }

  /** Where the run is that is shown. */
  mark(t: number): void {
    this.marked = t;
    this.strips.forEach((strip, k) => {
      strip.mark(t / 1e9);
      strip.value(this.history.at(LOOKS[k]!.quantity, t));
    });
  }

  theme(dark: boolean): void {
    this.strips.forEach((strip) => strip.theme(dark));
  }

  /** Soon, and not more often than eyes can follow. */
  private draw(): void {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.strips.forEach((strip, k) => {
        const { quantity } = LOOKS[k]!;
        strip.show(this.history.columns(quantity));
        strip.value(this.history.at(quantity, this.marked));
      });
    }, PAUSE);
  }
}
