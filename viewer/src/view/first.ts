// SPDX-License-Identifier: MIT
// What the page looks like before anything is chosen, as the browser remembers it.
import { Camera } from '../camera';
import { LeaderColours } from '../palette';
import type { View } from './pane';
import { DARK, LIGHT } from './theme';

export function firstView(): View {
  const dark =
    localStorage.getItem('theme') ??
    (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  const on = (name: string, byDefault: boolean) =>
    (localStorage.getItem(`view-${name}`) ?? (byDefault ? 'on' : 'off')) === 'on';
  return {
    camera: new Camera(),
    colours: new LeaderColours(),
    theme: dark === 'dark' ? DARK : LIGHT,
    options: {
      messages: on('messages', true),
      labels: on('labels', true),
      ranges: on('ranges', false),
      trails: on('trails', false),
      clusters: true,
    },
    hiddenKinds: new Set(),
    selected: new Set(),
    hover: -1,
    focus: null,
    pace: 0,
    version: 0,
  };
}
