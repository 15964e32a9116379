// SPDX-License-Identifier: MIT
// A server for the page alone: speaks PROTOCOL.md with a toy election, and serves dist/.
// node test/mock.mjs [port]
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocketServer } from 'ws';
import { catalogue, config, defaultScenario } from './mock_catalogue.mjs';
import { Toy } from './toy.mjs';
import { frame } from './toy_frame.mjs';

const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist');
const types = { html: 'text/html', js: 'text/javascript', css: 'text/css' };

// As strict as the real server.
const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
  "media-src 'self' blob:; worker-src 'self' blob:; connect-src 'self'; frame-ancestors 'none'";

class Refusal extends Error {
  constructor(why, line, key) {
    super(why);
    Object.assign(this, { line, key });
  }
}

class Watched {
  constructor(socket) {
    this.socket = socket;
    socket.send(JSON.stringify({ is: 'hello', ...catalogue }));
    socket.on('message', (data) => this.hear(JSON.parse(data)));
  }

  hear(ask) {
    try {
      const answer = this[ask.do](ask);
      const framed = answer.is !== 'node' && answer.is !== 'message' && answer.is !== 'export';
      if (!framed) return this.socket.send(JSON.stringify({ re: ask.id, ...answer }));
      const known = this.known;
      const fresh = this.toy.kinds.slice(known);
      this.known = this.toy.kinds.length;
      const withLinks = this.toy.linksFresh || answer.is === 'opened';
      const ended = this.violated() ? 'violation' : this.toy.t >= this.c.end ? 'deadline' : null;
      this.socket.send(
        JSON.stringify({
          re: ask.id,
          frame: true,
          ...answer,
          events: this.toy.log.slice(-500),
          omitted: this.toy.omitted,
          new_messages: answer.is === 'opened' ? [] : fresh,
          rest: !this.toy.queue.heap.some((e) => e.type === 'hear'),
          ended,
          violation: this.violated()
            ? 'At 12 s node 7 named a leader that had crashed: agreement is broken.'
            : null,
        }),
      );
      this.socket.send(frame(this.toy, withLinks));
      Object.assign(this.toy, { log: [], flights: [], omitted: 0, linksFresh: false });
    } catch (e) {
      this.socket.send(
        JSON.stringify({ is: 'refused', re: ask.id, why: e.message, line: e.line, key: e.key }),
      );
      if (!(e instanceof Refusal)) console.error(e);
    }
  }

  violated() {
    return this.c.properties.length > 0 && this.c.name === 'broken' && this.toy.t >= 12e9;
  }

  again(to) {
    this.toy = new Toy(this.c, this.actions);
    this.toy.runTo(Math.min(to, this.c.end));
    this.toy.flights = this.toy.flights.filter((f) => f.arrives > this.toy.t);
    this.known = this.toy.kinds.length;
  }

  start(toml, set, actions, to) {
    const c = config(toml, set, (why, line, key) => new Refusal(why, line, key));
    Object.assign(this, { toml, c, pairs: set, actions, undone: [] });
    this.again(to);
    return this.opened();
  }

  open({ toml, name, set = [], actions = [], to = 0 }) {
    const text = toml ?? catalogue.scenarios.find((s) => s.name === name)?.toml ?? defaultScenario;
    return this.start(text, set, actions, to);
  }

  set({ set }) {
    const c = config(
      this.toml,
      [...this.pairs, ...set],
      (why, line, key) => new Refusal(why, line, key),
    );
    Object.assign(this, { c, pairs: [...this.pairs, ...set] });
    this.again(this.toy.t);
    return this.opened();
  }

  opened() {
    const { c, toy } = this;
    return {
      is: 'opened',
      of: 'scenario',
      name: c.name,
      about: c.about,
      algorithm: c.algorithm,
      seed: c.seed,
      toml: this.toml,
      n: toy.n,
      ids: toy.nodes.map((v) => v.id),
      moves: c.moves,
      area: c.moves ? [c.width, c.height] : null,
      range: c.moves ? c.range : null,
      places: c.moves ? null : this.places(),
      kinds: this.kinds(),
      end: c.end,
      delay: c.delay,
      ranked: c.ranked,
      heights: c.heights,
      properties: c.properties,
      messages: [...toy.kinds],
    };
  }

