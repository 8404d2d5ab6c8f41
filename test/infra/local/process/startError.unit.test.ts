import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { reasonOf, StartError } from '../../../../infra/local/process/startError.ts';

/** The error that work throws. */
async function thrownBy(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

const fillDatabase = () =>
  new DatabaseSync(':memory:').exec(
    'PRAGMA max_page_count = 2; CREATE TABLE t (x); INSERT INTO t VALUES (randomblob(100000))',
  );

test.each<[string, () => unknown]>([
  ['the system', () => writeFileSync('/dev/full', 'x')],
  ['SQLite', fillDatabase],
  [
    'a process that was started',
    () =>
      execFileSync(process.execPath, ['-e', "require('fs').writeFileSync('/dev/full', 'x')"], {
        stdio: 'pipe',
      }),
  ],
  [
    'the embedded database',
    () => {
      throw new StartError('The database at http://x cannot be used: backend: database or disk is full');
    },
  ],
])('a full disk is reported in one sentence, for an error from %s', async (_, work) => {
  expect(reasonOf(await thrownBy(work))).toBe(
    'The local stack cannot start: the disk is full. Free some space, or choose another data directory with --data.',
  );
});

test.each<[string, () => unknown]>([
  ['the system', () => writeFileSync('/dev/null/x', '')],
  ['SQLite', () => new DatabaseSync(':memory:').exec('nonsense')],
  [
    'a database out of reach',
    () =>
      new DynamoDBClient({
        endpoint: 'http://127.0.0.1:9',
        region: 'local-1',
        credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
        maxAttempts: 1,
      }).send(new DescribeTableCommand({ TableName: 'Table' })),
  ],
])('an error of %s is reported in one sentence', async (_, work) => {
  expect(reasonOf(await thrownBy(work))).toMatch(/^The local stack cannot start: [^\n]+$/);
});

test('a bug is shown with its stack', () => {
  const mistake = new TypeError('undefined is not a function');
  expect(reasonOf(mistake)).toBe(mistake);
});
