import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { timezonesFile, timezonesText } from '../../../infra/ops/documents/timezones.ts';

test('the list in the tree is that of the package; "npm run timezones" writes it', () => {
  expect(readFileSync(timezonesFile, 'utf8')).toBe(timezonesText());
});
