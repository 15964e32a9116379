// SPDX-License-Identifier: MIT
// Small drawings for buttons, on a grid of 20 by 20.

const svg = (body: string) =>
  `<svg viewBox="0 0 20 20" width="18" height="18" fill="none" stroke="currentColor"
   stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">${body}</svg>`;
const solid = (body: string) =>
  `<svg viewBox="0 0 20 20" width="18" height="18" fill="currentColor">${body}</svg>`;

export const icons = {
  crown: solid('<path d="M3 15.5V6.2l3.9 3.5L10 4l3.1 5.7L17 6.2v9.3z"/>'),
  select: svg('<path d="M5 3.5l10.5 6-4.6 1.2-2.6 4.3z"/>'),
  add: svg('<circle cx="10" cy="10" r="6.5"/><path d="M10 7v6M7 10h6"/>'),
  crash: svg('<path d="M5 5l10 10M15 5L5 15"/>'),
  restart: svg('<path d="M15.6 8.2A6 6 0 1 0 16 11.5"/><path d="M16.2 4.3v4h-4"/>'),
  link: svg(
    '<circle cx="4.5" cy="15.5" r="2"/><circle cx="15.5" cy="4.5" r="2"/>' +
      '<path d="M6 14L8.3 11.7M11.7 8.3L14 6M8.5 8.5l3 3"/>',
  ),
  partition: svg(
    '<path d="M10 2.5c-3 4 3 5 0 8.5s0 4 0 6.5" stroke-dasharray="2.5 2.6"/>' +
      '<circle cx="4.5" cy="7" r="1.7"/><circle cx="4.5" cy="13.5" r="1.7"/>' +
      '<circle cx="15.5" cy="6" r="1.7"/><circle cx="15.5" cy="13" r="1.7"/>',
  ),
  heal: svg('' + '<path d="M4 12.5c2 3 4 3 6 0s4-3 6 0M4 7.5c2-3 4-3 6 0s4 3 6 0"/>'),
  undo: svg('<path d="M7 4.5L3.5 8 7 11.5"/><path d="M4 8h7.5a4 4 0 0 1 0 8H8"/>'),
  redo: svg('<path d="M13 4.5L16.5 8 13 11.5"/><path d="M16 8H8.5a4 4 0 0 0 0 8H12"/>'),
  play: solid('<path d="M6 3.6v12.8L16.5 10z"/>'),
  pause: solid('<path d="M5.5 4h3.2v12H5.5zM11.3 4h3.2v12h-3.2z"/>'),
  step: svg('<path d="M5 5l7 5-7 5z" fill="currentColor"/><path d="M15 5v10"/>'),
  back: svg('<path d="M15 5l-7 5 7 5z" fill="currentColor"/><path d="M5 5v10"/>'),
  round: svg(
    '<path d="M3 5.5l5.5 4.5L3 14.5zM9 5.5l5.5 4.5L9 14.5z" fill="currentColor"/>' +
      '<path d="M17 5v10"/>',
  ),
  begin: svg('<path d="M11 5.5L6 10l5 4.5M16 5.5L11 10l5 4.5M3.5 5v10"/>'),
  markLeft: svg(
    '<path d="M9.5 5.5L5 10l4.5 4.5"/><circle cx="14" cy="10" r="1.8" fill="currentColor"/>',
  ),
  markRight: svg(
    '<path d="M10.5 5.5L15 10l-4.5 4.5"/><circle cx="6" cy="10" r="1.8" fill="currentColor"/>',
  ),
  fit: svg('<path d="M3.5 7.5v-4h4M12.5 3.5h4v4M16.5 12.5v4h-4M7.5 16.5h-4v-4"/>'),
  plus: svg('<path d="M10 4.5v11M4.5 10h11"/>'),
  minus: svg('<path d="M4.5 10h11"/>'),
  messages: svg('<path d="M3 5.5h14v9H3z"/><path d="M3.5 6l6.5 5 6.5-5"/>'),
  labels: svg('<path d="M3.5 4.5h7l6 5.5-6 5.5h-7z"/><circle cx="7" cy="10" r="1"/>'),
  ranges: svg(
    '<circle cx="10" cy="10" r="2" fill="currentColor"/>' +
      '<circle cx="10" cy="10" r="7" stroke-dasharray="3 2.6"/>',
  ),
  trails: svg(
    '<path d="M3 15c3-1 3-6 6-6s3 3 5.5 1" stroke-dasharray="2.5 2.5"/>' +
      '<circle cx="16" cy="7.5" r="1.8" fill="currentColor"/>',
  ),
  clusters: svg(
    '<path d="M4 8c0-3 6-5 8-2s0 7-3 7-5-2-5-5z"/><path d="M12.5 9.5c2-.8 4.5.5 4 3.5s-4 4-6 2"/>',
  ),
  open: svg('<path d="M3 15.5V5h5l1.6 2H17v8.5z"/>'),
  lessons: svg(
    '<path d="M10 5.5C8 4 5.5 3.8 3 4.2v11c2.5-.4 5-.2 7 1.3 2-1.5 4.5-1.7' +
      ' 7-1.3v-11c-2.5-.4-5-.2-7 1.3zM10 5.5v11"/>',
  ),
  compare: svg('<path d="M3 4.5h6v11H3zM11 4.5h6v11h-6z"/>'),
  export: svg('<path d="M10 3v9M6.5 6.2L10 2.8l3.5 3.4M4 11.5v5h12v-5"/>'),
  share: svg(
    '<path d="M8.5 11.5l3-3M7 9L5 11a2.9 2.9 0 0 0 4 4l2-2M13 11l2-2a2.9 2.9 0 0 0-4-4L9 7"/>',
  ),
  sun: svg(
    '<circle cx="10" cy="10" r="3.4"/>' +
      '<path d="M10 2.5v1.7M10 15.8v1.7M2.5 10h1.7M15.8 10h1.7M4.7 4.7l1.2 1.2' +
      'M14.1 14.1l1.2 1.2M4.7 15.3l1.2-1.2M14.1 5.9l1.2-1.2"/>',
  ),
  moon: svg('<path d="M15.8 12.2A6.5 6.5 0 0 1 7.8 4.2a6.5 6.5 0 1 0 8 8z"/>'),
  help: svg(
    '<circle cx="10" cy="10" r="7"/>' +
      '<path d="M7.9 7.9a2.2 2.2 0 1 1 3.2 2c-.8.4-1.1.8-1.1 1.6M10 13.9v.1"/>',
  ),
  close: svg('<path d="M5.5 5.5l9 9M14.5 5.5l-9 9"/>'),
  dice: svg(
    '<rect x="3.5" y="3.5" width="13" height="13" rx="2.5"/>' +
      '<path d="M7 7v.01M13 7v.01M10 10v.01M7 13v.01M13 13v.01" stroke-width="2.2"/>',
  ),
  panel: svg('<path d="M3 4.5h14v11H3zM12.5 4.5v11"/>'),
};
