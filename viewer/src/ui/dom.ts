// SPDX-License-Identifier: MIT
// Elements without ceremony.

type Child = Node | string | number | null | undefined | false;
type Props = Record<string, unknown>;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: (Child | Child[])[]
): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) setProp(e, name, value);
  if (children.length) fill(e, ...children);
  return e;
}

function setProp(e: HTMLElement, name: string, value: unknown): void {
  if (value === undefined || value === null || value === false) return;
  if (name.startsWith('on')) e.addEventListener(name.slice(2), value as EventListener);
  else if (name === 'class') e.className = String(value);
  else if (name === 'html')
    e.innerHTML = String(value); // icons only: never text from outside
  else if (name === 'value' && 'value' in e) (e as HTMLInputElement).value = String(value);
  else e.setAttribute(name, value === true ? '' : String(value));
}

/** Puts children into an emptied element. */
export function fill(e: Element, ...children: (Child | Child[])[]): void {
  e.replaceChildren();
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    e.append(child instanceof Node ? child : String(child));
  }
}

export function button(
  o: {
    label: string;
    icon?: string;
    text?: string;
    key?: string;
    test?: string;
    class?: string;
    pressed?: boolean;
  },
  onclick: (e: MouseEvent) => void,
): HTMLButtonElement {
  const tip = o.key ? `${o.label} (${o.key})` : o.label;
  return h(
    'button',
    {
      type: 'button',
      class: `button ${o.class ?? ''}`,
      'aria-label': o.label,
      'aria-pressed': o.pressed === undefined ? undefined : String(o.pressed),
      'aria-keyshortcuts': o.key,
      'data-tip': tip,
      'data-testid': o.test,
      onclick,
    },
    o.icon ? h('span', { class: 'icon', 'aria-hidden': 'true', html: o.icon }) : null,
    o.text ?? null,
  );
}

export function press(b: HTMLElement, on: boolean): void {
  b.setAttribute('aria-pressed', String(on));
}
