// SPDX-License-Identifier: MIT
// What is on screen, as the part of an address behind the #.
import type { Action } from './model';

export interface Shared {
  toml: string;
  set: string[];
  actions: Action[];
  t: number;
  camera?: { x: number; y: number; zoom: number };
  versus?: string; // the algorithm beside it
  speed?: number;
}

const PREFIX = 'v1.';

async function through(
  data: Uint8Array,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const piped = new Blob([data as BlobPart])
    .stream()
    .pipeThrough(stream as never) as ReadableStream;
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

export async function encodeShared(s: Shared): Promise<string> {
  const packed = await through(
    new TextEncoder().encode(JSON.stringify(s)),
    new CompressionStream('deflate-raw'),
  );
  let raw = '';
  for (const b of packed) raw += String.fromCharCode(b);
  return PREFIX + btoa(raw).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Null where the text is no such link. */
export async function decodeShared(hash: string): Promise<Shared | null> {
  const text = hash.slice(hash.indexOf('#') + 1);
  if (!text.startsWith(PREFIX)) return null;
  try {
    const raw = atob(text.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/'));
    const data = await through(
      Uint8Array.from(raw, (c) => c.charCodeAt(0)),
      new DecompressionStream('deflate-raw'),
    );
    const s = JSON.parse(new TextDecoder().decode(data)) as Shared;
    return typeof s.toml === 'string' && Array.isArray(s.actions) ? s : null;
  } catch {
    return null;
  }
}
