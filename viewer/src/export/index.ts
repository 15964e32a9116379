// SPDX-License-Identifier: MIT
// All ways to take a picture home.

import type { Picture } from '../model';
import { dgs } from './dgs';
import { gifOf } from './film';
import { graphml } from './graphml';
import { svg } from './svg';
import { tikz } from './tikz';

export type Recorder = (seconds: number) => Promise<Blob>; // a film, as WebM

export interface Exporter {
  id: string;
  label: string;
  hint: string;
  extension: string;
  run(p: Picture, canvas: HTMLCanvasElement, record: Recorder): Promise<Blob>;
}

const SECONDS = 10; // of a film
const GIF_SECONDS = 6;

export function exporters(): Exporter[] {
  return [
    {
      id: 'png',
      label: 'PNG',
      hint: 'The picture as it is on the screen, in pixels.',
      extension: 'png',
      run: (_, canvas) => png(canvas),
    },
    written('svg', 'SVG', 'svg', 'image/svg+xml', svg,
      'A drawing for papers and slides that stays sharp at any size.'),
    written('tikz', 'TikZ', 'tex', 'text/x-tex', tikz,
      'A LaTeX document that draws the network; its styles are at the top, to be edited.'),
    written('dgs', 'DGS', 'dgs', 'text/plain', dgs,
      'The network with its leaders in the format of GraphStream.'),
    written('graphml', 'GraphML', 'graphml', 'application/xml', graphml,
      'The network with places, leaders and components, for networkx, igraph, Gephi or yEd.'),
    {
      id: 'webm',
      label: 'WebM film',
      hint: `Records the next ${SECONDS} seconds of the screen as a film.`,
      extension: 'webm',
      run: (_, __, record) => record(SECONDS),
    },
    {
      id: 'gif',
      label: 'GIF film',
      hint: `Records the next ${GIF_SECONDS} seconds as a moving picture for pages and slides.`,
      extension: 'gif',
      run: (_, canvas, record) => gifOf(canvas, record(GIF_SECONDS)),
    },
  ];
}

function written(
  id: string,
  label: string,
  extension: string,
  type: string,
  write: (p: Picture) => string,
  hint: string,
): Exporter {
  const full = { type: `${type};charset=utf-8` };
  const run = (p: Picture) => Promise.resolve(new Blob([write(p)], full));
  return { id, label, hint, extension, run };
}

function png(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) resolve(blob);
      else reject(new Error('the browser could not make a picture of the canvas'));
    }, 'image/png');
  });
}
