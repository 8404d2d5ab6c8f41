import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './support/stack/stackProcess.ts';

/**
 * The lines that each room may have. A room is a folder of `lib`, `infra`, `functions` or `test`, or the files beside these folders.
 * These numbers only go down, because an adopter has to own each line: what a change adds, it takes away elsewhere. A room that takes
 * something over from another takes its part of the ceiling over, too.
 */
const ceilings: Record<string, number> = {
  lib: 165,
  'lib/activity': 198,
  'lib/aws': 147,
  'lib/console': 763,
  'lib/contract': 1685,
  'lib/dynamodb': 832,
  'lib/errors': 269,
  'lib/feed': 874,
  'lib/http': 1283,
  'lib/inbox': 761,
  'lib/keys': 597,
  'lib/lists': 2254,
  'lib/logs': 155,
  'lib/outbox': 120,
  'lib/records': 4076,
  'lib/resources': 1945,
  'lib/usage': 1090,
  'lib/values': 1369,
  'lib/webhooks': 4914,
  infra: 85,
  'infra/local': 4445,
  'infra/ops': 4963,
  'infra/pages': 13817,
  'infra/stacks': 4769,
  'infra/terminal': 417,
  functions: 11,
  'functions/changes': 7,
  'functions/console': 125,
  'functions/contacts': 70,
  'functions/event-registrations': 16,
  'functions/me': 10,
  'functions/orders': 16,
  'functions/pipeline': 131,
  'functions/webhook-subscriptions': 105,
  test: 2144,
  'test/bench': 2437,
  'test/browser': 50,
  'test/client': 146,
  'test/compatibility': 630,
  'test/everyOperation': 1443,
  'test/exploration': 2988,
  'test/faults': 2532,
  'test/functions': 5329,
  'test/infra': 9682,
  'test/lib': 5847,
  'test/openapiLint': 57,
  'test/product': 1913,
  'test/simulation': 2657,
  'test/soak': 500,
  'test/support': 6564,
};

/** The kilobytes (1,024 bytes) that the documents may have together: those at the root, and those in `docs`. */
const documentsCeiling = 147;

/** The part of a ceiling that a room may be below it without a reminder. */
const air = 0.03;

const sources = globSync('{lib,infra,functions,test}/**/*.{ts,tsx,js,cjs,css,sh,py,sql}', {
  cwd: root,
  exclude: ['**/node_modules/**', 'test/client/build/**'],
});
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const roomOf = (file: string): string => file.split('/').slice(0, -1).slice(0, 2).join('/');

const lines = new Map<string, number>();
for (const file of sources) {
  const room = roomOf(file);
  lines.set(room, (lines.get(room) ?? 0) + read(file).split('\n').length - 1);
}
const kilobytes = Math.ceil(
  globSync(['*.md', 'docs/**/*.md'], { cwd: root }).reduce(
    (sum, file) => sum + Buffer.byteLength(read(file)),
    0,
  ) / 1024,
);

test('no room has grown', () => {
  const grown = [...lines]
    .filter(([room, size]) => size > (ceilings[room] ?? 0))
    .map(
      ([room, size]) => `${room} has ${size - (ceilings[room] ?? 0)} lines more than its ceiling: ${size}`,
    );
  expect(grown, 'Delete as much in these rooms, or lower the ceiling of another room by as much.').toEqual(
    [],
  );
});

test('the documents have not grown', () => {
  expect(kilobytes, 'Delete as many KB in other documents.').toBeLessThanOrEqual(documentsCeiling);
});

test('every ceiling is that of a room', () => {
  expect(Object.keys(ceilings).filter((room) => !lines.has(room))).toEqual([]);
  for (const [room, ceiling] of Object.entries(ceilings))
    if ((lines.get(room) ?? 0) < ceiling * (1 - air))
      process.stderr.write(
        `${room} has ${lines.get(room)} lines: lower its ceiling of ${ceiling} in test/size.unit.test.ts.\n`,
      );
  if (kilobytes < documentsCeiling * (1 - air))
    process.stderr.write(
      `The documents have ${kilobytes} KB: lower their ceiling of ${documentsCeiling} in test/size.unit.test.ts.\n`,
    );
});
