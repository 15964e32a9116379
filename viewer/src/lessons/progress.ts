// SPDX-License-Identifier: MIT
// Which lessons have been taken; kept by the browser, where it lets us.

const KEY = 'bellwether.lessons';

export function load(): Set<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return new Set(
      Array.isArray(kept) ? kept.filter((id): id is string => typeof id === 'string') : [],
    );
  } catch {
    return new Set();
  }
}

export function save(id: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([...load().add(id)]));
  } catch {
    // A browser that keeps nothing is no reason to stop.
  }
}

export function clear(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // As above.
  }
}
