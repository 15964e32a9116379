// SPDX-License-Identifier: MIT
// Bundles the page into dist/: three files, no network, no paths of the machine that built it.
// With --test it bundles the unit tests into dist-test/ instead.
import { build } from 'esbuild';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
process.chdir(here);

function filesBelow(folder, ending) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path, ending);
    return path.endsWith(ending) ? [path] : [];
  });
}

async function buildTests() {
  rmSync('dist-test', { recursive: true, force: true });
  await build({
    entryPoints: [...filesBelow('src', '.test.ts'), ...filesBelow('test', '.test.ts')],
    outdir: 'dist-test',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    loader: { '.css': 'empty' },
    logLevel: 'warning',
  });
}

async function buildPage() {
  mkdirSync('dist', { recursive: true });
  await build({
    entryPoints: { app: 'src/main.ts' },
    outdir: 'dist',
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['es2022', 'chrome100', 'firefox100', 'safari15.4'],
    sourcemap: false,
    legalComments: 'eof',
    logLevel: 'warning',
  });
  copyFileSync('index.html', 'dist/index.html');
}

await (process.argv.includes('--test') ? buildTests() : buildPage());
