import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { root } from '../support/stack/stackProcess.ts';

// Whoever translates the page finds its texts in one file for each view, and not among its elements.

const page = join(root, 'infra/pages/console');

const words = '"[^"\\n]*[A-Za-z]{2}[^"\\n]*"';

/** Where an element or a part of the page has a text of its own, in what esbuild makes of it. */
const places = [
  // A child alone, and one of several.
  new RegExp(`\\bchildren: (${words})`, 'g'),
  // The name of an element may be on a line of its own, too.
  new RegExp(`(?<!jsxs?\\(\n)^ +(${words}),?$`, 'gm'),
  new RegExp(
    `\\b(?:title|label|placeholder|about|action|waiting|open|note|what|way|any|every|legend): (${words})`,
    'g',
  ),
  new RegExp(`"(?:aria-label|aria-valuetext|data-label)": (${words})`, 'g'),
];

const textsIn = (source: string): string[] => {
  const { code } = transformSync(source, {
    loader: 'tsx',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    charset: 'utf8',
  });
  return places.flatMap((place) => [...code.matchAll(place)].map(([, text]) => text as string));
};

describe('the texts of the page', () => {
  test.each([
    '<p>Some words</p>',
    '<p>Some words {value}</p>',
    '<p>{value} of them</p>',
    '<input placeholder="Some words" />',
    '<td data-label="Words">{value}</td>',
    '<Form action="Go on" />',
  ])('are found in %s', (element) => {
    expect(textsIn(`export const x = (value) => ${element};`)).toHaveLength(1);
  });

  // What is shown when no other file could be fetched is beside what fetches.
  const files = globSync('**/*.tsx', { cwd: page }).filter((file) => file !== 'lazy.tsx');

  test.each(files)('are not in %s', (file) => {
    expect(textsIn(readFileSync(join(page, file), 'utf8'))).toEqual([]);
  });
});
