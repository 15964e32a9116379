// SPDX-License-Identifier: MIT
// Which sliders a scenario gets, and what has to change together.
import type { Stage } from '../model';
import type { Hello } from '../protocol';
import { duration, durationText, unquote } from '../toml';

type Values = Map<string, string>;

export interface Knob {
  key: string;
  name: string;
  description: string;
  value: number;
  text(v: number): string;
  toShare(v: number): number; // 0 to 1
  fromShare(s: number): number;
  set(v: number): string[];
}

interface Scale {
  toShare(v: number): number;
  fromShare(s: number): number;
}

const clamp = (v: number) => Math.min(1, Math.max(0, v));

const linear = (least: number, most: number, step: number): Scale => ({
  toShare: (v) => clamp((v - least) / (most - least)),
  fromShare: (s) => Math.round((least + s * (most - least)) / step) * step,
});

const logarithmic = (least: number, most: number): Scale => ({
  toShare: (v) => clamp(Math.log(Math.max(v, least) / least) / Math.log(most / least)),
  fromShare: (s) => round2(least * (most / least) ** s),
});

/** Two digits are enough for a slider. */
function round2(v: number): number {
  const power = 10 ** (Math.floor(Math.log10(v)) - 1);
  return Math.round(v / power) * power;
}

export function knobs(hello: Hello, stage: Stage, values: Values): Knob[] {
  const known = new Map(hello.keys.map((k) => [k.key, k]));
  const number = (key: string) =>
    Number(unquote(values.get(key) ?? known.get(key)?.default ?? '0'));
  const list: (Knob | null)[] = [];
  const put = (
    key: string,
    name: string,
    text: (v: number) => string,
    scale: Scale,
    more: (v: number) => string[] = () => [],
  ) => {
    const k = known.get(key);
    if (!k) return;
    const set = (v: number) => [`${key}=${plain(v)}`, ...more(v)];
    list.push({ key, name, description: k.description, value: number(key), text, set, ...scale });
  };
  const radio = stage.moves ? 'radio' : 'channel';
  const rows = number('network.rows');
  if (!(rows > 0)) put('network.nodes', 'Nodes', String, logarithmicWhole(2, 2000));
  if (stage.moves) {
    const side = Math.max(...(stage.area ?? [1000, 1000]));
    put(
      'radio.range',
      'Range of radios',
      (v) => `${plain(v)} m`,
      linear(5, Math.max(300, side / 2), 5),
    );
    put(
      'mobility.speed_max',
      'Speed of movement',
      (v) => `${plain(v)} m/s`,
      linear(0, 50, 0.5),
      (v) => (v < number('mobility.speed_min') ? [`mobility.speed_min=${plain(v)}`] : []),
    );
  }
  if (unquote(values.get('radio.model') ?? 'ideal') !== 'csma' || !stage.moves) {
    const model = stage.moves && unquote(values.get('radio.model') ?? 'ideal') === 'ideal';
    put(
      `${radio}.loss`,
      'Loss of messages',
      (v) => `${Math.round(v * 100)} %`,
      linear(0, 0.9, 0.01),
      (v) => (model && v > 0 ? ['radio.model=lossy'] : []),
    );
    list.push(delayKnob(radio, known, values));
  }
  return list.filter((k) => k !== null);
}

function logarithmicWhole(least: number, most: number): Scale {
  const s = logarithmic(least, most);
  return { toShare: s.toShare, fromShare: (v) => Math.round(s.fromShare(v)) };
}

/** Depends on how delays are drawn: some have a mean, others a least and a most. */
function delayKnob(
  table: string,
  known: Map<string, { description: string; default: string }>,
  values: Values,
): Knob | null {
  const kind = unquote(
    values.get(`${table}.delay`) ?? known.get(`${table}.delay`)?.default ?? 'constant',
  );
  const last = kind === 'uniform' || kind === 'adversarial' ? 'max' : 'mean';
  const key = `${table}.${last}`;
  const k = known.get(key);
  if (!k) return null;
  const current = duration(values.get(key) ?? k.default);
  const least = duration(values.get(`${table}.min`) ?? known.get(`${table}.min`)?.default ?? '0');
  return {
    key,
    name: last === 'max' ? 'Longest delay' : 'Mean delay',
    description: k.description,
    value: Number.isFinite(current) && current > 0 ? current : 1e6,
    text: durationText,
    ...logarithmic(1e5, 2e9),
    set: (v) => [
      `${key}=${durationText(v)}`,
      ...(kind === 'uniform' && v < least ? [`${table}.min=${durationText(v)}`] : []),
    ],
  };
}

function plain(v: number): string {
  return String(Number(v.toFixed(6)));
}

const WIRELESS = ['radio', 'highway'];

/** What else has to be set when a topology or a movement is chosen. */
export function companions(key: string, value: string, values: Values, stage: Stage): string[] {
  const pairs = [`${key}=${value}`];
  const number = (k: string) => Number(unquote(values.get(k) ?? '0'));
  const ground = () => [
    ...(number('mobility.width') > 0 ? [] : ['mobility.width=900']),
    ...(number('mobility.height') > 0 ? [] : ['mobility.height=900']),
    ...(number('radio.range') > 0 ? [] : ['radio.range=150']),
  ];
  if (key === 'network.topology') {
    if (WIRELESS.includes(value) && !stage.moves)
      pairs.push('mobility.model=random-waypoint', ...ground());
    if (!WIRELESS.includes(value) && stage.moves) pairs.push('mobility.model=none');
    const square = value === 'grid' || value === 'torus';
    if (square && !(number('network.rows') > 0)) {
      const side = Math.max(2, Math.round(Math.sqrt(stage.n)));
      pairs.push(`network.rows=${side}`, `network.columns=${side}`, 'network.nodes=0');
    } else if (!square && number('network.rows') > 0) {
      pairs.push('network.rows=0', 'network.columns=0', `network.nodes=${stage.n}`);
    }
  }
  if (key === 'mobility.model') {
    if (value !== 'none' && !stage.moves) pairs.push('network.topology=radio', ...ground());
    if (value === 'none' && stage.moves) pairs.push('network.topology=ring');
  }
  return pairs;
}
