import { expect, test } from 'vitest';
import { documents } from '../support/documents/documents.ts';

test('the README is a front page', () => {
  expect((documents.get('README.md') as string).split('\n').length).toBeLessThanOrEqual(125);
});

test('every document is named in the README', () => {
  for (const file of documents.keys())
    if (file !== 'README.md') expect(documents.get('README.md'), file).toContain(`](${file})`);
});

test('no line has more than 160 characters', () => {
  const long = [...documents].flatMap(([file, text]) =>
    text.split('\n').flatMap((line, i) => (line.length > 160 ? [`${file}:${i + 1}`] : [])),
  );
  expect(long).toEqual([]);
});
