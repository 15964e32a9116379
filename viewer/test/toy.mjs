// SPDX-License-Identifier: MIT
// A toy election for the page's own tests: the largest id floods its claim, and a node that has not
// heard of its leader for a while claims to lead. Deterministic, like the real thing, and simpler.

export const SECOND = 1e9;
const NO_NODE = 0xffffffff;

export function random(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

class Queue {
  heap = [];
  less(a, b) {
    return a.t < b.t || (a.t === b.t && a.order < b.order);
  }
  push(e) {
    const h = this.heap;
    let i = h.push(e) - 1;
    while (i > 0) {
      const up = (i - 1) >> 1;
      if (!this.less(h[i], h[up])) break;
      [h[i], h[up]] = [h[up], h[i]];
      i = up;
    }
  }
  pop() {
    const h = this.heap;
    const top = h[0];
    const last = h.pop();
    if (h.length) {
      h[0] = last;
      let i = 0;
      for (;;) {
        let k = 2 * i + 1;
        if (k >= h.length) break;
        if (k + 1 < h.length && this.less(h[k + 1], h[k])) k++;
        if (!this.less(h[k], h[i])) break;
        [h[i], h[k]] = [h[k], h[i]];
        i = k;
      }
    }
    return top;
  }
}

const key = (a, b) => (a < b ? a * 1048576 + b : b * 1048576 + a);

export class Toy {
  constructor(config, actions) {
    this.c = config;
    this.r = random(config.seed);
    this.ways = random(config.seed + 1); // movement has its own, so that worlds are alike
    this.t = 0;
    this.order = 0;
    this.serial = 0;
    this.events = 0;
    this.sent = 0;
    this.queue = new Queue();
    this.kinds = [];
    this.log = [];
    this.flights = [];
    this.omitted = 0;
    this.cuts = new Set();
    this.group = null;
    this.n = 0;
    this.nodes = [];
    this.messages = new Map();
    for (let i = 0; i < config.nodes; i++) this.addNode(0);
    if (!config.moves) this.base = this.topology();
    this.relink();
    this.at(0, { type: 'tick' });
    for (let i = 0; i < this.n; i++) this.at(this.r() * config.period, { type: 'beat', node: i });
    for (const action of actions) this.at(action.at ?? 0, { type: 'act', action });
  }

  at(t, e) {
    this.queue.push({ ...e, t, order: this.order++ });
  }

  addNode(t, x, y) {
    const i = this.n++;
    const node = {
      id: this.idOf(i),
      alive: true,
      leader: i,
      seq: 0,
      heard: t,
      x0: x ?? this.ways() * this.c.width,
      y0: y ?? this.ways() * this.c.height,
      t0: t,
      x1: 0,
      y1: 0,
      t1: t,
      last: [],
      next: [],
    };
    node.way = random(this.c.seed * 7919 + i);
    node.x1 = node.x0;
    node.y1 = node.y0;
    this.nodes.push(node);
    return i;
  }

  /** Ids in random order, the same for the same number of nodes. */
  idOf(i) {
    if (!this.deal) {
      const r = random(this.c.nodes);
      this.deal = Array.from({ length: this.c.nodes }, (_, k) => k + 1);
      for (let k = this.deal.length - 1; k > 0; k--) {
        const j = Math.floor(r() * (k + 1));
        [this.deal[k], this.deal[j]] = [this.deal[j], this.deal[k]];
      }
    }
    return this.deal[i] ?? i + 1;
  }

  topology() {
    const n = this.c.nodes;
    const links = [];
    if (this.c.topology === 'grid') {
      const w = Math.ceil(Math.sqrt(n));
      for (let i = 0; i < n; i++) {
        if ((i + 1) % w && i + 1 < n) links.push([i, i + 1]);
        if (i + w < n) links.push([i, i + w]);
      }
    } else if (this.c.topology === 'random') {
      for (let i = 1; i < n; i++) links.push([i, Math.floor(this.r() * i)]);
      for (let i = 0; i < n * 0.6; i++) {
        const a = Math.floor(this.r() * n);
        const b = Math.floor(this.r() * n);
        if (a !== b) links.push([a, b]);
      }
    } else for (let i = 0; i < n; i++) links.push([i, (i + 1) % n]);
    return links;
  }

  place(node) {
    while (this.t > node.t1) {
      node.x0 = node.x1;
      node.y0 = node.y1;
      node.t0 = node.t1;
      node.x1 = node.way() * this.c.width;
      node.y1 = node.way() * this.c.height;
      const v = 3 + node.way() * this.c.speed;
      node.t1 = node.t0 + (Math.hypot(node.x1 - node.x0, node.y1 - node.y0) / v) * SECOND;
    }
    const s = node.t1 > node.t0 ? (this.t - node.t0) / (node.t1 - node.t0) : 1;
    return [node.x0 + (node.x1 - node.x0) * s, node.y0 + (node.y1 - node.y0) * s];
  }

  inRange() {
    const R = this.c.range;
    const grid = new Map();
    const at = this.nodes.map((v) => this.place(v));
    const links = [];
    at.forEach(([x, y], i) => {
      const cx = Math.floor(x / R);
      const cy = Math.floor(y / R);
      for (let dx = -1; dx <= 1; dx++) {
        for (let dy = -1; dy <= 1; dy++) {
          for (const j of grid.get((cx + dx) * 65536 + cy + dy) ?? []) {
            if (Math.hypot(x - at[j][0], y - at[j][1]) <= R) links.push([j, i]);
          }
        }
      }
      const k = cx * 65536 + cy;
      if (!grid.has(k)) grid.set(k, []);
      grid.get(k).push(i);
    });
    return links;
  }

  relink() {
    const open = ([a, b]) =>
      this.nodes[a].alive &&
      this.nodes[b].alive &&
      !this.cuts.has(key(a, b)) &&
      (!this.group || (this.group[a] ?? -1) === (this.group[b] ?? -1));
    this.links = (this.c.moves ? this.inRange() : this.base).filter(open);
    this.linksFresh = true;
    for (const v of this.nodes) v.next = [];
    for (const [a, b] of this.links) {
      this.nodes[a].next.push(b);
      this.nodes[b].next.push(a);
    }
  }

  kind(name) {
    const k = this.kinds.indexOf(name);
    return k >= 0 ? k : this.kinds.push(name) - 1;
  }

  send(from, to, name, body) {
    const lost = this.r() < this.c.loss;
    const arrives = this.t + this.c.delay * (0.4 + 1.2 * this.r());
    const serial = this.serial++;
    this.sent++;
    this.messages.set(serial, { name, body });
    if (this.messages.size > 5000) this.messages.delete(this.messages.keys().next().value);
    if (this.flights.length < 20000) {
      this.flights.push({
        from,
        to,
        kind: this.kind(name),
        fate: lost ? 1 : 0,
        sent: this.t,
        arrives,
        serial,
        carries: -1,
      });
    } else this.omitted++;
    if (lost) this.log.push({ t: this.t, kind: 'drop', from, to, why: 'the channel lost it' });
    else this.at(arrives, { type: 'hear', node: to, from, body });
  }

  lead(i, leader, why) {
    const v = this.nodes[i];
    if (v.leader === leader) return;
    this.log.push({
      t: this.t,
      kind: 'leader',
      node: i,
      was: v.leader === NO_NODE ? -1 : v.leader,
      now: leader,
      why,
    });
    v.leader = leader;
  }

  note(i, text) {
    const list = this.nodes[i].last;
    list.push({ t: this.t, text });
    if (list.length > 12) list.shift();
  }

  handle(e) {
    this.t = e.t;
    this.events++;
    const v = e.node === undefined ? null : this.nodes[e.node];
    if (e.type === 'tick') {
      if (this.c.moves) {
        this.relink();
        this.at(this.t + 0.1 * SECOND, { type: 'tick' });
      }
    } else if (e.type === 'act') this.apply(e.action);
    else if (e.type === 'beat') this.beat(e.node, v);
    else if (e.type === 'hear') this.hear(e.node, v, e);
  }

  beat(i, v) {
    this.at(this.t + this.c.period, { type: 'beat', node: i });
    if (!v.alive) return;
    if (v.leader !== i && this.t - v.heard > 3.2 * this.c.period) {
      this.lead(i, i, 'has not heard of its leader for three periods');
      v.seq = 0;
    }
    if (v.leader !== i) return;
    v.seq++;
    v.heard = this.t;
    this.note(i, `Timer Beat: claims to lead, number ${v.seq}`);
    for (const to of v.next) this.send(i, to, 'Claim', { leader: i, seq: v.seq });
  }

  hear(i, v, e) {
    if (!v.alive || !v.next.includes(e.from)) return;
    const { leader, seq } = e.body;
    const mine = this.nodes[v.leader].id;
    const theirs = this.nodes[leader].id;
    this.note(i, `Received Claim of ${theirs}, number ${seq}, from ${this.nodes[e.from].id}`);
    if (theirs < mine || (leader === v.leader && seq <= v.seq)) {
      if (theirs < mine && this.n <= 200)
        this.send(i, e.from, 'Reject', { leader: v.leader, seq: v.seq });
      return;
    }
    this.lead(i, leader, `heard of ${theirs}, which is larger than ${mine}`);
    v.seq = seq;
    v.heard = this.t;
    for (const to of v.next) if (to !== e.from) this.send(i, to, 'Claim', { leader, seq });
  }

  apply(a) {
    const v = a.node === undefined ? null : this.nodes[a.node];
    if (a.kind === 'crash') {
      v.alive = false;
      this.log.push({ t: this.t, kind: 'crash', node: a.node });
    } else if (a.kind === 'restart') {
      v.alive = true;
      if (!a.memory) Object.assign(v, { leader: a.node, seq: 0 });
      v.heard = this.t;
      this.log.push({ t: this.t, kind: 'restart', node: a.node });
    } else if (a.kind === 'cut') this.cuts.add(key(a.a, a.b));
    else if (a.kind === 'join') {
      this.cuts.delete(key(a.a, a.b));
      if (!this.c.moves && !this.base.some(([x, y]) => key(x, y) === key(a.a, a.b)))
        this.base.push([a.a, a.b]);
    } else if (a.kind === 'partition') {
      this.group = {};
      a.groups.forEach((list, g) => list.forEach((i) => (this.group[i] = g)));
    } else if (a.kind === 'heal') this.group = null;
    else if (a.kind === 'move')
      Object.assign(v, { x0: a.x, y0: a.y, x1: a.x, y1: a.y, t0: this.t, t1: this.t + SECOND });
    else if (a.kind === 'add') {
      const i = this.addNode(this.t, a.x, a.y);
      if (!this.c.moves) for (const to of a.links ?? []) this.base.push([to, i]);
      this.at(this.t + 1e6, { type: 'beat', node: i });
    }
    this.relink();
  }

  runTo(t, budget = Infinity) {
    const begin = Date.now();
    let k = 0;
    while (this.queue.heap.length && this.queue.heap[0].t <= t) {
      this.handle(this.queue.pop());
      if ((++k & 63) === 0 && Date.now() - begin > budget) return;
    }
    this.t = Math.max(this.t, t);
  }

  step() {
    if (this.queue.heap.length) this.handle(this.queue.pop());
  }

  components() {
    const out = new Uint32Array(this.n).fill(NO_NODE);
    let count = 0;
    for (let i = 0; i < this.n; i++) {
      if (!this.nodes[i].alive || out[i] !== NO_NODE) continue;
      count++;
      const todo = [i];
      out[i] = i;
      while (todo.length) {
        for (const k of this.nodes[todo.pop()].next) {
          if (out[k] === NO_NODE) {
            out[k] = i;
            todo.push(k);
          }
        }
      }
    }
    return { out, count };
  }
}
