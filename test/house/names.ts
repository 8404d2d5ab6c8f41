import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
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

/** Files that are named after what they are for: a function, a module that they describe, a resource, a folder. */
const namesakes = [
  'functions/**',
  'infra/pages/reference/prose/**',
  'infra/ops/demo/records/**',
  '**/index.ts',
];

test('no two files have one name, so that it says its subject in a row of tabs', () => {
  const folders = new Map<string, string[]>();
  for (const file of globSync('{lib,infra}/**/*.{ts,tsx}', { cwd: root, exclude: namesakes }))
    folders.set(basename(file), [...(folders.get(basename(file)) ?? []), file]);
  expect([...folders.values()].filter(({ length }) => length > 1)).toEqual([]);
});
