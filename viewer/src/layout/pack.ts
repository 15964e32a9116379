// SPDX-License-Identifier: MIT
// Puts the components side by side into a square: rows of columns of boxes, the tallest first.

export interface Box {
  width: number;
  height: number;
  x: number; // of its upper left corner; filled in by pack
  y: number;
}

/** Places the boxes; returns the side of the square that holds them all. */
export function pack(boxes: Box[]): number {
  const order = [...boxes.keys()].sort(
    (a, b) => boxes[b]!.height - boxes[a]!.height || boxes[b]!.width - boxes[a]!.width || a - b,
  );
  const area = boxes.reduce((sum, b) => sum + b.width * b.height, 0);
  const widest = boxes.reduce((most, b) => Math.max(most, b.width), 0);
  let best = Infinity;
  let width = 0;
  for (let factor = 0.8; factor < 2.2; factor += 0.1) {
    const tried = Math.max(widest, factor * Math.sqrt(area));
    const side = rows(boxes, order, tried);
    if (side < best) [best, width] = [side, tried];
  }
  return rows(boxes, order, width);
}

/** Columns within rows: what is lower than its row has others below it. */
function rows(boxes: Box[], order: number[], width: number): number {
  let [row, tallest, used] = [0, 0, 0];
  let [x, y, column] = [0, 0, 0]; // the next place in the column, and its width
  for (const k of order) {
    const box = boxes[k]!;
    if (y > 0 && (box.width > column || y + box.height > tallest + 1e-9)) {
      x += column;
      [y, column] = [0, 0];
    }
    if (x > 0 && x + box.width > width + 1e-9) {
      row += tallest;
      [x, y, column, tallest] = [0, 0, 0, 0];
    }
    box.x = x;
    box.y = row + y;
    y += box.height;
    column = Math.max(column, box.width);
    tallest = Math.max(tallest, y);
    used = Math.max(used, x + column);
  }
  centre(boxes, used, row + tallest);
  return Math.max(used, row + tallest);
}

/** In the middle of the square, where one direction has room left. */
function centre(boxes: Box[], used: number, height: number): void {
  const side = Math.max(used, height);
  for (const box of boxes) {
    box.x += (side - used) / 2;
    box.y += (side - height) / 2;
  }
}
