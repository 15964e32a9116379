// SPDX-License-Identifier: MIT
// What the mock server offers, and how it reads a scenario.

const moving = (name, about, nodes, side, range, more = '') => ({
  name,
  about,
  toml: `name = "${name}"
about = "${about}"
algorithm = "toy-flood"
seed = 1

[network]
topology = "radio"
nodes = ${nodes}

[mobility]
model = "random-waypoint"
width = ${side}
height = ${side}
speed_min = 3
speed_max = 15

[radio]
range = ${range}
mean = "10 ms"
${more}
[stop]
time = "300 s"
`,
});

const still = (name, about, topology, nodes, more = '') => ({
  name,
  about,
  toml: `name = "${name}"
about = "${about}"
algorithm = "toy-flood"
seed = 1

[network]
topology = "${topology}"
nodes = ${nodes}

[channel]
delay = "uniform"
min = "1 ms"
max = "10 ms"
${more}
[stop]
time = "60 s"
`,
});

const scenarios = [
  moving(
    'market-square',
    'sixty people walk over a market square; components part and meet again',
    60,
    900,
    150,
  ),
  moving('towers', 'eighty vehicles pass eight towers', 80, 900, 140, '\n[toy]\ntowers = 8\n'),
  moving(
    'clusters',
    'a hierarchy of leaders among a hundred and twenty nodes',
    120,
    1000,
    150,
    '\n[toy]\nranked = true\n',
  ),
  moving('crowd', 'a thousand nodes', 1000, 3000, 160),
  moving('festival', 'twenty thousand nodes', 20000, 12000, 150, '\n[toy]\nperiod = 4\n'),
  still('ring', 'twenty-four nodes on a ring', 'ring', 24),
  still('grid', 'a grid whose links point downhill', 'grid', 64, '\n[toy]\nheights = true\n'),
  still('random-graph', 'sixty nodes of a random graph, laid out by forces', 'random', 60),
  still('broken', 'a property breaks at 12 s', 'ring', 16, '\n[toy]\nproperties = true\n'),
];

export const defaultScenario = scenarios[0].toml;

export const catalogue = {
  version: '0.0-toy',
  command: { scenario: defaultScenario, of: 'scenario' },
  algorithms: [
    {
      name: 'toy-flood',
      title: 'Toy flooding',
      description: 'the largest id floods its claim; silence makes nodes claim for themselves',
      moving: true,
      rounds: false,
      options: [],
    },
    {
      name: 'toy-slow',
      title: 'Toy flooding, slowly',
      description: 'the same with a third of the claims, for comparison',
      moving: true,
      rounds: false,
      options: [],
    },
  ],
  topologies: [
    { name: 'radio', description: 'nodes in range of each other are linked' },
    { name: 'ring', description: 'each node has two neighbours' },
    { name: 'grid', description: 'rows and columns' },
    { name: 'random', description: 'a random connected graph' },
  ],
  mobilities: [
    { name: 'none', description: 'nodes do not move' },
    { name: 'random-waypoint', description: 'to a random place at a random speed, a pause, and again' },
  ],
  scenarios,
  keys: [
    {
      key: 'network.nodes',
      kind: 'a whole number from 0 to 2^31-1',
      default: '0',
      description: 'number of nodes',
    },
    {
      key: 'radio.range',
      kind: '0 or greater',
      default: '0',
      description: 'radio range in metres',
    },
    {
      key: 'radio.loss',
      kind: 'a number from 0 to 1',
      default: '0',
      description: 'share of the messages that vanish',
    },
    { key: 'radio.mean', kind: 'a duration', default: '"10 ms"', description: 'the mean delay' },
    {
      key: 'channel.loss',
      kind: 'a number from 0 to 1',
      default: '0',
      description: 'share of the messages that vanish',
    },
    { key: 'channel.max', kind: 'a duration', default: '"10 ms"', description: 'the longest delay' },
    {
      key: 'mobility.speed_max',
      kind: '0 or greater',
      default: '15',
      description: 'highest speed; speeds are uniform between the two',
    },
    { key: 'seed', kind: 'a whole number', default: '1', description: 'seed of all random draws' },
  ],
};

function read(toml, refuse) {
  const values = new Map();
  let table = '';
  toml.split('\n').forEach((raw, k) => {
    const line = raw.replace(/#.*$/, '').trim();
    if (!line) return;
    const head = line.match(/^\[+([^\]]+)\]+$/);
    if (head) return void (table = `${head[1]}.`);
    const pair = line.match(/^(\w+)\s*=\s*(.+)$/);
    if (!pair)
      throw refuse(`"${line}" is no key and value; write for instance nodes = 30`, k + 1, null);
    if (pair[1] === 'nods')
      throw refuse('unknown key; did you mean "nodes"?', k + 1, `${table}nods`);
    values.set(table + pair[1], pair[2].replace(/^"|"$/g, ''));
  });
  return values;
}

const units = { ns: 1, us: 1e3, ms: 1e6, s: 1e9, min: 60e9 };
function duration(text) {
  const m = String(text).match(/^([\d.]+)\s*(\w+)$/);
  return m ? Number(m[1]) * units[m[2]] : 0;
}

export function config(toml, set, refuse) {
  const v = read(toml, refuse);
  for (const pair of set) {
    const cut = pair.indexOf('=');
    v.set(pair.slice(0, cut), pair.slice(cut + 1).replace(/^"|"$/g, ''));
  }
  const number = (key, otherwise) => Number(v.get(key) ?? otherwise);
  const topology = v.get('network.topology') ?? 'ring';
  const moves = topology === 'radio';
  if (number('network.nodes', 0) < 1)
    throw refuse(
      'there are no nodes; write for instance network.nodes = 30',
      null,
      'network.nodes',
    );
  return {
    name: v.get('name') ?? '',
    about: v.get('about') ?? '',
    algorithm: v.get('algorithm') ?? 'toy-flood',
    seed: number('seed', 1),
    nodes: number('network.nodes', 30),
    topology,
    moves,
    width: number('mobility.width', 900),
    height: number('mobility.height', 900),
    speed: number('mobility.speed_max', 15),
    range: number('radio.range', 150),
    loss: number(moves ? 'radio.loss' : 'channel.loss', 0),
    delay: moves
      ? duration(v.get('radio.mean') ?? '10 ms')
      : duration(v.get('channel.max') ?? '10 ms') / 2,
    period: number('toy.period', v.get('algorithm') === 'toy-slow' ? 3 : 1) * (moves ? 1e9 : 0.1e9),
    end: duration(v.get('stop.time') ?? '60 s'),
    towers: number('toy.towers', 0),
    ranked: v.get('toy.ranked') === 'true',
    heights: v.get('toy.heights') === 'true',
    properties:
      v.get('toy.properties') === 'true' || v.get('properties') === 'all'
        ? ['agreement', 'uniqueness']
        : [],
  };
}
