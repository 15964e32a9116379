// SPDX-License-Identifier: MIT
// What people do to a run, in the words of the protocol.
import type { App } from './app';
import { ALIVE, type Action } from './model';

export class Commands {
  constructor(private readonly app: App) {}

  private get run() {
    return this.app.run;
  }

  private do(actions: Action[], goesOn = false): Promise<boolean> {
    if (!actions.length) return Promise.resolve(false);
    return this.app.playback.act(actions, goesOn);
  }

  private alive(node: number): boolean {
    return (this.run.moment.state[node] & ALIVE) !== 0;
  }

  crash(nodes: number[]): Promise<boolean> {
    return this.do(nodes.filter((k) => this.alive(k)).map((node) => ({ kind: 'crash', node })));
  }

  restart(nodes: number[], memory: boolean): Promise<boolean> {
    return this.do(
      nodes.filter((k) => !this.alive(k)).map((node) => ({ kind: 'restart', node, memory })),
    );
  }

  cut(pairs: [number, number][]): Promise<boolean> {
    return this.do(pairs.map(([a, b]) => ({ kind: 'cut', a, b })));
  }

  join(a: number, b: number): Promise<boolean> {
    return this.do([{ kind: 'join', a, b }]);
  }

  linked(a: number, b: number): boolean {
    const { links } = this.run.moment;
    for (let k = 0; k < links.length; k += 2) {
      if ((links[k] === a && links[k + 1] === b) || (links[k] === b && links[k + 1] === a))
        return true;
    }
    return false;
  }

  toggleLink(a: number, b: number): Promise<boolean> {
    return this.linked(a, b) ? this.cut([[a, b]]) : this.join(a, b);
  }

  partition(group: number[]): Promise<boolean> {
    return this.do([{ kind: 'partition', groups: [group] }]);
  }

  /** These nodes on one side, the others on the other. */
  isolate(nodes: number[]): Promise<boolean> {
    if (this.run.stage.moves) return this.partition(nodes);
    const inside = new Set(nodes);
    return this.cut(this.linkList().filter(([a, b]) => inside.has(a) !== inside.has(b)));
  }

  linkList(): [number, number][] {
    const { links } = this.run.moment;
    return Array.from({ length: links.length / 2 }, (_, k) => [links[2 * k], links[2 * k + 1]]);
  }

  /** Partitions end, and links that were cut by hand come up again. */
  heal(): Promise<boolean> {
    const cut = new Map<string, [number, number]>();
    let parted = false;
    for (const a of this.run.recipe.actions) {
      if (a.kind === 'cut') cut.set(`${Math.min(a.a, a.b)} ${Math.max(a.a, a.b)}`, [a.a, a.b]);
      if (a.kind === 'join') cut.delete(`${Math.min(a.a, a.b)} ${Math.max(a.a, a.b)}`);
      if (a.kind === 'partition') parted = true;
      if (a.kind === 'heal') parted = false;
    }
    const joins = [...cut.values()].map(([a, b]): Action => ({ kind: 'join', a, b }));
    return this.do(parted || !joins.length ? [{ kind: 'heal' }, ...joins] : joins);
  }

  move(nodes: { node: number; x: number; y: number }[], goesOn = false): Promise<boolean> {
    return this.do(
      nodes.map((m) => ({ kind: 'move', ...m })),
      goesOn,
    );
  }

  /** In a moving network at a place; in a graph linked to the selected or the nearest nodes. */
  async add(x: number, y: number): Promise<boolean> {
    const { stage, moment } = this.run;
    const node = moment.n;
    if (stage.moves) return this.selectNew(await this.do([{ kind: 'add', x, y }]), node);
    for (const run of this.app.runs) run.placement.want(node, x, y);
    const chosen = [...this.app.view.selected];
    const links = chosen.length ? chosen : this.nearest(x, y, 2);
    return this.selectNew(await this.do([{ kind: 'add', links }]), node);
  }

  private selectNew(done: boolean, node: number): boolean {
    if (done && this.run.moment.n > node) this.app.select([node]);
    return done;
  }

  private nearest(x: number, y: number, many: number): number[] {
    const { places, moment } = this.run;
    const far = (i: number) => Math.hypot(places[2 * i] - x, places[2 * i + 1] - y);
    return Array.from({ length: moment.n }, (_, i) => i)
      .filter((i) => this.alive(i))
      .sort((a, b) => far(a) - far(b))
      .slice(0, many);
  }
}
