import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/stack/stackProcess.ts';

const exported = /^export (?:async |abstract )?(?:const|function\*?|class|interface|type) (\w+)/gm;

test('no name is exported by two files of lib, so that a search finds the one thing that has it', () => {
  const files = new Map<string, Set<string>>();
  for (const file of globSync('lib/**/*.ts', { cwd: root }))
    for (const [, name = ''] of readFileSync(join(root, file), 'utf8').matchAll(exported))
      files.set(name, (files.get(name) ?? new Set()).add(file));
  expect([...files].filter(([, { size }]) => size > 1)).toEqual([]);
});
