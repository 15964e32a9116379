// SPDX-License-Identifier: MIT
// The colours of the drawing; those of the panels are in style.css.

type Rgb = [number, number, number];

export interface Theme {
  dark: boolean;
  canvas: Rgb;
  ink: Rgb;
  accent: Rgb;
  dead: Rgb;
  link: Rgb;
  css: {
    canvas: string;
    ink: string;
    muted: string;
    accent: string;
    danger: string;
    grid: string;
    frame: string;
  };
}

const of = (hex: string): Rgb => {
  const v = parseInt(hex.slice(1), 16);
  return [(v >> 16) / 255, ((v >> 8) & 255) / 255, (v & 255) / 255];
};

function theme(dark: boolean, css: Theme['css'], dead: string, link: string): Theme {
  return {
    dark,
    css,
    canvas: of(css.canvas),
    ink: of(css.ink),
    accent: of(css.accent),
    dead: of(dead),
    link: of(link),
  };
}

export const LIGHT = theme(
  false,
  {
    canvas: '#fbfcfd',
    ink: '#1b2430',
    muted: '#5d6878',
    accent: '#1f5fd6',
    danger: '#b42318',
    grid: 'rgba(27, 36, 48, 0.05)',
    frame: 'rgba(27, 36, 48, 0.22)',
  },
  '#7b8494',
  '#a9b3c1',
);

export const DARK = theme(
  true,
  {
    canvas: '#10161e',
    ink: '#e8edf4',
    muted: '#94a1b3',
    accent: '#7cacff',
    danger: '#ff8a7a',
    grid: 'rgba(232, 237, 244, 0.045)',
    frame: 'rgba(232, 237, 244, 0.24)',
  },
  '#8793a5',
  '#46546a',
);