  places() {
    const { topology, nodes } = this.c;
    if (topology === 'ring') {
      const at = (i, f) => 0.5 + 0.48 * f((2 * Math.PI * i) / nodes);
      return Array.from({ length: nodes }, (_, i) => [at(i, Math.sin), at(i, (x) => -Math.cos(x))]);
    }
    if (topology !== 'grid') return null;
    const w = Math.ceil(Math.sqrt(nodes));
    return Array.from({ length: nodes }, (_, i) => [
      (i % w) / (w - 1),
      Math.floor(i / w) / (w - 1),
    ]);
  }

  kinds() {
    const towers = this.c.towers;
    return this.c.moves ? this.toy.nodes.map((_, i) => (i < towers ? 'fixed' : 'mobile')) : null;
  }

  advance({ to, budget = 25 }) {
    this.toy.runTo(Math.min(to, this.c.end), budget);
    return { is: 'frame' };
  }

  step() {
    this.toy.step();
    return { is: 'frame' };
  }

  seek({ to }) {
    if (to < this.toy.t) this.again(to);
    else this.toy.runTo(Math.min(to, this.c.end));
    this.toy.flights = this.toy.flights.filter((f) => f.arrives > this.toy.t);
    return { is: 'frame' };
  }

  act({ actions }) {
    const at = this.toy.t;
    const fresh = actions.map((a) => ({ ...a, at }));
    for (const a of fresh) {
      if (a.kind === 'move' && !this.c.moves)
        throw new Refusal('only nodes of a moving network can be moved');
      this.toy.apply(a);
    }
    this.actions = [...this.actions.filter((a) => a.at <= at), ...fresh];
    this.undone = [];
    return this.acted();
  }

  acted(done) {
    return { is: 'acted', at: this.toy.t, actions: this.actions, nodes: this.toy.n, done };
  }

  undo() {
    const done = this.actions.pop();
    if (!done) throw new Refusal('there is nothing to undo');
    this.undone.push(done);
    this.again(this.toy.t);
    return this.acted(done);
  }

  redo() {
    const done = this.undone.pop();
    if (!done) throw new Refusal('there is nothing to do again');
    this.actions.push(done);
    this.again(this.toy.t);
    return this.acted(done);
  }

  node({ node }) {
    const v = this.toy.nodes[node];
    const name = (i) => this.toy.nodes[i].id;
    return {
      is: 'node',
      node,
      linked: v.next,
      believes: v.next
        .filter((_, k) => (node + k) % 9 !== 4)
        .concat(node % 5 === 0 ? [(node + 1) % this.toy.n] : []),
      state: {
        id: v.id,
        leader: name(v.leader),
        sequence: v.seq,
        heard: { from: name(v.leader), at_ms: Math.round(v.heard / 1e6) },
        neighbours: v.next.map(name),
      },
      timers: [{ name: 'Beat', due: (Math.floor(this.toy.t / this.c.period) + 1) * this.c.period }],
      last: v.last,
    };
  }

  message({ serial }) {
    const m = this.toy.messages.get(serial);
    return {
      is: 'message',
      text: m ? `${m.name}(leader ${m.body.leader}, number ${m.body.seq})` : null,
      json: m ? { kind: m.name, ...m.body } : null,
    };
  }

  export() {
    return { is: 'export', text: this.toml };
  }

  catalogue() {
    return { is: 'catalogue', ...catalogue };
  }
}

export function serve(port) {
  const http = createServer((req, res) => {
    const path = new URL(req.url, 'http://x').pathname;
    const file = join(dist, path === '/' ? 'index.html' : path.slice(1));
    if (!file.startsWith(dist) || !existsSync(file)) return res.writeHead(404).end();
    const type = types[file.split('.').pop()] ?? 'text/plain';
    res.writeHead(200, { 'content-type': type, 'content-security-policy': policy });
    createReadStream(file).pipe(res);
  });
  const sockets = new WebSocketServer({ server: http, path: '/ws' });
  sockets.on('connection', (s) => new Watched(s));
  return new Promise((resolve) =>
    http.listen(port, '127.0.0.1', () => resolve({ http, sockets, port: http.address().port })),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { port } = await serve(Number(process.argv[2] ?? 8123));
  console.log(`http://127.0.0.1:${port}/?token=toy`);
}
