// SPDX-License-Identifier: MIT
// Where things are in the site. The tests need this before any package is installed.
import { posix } from 'node:path';

/** Where a page of the repository is in the site. */
export function urlOf(path) {
  if (path === 'README.md') return 'index.html';
  if (path === 'docs/README.md') return 'documents.html';
  return path
    .replace(/^docs\//, '')
    .replace(/\/README\.md$/, '.md')
    .replace(/\.md$/, '.html')
    .toLowerCase();
}

/** From one page of the site to another, so that the site works wherever it lies. */
export const relative = (from, to) => {
  const [path, hash] = to.split('#');
  return (posix.relative(posix.dirname(from), path) || posix.basename(path)) + (hash ? `#${hash}` : '');
};
