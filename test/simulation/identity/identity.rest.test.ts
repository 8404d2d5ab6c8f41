import { expect, test } from 'vitest';
import { runIdentity } from '../simulated.ts';
import { profiles } from './profiles.ts';

const rounds = 5;

test('in random histories of an app and the API that both delete, both end with the same, nobody is back, and all others are told of', async () => {
  const first = Math.floor(Math.random() * 1e6);
  const { found, records, deletions, rejections } = await runIdentity({
    first,
    count: rounds * profiles.length,
  });
  expect(found).toEqual({});
  expect(records).toBeGreaterThan(800);
  expect(deletions).toBeGreaterThan(500);
  for (const reason of ['row_was_deleted', 'deleted_here', 'deletion_unproven', 'contradiction', 'invalid'])
    expect(rejections[reason], reason).toBeGreaterThan(0);
});

const decide = 'lib/records/deletion/decide.ts';
const unknown = "if (note && when === 'unknown') return wasDeletedBy(note.deleted_by);";

test.each([
  [
    'known_deletion answers a rejection',
    decide,
    'knownDeletion >= note.deleted_at',
    'knownDeletion === note.deleted_id',
  ],
  ['what may be from before is not stored', decide, unknown, ''],
  ['nor dropped', decide, unknown, "if (note && when === 'unknown') return 'ignore';"],
  [
    'a time ahead tells no order',
    'lib/inbox/readMessage.ts',
    "isAhead(data.updated_at ?? '')",
    "isAhead('')",
  ],
  [
    'an operator’s deletion is noted under an external id, too',
    'lib/records/deletion/deleteRecord.ts',
    '[external_id, ...sent_as]',
    '([] as string[])',
  ],
])('without this rule, a history breaks a promise: %s', async (_, file, from, to) => {
  const { found } = await runIdentity({ first: 1, count: 2 * profiles.length, edits: [{ file, from, to }] });
  expect(Object.keys(found)).not.toEqual([]);
});
