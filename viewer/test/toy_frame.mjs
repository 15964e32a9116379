// SPDX-License-Identifier: MIT
// The binary frame of PROTOCOL.md, from the toy.

const pad = (x) => (x + 7) & ~7;

function hierarchy(toy) {
  const rank = new Uint8Array(toy.n);
  const head = new Uint32Array(toy.n).fill(0xffffffff);
  toy.nodes.forEach((v, i) => {
    if (!v.alive) return;
    let best = i;
    for (const k of v.next) if (toy.nodes[k].id > toy.nodes[best].id) best = k;
    head[i] = best;
    rank[best] = Math.max(rank[best], 1);
  });
  toy.nodes.forEach((v, i) => {
    if (v.alive && v.leader === i) rank[i] = 2;
  });
  return { rank, head };
}

function majority(toy, component) {
  const votes = new Map();
  toy.nodes.forEach((v, i) => {
    if (!v.alive) return;
    const m = votes.get(component[i]) ?? new Map();
    m.set(v.leader, (m.get(v.leader) ?? 0) + 1);
    votes.set(component[i], m);
  });
  let wrong = 0;
  let all = 0;
  for (const m of votes.values()) {
    const counts = [...m.values()];
    const sum = counts.reduce((a, b) => a + b, 0);
    all += sum;
    wrong += sum - Math.max(...counts);
  }
  return all ? wrong / all : 0;
}

/** All arrays of the frame, in their order. */
function parts(toy, component, withLinks) {
  const { n, nodes, c } = toy;
  const list = [Uint32Array.from(nodes, (v) => v.leader), component];
  list.push(
    Uint8Array.from(nodes, (v, i) => (v.alive ? 1 : 0) | (v.alive && v.leader === i ? 2 : 0)),
  );
  if (c.moves) {
    const places = new Float32Array(2 * n);
    nodes.forEach((v, i) => places.set(toy.place(v), 2 * i));
    list.push(places);
  }
  if (c.ranked) {
    const { rank, head } = hierarchy(toy);
    list.push(rank, head);
  }
  if (withLinks) {
    const m = toy.links.length;
    const links = new Uint32Array(2 * m);
    for (let k = 0; k < m; k++) links.set(toy.links[k], 2 * k);
    list.push(links, new Uint8Array(m).fill(c.moves ? 1 : 0));
  }
  if (c.heights)
    list.push(Uint8Array.from(toy.links, ([a, b]) => (toy.nodes[a].id > toy.nodes[b].id ? 1 : 2)));
  return list;
}

export function frame(toy, withLinks) {
  const { out: component, count } = toy.components();
  const arrays = parts(toy, component, withLinks);
  const size = arrays.reduce((s, a) => pad(s + a.byteLength), 64) + 48 * toy.flights.length;
  const buffer = new ArrayBuffer(size);
  const v = new DataView(buffer);
  const { c } = toy;
  v.setUint32(0, 0x32465742, true);
  v.setUint32(
    4,
    (c.moves ? 1 : 0) | (withLinks ? 2 : 0) | (c.ranked ? 4 : 0) | (c.heights ? 8 : 0),
    true,
  );
  v.setFloat64(8, toy.t, true);
  v.setUint32(16, toy.n, true);
  v.setUint32(20, withLinks ? toy.links.length : 0, true);
  v.setUint32(24, toy.flights.length, true);
  v.setUint32(28, count, true);
  v.setFloat64(32, toy.events, true);
  v.setFloat64(40, toy.sent, true);
  v.setFloat64(48, toy.nodes.filter((x, i) => x.alive && x.leader === i).length, true);
  v.setFloat64(56, majority(toy, component), true);
  let at = 64;
  for (const a of arrays) {
    new Uint8Array(buffer, at, a.byteLength).set(
      new Uint8Array(a.buffer, a.byteOffset, a.byteLength),
    );
    at = pad(at + a.byteLength);
  }
  for (const f of toy.flights) {
    [f.from, f.to, f.kind, f.fate].forEach((x, k) => v.setUint32(at + 4 * k, x, true));
    [f.sent, f.arrives, f.serial, f.carries ?? -1].forEach((x, k) => v.setFloat64(at + 16 + 8 * k, x, true));
    at += 48;
  }
  return buffer;
}
