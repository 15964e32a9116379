// SPDX-License-Identifier: MIT
// The binary frame of PROTOCOL.md. Arrays are views into the message, not copies.
import type { Moment } from './model';

export const MAGIC = 0x32465742;
const PLACES = 1;
const LINKS = 2;
const RANKS = 4;
const DIRECTIONS = 8;
const HEAD = 64;
export const FLIGHT_BYTES = 48;

/** Flights as they lie in the frame: twelve words or six doubles each. */
export const FLIGHT_WORDS = FLIGHT_BYTES / 4;
export const FLIGHT_DOUBLES = FLIGHT_BYTES / 8;

export interface RawFlights {
  count: number;
  words: Uint32Array; // from, to, kind, fate, ...
  doubles: Float64Array; // _, _, sent, arrives, serial, carries
}

export interface RawFrame {
  t: number;
  n: number;
  components: number;
  events: number;
  messages: number;
  leaders: number;
  instability: number;
  leader: Uint32Array;
  component: Uint32Array;
  state: Uint8Array;
  places: Float32Array | null;
  rank: Uint8Array | null;
  head: Uint32Array | null;
  links: Uint32Array | null;
  wireless: Uint8Array | null;
  direction: Uint8Array | null;
  flights: RawFlights;
}

/** What the JSON beside a frame adds to it. */
export interface FrameNote {
  rest?: boolean;
  ended?: Moment['ended'];
  violation?: string | null;
}

class Reader {
  private at = HEAD;
  constructor(private readonly data: ArrayBuffer) {}

  private claim(bytes: number): number {
    const begin = this.at;
    if (begin + bytes > this.data.byteLength) throw new Error('the frame is cut short');
    this.at = (begin + bytes + 7) & ~7;
    return begin;
  }

  words = (n: number) => new Uint32Array(this.data, this.claim(4 * n), n);
  bytes = (n: number) => new Uint8Array(this.data, this.claim(n), n);
  floats = (n: number) => new Float32Array(this.data, this.claim(4 * n), n);

  flights(count: number): RawFlights {
    const begin = this.claim(FLIGHT_BYTES * count);
    return {
      count,
      words: new Uint32Array(this.data, begin, FLIGHT_WORDS * count),
      doubles: new Float64Array(this.data, begin, FLIGHT_DOUBLES * count),
    };
  }
}

/** `linksBefore`: how many links the frame before had; directions may come without links. */
export function decodeFrame(data: ArrayBuffer, linksBefore = 0): RawFrame {
  if (data.byteLength < HEAD) throw new Error('the frame is cut short');
  const head = new DataView(data);
  if (head.getUint32(0, true) !== MAGIC) throw new Error('this is no frame');
  const flags = head.getUint32(4, true);
  const n = head.getUint32(16, true);
  const m = head.getUint32(20, true);
  const r = new Reader(data);
  const leader = r.words(n);
  const component = r.words(n);
  const state = r.bytes(n);
  const places = flags & PLACES ? r.floats(2 * n) : null;
  const rank = flags & RANKS ? r.bytes(n) : null;
  const heads = flags & RANKS ? r.words(n) : null;
  const links = flags & LINKS ? r.words(2 * m) : null;
  const wireless = flags & LINKS ? r.bytes(m) : null;
  const direction = flags & DIRECTIONS ? r.bytes(flags & LINKS ? m : linksBefore) : null;
  return {
    t: head.getFloat64(8, true),
    n,
    components: head.getUint32(28, true),
    events: head.getFloat64(32, true),
    messages: head.getFloat64(40, true),
    leaders: head.getFloat64(48, true),
    instability: head.getFloat64(56, true),
    leader,
    component,
    state,
    places,
    rank,
    head: heads,
    links,
    wireless,
    direction,
    flights: r.flights(head.getUint32(24, true)),
  };
}

const NO_WORDS = new Uint32Array(0);
const NO_BYTES = new Uint8Array(0);
const NO_FLOATS = new Float32Array(0);

/** A moment of a frame; what the frame leaves out is as it was in the moment before. */
export function momentOf(raw: RawFrame, note: FrameNote, before: Moment | null): Moment {
  const links = raw.links ?? before?.links ?? NO_WORDS;
  return {
    t: raw.t,
    n: raw.n,
    events: raw.events,
    messages: raw.messages,
    components: raw.components,
    leaders: raw.leaders,
    instability: raw.instability,
    leader: raw.leader,
    component: raw.component,
    state: raw.state,
    places: raw.places ?? before?.places ?? NO_FLOATS,
    rank: raw.rank ?? before?.rank ?? null,
    head: raw.head ?? before?.head ?? null,
    links,
    wireless: raw.wireless ?? before?.wireless ?? NO_BYTES,
    direction: raw.direction ?? (raw.links ? null : (before?.direction ?? null)),
    rest: note.rest ?? false,
    ended: note.ended ?? null,
    violation: note.violation ?? null,
  };
}
