// SPDX-License-Identifier: MIT
// Parts of the page that are drawn anew while people use them: a press is not interrupted, and the
// focus stays where it was.
import { fill } from './dom';

export class Live {
  private held = false;

  constructor(private readonly root: HTMLElement) {
    root.addEventListener('pointerdown', () => (this.held = true));
    for (const end of ['pointerup', 'pointercancel'])
      addEventListener(end, () => setTimeout(() => (this.held = false)));
  }

  fill(...children: Parameters<typeof fill> extends [Element, ...infer Rest] ? Rest : never): void {
    const { root } = this;
    const chosen = getSelection();
    const reading = chosen !== null && !chosen.isCollapsed && root.contains(chosen.anchorNode);
    if (this.held || reading) return;
    const active = document.activeElement as HTMLElement | null;
    const label = active && root.contains(active) ? active.getAttribute('aria-label') : null;
    fill(root, ...children);
    if (!label) return;
    for (const e of root.querySelectorAll<HTMLElement>('[aria-label]')) {
      if (e.getAttribute('aria-label') === label) return e.focus({ preventScroll: true });
    }
  }
}
