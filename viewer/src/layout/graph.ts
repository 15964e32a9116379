// SPDX-License-Identifier: MIT
// Neighbours of nodes, components, and distances: what the layout asks of a network.

export interface Graph {
  n: number;
  first: Uint32Array; // neighbours of v: next[first[v]] to next[first[v + 1] - 1]
  next: Uint32Array;
}

/** Loops, repeated links and links to nodes that are not there are left out. */
export function graph(n: number, links: Uint32Array): Graph {
  const pairs = distinct(n, links);
  const first = new Uint32Array(n + 1);
  for (const v of pairs) first[v + 1]!++;
  for (let v = 0; v < n; v++) first[v + 1]! += first[v]!;
  const fill = first.slice(0, n);
  const next = new Uint32Array(pairs.length);
  for (let k = 0; k < pairs.length; k += 2) {
    const a = pairs[k]!;
    const b = pairs[k + 1]!;
    next[fill[a]!++] = b;
    next[fill[b]!++] = a;
  }
  return { n, first, next };
}

function distinct(n: number, links: Uint32Array): number[] {
  const seen = new Set<number>();
  const pairs: number[] = [];
  for (let k = 0; k + 1 < links.length; k += 2) {
    const a = Math.min(links[k]!, links[k + 1]!);
    const b = Math.max(links[k]!, links[k + 1]!);
    const name = a * n + b;
    if (a === b || b >= n || seen.has(name)) continue;
    seen.add(name);
    pairs.push(a, b);
  }
  return pairs;
}

export function degree(g: Graph, v: number): number {
  return g.first[v + 1]! - g.first[v]!;
}

/** The components, each with its nodes in rising order. */
export function components(g: Graph): number[][] {
  const found = new Uint8Array(g.n);
  const all: number[][] = [];
  for (let root = 0; root < g.n; root++) {
    if (found[root]) continue;
    const part = [root];
    found[root] = 1;
    for (let k = 0; k < part.length; k++) {
      const v = part[k]!;
      for (let e = g.first[v]!; e < g.first[v + 1]!; e++) {
        const w = g.next[e]!;
        if (!found[w]) {
          found[w] = 1;
          part.push(w);
        }
      }
    }
    all.push(part.sort((a, b) => a - b));
  }
  return all;
}

/** The network that some nodes are, which get the numbers 0, 1, ... in their order. */
export function induced(g: Graph, nodes: number[]): Graph {
  const place = new Map(nodes.map((v, k) => [v, k]));
  const links: number[] = [];
  nodes.forEach((v, k) => {
    for (let e = g.first[v]!; e < g.first[v + 1]!; e++) {
      const w = place.get(g.next[e]!);
      if (w !== undefined && k < w) links.push(k, w);
    }
  });
  return graph(nodes.length, Uint32Array.from(links));
}

/** Hops from `root` to all nodes of a connected network, written into `hops`; returns the order. */
export function search(g: Graph, root: number, hops: Uint16Array): Uint32Array {
  const order = new Uint32Array(g.n);
  hops.fill(0xffff);
  hops[root] = 0;
  order[0] = root;
  let end = 1;
  for (let k = 0; k < end; k++) {
    const v = order[k]!;
    for (let e = g.first[v]!; e < g.first[v + 1]!; e++) {
      const w = g.next[e]!;
      if (hops[w] !== 0xffff) continue;
      hops[w] = Math.min(0xfffe, hops[v]! + 1);
      order[end++] = w;
    }
  }
  return order.subarray(0, end);
}
