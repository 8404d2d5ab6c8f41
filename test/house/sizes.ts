import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/stack/stackProcess.ts';
import ceilings from './sizes.json' with { type: 'json' };

// sizes.json has the lines that each folder of `lib`, `infra`, `functions` and `test` may have, and the files beside these folders.
// An adopter has to own each line, so the numbers only go down: what a change adds to one folder, it takes away from another.

/** The part of a ceiling that a folder may be below it without a reminder. */
const slack = 0.03;

const lines = new Map<string, number>();
for (const file of globSync('{lib,infra,functions,test}/**/*.{ts,tsx,js,cjs,mjs,css,sh,py,sql}', {
  cwd: root,
  exclude: ['**/node_modules/**', 'test/client/build/**'],
})) {
  const folder = file.split('/').slice(0, -1).slice(0, 2).join('/');
  lines.set(folder, (lines.get(folder) ?? 0) + readFileSync(join(root, file), 'utf8').split('\n').length - 1);
}

test('no folder has grown', () => {
  const grown = [...lines].flatMap(([folder, size]) => {
    const ceiling = (ceilings as Record<string, number>)[folder] ?? 0;
    return size > ceiling ? [`${folder} has ${size} lines, and its ceiling is ${ceiling}`] : [];
  });
  expect(grown, 'Delete as much in these folders, or lower the ceiling of another by as much.').toEqual([]);
});

test('every ceiling is that of a folder', () => {
  expect(Object.keys(ceilings).filter((folder) => !lines.has(folder))).toEqual([]);
  for (const [folder, ceiling] of Object.entries(ceilings))
    if ((lines.get(folder) ?? 0) < ceiling * (1 - slack))
      process.stderr.write(
        `${folder} has ${lines.get(folder)} lines: lower its ceiling of ${ceiling} in test/house/sizes.json.\n`,
      );
});
