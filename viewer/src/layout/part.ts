// SPDX-License-Identifier: MIT
// One component on its way to its form.

import { declutter } from './declutter';
import { induced, type Graph } from './graph';
import type { Random } from './random';
import { shape } from './shapes';
import { Stress } from './stress';
import { lieDown, straighten } from './turn';

const ROUNDS = 12; // of pushing apart
const NEAREST = 0.45; // of a link's length

export class Part {
  readonly nodes: number[];
  xy: Float64Array; // a link is about one long
  private own: Graph;
  private stress: Stress | null = null;
  private rounds = 0;
  private random: Random;

  constructor(g: Graph, nodes: number[], random: Random) {
    this.nodes = nodes;
    this.random = random;
    this.own = induced(g, nodes);
    const known = shape(this.own);
    if (known) {
      this.xy = known;
    } else {
      this.stress = new Stress(this.own, random);
      this.xy = this.stress.xy;
      this.rounds = ROUNDS;
    }
    lieDown(this.xy);
  }

  busy(): boolean {
    return this.stress !== null || this.rounds > 0;
  }

  /** A little work. */
  work(): void {
    if (this.stress) {
      if (!this.stress.work()) this.stress = null;
    } else if (this.rounds > 0) {
      this.rounds--;
      if (declutter(this.xy, NEAREST, this.random) < 0.02) this.rounds = 0;
      if (this.rounds === 0 && !straighten(this.own, this.xy)) lieDown(this.xy);
    }
  }
}
