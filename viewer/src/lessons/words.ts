// SPDX-License-Identifier: MIT
// Texts of lessons, as parts: plain, emphasized, or explained by the glossary. Lines may
// break anywhere: white space is one space.

import { GLOSSARY } from './glossary';

export interface Part {
  text: string;
  as?: 'strong' | 'em' | 'code';
  hint?: string;
}

const MARK = /\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`|\{([^|}]+)(?:\|([^}]+))?\}/;

export function parts(text: string): Part[] {
  const found: Part[] = [];
  let rest = text.replace(/\s+/g, ' ');
  for (let m = MARK.exec(rest); m; m = MARK.exec(rest)) {
    if (m.index > 0) found.push({ text: rest.slice(0, m.index) });
    if (m[1] !== undefined) found.push({ text: m[1], as: 'strong' });
    else if (m[2] !== undefined) found.push({ text: m[2], as: 'em' });
    else if (m[3] !== undefined) found.push({ text: m[3], as: 'code' });
    else found.push(explained(m[4], m[5]));
    rest = rest.slice(m.index + m[0].length);
  }
  if (rest) found.push({ text: rest });
  return found;
}

function explained(shown: string, entry: string | undefined): Part {
  const hint = GLOSSARY[entry ?? shown];
  return hint ? { text: shown, hint } : { text: shown };
}

/** Into a page: no text of a lesson is ever read as HTML. */
export function write(into: HTMLElement, text: string): void {
  into.replaceChildren(
    ...parts(text).map((part) => {
      if (!part.as && !part.hint) return document.createTextNode(part.text);
      const made = document.createElement(part.as ?? 'abbr');
      made.textContent = part.text;
      if (part.hint) {
        made.title = part.hint;
        made.tabIndex = 0;
      }
      return made;
    }),
  );
}
