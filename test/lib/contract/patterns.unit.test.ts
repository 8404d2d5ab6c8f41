import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inboxSchemaFile } from '../../../infra/ops/documents/messageSchemas.ts';
import { openapiFile } from '../../../infra/ops/documents/openapiFiles.ts';

// The patterns in the published files have only what the regular expressions of ECMAScript, Python, Java and RE2 (Go, Rust) share and
// read alike. Not the dot and classes such as those of digits and spaces: elsewhere they have more or fewer characters. Not
// lookarounds, properties, references, flags, and lazy or possessive repetitions.

/** Every pattern in a schema. */
function* patternsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value))
    if (name === 'pattern' && typeof inner === 'string') yield inner;
    else yield* patternsIn(inner);
}

/** The published files with patterns. */
const publishedFiles = [openapiFile, inboxSchemaFile];

/** Every pattern in the published files, once. */
const publishedPatterns = [
  ...new Set(publishedFiles.flatMap((file) => [...patternsIn(JSON.parse(readFileSync(file, 'utf8')))])),
];

/** A code of two digits in capitals. Those of four are written in different ways. */
const code = String.raw`\\x[0-9A-F]{2}`;
const inClass = String.raw`(?:[ -Z^-~]|\\[\\\]]|${code})`;
const characterClass = String.raw`\[\^?(?:${inClass}(?:-${inClass})?)+\]`;
/** Printable ASCII, with a backslash before what has a meaning. */
const plain = String.raw`(?:[ !"#%&',/0-9:;<=>@A-Z_\x60a-z~-]|\\[.*+?()[\]{}|\\^$/]|${code})`;
/** RE2 counts to 1000. */
const repeated = String.raw`(?:[*+?]|\{\d{1,3}(?:,\d{0,3})?\})`;
const shared = new RegExp(String.raw`^(?:(?:${characterClass}|${plain}|\))${repeated}?|\((?:\?:)?|[|^$])*$`);

/** In Java, && in a class is an intersection. */
const isShared = (pattern: string): boolean => shared.test(pattern) && !/\[[^\]]*&&/.test(pattern);

test('there are patterns in the files', () => {
  expect(publishedPatterns.length).toBeGreaterThan(20);
});

test.each(publishedPatterns)('%s has only what all languages share', (pattern) => {
  expect(isShared(pattern)).toBe(true);
  expect(() => [new RegExp(pattern), new RegExp(pattern, 'u')]).not.toThrow();
});

test.each(publishedFiles)(
  '%s has no character as an escape, which readers take in different ways',
  (file) => {
    expect(readFileSync(file, 'utf8')).not.toMatch(/\\u/);
  },
);
