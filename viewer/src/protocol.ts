// SPDX-License-Identifier: MIT
// One WebSocket is one session: it asks, and the server answers in order. See PROTOCOL.md.
import { decodeFrame, type RawFrame } from './frame';
import type { Kind } from './model';

export interface AlgorithmInfo {
  name: string;
  title: string;
  description: string;
  moving: boolean;
  rounds: boolean;
  options: { name: string; kind: string; default: string; description: string }[];
}

export interface Hello {
  version: string;
  command: { of: Kind; scenario: string | null };
  algorithms: AlgorithmInfo[];
  topologies: { name: string; description: string }[];
  mobilities: { name: string; description: string }[];
  scenarios: { name: string; about: string; toml: string }[];
  keys: { key: string; kind: string; default: string; description: string }[];
}

export interface NodeReport {
  node: number;
  state: unknown;
  timers: { name: unknown; due: number | null }[];
  believes: number[];
  linked: number[];
  last: { t: number; text: string; raw?: string }[];
}

export interface Answer {
  json: Record<string, unknown>;
  frame: RawFrame | null;
}

/** The server said no; the run stays as it was. */
export class Refused extends Error {
  constructor(
    why: string,
    readonly line: number | null,
    readonly key: string | null,
  ) {
    super(why);
    this.name = 'Refused';
  }
}

/** The connection broke before the answer came. */
export class Lost extends Error {
  constructor() {
    super('connection lost');
    this.name = 'Lost';
  }
}

interface Waiting {
  resolve(a: Answer): void;
  reject(e: Error): void;
}

export interface SessionHooks {
  hello(h: Hello): void;
  /** The connection is gone; trying again. */
  lost(): void;
  /** It is back: a new session, with nothing open in it. */
  back(): void;
  /** A long answer is on its way: the run is at `t` and wants to be at `to`. */
  progress(t: number, to: number): void;
}

export class Session {
  private socket: WebSocket | null = null;
  private waiting: Waiting[] = [];
  private halfAnswer: Answer | null = null;
  private next = 1;
  private tries = 0;
  private closed = false;
  private greeted = false;
  private linkCount = 0;

  constructor(
    private readonly address: string,
    private readonly hooks: SessionHooks,
  ) {
    this.connect();
  }

  get open(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** How many questions are still without an answer. */
  get outstanding(): number {
    return this.waiting.length;
  }

  ask(what: string, args: Record<string, unknown> = {}): Promise<Answer> {
    const socket = this.socket;
    if (!socket || socket.readyState !== WebSocket.OPEN) return Promise.reject(new Lost());
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      socket.send(JSON.stringify({ do: what, id: this.next++, ...args }));
    });
  }

  close(): void {
    this.closed = true;
    this.socket?.close();
  }

  private connect(): void {
    const socket = new WebSocket(this.address);
    socket.binaryType = 'arraybuffer';
    socket.onmessage = (e) => this.hear(e.data as string | ArrayBuffer);
    socket.onclose = () => this.onClose(socket);
    this.socket = socket;
  }

  private onClose(socket: WebSocket): void {
    if (socket !== this.socket) return;
    const left = this.waiting;
    this.waiting = [];
    this.halfAnswer = null;
    this.linkCount = 0;
    for (const w of left) w.reject(new Lost());
    if (this.closed) return;
    this.hooks.lost();
    const pause = Math.min(5000, 300 * 2 ** this.tries++);
    setTimeout(() => this.connect(), pause);
  }

  private hear(data: string | ArrayBuffer): void {
    if (typeof data !== 'string') return this.hearFrame(data);
    const json = JSON.parse(data) as Record<string, unknown>;
    if (json.is === 'hello') return this.hearHello(json as unknown as Hello);
    if (json.is === 'progress') return this.hooks.progress(Number(json.t), Number(json.to));
    if (json.is === 'refused') {
      const why = String(json.why ?? 'refused');
      const line = typeof json.line === 'number' ? json.line : null;
      const key = typeof json.key === 'string' ? json.key : null;
      this.waiting.shift()?.reject(new Refused(why, line, key));
      return;
    }
    const answer: Answer = { json, frame: null };
    if (json.frame === true) this.halfAnswer = answer;
    else this.waiting.shift()?.resolve(answer);
  }

  private hearFrame(data: ArrayBuffer): void {
    const answer = this.halfAnswer;
    this.halfAnswer = null;
    if (!answer) return;
    const asked = this.waiting.shift();
    try {
      answer.frame = decodeFrame(data, this.linkCount);
      if (answer.frame.wireless) this.linkCount = answer.frame.wireless.length;
      asked?.resolve(answer);
    } catch (e) {
      asked?.reject(e as Error);
    }
  }

  private hearHello(hello: Hello): void {
    this.tries = 0;
    if (this.greeted) return this.hooks.back();
    this.greeted = true;
    this.hooks.hello(hello);
  }
}

/** Where the server listens. The token came with the address that `bellwether view` printed. */
export function socketAddress(location: Location): string {
  const token = new URLSearchParams(location.search).get('token') ?? '';
  const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
  return `${scheme}//${location.host}/ws?token=${encodeURIComponent(token)}`;
}
