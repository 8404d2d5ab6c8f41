import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { trimStream } from '../../../../infra/local/database/databaseMaintenance.ts';
import { removeFolder, temporaryFolder } from '../../../support/stack/stackProcess.ts';
import { keysIn, openStreamed, type Streamed } from '../stream/streamFixture.ts';

let folder: string;
let streamed: Streamed;
let sqlite: DatabaseSync;
beforeEach(async () => {
  folder = temporaryFolder();
  streamed = await openStreamed(folder);
  sqlite = new DatabaseSync(streamed.database.file as string, { timeout: 5000 });
  for (let i = 1; i <= 5; i++) await streamed.put(String(i));
});
afterEach(async () => {
  sqlite.close();
  await streamed.end();
  removeFolder(folder);
});

/** Makes the records up to a sequence number older than a day. */
const age = (upTo: number) =>
  sqlite
    .prepare(
      'UPDATE _stream_records SET created_at = created_at - 86500 WHERE CAST(sequence_number AS INTEGER) <= ?',
    )
    .run(upTo);

const left = () =>
  sqlite
    .prepare('SELECT sequence_number AS number FROM _stream_records ORDER BY id')
    .all()
    .map(({ number }) => number);

test('stream records are kept for a day', () => {
  age(3);
  trimStream(sqlite, 'Another', Number.POSITIVE_INFINITY);
  expect(left()).toEqual(['1', '2', '3', '4', '5']);
  trimStream(sqlite, 'Records', Number.POSITIVE_INFINITY);
  expect(left()).toEqual(['4', '5']);
});

test('stream records that a function has not received yet stay, and it receives them', async () => {
  const got: string[] = [];
  const stop = await streamed.begin(async (event) => got.push(...keysIn(event)));
  await expect.poll(() => streamed.checkpoints.handled('Records')).toBe(5);
  await stop();
  await streamed.put('6');
  await streamed.put('7');
  age(7);
  trimStream(sqlite, 'Records', streamed.checkpoints.handled('Records'));
  expect(left()).toEqual(['6', '7']);
  const stopAgain = await streamed.begin(async (event) => got.push(...keysIn(event)));
  await expect.poll(() => got).toEqual(['1', '2', '3', '4', '5', '6', '7']);
  await stopAgain();
});

test('reading goes on after a checkpoint that was trimmed', async () => {
  const stop = await streamed.begin(async () => {});
  await expect.poll(() => streamed.checkpoints.handled('Records')).toBe(5);
  await stop();
  await streamed.put('6');
  sqlite.exec("DELETE FROM _stream_records WHERE sequence_number <> '6'");
  const got: string[] = [];
  const stopAgain = await streamed.begin(async (event) => got.push(...keysIn(event)));
  await expect.poll(() => got).toEqual(['6']);
  await stopAgain();
});
